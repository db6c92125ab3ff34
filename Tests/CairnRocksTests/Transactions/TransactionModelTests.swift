import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// Where a cursor is: before the first key, at one that may be gone, after the last.
private enum Place { case before, at([UInt8]), after }

/// Random operations against a dictionary.
@Suite struct TransactionModelTests {
    private static let reverse: ModelFamily.Order = { -ModelFamily.bytewise($0, $1) }

    @Test(arguments: transactionModes) func `transactions do what a dictionary does`(mode: RocksDB.OpenMode) async throws {
        try await withSeeds("transactions \(mode == transactionModes[0] ? "that lock" : "that do not")", count: Thorough.count(6, of: 25)) {
            random in
            let scene = try Scene()
            let reversed = random.oneIn(2)
            let db = try scene.open(mode, comparator: reversed ? .reverseBytewise : .bytewise)
            var committed = ModelFamily(order: reversed ? Self.reverse : ModelFamily.bytewise)
            for _ in 0..<12 {
                let tx = try db.makeTransaction(TransactionOptions(snapshot: random.oneIn(2) ? .atStart : .never))
                var model = committed
                var savePoints: [ModelFamily] = []
                try Self.walk(tx, &model, &savePoints, &random)
                switch random.int(in: 0..<4) {
                case 0: try tx.rollback()
                case 1 where mode == transactionModes[0]:
                    try tx.setName("x")
                    try tx.prepare()
                    try Self.check(tx, model, &random)
                    if random.oneIn(2) {
                        try tx.commit()
                        committed = model
                    } else {
                        try tx.rollback()
                    }
                default:
                    try tx.commit()
                    committed = model
                }
                try Self.check(db, committed, &random)
                if random.oneIn(4) { try db.flush() }
            }
            try db.close()
        }
    }

    @Test func `indexed batches do what a dictionary does`() async throws {
        try await withSeeds("indexed batches", count: Thorough.count(6, of: 25)) { random in
            let scene = try Scene()
            let reversed = random.oneIn(2)
            let options = ColumnFamilyOptions(
                comparator: reversed ? .reverseBytewise : .bytewise,
                mergeOperator: try MergeOperator(named: "stringappend")
            )
            let db = try scene.open(options)
            var written = ModelFamily(order: reversed ? Self.reverse : ModelFamily.bytewise)
            let batch = try db.makeIndexedBatch()
            for _ in 0..<12 {
                var model = written
                for _ in 0..<random.int(in: 0..<30) {
                    switch random.int(in: 0..<8) {
                    case 0: try Self.check(batch.over(db), model, &random)
                    case 1: try Self.walkCursor(batch.over(db), batch, &model, &random)
                    default:
                        let write = Self.write(&random)
                        _ = model.perform(write)
                        try write.perform(on: batch)
                    }
                }
                try Self.check(batch.over(db), model, &random)
                if random.oneIn(3) {
                    batch.clear()
                } else {
                    try db.write(batch)
                    batch.clear()
                    written = model
                }
                try Self.check(db, written, &random)
                if random.oneIn(4) { try db.flush() }
            }
        }
    }

    private static func write(_ random: inout SeededGenerator) -> ModelWrite {
        while true {
            let write = ModelWrite.random(&random)
            if case .deleteRange = write { continue }
            return write
        }
    }

    private static func walk(
        _ tx: Transaction,
        _ model: inout ModelFamily,
        _ savePoints: inout [ModelFamily],
        _ random: inout SeededGenerator
    ) throws {
        for _ in 0..<random.int(in: 0..<40) {
            switch random.int(in: 0..<12) {
            case 0:
                try tx.setSavePoint()
                savePoints.append(model)
            case 1:
                let outcome = code { try tx.rollbackToSavePoint() }
                #expect(outcome == (savePoints.isEmpty ? .notFound : nil))
                if let last = savePoints.popLast() { model = last }
            case 2:
                let outcome = code { try tx.popSavePoint() }
                #expect(outcome == (savePoints.isEmpty ? .notFound : nil))
                _ = savePoints.popLast()
            case 3: try check(tx, model, &random)
            case 4: try walkCursor(tx, tx, &model, &random)
            case 5:
                let key = random.pick(modelKeys)
                #expect(try tx.getForUpdate(key) == model.rows[key])
            case 6:
                let write = write(&random)
                _ = model.perform(write)
                try write.perform(on: tx.untracked)
            default:
                let write = write(&random)
                _ = model.perform(write)
                try write.perform(on: tx)
            }
        }
    }

    private static func check(_ reader: some RocksReader, _ model: ModelFamily, _ random: inout SeededGenerator) throws {
        let range = ModelRange.random(&random)
        let keys = model.keys(range)
        let entries = try reader.entries(range.range)
        #expect(entries.map(\.key) == keys, "\(range)")
        #expect(entries.map(\.value) == keys.map { model.rows[$0]! }, "\(range)")
        #expect(try reader.multiGet(modelKeys) == modelKeys.map { model.rows[$0] })
        let key = random.pick(modelKeys)
        #expect(try reader.get(key) == model.rows[key])
    }

    /// A cursor that is moved while `writer`, which it shows, changes.
    private static func walkCursor(
        _ reader: some RocksReader,
        _ writer: some RocksWriter,
        _ model: inout ModelFamily,
        _ random: inout SeededGenerator
    ) throws {
        let range = ModelRange.random(&random)
        let sign = range.reversed ? -1 : 1
        let order = model.order
        let precedes: ([UInt8], [UInt8]) -> Bool = { sign * order($0, $1) < 0 }
        var cursor = try reader.makeCursor(range.range)
        var place = Place.before
        for _ in 0..<12 {
            if random.oneIn(3) {
                let write = write(&random)
                _ = model.perform(write)
                try write.perform(on: writer)
            }
            let keys = model.keys(range), move = ModelMove.random(&random)
            let found = try move.perform(&cursor)
            let expected: Int =
                switch (move, place) {
                case (.next, .at(let key)): keys.firstIndex { precedes(key, $0) } ?? keys.count
                case (.previous, .at(let key)): keys.lastIndex { precedes($0, key) } ?? -1
                case (.next, .before), (.previous, .before): move.perform(-1, keys, precedes)
                default: move.perform(keys.count, keys, precedes)
                }
            if keys.indices.contains(expected) {
                #expect(found == keys[expected], "\(move) in \(range)")
                place = .at(keys[expected])
            } else {
                #expect(found == nil, "\(move) in \(range)")
                guard found == nil else { return }
                // Off which end a seek in the void went does not matter here.
                switch move {
                case .next: place = .after
                case .previous: place = .before
                default: return
                }
            }
        }
    }
}
