import CairnMapped
import CairnTestSupport
import Testing

/// What may be found under each key, by what was tried, what was acknowledged, and what was synced.
final class FaultLedger {
    private(set) var allowed: [String: [MappedVariant?]] = [:]
    /// What a crash of the process leaves for certain is what was acknowledged; a power cut, what was synced.
    let survivesAtOnce: Bool
    private(set) var failures: [MappedStoreError] = []
    /// The cipher that the store has, and the one it may have.
    var ciphers: [UInt64] = [0]

    init(survivesAtOnce: Bool) { self.survivesAtOnce = survivesAtOnce }

    func fail(_ error: any Error) {
        if let error = error as? MappedStoreError { failures.append(error) } else { Issue.record("no MappedStoreError: \(error)") }
    }

    /// Performs changes that happen together.
    func change(_ changes: [(key: String, value: MappedVariant?)], _ body: () throws -> Void) {
        var isDone = true
        do { try body() } catch {
            fail(error)
            isDone = false
        }
        for (key, value) in changes {
            if isDone, survivesAtOnce { allowed[key] = [value] } else { allowed[key, default: [nil]].append(value) }
        }
    }

    /// Everything may be gone.
    func doubt() { allowed = allowed.mapValues { $0 + [nil] } }

    /// What was tried last is there for certain from now on, as far as it is known which that is.
    func settle() {
        if failures.isEmpty { allowed = allowed.mapValues { [$0.last!] } }
    }
}

/// A store's life: it is created, filled, grows, is compacted, gets another cipher, is opened again.
struct FaultedLife {
    let disk: FaultInjectingFileSystem
    let path: String
    let ledger: FaultLedger
    let durability: Durability
    private var round: Int128 = 0

    init(_ disk: FaultInjectingFileSystem, _ path: String, _ ledger: FaultLedger, _ durability: Durability = .buffered) {
        self.disk = disk
        self.path = path
        self.ledger = ledger
        self.durability = durability
    }

    mutating func live() {
        if let store = open() { growAndRekey(store) }
        if let store = open() { empty(store) }
    }

    private mutating func growAndRekey(_ store: MappedStore) {
        work(store)
        settle(store)
        work(store)
        // The file and the index grow.
        let many = (0..<230).map { (key: "many \($0)", value: MappedVariant?.some(.int(Int128($0)))) }
        ledger.change(many) { try store.transaction { changes in for (key, value) in many { try changes.set(value, for: key) } } }
        do { try store.compact() } catch { ledger.fail(error) }
        work(store)
        settle(store)
        do {
            ledger.ciphers.append(3)
            try store.rekey(to: TestCipher(3))
            ledger.ciphers = [3]
        } catch { ledger.fail(error) }
        work(store)
        do { try store.close() } catch { ledger.fail(error) }
    }

    private mutating func empty(_ store: MappedStore) {
        work(store)
        do { try store.removeAll() } catch { ledger.fail(error) }
        if ledger.failures.isEmpty {
            // Nothing of what was before comes back.
            for key in ledger.allowed.keys { ledger.change([(key, nil)]) {} }
            ledger.settle()
        } else {
            ledger.doubt()
        }
        work(store)
    }

    // MARK: Steps

    private func open() -> MappedStore? {
        var options = MappedStoreOptions()
        options.compaction = .manual
        options.durability = durability
        for cipher in ledger.ciphers {
            options.cipher = cipher == 0 ? nil : TestCipher(cipher)
            do {
                return try MappedStore(path: path, options: options, fileSystem: disk.fileSystem)
            } catch {
                if error.code != .wrongKey && error.code != .keyNeeded { ledger.fail(error) }
            }
        }
        return nil
    }

    private mutating func work(_ store: MappedStore) {
        round += 1
        for number in 0..<6 {
            ledger.change([("key \(number)", .int(round))]) { try store.set(Int(round), for: "key \(number)") }
        }
        ledger.change([("key 5", nil)]) { try store.remove("key 5") }
        // Long enough to be written with a system call, every other time.
        let text = MappedVariant.string(String(repeating: "x", count: round % 2 == 0 ? 3_000 : 40_000) + "\(round)")
        let both: [(key: String, value: MappedVariant?)] = [("one", .int(round)), ("large", text), ("two", .int(round))]
        ledger.change(both) {
            try store.transaction { changes in for (key, value) in both { try changes.set(value, for: key) } }
        }
    }

    private func settle(_ store: MappedStore) {
        do {
            try store.sync()
            ledger.settle()
        } catch { ledger.fail(error) }
    }
}
