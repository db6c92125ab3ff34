extension FileSystem {
    /// The path that a symbolic link leads to, or `path` if it is not a link. Files are replaced by renaming, which would replace the link.
    /// The target need not exist.
    package static func followingLink(_ path: String) -> String {
        var path = path
        // As many as systems follow; opening what is left then fails.
        for _ in 0..<40 {
            guard let target = Platform.target(ofLink: path) else { return path }
            path = target.hasPrefix("/") ? target : join(split(path).directory, target)
        }
        return path
    }

    /// Returns a path that leads to the same file after the current directory has changed; `path` itself if there is no current directory.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let directory = Platform.currentDirectory else { return path }
        return join(directory, path)
    }

    /// Returns the same path for all spellings of a path: absolute, without symbolic links. What is at `path` need not exist, but its directory; if
    /// that does not exist either, returns `path` itself.
    package static func resolved(_ path: String) -> String {
        if let real = Platform.realPath(path) { return real }
        let end = path.lastIndex { $0 != "/" } ?? path.startIndex
        let (directory, name) = split(String(path[...end]))
        guard name != ".", name != "..", let real = Platform.realPath(directory) else { return path }
        return join(real, name)
    }

    /// Splits `path` into its directory (`"."` for a bare name) and its last name, which is empty if `path` ends with a slash.
    package static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let directory = path[..<slash]
        return (directory.isEmpty ? "/" : String(directory), String(path[path.index(after: slash)...]))
    }

    /// Returns the path of `name` in `directory`.
    package static func join(_ directory: String, _ name: String) -> String {
        directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }
}
