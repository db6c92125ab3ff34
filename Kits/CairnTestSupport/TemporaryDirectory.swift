import Foundation

/// A temporary directory, removed with its contents when this object is deinitialized.
public final class TemporaryDirectory: Sendable {
    /// The path, absolute and without symbolic links.
    public let path: String

    /// Creates the directory where the system keeps temporary files, or in `parent`.
    ///
    /// Unless everything is to run (``Thorough``), it is in memory where that is possible: a test then waits for no disk.
    public init(in parent: String? = nil) throws {
        let parent = URL(fileURLWithPath: parent ?? Self.usualParent).resolvingSymlinksInPath()
        let directory = parent.appendingPathComponent("cairn-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        path = directory.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of `name` in this directory.
    public func path(_ name: String) -> String { "\(path)/\(name)" }

    private static let usualParent: String = {
        guard !Thorough.isOn, ProcessInfo.processInfo.environment["TMPDIR"] == nil else { return NSTemporaryDirectory() }
        // Linux keeps these files in memory. Containers often have too little room there.
        let memory = "/dev/shm"
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: memory)
        let isLargeEnough = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0 >= 1 << 31
        return isLargeEnough && FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
    }()
}
