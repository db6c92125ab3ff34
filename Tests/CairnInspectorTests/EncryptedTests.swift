import CairnInspector
import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Crypto
import Foundation
import Testing

@Stored(name: "Letter") private final class InspectedLetter {
    @Indexed var user: String?
    @Searchable var text: String
}

extension InspectedLetter: ShreddableObject {
    var shredGroup: String? { user }
}

@Stored(name: "Note") private final class InspectedNote {
    var text: String
}

/// Encrypted object stores.
@Suite struct EncryptedTests {
    private let directory: TemporaryDirectory
    private let store: ObjectStore

    init() throws {
        directory = try TemporaryDirectory()
        let cipher = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        store = try ObjectStore(
            path: directory.path("Letters.store"),
            classes: [InspectedLetter.self, InspectedNote.self],
            options: ObjectStoreOptions(cipher: cipher)
        )
        try store.write { context in
            context.insert(InspectedLetter(user: "ada", text: "a secret of ada"))
            context.insert(InspectedLetter(user: "ben", text: "a secret of ben"))
            context.insert(InspectedNote(text: "a note"))
        }
    }

    @Test func shreddedObjectsAreShownAsSuch() async throws {
        try store.shred("ada")
        try await inspecting(.store(store)) { (page) throws in
            let answer = try page.ask("objects", ["class": "Letter"])
            #expect(answer.objects.list.count == 1 && answer.objects[0].values[1].value.text.string == "a secret of ben")
            #expect(answer.faults.list.map(\.shredded.bool) == [true])
            for (question, query) in [("objects", ["class": "Letter"]), ("objects", ["class": "Letter", "search": "secret"])]
                as [(String, [String: String])]
            {
                #expect(try !page.answer(question, query).text.contains("of ada"))
            }
            #expect(try !page.answer("object", ["id": "1/1"]).text.contains("of ada"))
        }
    }

    @Test func whatIsChangedIsEncrypted() async throws {
        let path = directory.path("Letters.store")
        try await inspecting(.store(store), options: .init(isEditable: true)) { [store] (page) throws in
            _ = try page.perform(#"{"set": {"object": "2/1", "property": "text", "text": "another-secret"}}"#)
            // The group of an object is in no catalog.
            #expect(try page.changing("preview", #"{"set": {"object": "1/1", "property": "text", "text": "unsealed"}}"#).status == 409)
            #expect(try store.read { try $0.fetch(InspectedNote.self).map(\.text) } == ["another-secret"])
        }
        try store.close()
        for file in try FileManager.default.contentsOfDirectory(atPath: path) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path + "/" + file))
            #expect(bytes.range(of: Data("another-secret".utf8)) == nil, "\(file)")
        }
    }
}
