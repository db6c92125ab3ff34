import CairnCore
import CairnGraph

/// Encrypted object stores in which entries of the engine are damaged, in and under their seals: everything that can be called answers or throws.
///
/// The cipher is a byte at the end, so that what is under the seals is reached: the header, pages with records of groups, keys of groups, names.
public struct SealedStoreFuzzTarget: FuzzTarget {
    public static let name = "sealed-stores"

    private let entries: FuzzedEntries
    private static var classes: [any StoredObject.Type] { FuzzedObjects.classes + [FuzzedLetter.self] }

    public init() throws {
        let engine = MemoryEngine()
        let store = try Self.open(engine, Self.classes)
        try FuzzedObjects.fill(store)
        try store.write { context in
            for number in 0..<6 {
                let size = number == 4 ? 1_500 : 3
                context.insert(
                    FuzzedLetter(user: ["a", "b", nil][number % 3], text: "letter \(number)", paper: [UInt8](repeating: 1, count: size))
                )
            }
        }
        entries = FuzzedEntries(entries: try engine.makeView().entries(), seal: [FuzzedCipher.mark])
    }

    private static func open(_ engine: MemoryEngine, _ classes: [any StoredObject.Type]) throws -> ObjectStore {
        var options = ObjectStoreOptions()
        options.cipher = FuzzedCipher()
        return try ObjectStore(engine: engine, classes: classes, options: options)
    }

    /// The input is changes of the entries.
    public func check(_ bytes: RawSpan) throws {
        let changes = entries.changed(by: bytes)
        for knowsClasses in [true, false] {
            let engine = MemoryEngine()
            try engine.commit(changes)
            try answeringStore { try examine(engine, knowsClasses ? Self.classes : []) }
        }
        for new in [nil, FuzzedCipher()] {
            let engine = MemoryEngine()
            try engine.commit(changes)
            try answeringStore { try ObjectStore.rekey(of: engine, from: FuzzedCipher(), to: new) }
        }
    }

    private func examine(_ engine: MemoryEngine, _ classes: [any StoredObject.Type]) throws {
        let store = try Self.open(engine, classes)
        _ = try store.verify()
        if !classes.isEmpty {
            try answeringStore { try store.read { try FuzzedObjects.read($0, answeringStore) } }
            try FuzzedObjects.change(store, answeringStore)
            try answeringStore { try store.write { for letter in try $0.allObjects(FuzzedLetter.self) { letter.text += "!" } } }
            try answeringStore { _ = try store.read { try $0.search(FuzzedLetter.self, \.text, "letter").count } }
        }
        var shredded = 0
        try answeringStore { shredded = try store.shred("a") }
        let verification = try store.verify()
        let found = verification.classes.map(\.shreddedCount).reduce(0, +)
        // Of what is damaged nobody can tell.
        try require(found >= shredded || !verification.isIntact, "\(shredded) objects were shredded, and \(found) are")
        guard !classes.isEmpty else { return }
        try answeringStore {
            try store.write { context in for letter in try context.shreddedObjects(FuzzedLetter.self) { try context.delete(letter) } }
            let left = try store.read { try $0.shreddedObjects(FuzzedLetter.self).count }
            try require(left == 0, "\(left) objects are shredded that were deleted")
        }
    }
}

extension FuzzedLetter: ShreddableObject {
    var shredGroup: String? { user }
}

/// A cipher that keeps no secret: a byte at the end of values.
private struct FuzzedCipher: ObjectCipher, ObjectCipherSession {
    static let mark: UInt8 = 0xA5
    private var key: UInt8 = 0

    func create() throws -> (session: any ObjectCipherSession, header: [UInt8]) { (self, [Self.mark]) }
    func unlock(_ header: [UInt8]) throws -> any ObjectCipherSession {
        guard header == [Self.mark] else { throw ObjectStoreError(.wrongKey, "the store has another key") }
        return self
    }
    func header(for session: any ObjectCipherSession) throws -> [UInt8] { [Self.mark] }

    var overhead: Int { 1 }
    func seal(_ plain: RawSpan, context: RawSpan) throws -> [UInt8] { [UInt8](copying: plain) + [Self.mark ^ key] }
    func open(_ sealed: RawSpan, context: RawSpan) throws -> [UInt8] {
        let bytes = [UInt8](copying: sealed)
        guard bytes.last == Self.mark ^ key else { throw ObjectStoreError(.corruption, "a value is not sealed") }
        return bytes.dropLast()
    }
    func hash(_ term: RawSpan) -> UInt128 { [UInt8](copying: term).reduce(7) { ($0 &* 0x0100_0000_01B3) ^ UInt128($1) } }
    func makeGroupKey() throws -> [UInt8] { [UInt8.random(in: 1...3)] }
    func session(groupKey: [UInt8]) throws -> any ObjectCipherSession {
        guard groupKey.count == 1 else { throw ObjectStoreError(.corruption, "the key of a group has \(groupKey.count) bytes") }
        var session = self
        session.key = groupKey[0]
        return session
    }
}
