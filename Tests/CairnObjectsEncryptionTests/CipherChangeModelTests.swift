import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Crypto
import Testing

/// Random changes of the cipher, many of which end early, with other work between them.
struct CipherChangeModelTests {
    @Test func randomChanges() async throws {
        let ciphers: [ObjectEncryption?] = [
            nil, try ObjectEncryption(key: SymmetricKey(size: .bits256)), try ObjectEncryption(passphrase: "one", cost: .cheap),
            try ObjectEncryption(passphrase: "two", cost: .cheap),
        ]
        try await withSeeds("changes of ciphers", count: Thorough.count(1, of: 8)) { random in
            var model = CipherModel()
            try fill(model.open(), 30)
            for step in 0..<60 {
                // Most changes have a dozen commits.
                model.engine.commitsLeft = random.oneIn(3) ? .max : random.int(in: 0..<16)
                switch random.int(in: 0..<5) {
                case 0..<3: try model.rekey(to: random.pick(ciphers), otherwise: random.pick(ciphers))
                case 3: try model.changeKey(to: random.pick(ciphers))
                default: try model.save("patient \(step)")
                }
                try model.check()
            }
        }
    }
}

/// A store, and what must be true of it.
private struct CipherModel {
    private let base = MemoryEngine()
    /// The same, but it fails.
    let engine: FailingEngine
    private var cipher: ObjectEncryption?
    private var names: Set<String> = []

    init() { engine = FailingEngine(base) }

    func open(_ cipher: ObjectEncryption? = nil, fails: Bool = false) throws -> ObjectStore {
        var options = ObjectStoreOptions()
        options.cipher = cipher
        return try ObjectStore(engine: fails ? engine : base, classes: hospital, options: options)
    }

    /// A change that ends early has not begun, or is open and can continue with the same ciphers only, or only needs to clean up.
    mutating func rekey(to new: ObjectEncryption?, otherwise other: ObjectEncryption?) throws {
        var failures = 0
        while let failure = code({ try ObjectStore.rekey(of: engine, from: cipher, to: new) }) {
            #expect(failure == .ioError)
            failures += 1
            engine.commitsLeft = failures * 3
            switch code({ try open(cipher) }) {
            case nil:
                // To another cipher, then.
                guard other !== new else { continue }
                return try rekey(to: other, otherwise: other)
            case .changeUnfinished:
                #expect(code { try open(new) } == .changeUnfinished)
                guard other !== new else { continue }
                #expect(code { try ObjectStore.rekey(of: base, from: cipher, to: other) } != nil)
            case _?:
                cipher = new
                return
            }
        }
        cipher = new
    }

    mutating func changeKey(to new: ObjectEncryption?) throws {
        guard let new else { return }
        let store = try open(cipher, fails: true)
        switch code({ try store.changeKey(to: new) }) {
        case nil: cipher = new
        case .wrongKey: #expect(cipher == nil)
        case let failure:
            #expect(failure == .ioError)
            // The key was changed, and what it was is left in the files.
            if code({ try open(cipher) }) == .wrongKey { cipher = new }
        }
    }

    mutating func save(_ name: String) throws {
        let store = try open(cipher, fails: true)
        let failure = code { try store.write { context in context.insert(Patient(city: "Here", number: name, name: name)) } }
        if failure == nil { names.insert(name) } else { #expect(failure == .ioError) }
    }

    /// All is there, and opens with its cipher alone.
    func check() throws {
        let store = try open(cipher)
        try store.buildIndexes()
        #expect(try store.verify().isIntact)
        let found = try store.read { context in try context.fetch(Patient.self, where: \Patient.city == "Here").map(\.name) }
        #expect(Set(found) == names && found.count == names.count)
        #expect(try store.read { try $0.count(Patient.self) } == names.count + 30)
        if cipher != nil { #expect(code { try open(nil) } == .keyNeeded) }
    }
}
