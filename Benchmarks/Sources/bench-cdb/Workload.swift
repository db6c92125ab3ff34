import BenchKit
import Foundation
import RivalCDB

/// What the rounds of a kind of keys share.
struct Scene {
    let kind: KeyKind
    let rows: Int
    /// The keys of all rows, in order.
    let all: Keys
    let directory: URL
    var created: String { directory.appending(path: "created.cdb").path() }
}

/// Makes the file that both sides read.
func createWithRival(_ path: String, _ keys: Keys) -> Bool {
    unsafe rival_cdb_create(path, keys.bytes, keys.count, Values.template, false)
}

/// One thing to measure.
struct Workload: Sendable {
    let name: String
    let summary: String
    /// The largest ratio aimed at; 0 for none.
    var goal = 1.0
    /// The keys of a round, which are made before time counts.
    let prepare: @Sendable (Scene, Int) -> Keys
    let run: @Sendable (any Side, Scene, Keys) throws -> UInt64
    var operations: @Sendable (Scene, Keys) -> Int = { _, keys in keys.count }
    /// Removes what a round wrote.
    var tidy: @Sendable (Scene) throws -> Void = { _ in }

    static let all: [Workload] = [
        Workload(
            name: "create",
            summary: "all records, put and finished; nothing is synced",
            prepare: { scene, _ in scene.all },
            run: { try $0.create($1.created, $2, synced: false) },
            tidy: { try FileManager.default.removeItem(atPath: $0.created) }
        ),
        Workload(
            name: "create-synced",
            summary: "the same, file and directory synced",
            goal: 0,
            prepare: { scene, _ in scene.all },
            run: { try $0.create($1.created, $2, synced: true) },
            tidy: { try FileManager.default.removeItem(atPath: $0.created) }
        ),
        Workload(name: "hit", summary: "get, random keys, value lent", prepare: present) { side, _, keys in try side.get(keys) },
        Workload(name: "hit-owned", summary: "get, random keys, value copied", prepare: present) { side, _, keys in
            try side.getOwned(keys)
        },
        Workload(name: "miss", summary: "get, random keys that are not there", prepare: absent) { side, _, keys in try side.get(keys) },
        Workload(name: "batched-100", summary: "multiGet of 100 beside single finds", goal: 0.5, prepare: present) { side, _, keys in
            try side.getBatched(keys, by: 100)
        },
        Workload(name: "batched-1000", summary: "multiGet of 1,000 beside single finds", goal: 0.5, prepare: present) { side, _, keys in
            try side.getBatched(keys, by: 1_000)
        },
        Workload(
            name: "sequential",
            summary: "forEach over all records",
            prepare: { scene, _ in scene.all },
            run: { side, _, _ in try side.scan() }
        ),
        Workload(
            name: "positioned",
            summary: "get without a mapping, beside cdb_seek and cdb_bread",
            prepare: { scene, round in present(scene, round, count: 20_000) },
            run: { side, _, keys in try side.getPositioned(keys) }
        ),
        Workload(
            name: "open",
            summary: "open, one get, close",
            prepare: { scene, round in present(scene, round, count: 1) },
            run: { side, _, keys in try side.openOften(keys, times: 2_000) },
            operations: { _, _ in 2_000 }
        ),
    ]

    private static func present(_ scene: Scene, _ round: Int) -> Keys { present(scene, round, count: 300_000) }

    private static func present(_ scene: Scene, _ round: Int, count: Int) -> Keys {
        var random = SplitMix64(state: UInt64(round) << 32)
        return Keys(scene.kind, (0..<count).map { _ in Int.random(in: 0..<scene.rows, using: &random) })
    }

    /// Keys of the same form behind the last.
    private static func absent(_ scene: Scene, _ round: Int) -> Keys {
        var random = SplitMix64(state: UInt64(round) << 32)
        return Keys(scene.kind, (0..<300_000).map { _ in scene.rows + Int.random(in: 0..<scene.rows, using: &random) })
    }
}
