public import BenchKit
import CairnCDB
import CairnCore
import Foundation

extension CDBSuite {
    private static let count = 10_000
    /// The records of a file that another process replaces, and that process.
    static let replaced = 100_000
    static let replace = "cdb-replace"

    public var gates: [Gate] {
        [
            allocations("hit", 0, "the value is lent") { try $0.get($1) },
            allocations("hit-owned", 1, "the value's array") { try $0.getOwned($1) },
            allocations("sequential", 0, "records are lent") { side, _ in try side.scan() },
            allocations("batched-100", 0.02, "two for a batch: the look-ups under way") { try $0.getBatched($1, by: 100) },
        ]
            + Gate.calls(
                "cdb/hit",
                probe: "cdb-hit",
                operations: Self.count,
                limits: Gate.Calls(syncs: 0, all: 0),
                because: "the file is mapped"
            )
            + Gate.calls(
                "cdb/positioned",
                probe: "cdb-positioned",
                operations: Self.count,
                limits: Gate.Calls(syncs: 0, all: 2.01),
                because: "a read of the slots and one of the record; the head of the file is kept"
            )
            + create(.none, syncs: 0, all: 25, "nobody waits")
            + create(.buffered, syncs: 1, all: 26, "the file, so that its new name never leads to half of it")
            + create(.synced, syncs: 2, all: 29, "the file, and the directory that has its name")
    }

    /// A record's lengths and slots take 24 bytes; it is written once, by the block. Some of the calls find what killed writers left in the
    /// directory, and lock the new file, so that nobody takes it for that. With `SWIFT_DETERMINISTIC_HASHING`, as in `make`, Swift asks for random bytes
    /// once more.
    private func create(_ durability: Durability, syncs: Double, all: Double, _ reason: String) -> [Gate] {
        Gate.calls(
            "cdb/create .\(durability)",
            probe: "cdb-create",
            [durability.rawValue],
            operations: 1,
            bytes: Self.count * (Keys.size + Values.size),
            limits: Gate.Calls(syncs: syncs, all: all, written: 1.21),
            because: reason
        )
    }

    public func probe(_ name: String, _ arguments: [String]) throws -> Bool {
        let keys = Keys(.binary, 0..<Self.count)
        switch (name, arguments.count) {
        case (Self.replace, 2):
            guard let kind = KeyKind(rawValue: arguments[1]) else { return false }
            try Self.create(arguments[0], Keys(kind, 0..<Self.replaced), .none)
        case ("cdb-create", 2):
            guard let durability = Durability(rawValue: arguments[1]) else { return false }
            try counted { try Self.create(arguments[0], keys, durability) }
        case ("cdb-hit", 1), ("cdb-positioned", 1):
            try Self.create(arguments[0], keys, .none)
            let side = try CairnSide(path: arguments[0])
            let one = Keys(.binary, 0..<1)
            _ = try (side.get(one), side.getPositioned(one))
            try counted { _ = try name == "cdb-hit" ? side.get(keys) : side.getPositioned(keys) }
        default: return false
        }
        return true
    }

    private func counted(_ body: () throws -> Void) throws {
        Count.begin()
        try body()
        Count.end()
    }

    private func allocations(
        _ workload: String,
        _ limit: Double,
        _ reason: String,
        _ body: @escaping @Sendable (CairnSide, Keys) throws -> UInt64
    ) -> Gate {
        Gate("cdb/\(workload) allocations", atMost: limit, because: reason) {
            let folder = try Folder.temporary()
            defer { folder.remove() }
            let keys = Keys(.binary, 0..<Self.count), path = folder.path("gate.cdb")
            try Self.create(path, keys, .none)
            let side = try CairnSide(path: path)
            return Double(try Count.allocations { _ = try body(side, keys) }) / Double(Self.count)
        }
    }

    private static func create(_ path: String, _ keys: Keys, _ durability: Durability) throws {
        let writer = try CDBWriter(path: path, durability: durability)
        for row in 0..<keys.count { try writer.put(Values.template, for: keys.key(row)) }
        try writer.finish()
    }
}
