import BenchKit
import CairnMapped
import Foundation
import Synchronization

extension MappedSuite {
    private static let usualRounds = 11

    func measure(_ kind: Kind, _ stores: Stores, _ data: Data, _ harness: Harness) throws {
        var generator = SplitMix64(state: 42)
        var order: [UInt32] = [], part: [UInt32] = []
        // Not all sides lend what they have.
        let sides = kind == .getLent ? stores.sides.filter(\.side.lends) : stores.sides
        let event = Event(kind.workload) { turn in
            let (name, side) = sides[turn.side]
            let rows = name == "GRDB" ? part : order
            var sum = Sum()
            switch kind {
            case .setInt1k, .setInt100k: try side.setInts(data.ints, rows, base: UInt64(turn.round + 1) << 32)
            case .setString1k, .setString100k: try side.setStrings(data.texts, rows, Self.value)
            case .getInt1k, .getInt: sum = try side.getInts(data.ints, rows)
            case .getLent: sum = try side.getLent(data.texts, rows)
            case .getString1k, .getString: sum = try side.getStrings(data.texts, rows)
            default: sum = try side.getInts(data.absent, rows)
            }
            return Outcome(operations: rows.count, check: name == "GRDB" ? nil : sum.check)
        }
        var contest = Contest(sides: sides.map(\.name), rounds: harness.settings.rounds(Self.usualRounds), events: [event])
        let rows = UInt32(kind.isOfFew ? Kind.few : data.all.count), count = harness.settings.operations
        contest.beginRound = { _ in
            order = (0..<count).map { _ in UInt32.random(in: 0..<rows, using: &generator) }
            part = Array(order.prefix(count / Self.partOfGRDB))
        }
        try harness.hold(contest)
    }

    /// Two threads, each of which reads what the one reads that they are compared with.
    func measureThreads(_ stores: Stores, _ data: Data, _ harness: Harness) throws {
        var generator = SplitMix64(state: 7)
        let order = (0..<harness.settings.operations).map { _ in UInt32.random(in: 0..<UInt32(data.all.count), using: &generator) }
        let (name, side) = stores.sides[0]
        let event = Event(Kind.twoThreads.workload) { turn in
            let count = turn.side == 0 ? 2 : 1
            let sums = Mutex<[Result<Sum, any Error>]>([])
            let done = DispatchGroup()
            for _ in 0..<count {
                done.enter()
                Thread.detachNewThread {
                    let sum = Result { try side.getInts(data.ints, order) }
                    sums.withLock { $0.append(sum) }
                    done.leave()
                }
            }
            done.wait()
            let read = try sums.withLock { try $0.map { try $0.get().check } }
            guard read.allSatisfy({ $0 == read[0] }) else { throw Disagreement("\(name): two threads read different values") }
            return Outcome(operations: order.count, check: read[0])
        }
        try harness.hold(
            Contest(sides: ["two threads", "one thread"], rounds: harness.settings.rounds(Self.usualRounds), events: [event])
        )
    }

    /// Stores that stay open here, while before each round a process of its own sets all their integers.
    func measureOther(_ stores: Stores, _ data: Data, _ harness: Harness) throws {
        let sides = stores.sides.filter { $0.side.sharedPath != nil }
        var generator = SplitMix64(state: 11)
        var order: [UInt32] = []
        let event = Event(Kind.getOfOther.workload) { turn in
            Outcome(operations: order.count, check: try sides[turn.side].side.getInts(data.ints, order).check)
        }
        var contest = Contest(sides: sides.map(\.name), rounds: harness.settings.rounds(Self.usualRounds), events: [event])
        contest.beginRound = { round in
            order = (0..<harness.settings.operations).map { _ in UInt32.random(in: 0..<UInt32(data.all.count), using: &generator) }
            for (name, side) in sides {
                guard let path = side.sharedPath else { continue }
                _ = try Child.probe(Self.fill, [name, path, String(data.all.count), String(UInt64(round + 2) << 32)])
            }
        }
        try harness.hold(contest)
    }

    static let fill = "mapped-fill"

    /// Sets all integers of a store, as the other process of ``measureOther(_:_:_:)``.
    func fill(_ name: String, _ path: String, count: Int, base: UInt64) throws {
        let order = (0..<UInt32(count)).map { $0 }
        #if LMDB
        let side: any Side = name == CairnSide.name ? try CairnSide(path: path) : try LMDBSide(path: path)
        #else
        let side = try CairnSide(path: path)
        #endif
        try side.setInts(Keys("int:", count), order, base: base)
        try side.close()
    }

    /// Many keys in one call, beside one call for each of them.
    func measureMany(_ kind: Kind, _ side: CairnSide?, _ keys: Keys, _ rows: Int, _ harness: Harness) throws {
        guard let side else { return }
        var generator = SplitMix64(state: 42)
        var order: [UInt32] = []
        let event = Event(kind.workload) { turn in
            var sum = Sum()
            switch (kind, turn.side) {
            case (.multiSetInt, 0): try side.setManyInts(keys, order, base: UInt64(turn.round + 1) << 32)
            case (.multiSetInt, _): try side.setInts(keys, order, base: UInt64(turn.round + 1) << 32)
            case (.multiGetString, 0): sum = try side.getManyStrings(keys, order)
            case (.multiGetString, _): sum = try side.getStrings(keys, order)
            case (_, 0): sum = try side.getManyInts(keys, order)
            case (_, _): sum = try side.getInts(keys, order)
            }
            return Outcome(operations: order.count, check: sum.check)
        }
        var contest = Contest(sides: ["CairnMapped", "one by one"], rounds: harness.settings.rounds(Self.usualRounds), events: [event])
        contest.beginRound = { _ in
            order = (0..<harness.settings.operations).map { _ in UInt32.random(in: 0..<UInt32(rows), using: &generator) }
        }
        try harness.hold(contest)
    }

    /// Same as ``measureMany(_:_:_:_:_:)``, of a store ten times as large as the others.
    func measureManyOfMany(_ kind: Kind, _ harness: Harness) throws {
        let rows = harness.settings.keys * 10, keys = Keys("big:", rows)
        let side = try CairnSide(path: harness.folder.path("many.map"))
        try side.setInts(keys, (0..<UInt32(rows)).map { $0 }, base: 0)
        try measureMany(kind, side, keys, rows, harness)
        try side.close()
    }

    /// A hundredth of the keys, beside all.
    func measurePrefix(_ stores: Stores, _ harness: Harness) throws {
        guard let store = stores.cairn?.store else { return }
        let keys = harness.settings.keys
        let event = Event(Kind.prefix.workload) { turn in
            let count = turn.side == 0 ? try store.keys(withPrefix: "int:00042").count : try store.keys().count
            guard count == (turn.side == 0 ? 1_000 : keys) else { throw Disagreement("\(count) keys were listed") }
            return Outcome(operations: keys, check: nil)
        }
        try harness.hold(
            Contest(sides: ["CairnMapped", "all keys"], rounds: harness.settings.rounds(Self.usualRounds), events: [event])
        )
    }

    /// Values of 1 MiB, beside a program that appends them to a file.
    func measureLarge(_ data: Data, _ harness: Harness) throws {
        let keys = data.texts, order = (0..<32).map { UInt32($0 % 10) }
        let value = String(repeating: Self.value, count: (1 << 20) / 100), bytes = Array(value.utf8)
        let path = harness.folder.path("large")
        var sides: [(name: String, side: (any Side)?)] = [("CairnMapped", try CairnSide(path: path + ".map")), ("pwrite", nil)]
        #if LMDB
        sides.append(("LMDB", try LMDBSide(path: path + ".mdb")))
        #endif
        for side in sides { try side.side?.setStrings(keys, order, value) }
        let event = Event(Kind.setLarge.workload) { turn in
            if let side = sides[turn.side].side {
                try side.setStrings(keys, order, value)
            } else {
                let file = try FileHandle(forWritingTo: emptyFile(path + ".\(turn.round)"))
                for _ in order { try file.write(contentsOf: bytes) }
                try file.close()
                try FileManager.default.removeItem(atPath: path + ".\(turn.round)")
            }
            return Outcome(operations: order.count, check: nil)
        }
        try harness.hold(Contest(sides: sides.map(\.name), rounds: harness.settings.rounds(Self.usualRounds), events: [event]))
        for side in sides { try side.side?.close() }
    }

    private func emptyFile(_ path: String) throws -> URL {
        guard FileManager.default.createFile(atPath: path, contents: nil) else { throw Disagreement("there is no file \(path)") }
        return URL(filePath: path)
    }

    /// A new store with room for all that is set, beside one that grows.
    func measureFilling(_ data: Data, _ harness: Harness) throws {
        let event = Event(Kind.fillReserved.workload) { turn in
            let path = harness.folder.path("filled-\(turn.side)-\(turn.round).map")
            let side = try CairnSide(path: path)
            if turn.side == 0 { try side.store.reserveCapacity(keyCount: data.all.count, size: .bytes(Int64(data.all.count * 32))) }
            try side.setInts(data.ints, data.all, base: 0)
            try side.close()
            try FileManager.default.removeItem(atPath: path)
            return Outcome(operations: data.all.count, check: nil)
        }
        try harness.hold(
            Contest(sides: ["CairnMapped", "without"], rounds: harness.settings.rounds(Self.usualRounds), events: [event])
        )
    }

    /// Of stores that are closed.
    func measureOpening(_ stores: Stores, _ data: Data, _ harness: Harness) throws {
        let sides = stores.sides.filter { $0.name != "Dictionary" }
        let event = Event(Kind.open.workload) { turn in
            let times = sides[turn.side].name == "GRDB" ? 10 : 50
            // What the stores hold differs: not all sides did the same number of operations.
            _ = try sides[turn.side].side.open(data.ints, times: times)
            return Outcome(operations: times, check: nil)
        }
        try harness.hold(Contest(sides: sides.map(\.name), rounds: harness.settings.rounds(Self.usualRounds), events: [event]))
    }

    func measureSize(_ kind: Kind, _ stores: Stores, _ entry: Int, _ harness: Harness) throws {
        let store = try MappedStore(path: stores.cairnPath)
        try store.compact()
        let size = Double(try store.fileSize.bytes)
        try store.close()
        harness.add(Measured(kind.workload, subject: "CairnMapped", unit: "times", value: size / Double(harness.settings.keys * entry)))
    }
}

/// A store of each side.
struct Stores {
    let cairnPath: String
    let sides: [(name: String, side: any Side)]
    var cairn: CairnSide? { sides.lazy.compactMap { $0.side as? CairnSide }.first }

    /// Filled by `fill`.
    init(_ harness: Harness, _ name: String, fill: (any Side) throws -> Void) throws {
        let path = harness.folder.path(name)
        cairnPath = path + ".map"
        var sides: [(name: String, side: any Side)] = [(CairnSide.name, try CairnSide(path: cairnPath))]
        #if LMDB
        if harness.settings.isNull { sides.append(("LMDB too", try LMDBSide(path: path + "-too.mdb"))) }
        sides.append(("LMDB", try LMDBSide(path: path + ".mdb")))
        #endif
        #if MMKV
        sides.append(("MMKV", try MMKVSide(path: path + ".mmkv", isShared: false)))
        sides.append(("MMKV, shared", try MMKVSide(path: path + ".shared.mmkv", isShared: true)))
        #endif
        sides.append((PlainSide.name, try PlainSide(path: path + ".plain")))
        sides.append(("Dictionary", DictionarySide()))
        #if SQLite
        // For comparison only, and too slow for stores of many keys.
        if harness.settings.keys <= 1_000_000 { sides.append(("GRDB", try GRDBSide(path: path + ".sqlite"))) }
        #endif
        for (_, side) in sides { try fill(side) }
        if harness.settings.isNull { sides.removeFirst() }
        self.sides = sides
    }

    func close() throws { for (_, side) in sides { try side.close() } }
}
