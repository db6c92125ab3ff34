extension FileSystem {
    /// The path that a symbolic link leads to, or `path` if it is not a link. Files are replaced by renaming, which would replace the link.
    /// The target need not exist.
    package static func followingLink(_ path: String) -> String {
        var path = path
        // As many links as systems follow; opening a longer chain then fails.
        for _ in 0..<40 {
            guard let target = Platform.target(ofLink: path) else { return path }
            path = target.hasPrefix("/") ? target : join(split(path).directory, target)
        }
        return path
    }

    /// Returns a path that leads to the same file after the current directory has changed; `path` itself if it is empty, or if the current directory
    /// cannot be reached from the root, as when a directory above it may not be searched.
    package static func absolute(_ path: String) -> String {
        guard !path.isEmpty, !path.hasPrefix("/") else { return path }
        // Another thread may change it in between.
        for _ in 0..<3 {
            guard let directory = Platform.currentDirectory, let identity = try? system.stat(directory).identity else { return path }
            if (try? system.stat(".").identity) == identity { return join(directory, path) }
        }
        return path
    }

    /// Returns the same path for all spellings of a path: absolute, without symbolic links. `path` itself need not exist, but its directory must:
    /// otherwise, returns `path` without slashes at its end.
    package static func resolved(_ path: String) -> String {
        if let real = Platform.realPath(path) { return real }
        guard let end = path.lastIndex(where: { $0 != "/" }) else { return path }
        let path = String(path[...end])
        let (directory, name) = split(path)
        guard name != ".", name != "..", let real = Platform.realPath(directory) else { return path }
        return join(real, name)
    }

    /// Splits `path` into its directory (`"."` for a bare name) and its last name, which is empty if `path` ends with a slash.
    package static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let directory = path[..<slash]
        return (directory.isEmpty ? "/" : String(directory), String(path[path.index(after: slash)...]))
    }

    /// Returns why no file can have this path, whatever the file system; `nil` for most paths.
    package static func flaw(in path: String) -> String? {
        if path.isEmpty { return "the path is empty" }
        return path.utf8.contains(0) ? "the path contains a zero byte" : nil
    }

    /// The state of the directory of a path at which nothing could be created: the system says only that a part of the path is missing.
    package enum Parent {
        /// It is missing.
        case missing
        /// It is missing because a name in it begins with `~`, which only shells expand.
        case unexpanded
        /// It exists, but nothing can be created there, as in `/proc`.
        case existing
    }

    /// Finds out why nothing could be created at `path`.
    package static func parent(of path: String) -> Parent {
        var directory = split(path).directory
        guard (try? system.stat(directory)) == nil else { return .existing }
        while true {
            let (parent, name) = split(directory)
            if name.hasPrefix("~"), (try? system.stat(directory)) == nil { return .unexpanded }
            guard parent != directory else { return .missing }
            directory = parent
        }
    }

    /// Whether `path`, which need not exist, is the directory `directory` or inside it, however both are spelled.
    package static func isSame(_ path: String, orInside directory: String) -> Bool {
        guard let wanted = try? system.stat(directory).identity else { return false }
        // As far as it exists.
        var place = path
        while (try? system.stat(place)) == nil {
            while place.count > 1, place.hasSuffix("/") { place.removeLast() }
            let parent = split(place).directory
            guard parent != place else { return false }
            place = parent
        }
        var last: FileStatus.Identity?
        // The root is its own parent.
        while let found = try? system.stat(place).identity, found != last {
            if found == wanted { return true }
            last = found
            place = join(place, "..")
        }
        return false
    }

    /// Returns the path of `name` in `directory`.
    package static func join(_ directory: String, _ name: String) -> String {
        directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }
}
