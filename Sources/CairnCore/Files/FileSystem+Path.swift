extension FileSystem {
    /// The path that a symbolic link leads to, or `path` where it is none: files take the place of others, and links are not to be replaced.
    /// What it leads to need not exist.
    package static func followingLink(_ path: String) -> String {
        var path = path
        // As many as systems follow, who refuse to open what is left.
        for _ in 0..<40 {
            guard let target = Platform.target(ofLink: path) else { return path }
            path = target.hasPrefix("/") ? target : join(split(path).directory, target)
        }
        return path
    }

    /// The directory that holds `path` (`"."` for a bare name) and the last name in it, which is empty where `path` ends with a slash.
    package static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let directory = path[..<slash]
        return (directory.isEmpty ? "/" : String(directory), String(path[path.index(after: slash)...]))
    }

    /// The path of `name` in `directory`.
    package static func join(_ directory: String, _ name: String) -> String {
        directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }
}
