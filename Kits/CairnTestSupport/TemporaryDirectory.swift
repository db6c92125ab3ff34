import Foundation

/// A temporary directory, removed with its contents when this object is deinitialized.
public final class TemporaryDirectory: Sendable {
    /// The path, absolute and without symbolic links.
    public let path: String

    /// Creates the directory where the system keeps temporary files, or in `parent`.
    public init(in parent: String? = nil) throws {
        let parent = URL(fileURLWithPath: parent ?? NSTemporaryDirectory()).resolvingSymlinksInPath()
        let directory = parent.appendingPathComponent("cairn-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        path = directory.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of `name` in this directory.
    public func path(_ name: String) -> String { "\(path)/\(name)" }
}
