import CairnCore
import CairnMapped
import CairnTestSupport
import Foundation
import Testing

/// What others put in the place of the file that a compaction writes.
struct PlantedFileTests {
    private let scene = try! Scene()
    private var place: String { scene.path(".a.map.compact") }

    /// A store with something to remove.
    private func store() throws -> MappedStore {
        let store = try scene.store()
        for number in 0..<100 { try store.set("secret \(number)", for: "token") }
        return store
    }

    @Test func aSymbolicLinkIsNotFollowed() throws {
        let store = try store()
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: scene.path("elsewhere"))
        #expect(code { try store.compact() } != nil)
        #expect(try !scene.names().contains("elsewhere"))
        #expect(try store.get("token") == "secret 99")
    }

    @Test func aPipeIsRefused() throws {
        let store = try store()
        #expect(unsafe mkfifo(place, 0o600) == 0)
        #expect(code { try store.compact() } == .permissionDenied)
        #expect(try store.get("token") == "secret 99")
    }

    /// Filling it would overwrite what has the other name.
    @Test func aFileWithAnotherNameIsLeftAlone() throws {
        let store = try store()
        try Data("precious".utf8).write(to: URL(filePath: scene.path("precious")))
        try FileManager.default.linkItem(atPath: scene.path("precious"), toPath: place)
        try store.compact()
        #expect(try scene.bytes("precious") == Array("precious".utf8))
        #expect(try store.get("token") == "secret 99")
    }

    /// They may have it open, and would read what is written to it. Only root can give a file to others.
    @Test func anotherUsersFileIsReplaced() throws {
        let store = try store()
        try Data("planted".utf8).write(to: URL(filePath: place))
        let planted = try FileHandle(forReadingFrom: URL(filePath: place))
        if geteuid() == 0 { #expect(unsafe chown(place, 12_345, 12_345) == 0) }
        try store.compact()
        if geteuid() == 0 { #expect(try planted.readToEnd() == Data("planted".utf8)) }
        #expect(try FileSystem.system.stat(scene.path()).isOwn)
        #expect(try store.get("token") == "secret 99")
    }
}
