import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// Random sequences of operations, on a database and on dictionaries: both must agree at every step.
struct ModelTests {
    /// Column families by number: bytewise, reverse, and an order of our own.
    static let names = ["default", "down", "own"]
    static let orders: [ModelFamily.Order] = [
        ModelFamily.bytewise, { ModelFamily.bytewise($1, $0) },
        // By length, and then from the last byte.
        { $0.count != $1.count ? $0.count - $1.count : ModelFamily.bytewise($0.reversed(), $1.reversed()) },
    ]

    enum Operation: Sendable {
        case write(Int, ModelWrite), batch([Int], [ModelWrite])
        case scan(Int, ModelRange), walk(Int, ModelRange, [ModelMove])
        case snapshot, scanSnapshot(Int, ModelRange), releaseSnapshot
        case flush(Int), reopen, dropAndCreate(Int)

        static func random(_ generator: inout SeededGenerator) -> Operation {
            let family = generator.int(in: 0..<3)
            return switch generator.int(in: 0..<60) {
            case 0..<30: .write(family, .random(&generator))
            case 30..<34:
                .batch((0..<5).map { _ in generator.int(in: 0..<3) }, (0..<5).map { _ in .random(&generator) })
            case 34..<42: .scan(family, .random(&generator))
            case 42..<50: .walk(family, .random(&generator), (0..<8).map { _ in .random(&generator) })
            case 50: .snapshot
            case 51..<54: .scanSnapshot(family, .random(&generator))
            case 54: .releaseSnapshot
            case 55..<58: .flush(family)
            case 58: .dropAndCreate(family)
            default: .reopen
            }
        }

        var simpler: [Operation] {
            switch self {
            case .batch(let families, let writes):
                zip(families, writes).map { .write($0, $1) }
                    + writes.indices.map { index in
                        var families = families, writes = writes
                        families.remove(at: index)
                        writes.remove(at: index)
                        return .batch(families, writes)
                    }
            case .walk(let family, let range, let moves) where !moves.isEmpty:
                moves.indices.map { index in
                    var moves = moves
                    moves.remove(at: index)
                    return .walk(family, range, moves)
                }
            default: []
            }
        }
    }

    /// The database beside its model.
    private final class Pair {
        let scene: Scene
        var db: RocksDB
        var model: [ModelFamily]
        var snapshot: (taken: Snapshot, model: [ModelFamily])?

        init() throws {
            scene = try Scene()
            model = orders.map { ModelFamily(order: $0) }
            db = try Pair.open(scene)
        }

        static let appending = MergeOperator(name: "test.append") { _, existing, operand in
            guard let existing else { return [UInt8](copying: operand) }
            return [UInt8](copying: existing) + [44] + [UInt8](copying: operand)
        }

        static func options(_ family: Int) -> ColumnFamilyOptions {
            let order = orders[2]
            let own = KeyComparator(name: "test.own") { order([UInt8](copying: $0), [UInt8](copying: $1)) }
            return ColumnFamilyOptions(comparator: [.bytewise, .reverseBytewise, own][family], mergeOperator: appending)
        }

        static func open(_ scene: Scene) throws -> RocksDB {
            var options = DatabaseOptions(createIfMissing: true)
            options.createMissingColumnFamilies = true
            let families = Dictionary(uniqueKeysWithValues: names.indices.map { (names[$0], Self.options($0)) })
            return try scene.open(.init(), families, options: options)
        }

        func family(_ number: Int) throws -> ColumnFamily { try db.columnFamily(names[number]) }

        func perform(_ operation: Operation) throws {
            switch operation {
            case .write(let number, let write):
                let family = try family(number)
                try match(code { try write.perform(on: family) }, model[number].perform(write), "\(operation)")
            case .batch(let families, let writes):
                let batch = db.makeBatch()
                var changed = model
                var expected: RocksError.Code?
                for (number, write) in zip(families, writes) {
                    try write.perform(on: batch.in(family(number)))
                    expected = changed[number].perform(write) ?? expected
                }
                try match(code { try db.write(batch) }, expected, "\(operation)")
                if expected == nil { model = changed }
            case .scan(let number, let range): try scan(family(number), model[number], range)
            case .walk(let number, let range, let moves): try walk(family(number), model[number], range, moves)
            case .snapshot:
                snapshot?.taken.close()
                snapshot = (try db.makeSnapshot(), model)
            case .scanSnapshot(let number, let range):
                guard let snapshot else { return }
                try scan(snapshot.taken.in(family(number)), snapshot.model[number], range)
            case .releaseSnapshot: snapshot = nil
            case .flush(let number): try family(number).flush()
            case .reopen:
                snapshot?.taken.close()
                snapshot = nil
                try db.close()
                db = try Pair.open(scene)
            case .dropAndCreate(let number):
                guard number > 0 else { return }
                try db.dropColumnFamily(names[number])
                try db.createColumnFamily(names[number], options: Pair.options(number))
                model[number].rows = [:]
                // The snapshot's column family is gone; the new one is empty at its moment.
                snapshot?.model[number].rows = [:]
            }
        }

        func scan(_ reader: some RocksReader, _ model: ModelFamily, _ range: ModelRange) throws {
            let keys = model.keys(range), found = try reader.entries(range.range)
            try match(found.map(\.key), keys, "keys of \(range)")
            try match(found.map(\.value), keys.map { model.rows[$0]! }, "values of \(range)")
            try match(reader.multiGet(modelKeys), modelKeys.map { model.rows[$0] }, "multiGet")
            if let key = keys.first { try match(reader.get(key), model.rows[key], "get") }
        }

        func walk(_ reader: some RocksReader, _ model: ModelFamily, _ range: ModelRange, _ moves: [ModelMove]) throws {
            let keys = model.keys(range), sign = range.reversed ? -1 : 1
            var position = -1, cursor = try reader.makeCursor(range.range)
            for move in moves {
                position = move.perform(position, keys) { sign * model.order($0, $1) < 0 }
                let expected = keys.indices.contains(position) ? keys[position] : nil
                try match(move.perform(&cursor), expected, "\(move) in \(moves) over \(range)")
            }
        }

        func finish() throws {
            try perform(.reopen)
            for number in names.indices { try scan(family(number), model[number], ModelRange(-1, -1, reversed: false)) }
            try db.verifyChecksums()
        }
    }

    @Test func agreesWithDictionaries() async throws {
        try await checkOperations(
            "a database and its model",
            seeds: Thorough.count(3, of: 12),
            count: 250,
            generate: { .random(&$0) },
            simpler: { (operation: Operation) in operation.simpler }
        ) { operations in
            let pair = try Pair()
            for operation in operations { try pair.perform(operation) }
            try pair.finish()
        }
    }
}
