import Foundation

/// The folder of a run, which goes with it.
public struct Folder: Sendable {
    private let url: URL

    /// Where temporary files go.
    public static func temporary() throws -> Folder { try Folder(in: nil) }

    init(in parent: String?) throws {
        url = (parent.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory).appending(
            path: "cairn-bench-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// The path of a name in it.
    public func path(_ name: String) -> String { url.appending(path: name).path() }

    /// A place where nothing is, in a folder of its own.
    public func makePlace(_ name: String = "store") throws -> String {
        let folder = url.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder.appending(path: name).path()
    }

    /// A copy of a place with all that is in its folder, as files are now: of an open store what a process that is killed leaves.
    public func copyPlace(_ place: String) throws -> String {
        let from = URL(filePath: place), to = url.appending(path: UUID().uuidString)
        try FileManager.default.copyItem(at: from.deletingLastPathComponent(), to: to)
        return to.appending(path: from.lastPathComponent).path()
    }

    /// The bytes of all files in the folder of a place.
    public func size(ofPlace place: String) -> Int {
        let files = FileManager.default.enumerator(at: URL(filePath: place).deletingLastPathComponent(), includingPropertiesForKeys: nil)
        var bytes = 0
        for case let file as URL in files ?? .init() {
            guard let values = try? file.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey]), values.isRegularFile == true else {
                continue
            }
            bytes += values.fileSize ?? 0
        }
        return bytes
    }

    public func removePlace(_ place: String) { try? FileManager.default.removeItem(at: URL(filePath: place).deletingLastPathComponent()) }
    public func remove() { try? FileManager.default.removeItem(at: url) }
}
