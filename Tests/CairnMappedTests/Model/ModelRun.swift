import CairnMapped
import CairnTestSupport
import Foundation

/// Two stores of one file, in one process or in two, and a dictionary: performs operations on all, and throws if they differ.
final class ModelRun {
    /// A dictionary with what a store means by each operation.
    private struct Model {
        var entries: [String: (value: MappedVariant, deadline: Date?)] = [:]
        mutating func expire(_ now: Date) { entries = entries.filter { $0.value.deadline.map { $0 > now } ?? true } }
        var contents: [String: MappedVariant] { entries.mapValues { $0.value } }
    }

    /// Thrown by transactions that fail on purpose.
    private struct Stop: Error {}

    private let scene: Scene
    private let clock = HandClock()
    private let skips: Bool
    private let inTwoProcesses: Bool
    private var cipher: Int
    private var store: MappedStore
    private var other: any OtherStore
    private var model = Model()

    init(skips: Bool = false, cipher: Int = 0, inTwoProcesses: Bool = false) throws {
        scene = try Scene(fileSystem: .unsynced)
        self.skips = skips
        self.inTwoProcesses = inTwoProcesses
        self.cipher = cipher
        store = try Self.open(scene, clock, skips: skips, cipher: cipher)
        other = try Self.openOther(scene, clock, skips: skips, cipher: cipher, inTwoProcesses: inTwoProcesses)
    }

    private static func open(_ scene: Scene, _ clock: HandClock, skips: Bool, cipher: Int) throws -> MappedStore {
        try scene.store {
            $0.now = { clock.now }
            $0.skipsEqualValues = skips
            $0.cipher = cipher == 0 ? nil : TestCipher(UInt64(cipher))
        }
    }

    private static func openOther(
        _ scene: Scene,
        _ clock: HandClock,
        skips: Bool,
        cipher: Int,
        inTwoProcesses: Bool
    ) throws -> any OtherStore {
        if inTwoProcesses { return try OtherProcess(path: scene.path(), clock: clock) }
        return OtherStoreHere(store: try open(scene, clock, skips: skips, cipher: cipher))
    }

    private func reopenOther() throws {
        other = try Self.openOther(scene, clock, skips: skips, cipher: cipher, inTwoProcesses: inTwoProcesses)
    }

    /// The value of a number: of several types and sizes.
    private static func value(_ number: Int) -> MappedVariant {
        switch number % 5 {
        case 0: .int(Int128(number))
        case 1: .string(String(repeating: "ä", count: number % 40))
        case 2: .bytes([UInt8](repeating: UInt8(number % 251), count: number * 3))
        case 3: .array([.bool(true), .double(Double(number))])
        default: .date(Date(timeIntervalSince1970: Double(number)))
        }
    }

    /// Performs all operations; compares a key after each, and everything at the end.
    func perform(_ operations: [ModelTests.Operation]) throws {
        for (number, operation) in operations.enumerated() {
            model.expire(clock.now)
            try perform(operation, number)
            model.expire(clock.now)
            let key = "\(number % 24)"
            try match(try other.get(key), model.entries[key]?.value, "key \(key) after \(operation)")
            try match(try store.contains(key), model.entries[key] != nil, "whether \(key) is there after \(operation)")
            try match(try store.count, model.entries.count, "count after \(operation)")
        }
        model.expire(clock.now)
        try match(try store.contents(), model.contents, "contents at the end")
        try match(try store.verify().isIntact, true, "verification at the end")
    }

    private func perform(_ operation: ModelTests.Operation, _ number: Int) throws {
        switch operation {
        case .set(let key, let value):
            try store.set(Self.value(value), for: "\(key)")
            model.entries["\(key)"] = (Self.value(value), nil)
        case .other(let key, let value):
            try other.set(Self.value(value), for: "\(key)")
            model.entries["\(key)"] = (Self.value(value), nil)
        case .setExpiring(let key, let value):
            try store.set(Self.value(value), for: "\(key)", expiresAfter: .seconds(value % 10))
            model.entries["\(key)"] = (Self.value(value), clock.now + Double(value % 10))
        case .remove(let key): try remove(key) { try store.remove($0) }
        case .otherRemoves(let key): try remove(key) { try other.remove($0) }
        case .update(let key): try update(key)
        case .transaction(let keys, let fails): try transaction(keys, fails: fails)
        case .removeAll:
            try store.removeAll()
            model.entries = [:]
        case .otherAdds(let keys): try addToOther(keys)
        case .otherIsKilled: try killOther()
        case .compact: try store.compact()
        case .otherCompacts: try other.compact()
        case .pass(let seconds):
            clock.pass(Double(seconds))
            model.expire(clock.now)
        case .reopen: try reopen {}
        case .reboot: try reopen { try scene.pretendAnotherBoot() }
        case .rekey(let key):
            try store.rekey(to: key == 0 ? nil : TestCipher(UInt64(key)))
            cipher = key
            try other.close()
            try reopenOther()
        case .list:
            try match(try store.contents(), model.contents, "contents at \(number)")
            try match(try other.contents(), model.contents, "contents of the other store at \(number)")
            try match(try store.verify().isIntact, true, "verification at \(number)")
        case .sync: try other.sync()
        case .setMany(let keys, let value): try setMany(keys, value)
        case .getMany(let keys):
            let found = try store.multiGet(keys.map { "\($0)" }, as: MappedVariant.self)
            try match(found, keys.map { model.entries["\($0)"]?.value }, "values of \(keys)")
        case .removeMany(let keys): try removeMany(keys.map { "\($0)" }) { try store.remove(contentsOf: $0) }
        case .removePrefix(let key):
            let keys = model.entries.keys.filter { $0.hasPrefix("\(key)") }
            try match(try Set(store.keys(withPrefix: "\(key)")), Set(keys), "keys that begin with \(key)")
            try removeMany(keys) { _ in try store.remove(withPrefix: "\(key)") }
        }
    }

    // MARK: Operations

    private func setMany(_ keys: [Int], _ value: Int) throws {
        let pairs = keys.enumerated().map { (key: "\($0.element)", value: Self.value(value + $0.offset)) }
        try store.set(contentsOf: pairs)
        for (key, value) in pairs { model.entries[key] = (value, nil) }
    }

    private func removeMany(_ keys: [String], _ body: ([String]) throws -> Int) throws {
        let count = Set(keys).count { model.entries[$0] != nil }
        let removed = try body(keys)
        // What expired may be there still, or not.
        try match(removed >= count && removed <= Set(keys).count, true, "removing \(keys): \(removed)")
        for key in keys { model.entries[key] = nil }
    }

    private func remove(_ key: Int, _ body: (String) throws -> Bool) throws {
        let isThere = model.entries["\(key)"] != nil
        let removed = try body("\(key)")
        // What expired may be there still, or not.
        if isThere { try match(removed, true, "removing \(key)") }
        model.entries["\(key)"] = nil
    }

    private func update(_ key: Int) throws {
        let expected = model.entries["\(key)"]?.value
        try store.update("\(key)", as: MappedVariant.self) { found in
            try match(found, expected, "updated value of \(key)")
            found = found == nil ? .int(1) : nil
        }
        model.entries["\(key)"] = expected == nil ? (.int(1), nil) : nil
    }

    private func transaction(_ keys: [Int], fails: Bool) throws {
        var changed = model
        do {
            try store.transaction { changes in
                for (index, key) in keys.enumerated() {
                    let found = try changes.get("\(key)", as: MappedVariant.self)
                    try match(found, changed.entries["\(key)"]?.value, "within, key \(key)")
                    if index % 3 == 2 {
                        changes.remove("\(key)")
                        changed.entries["\(key)"] = nil
                    } else {
                        try changes.set(Self.value(key * index), for: "\(key)")
                        changed.entries["\(key)"] = (Self.value(key * index), nil)
                    }
                }
                if fails { throw Stop() }
            }
            model = changed
        } catch is Stop {}
    }

    private func addToOther(_ keys: [Int]) throws {
        let entries = Set(keys).sorted().map { key in
            MappedEntry(key: "\(key)", value: Self.value(key * 7), expires: key % 3 == 0 ? nil : clock.now + Double(key % 5))
        }
        try other.add(entries)
        for entry in entries where entry.expires.map({ $0 > clock.now }) ?? true {
            model.entries[entry.key] = (entry.value, entry.expires)
        }
    }

    private func killOther() throws {
        guard let process = other as? OtherProcess else { return }
        let last = try process.killWhileWriting()
        // The next writer takes back what it left unfinished, or completes it.
        try store.transaction { _ in }
        let found = try store.get("first", as: Int.self) ?? 0
        // The last transaction that it reported, or the one after.
        guard found == last || found == last + 1 else { throw Mismatch("\(found) is there, \(last) was written") }
        for key in ["first", "second"] { model.entries[key] = (.int(Int128(found)), nil) }
        try reopenOther()
    }

    /// Closes both stores, and opens them after `body`.
    private func reopen(_ body: () throws -> Void) throws {
        try store.close()
        try other.close()
        try body()
        store = try Self.open(scene, clock, skips: skips, cipher: cipher)
        try reopenOther()
        try match(store.openReport.isClean, true, "the report after reopening: \(store.openReport)")
        try match(store.openReport.unfinishedChanges, 0, "unfinished changes")
    }
}
