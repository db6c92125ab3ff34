import CairnCore
import CairnRocks
import CairnToolKit

/// What `verify` found.
struct VerifyReport {
    /// What was read of a column family.
    struct Family {
        enum State: String {
            case whole = "whole"
            case damaged = "damaged behind these"
            /// It merges by an operator that the tool has not; checksums were compared all the same.
            case unread = "not read: merged by its own program"
        }

        let name: String
        var entries = 0
        var bytes: Int64 = 0
        var state = State.whole
    }

    private(set) var families: [Family] = []
    /// What is wrong, in RocksDB's words.
    var damage: [String] = []

    mutating func check(_ database: RocksDB) {
        do throws(RocksError) { try database.verifyChecksums() } catch { damage.append(error.message) }
        for name in database.columnFamilyNames {
            var family = Family(name: name)
            do throws(RocksError) {
                try family.read(try database.columnFamily(name))
            } catch {
                family.state = .damaged
                damage.append(error.message)
            }
            families.append(family)
        }
    }

    func write(to output: OutputWriter) throws {
        if !families.isEmpty {
            var table = TextTable(["column family", "entries", "data", "state"], [.left, .right, .right, .left])
            for family in families {
                let size = ByteCount(bytes: family.bytes).description
                table.append([EscapedText.string(Array(family.name.utf8)), Numbers.grouped(family.entries), size, family.state.rawValue])
            }
            try output.write(table)
        }
        for text in damage { try output.writeLine("damage: \(text)") }
        if damage.isEmpty { try output.writeLine("No damage found.") }
    }

    var json: JSONValue {
        .object([
            ("ok", .bool(damage.isEmpty)),
            ("column_families", .array(families.map(\.json))),
            ("damage", .array(damage.map { .string($0) })),
        ])
    }
}

extension VerifyReport.Family {
    fileprivate mutating func read(_ family: ColumnFamily) throws(RocksError) {
        guard family.foreignMergeOperator == nil else {
            state = .unread
            return
        }
        var cursor = try family.makeCursor(.all, options: .scan)
        while let entry = try cursor.next() {
            entries += 1
            bytes += Int64(entry.key.byteCount + entry.value.byteCount)
        }
    }

    fileprivate var json: JSONValue {
        .object([
            ("name", .string(name)), ("entries", .int(Int64(entries))), ("bytes", .int(bytes)), ("state", .string("\(state)")),
        ])
    }
}
