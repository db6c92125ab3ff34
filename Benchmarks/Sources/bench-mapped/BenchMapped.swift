import ArgumentParser
import BenchKit
import CairnMapped
import Foundation
import Synchronization

@main
struct BenchMapped: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-mapped",
        abstract: "Measures CairnMapped beside LMDB (in C), a dictionary behind a lock, and SQLite through GRDB, in one process.",
        discussion:
            "Keys have 12 bytes, integers 8, strings 100. LMDB runs without syncing, through a writable map: as durable as `.buffered`."
    )

    @Option(help: "Measure only workloads whose name contains this text; may be given several times.")
    var filter: [String] = []
    @Option(help: "Operations of each round.")
    var operations = 300_000
    @Option(help: "Rounds that count, beside one to warm up; at least 3.")
    var rounds = 11
    @Flag(help: "Print one JSON object a line.")
    var json = false
    @Option(help: "Where to make the files; by default the directory for temporary files.")
    var path: String?

    private static let rows = 100_000
    private static let value = String(repeating: "a value of a hundred bytes ", count: 4).prefix(100)

    func validate() throws {
        guard rounds >= 3, operations >= 1_000 else { throw ValidationError("--rounds takes 3 or more, --operations 1000 or more") }
    }

    private enum Kind: String, CaseIterable {
        case setInt1k = "set-int-1k"
        case setInt100k = "set-int-100k"
        case setString100k = "set-string-100k"
        case getInt = "get-int"
        case getString = "get-string"
        case miss
        case open

        /// Which part of LMDB's time is aimed at.
        var goal: Double {
            switch self {
            case .setInt1k, .setInt100k, .setString100k: 0.3
            case .getInt, .getString, .miss: 0.35
            case .open: 0
            }
        }
    }

    func run() throws {
        let parent = path.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
        let directory = parent.appending(path: "cairn-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        func place(_ name: String) -> String { directory.appending(path: name).path() }

        let ints = Keys("int:", Self.rows)
        let texts = Keys("str:", Self.rows)
        // Spread among the keys that are there: behind them all, LMDB would look at one page only.
        let absent = Keys("int:", Self.rows, suffix: "x")
        let all = (0..<UInt32(Self.rows)).map { $0 }
        /// Stores of one kind of values each, as an application has them.
        func stores(_ name: String, _ fill: (any Side) throws -> Void) throws -> Stores {
            let stores = try Stores(place(name))
            for (_, side) in stores.sides { try fill(side) }
            return stores
        }
        let small = try stores("small") { try $0.setInts(ints, Array(all.prefix(1000)), base: 0) }
        let numbers = try stores("ints") { try $0.setInts(ints, all, base: 0) }
        let strings = try stores("strings") { try $0.setStrings(texts, all, String(Self.value)) }
        if !json {
            print(
                "\(operations) operations a round on \(Self.rows) keys of each kind, \(rounds) rounds, sides in turn; wall time, median, ns per operation"
            )
            line("workload", small.sides.map(\.name) + ["/LMDB", "goal", "/Dictionary", "/GRDB"])
        }
        var generator = SplitMix64(state: 42)
        for kind in Kind.allCases where kind != .open && isSelected(kind) {
            let sides =
                switch kind {
                case .setInt1k: small.sides
                case .setString100k, .getString: strings.sides
                default: numbers.sides
                }
            var times: [[Double]] = sides.map { _ in [] }
            for round in 0...rounds {
                let count = kind == .setInt1k ? 1_000 : Self.rows
                let order = (0..<operations).map { _ in UInt32.random(in: 0..<UInt32(count), using: &generator) }
                var sums: [Sum] = []
                for step in sides.indices {
                    let index = (step + round) % sides.count
                    let side = sides[index].side
                    // SQLite is there for comparison only, and slow: fewer operations.
                    let part = sides[index].name == "GRDB" ? Array(order.prefix(operations / 20)) : order
                    let start = ContinuousClock.now
                    var sum = Sum()
                    switch kind {
                    case .setInt1k, .setInt100k: try side.setInts(ints, part, base: UInt64(round) << 32)
                    case .setString100k: try side.setStrings(texts, part, String(Self.value))
                    case .getInt: sum = try side.getInts(ints, part)
                    case .getString: sum = try side.getStrings(texts, part)
                    case .miss: sum = try side.getInts(absent, part)
                    case .open: break
                    }
                    let time = (ContinuousClock.now - start) / .nanoseconds(1) / Double(part.count)
                    if round > 0 { times[index].append(time) }
                    if sides[index].name != "GRDB" { sums.append(sum) }
                }
                guard sums.allSatisfy({ $0 == sums[0] }) else {
                    throw Disagreement("\(kind.rawValue), round \(round): the sides read different values")
                }
            }
            report(kind, sides.map(\.name), times.map(\.median))
        }
        if filter.isEmpty || filter.contains(where: { "threads".contains($0) }) { try measureThreads(numbers.cairn, ints) }
        if isSelected(.open) {
            try numbers.close()
            let subjects: [(String, any Side, Int)] = [
                ("CairnMapped", numbers.cairn, 50), ("LMDB", numbers.lmdb, 50), ("GRDB", numbers.grdb, 10),
            ]
            var times: [[Double]] = subjects.map { _ in [] }
            for round in 0...rounds {
                for (index, (_, side, count)) in subjects.enumerated() {
                    let start = ContinuousClock.now
                    _ = try side.open(ints, times: count)
                    if round > 0 { times[index].append((ContinuousClock.now - start) / .nanoseconds(1) / Double(count)) }
                }
            }
            report(.open, ["CairnMapped", "LMDB", "Dictionary", "GRDB"], [times[0].median, times[1].median, .nan, times[2].median])
        }
        try numbers.close()
        try strings.close()
        for (name, path, data) in [("ints", numbers.cairn.path, 12 + 8), ("strings", strings.cairn.path, 12 + 100)] {
            let store = try MappedStore(path: path)
            try store.compact()
            let size = Double(try store.fileSize.bytes)
            let ratio = fixed(size / Double(Self.rows * data), 3)
            print(
                json
                    ? "{\"workload\":\"mapped-size-\(name)\",\"subject\":\"CairnMapped\",\"bytes\":\(Int(size)),\"ratio\":\(ratio),\"goal\":1.6}"
                    : "file of \(name) after compaction: \(Int(size)) bytes, \(ratio) times keys and values (goal 1.6)"
            )
        }
    }

    /// How much more two threads read than one.
    private func measureThreads(_ side: CairnSide, _ keys: Keys) throws {
        var generator = SplitMix64(state: 7)
        let order = (0..<operations).map { _ in UInt32.random(in: 0..<UInt32(Self.rows), using: &generator) }
        var gains: [Double] = []
        for _ in 0..<rounds {
            let one = try ContinuousClock().measure { _ = try side.getInts(keys, order) }
            let two = ContinuousClock().measure {
                let threads = (0..<2).map { _ in
                    Thread {
                        _ = try? side.getInts(keys, order); Self.finished.wrappingAdd(1, ordering: .releasing)
                    }
                }
                Self.finished.store(0, ordering: .relaxed)
                for thread in threads { thread.start() }
                while Self.finished.load(ordering: .acquiring) < 2 { Thread.sleep(forTimeInterval: 0.000_05) }
            }
            gains.append(2 * (one / .nanoseconds(1)) / (two / .nanoseconds(1)))
        }
        print(
            json
                ? "{\"workload\":\"mapped-two-threads\",\"subject\":\"CairnMapped\",\"gain\":\(fixed(gains.median, 3)),\"goal\":1.7}"
                : "two threads read \(fixed(gains.median, 2)) times as much as one (goal 1.7)"
        )
    }
    private static let finished = Atomic(0)

    private func isSelected(_ kind: Kind) -> Bool { filter.isEmpty || filter.contains { kind.rawValue.contains($0) } }

    private func report(_ kind: Kind, _ names: [String], _ times: [Double]) {
        let ratio = times[0] / times[1]
        if json {
            for index in 1..<names.count where times[index].isFinite {
                printNow(
                    "{\"workload\":\"mapped-\(kind.rawValue)\",\"subject\":\"CairnMapped\",\"rival\":\"\(names[index])\",\"ratio\":\(fixed(times[0] / times[index], 4)),"
                        + "\"subject_ns\":\(fixed(times[0], 1)),\"rival_ns\":\(fixed(times[index], 1)),\"rounds\":\(rounds)}"
                )
            }
        } else {
            line(
                kind.rawValue,
                times.map { fixed($0, 0) }
                    + [
                        fixed(ratio, 2), kind.goal > 0 ? fixed(kind.goal, 2) : "-", fixed(times[0] / times[2], 2),
                        fixed(times[0] / times[3], 3),
                    ]
            )
        }
    }

    private func line(_ name: String, _ cells: [String]) { printNow(row([(name, 18)], cells, width: 12)) }
}

/// A store of each side.
struct Stores {
    let cairn: CairnSide
    let lmdb: LMDBSide
    let grdb: GRDBSide
    let sides: [(name: String, side: any Side)]

    init(_ path: String) throws {
        cairn = try CairnSide(path: path + ".map")
        lmdb = try LMDBSide(path: path + ".mdb")
        grdb = try GRDBSide(path: path + ".sqlite")
        sides = [("CairnMapped", cairn), ("LMDB", lmdb), ("Dictionary", DictionarySide()), ("GRDB", grdb)]
    }

    func close() throws {
        try cairn.store.close()
        lmdb.close()
    }
}
