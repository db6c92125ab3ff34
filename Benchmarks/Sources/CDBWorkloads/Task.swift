import BenchKit
import CairnCore
import Foundation

/// What the rounds of a kind of keys share.
struct Scene {
    let kind: KeyKind
    let rows: Int
    /// The keys of all rows, in order.
    let all: Keys
    /// Where files are made.
    let created: String
}

/// A workload, and what it does.
struct Task: Sendable {
    let workload: Workload
    /// The keys of a round, which are made before time counts.
    let prepare: @Sendable (Scene, Int) -> Keys
    /// What is done before each turn, before time counts.
    let beforeTurn: (@Sendable (Scene) throws -> Void)?
    let run: @Sendable (any Side, Scene, Keys) throws -> UInt64
    let operations: @Sendable (Scene, Keys) -> Int
    /// Removes what a round wrote.
    let tidy: @Sendable (Scene) throws -> Void

    private init(
        _ name: String,
        _ summary: String,
        goal: Double? = 1,
        prepare: @escaping @Sendable (Scene, Int) -> Keys,
        beforeTurn: (@Sendable (Scene) throws -> Void)? = nil,
        operations: @escaping @Sendable (Scene, Keys) -> Int = { _, keys in keys.count },
        tidy: @escaping @Sendable (Scene) throws -> Void = { _ in },
        run: @escaping @Sendable (any Side, Scene, Keys) throws -> UInt64
    ) {
        workload = Workload("cdb/\(name)", summary, goals: goal.map { [.ratio($0, to: "libcdb")] } ?? [])
        self.prepare = prepare
        self.beforeTurn = beforeTurn
        self.run = run
        self.operations = operations
        self.tidy = tidy
    }

    static let all: [Task] = [
        create("create", "all records, put and finished; nothing is synced", .none),
        create("create-synced", "the same, file and directory synced", .synced),
        Task("hit", "get, random keys, value lent", prepare: present) { side, _, keys in try side.get(keys) },
        Task("hit-owned", "get, random keys, value copied", goal: 1.05, prepare: present) { side, _, keys in try side.getOwned(keys) },
        Task("miss", "get, random keys that are not there", prepare: absent) { side, _, keys in try side.get(keys) },
        Task("batched-100", "multiGet of 100 beside single finds", goal: 0.5, prepare: present) { side, _, keys in
            try side.getBatched(keys, by: 100)
        },
        Task("batched-1000", "multiGet of 1,000 beside single finds", goal: 0.5, prepare: present) { side, _, keys in
            try side.getBatched(keys, by: 1_000)
        },
        Task("sequential", "forEach over all records", prepare: { scene, _ in scene.all }) { side, _, _ in try side.scan() },
        Task(
            "positioned",
            "get without a mapping, beside cdb_seek and cdb_bread",
            goal: nil,
            prepare: { scene, round in present(scene, round, count: 20_000) }
        ) { side, _, keys in
            try side.getPositioned(keys)
        },
        Task(
            "open",
            "open, one get, close",
            goal: nil,
            prepare: { scene, round in present(scene, round, count: 1) },
            operations: { _, _ in 2_000 }
        ) { side, _, keys in
            try side.openOften(keys, times: 2_000)
        },
        Task(
            "open-replaced",
            "open a file of 100,000 records that another process has just replaced, get 1,000 random keys, close",
            goal: nil,
            prepare: { scene, round in present(scene, round, count: 1_000, of: CDBSuite.replaced) },
            // For each side: the first to open a new file pays for its pages.
            beforeTurn: { scene in _ = try Child.probe(CDBSuite.replace, [scene.created, scene.kind.rawValue]) },
            operations: { _, _ in 1 }
        ) { side, scene, keys in
            try side.get(keys, at: scene.created)
        },
    ]

    private static func create(_ name: String, _ summary: String, _ durability: Durability) -> Task {
        Task(
            name,
            summary,
            goal: durability == .none ? 1 : nil,
            prepare: { scene, _ in scene.all },
            tidy: { try FileManager.default.removeItem(atPath: $0.created) }
        ) { side, scene, keys in
            try side.create(scene.created, keys, durability)
        }
    }

    private static func present(_ scene: Scene, _ round: Int) -> Keys { present(scene, round, count: 300_000) }

    private static func present(_ scene: Scene, _ round: Int, count: Int, of rows: Int? = nil) -> Keys {
        var random = SplitMix64(state: UInt64(round) << 32)
        return Keys(scene.kind, (0..<count).map { _ in Int.random(in: 0..<(rows ?? scene.rows), using: &random) })
    }

    /// Keys of the same form behind the last.
    private static func absent(_ scene: Scene, _ round: Int) -> Keys {
        var random = SplitMix64(state: UInt64(round) << 32)
        return Keys(scene.kind, (0..<300_000).map { _ in scene.rows + Int.random(in: 0..<scene.rows, using: &random) })
    }
}
