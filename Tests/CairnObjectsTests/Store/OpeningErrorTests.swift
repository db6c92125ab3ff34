import CairnObjects
import CairnTestSupport
import Foundation
import Testing

@Stored private final class OpenedObject {
    var name: String
}

/// What a store says that cannot be opened.
@Suite struct OpeningErrorTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func failure(_ path: String, _ options: ObjectStoreOptions = ObjectStoreOptions()) throws -> String {
        let error = #expect(throws: ObjectStoreError.self) { try ObjectStore(path: path, classes: [OpenedObject.self], options: options) }
        return "\(try #require(error))"
    }

    @Test func aStoreThatIsOpenSaysSoOnce() throws {
        let path = directory.path("store")
        let store = try ObjectStore(path: path, classes: [OpenedObject.self])
        let text = try failure(path)
        #expect(text.hasSuffix("it is already open in this process; close it there first, or open it for reading only"), "\(text)")
        #expect(text.components(separatedBy: "already open").count == 2, "\(text)")
        try store.close()
    }

    @Test func aMissingStoreSaysWhatToDo() throws {
        let nested = try failure(directory.path("no/such"))
        #expect(nested.contains("there is no store at this path; create the directory '\(directory.path("no"))' first"), "\(nested)")
        #expect(!nested.contains("createIfMissing"), "\(nested)")
        let missing = try failure(directory.path("none"), ObjectStoreOptions(createIfMissing: false))
        #expect(missing.hasSuffix("there is no store at this path") || missing.contains("there is no store at this path ["), "\(missing)")
        let read = try failure(directory.path("none"), ObjectStoreOptions(readOnly: true))
        #expect(read.contains("there is no store at this path") && !read.contains("createIfMissing"), "\(read)")
    }
}
