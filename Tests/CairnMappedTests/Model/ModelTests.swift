import CairnMapped
import CairnTestSupport
import Foundation
import Testing

/// Random operations on two stores of one file, in one process or in two, beside a dictionary.
struct ModelTests {
    enum Operation: Sendable, CustomStringConvertible {
        case set(Int, Int), setExpiring(Int, Int), remove(Int), update(Int), transaction([Int], fails: Bool), removeAll, compact, pass(Int)
        case reopen, reboot, rekey(Int), list, other(Int, Int), otherRemoves(Int), otherAdds([Int]), otherCompacts, otherIsKilled
        case sync

        var description: String {
            switch self {
            case .set(let key, let value): "set(\(key), \(value))"
            case .setExpiring(let key, let value): "setExpiring(\(key), \(value))"
            case .remove(let key): "remove(\(key))"
            case .update(let key): "update(\(key))"
            case .transaction(let keys, let fails): "transaction(\(keys), fails: \(fails))"
            case .removeAll: "removeAll"
            case .compact: "compact"
            case .pass(let seconds): "pass(\(seconds))"
            case .reopen: "reopen"
            case .reboot: "reboot"
            case .rekey(let key): "rekey(\(key))"
            case .list: "list"
            case .other(let key, let value): "other(\(key), \(value))"
            case .otherRemoves(let key): "otherRemoves(\(key))"
            case .otherAdds(let keys): "otherAdds(\(keys))"
            case .otherCompacts: "otherCompacts"
            case .otherIsKilled: "otherIsKilled"
            case .sync: "sync"
            }
        }

        static func random(_ random: inout SeededGenerator, encrypts: Bool = false) -> Operation {
            let (key, value) = (random.int(in: 0..<24), random.int(in: 0..<1_000))
            switch random.int(in: 0..<100) {
            case 0..<35: return .set(key, value)
            case 35..<42: return .setExpiring(key, value)
            case 42..<52: return .remove(key)
            case 52..<57: return .update(key)
            case 57..<65: return .transaction((0..<random.int(in: 0..<6)).map { _ in random.int(in: 0..<24) }, fails: random.oneIn(4))
            case 65..<66: return .removeAll
            case 66..<69: return .compact
            case 69..<74: return .pass(random.int(in: 1..<8))
            case 74..<77: return .reopen
            case 77..<79: return .reboot
            case 79..<80: return encrypts ? .rekey(random.int(in: 0..<3)) : .sync
            case 80..<84: return .list
            case 84..<90: return .other(key, value)
            case 90..<93: return .otherRemoves(key)
            case 93..<96: return .otherAdds((0..<random.int(in: 0..<6)).map { _ in random.int(in: 0..<24) })
            case 96..<98: return .otherCompacts
            case 98..<99: return .otherIsKilled
            default: return .sync
            }
        }
    }

    /// A dictionary with what a store means by each operation.
    private struct Model {
        var entries: [String: (value: MappedVariant, deadline: Date?)] = [:]
        mutating func expire(_ now: Date) { entries = entries.filter { $0.value.deadline.map { $0 > now } ?? true } }
        var contents: [String: MappedVariant] { entries.mapValues { $0.value } }
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

    private static func run(_ operations: [Operation], skips: Bool = false, cipher: Int = 0, inTwoProcesses: Bool = false) throws {
        let scene = try Scene(fileSystem: .unsynced)
        let clock = HandClock()
        var cipher = cipher
        func open() throws -> MappedStore {
            try scene.store {
                $0.now = { clock.now }
                $0.skipsEqualValues = skips
                $0.cipher = cipher == 0 ? nil : TestCipher(UInt64(cipher))
            }
        }
        func openOther() throws -> any OtherStore {
            inTwoProcesses ? try OtherProcess(path: scene.path(), clock: clock) : OtherStoreHere(store: try open())
        }
        var store = try open()
        var other = try openOther()
        var model = Model()
        for (number, operation) in operations.enumerated() {
            model.expire(clock.now)
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
            case .remove(let key), .otherRemoves(let key):
                let isThere = model.entries["\(key)"] != nil
                let removed = if case .remove = operation { try store.remove("\(key)") } else { try other.remove("\(key)") }
                // What expired may be there still, or not.
                if isThere { try match(removed, true, "removing \(key)") }
                model.entries["\(key)"] = nil
            case .update(let key):
                let expected = model.entries["\(key)"]?.value
                try store.update("\(key)", as: MappedVariant.self) { found in
                    try match(found, expected, "updated value of \(key)")
                    found = found == nil ? .int(1) : nil
                }
                model.entries["\(key)"] = expected == nil ? (.int(1), nil) : nil
            case .transaction(let keys, let fails):
                struct Stop: Error {}
                var changed = model
                do {
                    try store.transaction { changes in
                        for (index, key) in keys.enumerated() {
                            try match(
                                try changes.get("\(key)", as: MappedVariant.self),
                                changed.entries["\(key)"]?.value,
                                "within, key \(key)"
                            )
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
            case .removeAll:
                try store.removeAll()
                model.entries = [:]
            case .otherAdds(let keys):
                let entries = Set(keys).sorted().map { key in
                    MappedEntry(key: "\(key)", value: Self.value(key * 7), expires: key % 3 == 0 ? nil : clock.now + Double(key % 5))
                }
                try other.add(entries)
                for entry in entries where entry.expires.map({ $0 > clock.now }) ?? true {
                    model.entries[entry.key] = (entry.value, entry.expires)
                }
            case .otherIsKilled:
                guard let process = other as? OtherProcess else { continue }
                let last = try process.killWhileWriting()
                // The next writer takes back what it left unfinished, or completes it.
                try store.transaction { _ in }
                let found = try store.get("first", as: Int.self) ?? 0
                // The last transaction that it said, or the one after.
                guard found == last || found == last + 1 else { throw Mismatch("\(found) is there, \(last) was written") }
                for key in ["first", "second"] { model.entries[key] = (.int(Int128(found)), nil) }
                other = try openOther()
            case .compact: try store.compact()
            case .otherCompacts: try other.compact()
            case .pass(let seconds):
                clock.pass(Double(seconds))
                model.expire(clock.now)
            case .reopen, .reboot:
                try store.close()
                try other.close()
                if case .reboot = operation { try scene.pretendAnotherBoot() }
                store = try open()
                other = try openOther()
                try match(store.openReport.isClean, true, "the report after reopening: \(store.openReport)")
                try match(store.openReport.unfinishedChanges, 0, "unfinished changes")
            case .rekey(let key):
                try store.rekey(to: key == 0 ? nil : TestCipher(UInt64(key)))
                cipher = key
                try other.close()
                other = try openOther()
            case .list:
                try match(try store.contents(), model.contents, "contents at \(number)")
                try match(try other.contents(), model.contents, "contents of the other store at \(number)")
                try match(try store.verify().isIntact, true, "verification at \(number)")
            case .sync: try other.sync()
            }
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

    @Test func plainStores() async throws {
        try await checkOperations(
            "mapped stores",
            seeds: Thorough.count(3, of: 12),
            count: 300,
            generate: { .random(&$0) },
            run: { try Self.run($0) }
        )
    }

    @Test func storesOfTwoProcesses() async throws {
        try await checkOperations(
            "mapped stores of two processes",
            seeds: Thorough.count(1, of: 6),
            count: 200,
            generate: { .random(&$0) },
            run: { try Self.run($0, inTwoProcesses: true) }
        )
    }

    @Test func storesThatSkipEqualValues() async throws {
        try await checkOperations(
            "mapped stores that skip",
            seeds: Thorough.count(2, of: 6),
            count: 300,
            generate: { .random(&$0) },
            run: { try Self.run($0, skips: true) }
        )
    }

    @Test func encryptedStores() async throws {
        try await checkOperations(
            "encrypted mapped stores",
            seeds: Thorough.count(2, of: 6),
            count: 250,
            generate: { .random(&$0, encrypts: true) },
            run: { try Self.run($0, cipher: 1) }
        )
    }
}
