import CairnCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Paths without links, `.` and `..`, for comparing them.
enum RealPath {
    /// The path of what is there; `nil` if nothing is.
    static func existing(_ path: String) -> String? {
        guard let found = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }

    /// Whether `path`, which need not exist, is `directory` or lies in it.
    static func isSame(_ path: String, orInside directory: String) -> Bool {
        guard let directory = existing(directory) else { return false }
        let path = asFarAsExisting(FileSystem.absolute(path))
        return path == directory || path.hasPrefix(directory.hasSuffix("/") ? directory : directory + "/")
    }

    private static func asFarAsExisting(_ path: String) -> String {
        if let path = existing(path) { return path }
        let (directory, name) = FileSystem.split(path)
        guard directory != path, directory != "." else { return path }
        let parent = asFarAsExisting(directory)
        return name.isEmpty ? parent : FileSystem.join(parent, name)
    }
}
