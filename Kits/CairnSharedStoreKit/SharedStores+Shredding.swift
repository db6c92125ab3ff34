package import CairnGraph
import CairnObjectsEncryption
import CairnStored
import Crypto
import Testing

@Stored final class Letter {
    @Indexed var reader: String
    @Searchable var text: String
}

extension Letter: ShreddableObject {
    var shredGroup: String? { reader }
}

extension SharedStores {
    /// What one store shreds, no other can read any more, even if it has just read it; the rest stays.
    ///
    /// - Parameter makeEngine: Makes an engine for the place, which is empty at first.
    package static func shredForAll(_ makeEngine: () throws -> any StorageEngine) throws {
        var options = ObjectStoreOptions()
        options.cipher = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        func open() throws -> ObjectStore { try ObjectStore(engine: makeEngine(), classes: [Letter.self], options: options) }
        let stores = [try open(), try open()]
        let ids = try stores[0].write { context in
            let letters = (0..<20).map { Letter(reader: $0 % 2 == 0 ? "ada" : "ben", text: "letter \($0)") }
            for letter in letters { context.insert(letter) }
            return letters.compactMap(\.objectID)
        }
        let all = (0..<20).map { "letter \($0)" }
        func texts(_ store: ObjectStore) throws -> [String] {
            try store.read { context in
                ids.map { id in
                    do throws(ObjectStoreError) { return try context.object(id, as: Letter.self)?.text ?? "-" } catch {
                        return "\(error.code)"
                    }
                }
            }
        }
        for store in stores { #expect(try texts(store) == all) }
        #expect(try stores[0].shred("ada") == 10)
        for store in stores + [try open()] {
            #expect(try texts(store) == all.enumerated().map { $0.offset % 2 == 0 ? "shredded" : $0.element })
            try store.read { (context) throws in
                #expect(try context.fetch(Letter.self, where: \.reader == "ada").isEmpty)
                #expect(try context.search(Letter.self, \.text, "[[*letter*]]").count == 10)
            }
            try store.close()
        }
    }
}
