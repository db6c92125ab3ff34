import CairnCore
import CairnRocks
import CairnToolKit

/// What was read of a database, and what is damaged there.
struct RocksVerification {
    /// What was read of a column family.
    struct Family {
        enum State: String {
            case intact
            case damaged = "damaged after these"
            /// It has a merge operator that the tool does not have; checksums were compared all the same.
            case unread = "not read: needs the merge operator of its program"
        }

        let name: String
        var entries = 0
        var bytes: Int64 = 0
        var state = State.intact
    }

    private(set) var families: [Family] = []
    /// What is damaged, in RocksDB's words.
    private(set) var damage: [Damage] = []

    init(_ database: RocksDB) {
        do throws(RocksError) { try database.verifyChecksums() } catch {
            damage.append(Damage(what: error.message, place: database.path))
        }
        for name in database.columnFamilyNames {
            var family = Family(name: name)
            do throws(RocksError) {
                try family.read(try database.columnFamily(name))
            } catch {
                family.state = .damaged
                damage.append(Damage(what: error.message, place: "column family '\(name)'"))
            }
            families.append(family)
        }
    }

    /// For a database that cannot be opened.
    init(unopened path: String, _ error: RocksError) { damage = [Damage(what: error.message, place: path)] }

    func report(path: String) -> VerifyReport {
        var report = VerifyReport(path: path)
        report.damage = damage
        report.counts = [(families.reduce(0) { $0 + $1.entries }, "entry", "entries")]
        report.details = [("column_families", .array(families.map(\.json)))]
        if !families.isEmpty {
            var table = TextTable(["column family", "entries", "data", "state"], [.left, .right, .right, .left])
            for family in families {
                let size = ByteCount(bytes: family.bytes).description
                table.append([EscapedText.string(Array(family.name.utf8)), Numbers.grouped(family.entries), size, family.state.rawValue])
            }
            report.table = table
        }
        report.hint =
            families.isEmpty
            ? "It cannot be opened; restore it from a backup."
            : "'cairn rocks export' saves what can still be read, one column family at a time; --from KEY begins after the damage."
        return report
    }
}

extension RocksVerification.Family {
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
