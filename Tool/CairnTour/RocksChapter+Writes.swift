import CairnCore
import CairnRocks
import CairnToolKit

extension RocksChapter {
    func batch() throws {
        let old = data.example.name
        let new = old + " (renamed)"
        try stage.section(
            "Write a batch",
            "All changes of a batch are stored, or none; here, \(old) is renamed.",
            code: "try db.write { batch in",
            "    try batch.in(items).put(item, for: new)",
            "    try batch.in(items).delete(old)",
            "}"
        ) {
            var item = data.example
            item.name = new
            var table = TextTable(["", "before", "after", "renamed back"])
            func presence(_ name: String) throws -> String { try items.contains(name) ? "there" : "missing" }
            let before = [try presence(old), try presence(new)]
            let (_, time, _) = try stage.measure {
                try db.write { batch in
                    try batch.in(items).put(item, for: new)
                    try batch.in(items).delete(old)
                }
            }
            let after = [try presence(old), try presence(new)]
            try db.write { batch in
                try batch.in(items).put(data.example, for: old)
                try batch.in(items).delete(new)
            }
            for (index, name) in [old, new].enumerated() { table.append([name, before[index], after[index], try presence(name)]) }
            return TourResult(table: table, summary: "both changes in \(time)")
        }
    }

    func failedBatch() throws {
        try stage.section(
            "See a batch fail",
            "This one deletes everything and then writes to a dropped column family, so nothing is deleted.",
            code: "try db.write { batch in",
            "    for item in data { try batch.in(items).delete(item.name) }",
            #"    batch.in(dropped).put("1", for: "a")"#,
            "}"
        ) {
            let dropped = try db.createColumnFamily("dropped")
            try db.dropColumnFamily("dropped")
            let before = try items.count()
            let (outcome, time, _) = stage.measure {
                Result {
                    try db.write { batch in
                        for item in data.items { try batch.in(items).delete(item.name) }
                        batch.in(dropped).put("1", for: "a")
                    }
                }
            }
            guard case .failure(let error) = outcome else { throw Failure(.database, "A batch for a dropped column family was accepted.") }
            var table = TextTable(["", ""])
            table.append(["thrown", (error as? RocksError)?.code.description ?? "\(error)"])
            table.append(["\(data.noun) before", Numbers.grouped(before)])
            table.append(["\(data.noun) after", Numbers.grouped(try items.count())])
            return TourResult(table: table, summary: "refused in \(time)")
        }
    }

    /// Sums. The operator is code, so the table is declared each time the database is opened.
    static let counts = TableDefinition(
        "counts",
        key: String.self,
        value: UInt64.self,
        codec: .littleEndian,
        options: ColumnFamilyOptions(
            mergeOperator: MergeOperator(name: "count", keys: .ordered, values: .littleEndian) {
                (_: String, sum: UInt64?, number: UInt64) in (sum ?? 0) + number
            }
        )
    )

    func merge() throws {
        try stage.section(
            "Count by merging",
            "A merge is a write without a read: RocksDB calls your Swift closure when the sum is needed.",
            code: #"let add = MergeOperator(name: "count", keys: .ordered, values: .littleEndian) {"#,
            "    (_: String, sum: UInt64?, number: UInt64) in (sum ?? 0) + number",
            "}",
            #"let counts = TableDefinition("counts", codec: .littleEndian, options: .init(mergeOperator: add))   // given when opening"#,
            "for item in data { try db.table(counts).merge(1, for: item.group) }"
        ) {
            let counts = try db.table(Self.counts)
            let (_, time, duration) = try stage.measure { for item in data.items { try counts.merge(1, for: item.group) } }
            let (sums, readTime, _) = try stage.measure { try counts.entries() }
            var table = TextTable([data.labels.group, data.noun], [.left, .right])
            for (group, sum) in sums.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }).prefix(5) {
                table.append([group, Numbers.grouped(sum)])
            }
            let rate = Numbers.rate(data.items.count, in: duration).map { " (\($0))" } ?? ""
            let merges = "\(Numbers.grouped(data.items.count)) merges in \(time)\(rate)"
            return TourResult(table: table, summary: "\(merges), \(Numbers.counted(sums.count, "sum", "sums")) read in \(readTime)")
        }
    }
}
