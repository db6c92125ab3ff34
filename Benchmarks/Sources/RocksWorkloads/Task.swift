import BenchKit

/// A workload: which rows a round touches and what each side does with them.
struct Task: Sendable {
    let workload: Workload
    let target: Target
    let order: Order
    var ours = Extension.none
    /// Returns a checksum that both sides must agree upon.
    let run: @Sendable (any Side, [UInt32]) throws -> UInt64

    /// The databases it runs on.
    enum Target: Sendable {
        /// Empty ones, made for this workload; the rounds together write all rows once.
        case fresh
        /// An empty one that another writes to, before each round, followed by both.
        case followed
        /// The same files, compacted into the lowest level, one copy for each side.
        case filled
    }

    enum Order: Sendable {
        case ascending, random
        /// Every row in every round.
        case all
        /// Every prefix in every round, in random order.
        case prefixes
    }

    /// Rounds that count. Those that touch few rows are short, and there are many of them.
    var usualRounds: Int {
        switch order {
        case .all, .prefixes: 20
        case .ascending, .random: ours == .none || ours == .transactions ? 100 : 50
        }
    }

    static let all: [Task] = [
        write("put-sequential", "put, ascending keys", .ascending) { try $0.put($1) },
        write("put-random", "put, shuffled keys", .random) { try $0.put($1) },
        write("batch-1000", "batches of 1,000 puts", .ascending) { try $0.putBatches($1, of: 1_000) },
        read("get-hit", "get, random keys, value lent", .random) { try $0.get($1) },
        read("get-owned", "get, random keys, value copied", .random) { try $0.getOwned($1) },
        read("get-miss", "get, random keys that are not there", .random) { try $0.getMissing($1) },
        Task(
            workload: Workload(
                "rocks/catch-up",
                "catch up with what another process has put, and get it",
                goals: [.ratio(1.05, to: "C++")]
            ),
            target: .followed,
            order: .random
        ) { side, rows in
            try side.catchUp()
            return try side.get(rows)
        },
        read("multiget-100", "multiGet of 100 random keys", .random) { try $0.multiGet($1, by: 100) },
        read("scan", "all rows, forEach", .all) { side, _ in try side.scan() },
        read("scan-cursor", "all rows, cursor", .all) { side, _ in try side.scanByCursor() },
        write("comparator", "put and get in an order of ours", .random, .comparator) { side, rows in
            try side.put(rows)
            _ = try side.get(rows)
        },
        write("merge", "merge into 1,000 rows, and read them", .random, .mergeOperator) { side, rows in
            try side.merge(rows)
            _ = try side.scan()
        },
        write("filter", "batches of puts, compacted with a filter", .ascending, .compactionFilter) { side, rows in
            try side.putBatches(rows, of: 1_000)
            try side.compact()
        },
        write("transactions", "transactions of 10 rows: getForUpdate, put", .random, .transactions) { try $0.transactions($1, of: 10) },
        write("indexed-batch", "indexed batches of 100 rows: put, get over the database, write", .random) {
            try $0.indexedBatches($1, of: 100)
        },
        read("scan-prefix", "all prefixes, 1,000 rows each", .prefixes) { try $0.scan(prefixes: $1) },
    ]

    private static func write(
        _ name: String,
        _ summary: String,
        _ order: Order,
        _ ours: Extension = .none,
        _ run: @escaping @Sendable (any Side, [UInt32]) throws -> Void
    ) -> Task {
        // Closures cross from C++ to Swift and back; transactions make objects.
        let goal =
            switch ours {
            case .comparator, .mergeOperator, .compactionFilter: 1.5
            case .transactions: 1.1
            case .none: name == "indexed-batch" ? 1.1 : 1.05
            }
        let workload = Workload("rocks/\(name)", summary, goals: [.ratio(goal, to: "C++")])
        return Task(workload: workload, target: .fresh, order: order, ours: ours) { side, rows in
            try run(side, rows)
            return UInt64(rows.count)
        }
    }

    private static func read(
        _ name: String,
        _ summary: String,
        _ order: Order,
        _ run: @escaping @Sendable (any Side, [UInt32]) throws -> UInt64
    ) -> Task {
        let workload = Workload("rocks/\(name)", summary, goals: [.ratio(1.05, to: "C++")])
        return Task(workload: workload, target: .filled, order: order, run: run)
    }
}

/// Deals out the rows of each round.
struct Shares {
    let rowCount: Int
    /// Rounds, the warm-up included.
    let rounds: Int
    private let shuffled: [UInt32]
    private let shuffledPrefixes: [UInt32]

    /// Rows that a round of random reads touches: few, so that both sides of a round meet the machine in the same state.
    private static let readsPerRound = 5_000

    init(rowCount: Int, rounds: Int) {
        self.rowCount = rowCount
        self.rounds = rounds
        var random = SplitMix64(state: 2)
        shuffled = (0..<UInt32(rowCount)).shuffled(using: &random)
        shuffledPrefixes = (0..<UInt32(rowCount / Int(Rows.perPrefix))).shuffled(using: &random)
    }

    /// The rows, or prefixes, of a round, and how many rows that makes.
    func share(of task: Task, round: Int) -> (rows: [UInt32], operations: Int) {
        switch (task.order, task.target) {
        case (.all, _): return ([], rowCount)
        case (.prefixes, _): return (shuffledPrefixes, rowCount)
        case (.ascending, _):
            let part = written(round)
            return (part.map { UInt32($0) }, part.count)
        case (.random, .fresh), (.random, .followed):
            let part = Array(shuffled[written(round)])
            return (part, part.count)
        case (.random, .filled):
            let count = min(Self.readsPerRound, rowCount)
            let part = (0..<count).map { shuffled[(round * count + $0) % rowCount] }
            return (part, count)
        }
    }

    private func written(_ round: Int) -> Range<Int> { rowCount * round / rounds..<rowCount * (round + 1) / rounds }
}
