import Foundation

/// The folder of a run: each store lies in a folder of its own in it.
struct Folder {
    private let url: URL

    init(in parent: String?) throws {
        url = (parent.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory).appending(
            path: "cairn-bench-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// A place where nothing is, in a new folder.
    func makeStore(of side: any Side) throws -> String {
        let folder = url.appending(path: "\(side.name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder.appending(path: "store").path()
    }

    /// The bytes of all files of a store.
    func size(of store: String) -> Int {
        let files = FileManager.default.enumerator(at: URL(filePath: store).deletingLastPathComponent(), includingPropertiesForKeys: nil)
        var bytes = 0
        for case let file as URL in files ?? .init() {
            guard let values = try? file.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey]), values.isRegularFile == true else {
                continue
            }
            bytes += values.fileSize ?? 0
        }
        return bytes
    }

    func remove(_ store: String) { try? FileManager.default.removeItem(at: URL(filePath: store).deletingLastPathComponent()) }
    func remove() { try? FileManager.default.removeItem(at: url) }
}
