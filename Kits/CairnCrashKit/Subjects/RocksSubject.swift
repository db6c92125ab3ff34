import CairnCore
import CairnRocks

/// A RocksDB database: three column families, small memtables, so that flushes and compactions are always under way.
package final class RocksSubject: CrashSubject {
    package static let name = "rocks"
    package static let workload = CrashWorkload(spaces: [
        .init("default", .bytes(0..<100)), .init("large", .bytes(500..<4000)), .init("counters", .counters),
    ])

    let db: RocksDB

    package convenience init(directory: String) throws { try self.init(directory: directory, mode: .readWrite) }

    init(directory: String, mode: RocksDB.OpenMode) throws {
        var options = DatabaseOptions(createIfMissing: true)
        options.createMissingColumnFamilies = true
        options.keepLogFileCount = 1
        var family = ColumnFamilyOptions()
        family["write_buffer_size"] = "262144"
        family["level0_file_num_compaction_trigger"] = "3"
        family["target_file_size_base"] = "262144"
        family["max_bytes_for_level_base"] = "524288"
        var counters = family
        counters.mergeOperator = MergeOperator(
            name: "cairn.crash.sum",
            associative: { _, existing, operand in
                let amount = [UInt8](copying: operand).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                if let existing { return CrashModel.sum([UInt8](copying: existing), amount) }
                return CrashModel.sum(nil, amount)
            }
        )
        db = try RocksDB(
            path: directory,
            options: options,
            columnFamilyOptions: family,
            columnFamilies: ["default": family, "large": family, "counters": counters],
            mode: mode
        )
    }

    /// A batch where there are several changes, else the single call.
    package func commit(_ operation: CrashOperation, midway: () -> Void) throws {
        try commit(operation, options: operation.isSynced ? .synced : WriteOptions(), midway: midway)
    }

    func commit(_ operation: CrashOperation, options: WriteOptions, midway: () -> Void) throws {
        let batch = WriteBatch()
        for (index, change) in operation.changes.enumerated() {
            if index == operation.changes.count / 2 { midway() }
            let family = try db.columnFamily(change.space)
            if operation.changes.count == 1 {
                try Self.write(change.action, to: family.with(writeOptions: options))
            } else {
                try Self.write(change.action, to: batch.in(family))
            }
        }
        if operation.changes.count > 1 { try db.write(batch, options: options) }
    }

    static func write(_ action: CrashOperation.Action, to target: some RocksWriter) throws {
        switch action {
        case .put(let key, let value): try target.put(value, for: key)
        case .add(let key, let amount): try target.merge(CrashModel.sum(nil, amount), for: key)
        case .delete(let key): try target.delete(key)
        case .move: throw CrashDamage("a database has no \(action)")
        case .deleteRange(let start, let end): try target.deleteRange(from: start, to: end)
        }
    }

    package func tidy(waits: Bool) throws {
        for space in Self.workload.spaces { try db.columnFamily(space.name).flush(waits: waits) }
    }

    package func contents() throws -> CrashContents {
        try db.verifyChecksums()
        guard db.columnFamilyNames == Self.workload.spaces.map(\.name).sorted() else {
            throw CrashDamage("the column families are \(db.columnFamilyNames)")
        }
        var contents: CrashContents = [:]
        for space in Self.workload.spaces { contents[space.name] = try entries(of: db.columnFamily(space.name)) }
        return contents
    }

    /// The entries, read forwards, backwards, and by key.
    private func entries(of family: ColumnFamily) throws -> [[UInt8]: [UInt8]] {
        let forwards = try family.entries()
        for (entry, next) in zip(forwards, forwards.dropFirst()) where !entry.key.lexicographicallyPrecedes(next.key) {
            throw CrashDamage("\(family.name): key \(next.key) is behind \(entry.key)")
        }
        guard try family.entries(.all.reversed).reversed().elementsEqual(forwards, by: ==) else {
            throw CrashDamage("\(family.name): reading backwards gives other entries than reading forwards")
        }
        guard try family.multiGet(forwards.map(\.key)) == forwards.map(\.value) else {
            throw CrashDamage("\(family.name): reading by key gives other values than reading forwards")
        }
        return Dictionary(uniqueKeysWithValues: forwards.map { ($0.key, $0.value) })
    }

    package func close() throws { try db.close() }
}
