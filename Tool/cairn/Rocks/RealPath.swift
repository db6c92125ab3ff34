import CairnCore

/// Comparing paths however they are spelled.
enum RealPath {
    /// Whether `path`, which need not exist, is `directory` or lies in it.
    static func isSame(_ path: String, orInside directory: String) -> Bool {
        guard let directory = FileSystem.realPath(directory) else { return false }
        let path = asFarAsExisting(FileSystem.absolute(path))
        return path == directory || path.hasPrefix(directory.hasSuffix("/") ? directory : directory + "/")
    }

    private static func asFarAsExisting(_ path: String) -> String {
        if let path = FileSystem.realPath(path) { return path }
        let (directory, name) = FileSystem.split(path)
        guard directory != path, directory != "." else { return path }
        let parent = asFarAsExisting(directory)
        return name.isEmpty ? parent : FileSystem.join(parent, name)
    }
}
