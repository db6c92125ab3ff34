import CRocks
import CairnCore

/// Rules for options that change while a database is open. Opening silently adjusts the values refused here; a live change does not, and a
/// flush, a compaction or a writer would then wait forever or end the process.
enum LiveOptionRules {
    private static let triggers: ClosedRange<Int128> = 1...Int128(Int32.max)

    /// Numbers outside these ranges are refused, in addition to what ``OptionRules/numbers`` refuses.
    static let numbers: [String: ClosedRange<Int128>] = [
        "write_buffer_size": (64 << 10)...(64 << 30), "max_write_buffer_number": 2...Int128(Int32.max),
        "level0_file_num_compaction_trigger": triggers, "level0_slowdown_writes_trigger": triggers, "level0_stop_writes_trigger": triggers,
        "target_file_size_base": 1...Int128(Int64.max), "target_file_size_multiplier": triggers,
        "max_bytes_for_level_base": 1...Int128(Int64.max), "max_compaction_bytes": 1...Int128(Int64.max),
        "block_restart_interval": triggers, "block_size": 1...(1 << 30),
    ]

    /// Refuses what opening would have adjusted.
    static func check(_ changes: [String: String]) throws(RocksError) {
        for (name, range) in numbers {
            guard let text = changes[name] else { continue }
            guard let number = wholeNumber(text), range.contains(number) else {
                let reason = "it must be from \(range.lowerBound) to \(range.upperBound) while open"
                throw RocksError(.invalidOption, "option '\(name)' does not accept '\(text)': \(reason)")
            }
        }
    }

    /// The names of options that differ between `before` and `after`, with their new texts.
    static func changes<Options: NamedOptions>(from before: Options, to after: Options) throws(RocksError) -> [String: String] {
        var changes: [String: String] = [:]
        for name in Set(before.settings.keys).union(after.settings.keys) {
            let (old, new) = (before[name], after[name])
            guard old != new else { continue }
            guard let new else { throw RocksError(.invalidOption, "option '\(name)' has no default to restore") }
            changes[name] = new
        }
        return changes
    }

    /// Refuses a change of options that are not text: comparators, caches, budgets.
    static func checkObjects(_ before: Any, _ after: Any) throws(RocksError) {
        let (old, new) = (objects(of: before), objects(of: after))
        for (name, identity) in new where old[name] != identity {
            throw RocksError(.invalidOption, "option '\(name)' cannot be changed while the database is open")
        }
    }

    /// The values of stored properties other than `settings`, by name.
    private static func objects(of options: Any) -> [String: String] {
        var result: [String: String] = [:]
        for (label, value) in Mirror(reflecting: options).children {
            guard let label, label != "settings" else { continue }
            if value is any NamedOptions {
                result.merge(objects(of: value)) { $1 }
            } else {
                result[label] = identity(of: value)
            }
        }
        return result
    }

    private static func identity(of value: Any) -> String {
        if type(of: value) is AnyClass { return "\(ObjectIdentifier(value as AnyObject))" }
        let mirror = Mirror(reflecting: value)
        guard !mirror.children.isEmpty else { return String(describing: value) }
        return mirror.children.map { "\($0.label ?? ""):\(identity(of: $0.value))" }.joined(separator: ",")
    }
}

extension ColumnFamilyOptions {
    /// Refuses changes that the formats in use cannot handle.
    func checkLive(_ changes: [String: String]) throws(RocksError) {
        try LiveOptionRules.check(changes)
        if let text = changes["prefix_extractor"] {
            let isHashed = memtableFactory.rawValue.contains("Hash") || memtableFactory.rawValue.contains("prefix_hash")
            let user = isHashed ? "memtable_factory" : (tableFormat == .blockBased ? "" : "table_factory")
            if !user.isEmpty || table.indexType == .hashSearch {
                let name = user.isEmpty ? "index_type" : user
                throw RocksError(
                    .invalidOption,
                    "option 'prefix_extractor' cannot change to '\(text)' while open: '\(name)' organizes the data by the current prefix"
                )
            }
        }
        let triggers = [level0FileCountCompactionTrigger, level0SlowdownWritesTrigger, level0StopWritesTrigger]
        guard triggers == triggers.sorted() else {
            throw RocksError(
                .invalidOption,
                "options 'level0_file_num_compaction_trigger', 'level0_slowdown_writes_trigger' and 'level0_stop_writes_trigger' must be "
                    + "in ascending order; they are \(triggers)"
            )
        }
    }
}
