public import BenchKit
import CairnMapped
import Foundation

extension MappedSuite {
    private static let count = 10_000
    private static let many = 1_000
    private static let few = 200

    public var gates: [Gate] {
        [
            allocations("get-int", 0, "eight bytes fit into a register") { _ = try $0.getInts($1, $2) },
            allocations("get-string", 1, "the string's own memory") { _ = try $0.getStrings($1, $2) },
            allocations("set-int", 0, "the record is written where the file is mapped") { try $0.setInts($1, $2, base: 0) },
            allocations("set-string", 0, "as above") { try $0.setStrings($1, $2, Self.value) },
            instructions("get-int", 385, "half is the look-up, a fifth the caller's loop"),
            instructions("get-text", 1_240, "most of it makes and frees the string"),
            instructions("set-int", 1_200, "a lock, a look-up, a record and its checksum"),
            Gate("mapped/set-int bytes written per byte", atMost: 1.9, because: "a record's head, checksum and slot for 20 bytes") {
                try Self.growth(Self.count, 12 + 8) { keys, order, side in try side.setInts(keys, order, base: 0) }
            },
            Gate("mapped/set-string bytes written per byte", atMost: 1.2, because: "the same for 112 bytes") {
                try Self.growth(Self.count, 12 + 100) { keys, order, side in try side.setStrings(keys, order, Self.value) }
            },
        ]
            + Gate.calls(
                "mapped/get-int",
                probe: "mapped-get",
                operations: Self.count,
                limits: Gate.Calls(syncs: 0, all: 0),
                because: "the file is mapped, and readers take no lock"
            )
            + [Durability.none, .buffered, .synced].flatMap { durability in
                Gate.calls(
                    "mapped/set-int .\(durability)",
                    probe: "mapped-set",
                    [durability.rawValue],
                    operations: Self.count(durability),
                    limits: durability == .synced ? Gate.Calls(syncs: 1, all: 2) : Gate.Calls(syncs: 0, all: 0),
                    because: durability == .synced
                        ? "the record and what leads to it, at once; then where the path leads"
                        : "a record is stored to memory; room is asked for now and then"
                )
            }
    }

    public func probe(_ name: String, _ arguments: [String]) throws -> Bool {
        let keys = Keys("int:", Self.many)
        switch (name, arguments.count) {
        case (Self.fill, 4):
            guard let count = Int(arguments[2]), let base = UInt64(arguments[3]) else { return false }
            try fill(arguments[0], arguments[1], count: count, base: base)
        case ("mapped-get", 1):
            let side = try CairnSide(path: arguments[0])
            let order = Self.order(Self.count)
            try side.setInts(keys, order, base: 0)
            _ = try side.getInts(keys, order)
            try counted { _ = try side.getInts(keys, order) }
        case ("mapped-instructions-get-int", 1):
            try steps(arguments[0], { try $0.setInts(keys, $1, base: 0) }, { _ = try $0.getInts(keys, $1) })
        case ("mapped-instructions-get-text", 1):
            try steps(arguments[0], { try $0.setStrings(keys, $1, Self.value) }, { _ = try $0.getStrings(keys, $1) })
        case ("mapped-instructions-set-int", 1):
            try steps(arguments[0], { try $0.setInts(keys, $1, base: 0) }, { try $0.setInts(keys, $1, base: 1) })
        case ("mapped-set", 2):
            guard let durability = Durability(rawValue: arguments[1]) else { return false }
            let side = try Self.quietSide(path: arguments[0], durability: durability)
            // Every key is there, and the file has its first size.
            try side.setInts(keys, (0..<UInt32(durability == .synced ? 10 : Self.many)).map { $0 }, base: 0)
            let order = Self.order(Self.count(durability))
            try counted { try side.setInts(keys, order, base: 1) }
        default: return false
        }
        return true
    }

    /// A store that is not compacted: compactions come when they come, on a thread of their own, and give readers another view.
    private static func quietSide(path: String, durability: Durability = MappedStoreOptions().durability) throws -> CairnSide {
        var options = MappedStoreOptions()
        options.durability = durability
        options.compaction = MappedStoreOptions.Compaction(wasteRatio: nil)
        return CairnSide(path: path, store: try MappedStore(path: path, options: options))
    }

    /// Does each thing once before it is counted: what happens the first time is not what an operation costs.
    private func steps(
        _ path: String,
        _ prepare: (CairnSide, [UInt32]) throws -> Void,
        _ body: (CairnSide, [UInt32]) throws -> Void
    ) throws {
        let side = try Self.quietSide(path: path), order = Self.order(Self.few)
        try prepare(side, order)
        try body(side, order)
        try counted { try body(side, order) }
    }

    private func counted(_ body: () throws -> Void) throws {
        Count.begin()
        try body()
        Count.end()
    }

    /// Disks take milliseconds.
    private static func count(_ durability: Durability) -> Int { durability == .synced ? 200 : count }
    private static func order(_ count: Int) -> [UInt32] { (0..<UInt32(count)).map { $0 % UInt32(many) } }

    private func allocations(
        _ workload: String,
        _ limit: Double,
        _ reason: String,
        _ body: @escaping @Sendable (CairnSide, Keys, [UInt32]) throws -> Void
    ) -> Gate {
        Gate("mapped/\(workload) allocations", atMost: limit, because: reason) {
            let folder = try Folder.temporary()
            defer { folder.remove() }
            let side = try Self.quietSide(path: folder.path("gate.map"))
            let keys = Keys("key:", Self.many), order = Self.order(Self.count)
            if workload == "get-string" { try side.setStrings(keys, order, Self.value) } else { try side.setInts(keys, order, base: 0) }
            return Double(try Count.allocations { try body(side, keys, order) }) / Double(Self.count)
        }
    }

    private func instructions(_ workload: String, _ limit: Double, _ reason: String) -> Gate {
        Gate.instructions(
            "mapped/\(workload)",
            probe: "mapped-instructions-\(workload)",
            operations: Self.few,
            atMost: limit,
            because: reason
        )
    }

    /// By how much more a store grows than the keys and values that are put into it, its index included.
    private static func growth(_ count: Int, _ entry: Int, _ fill: (Keys, [UInt32], CairnSide) throws -> Void) throws -> Double {
        let folder = try Folder.temporary()
        defer { folder.remove() }
        let side = try CairnSide(path: folder.path("gate.map"))
        let before = try side.store.liveSize.bytes
        try fill(Keys("key:", count), (0..<UInt32(count)).map { $0 }, side)
        return Double(try side.store.liveSize.bytes - before) / Double(count * entry)
    }
}
