/// The names of RocksDB's properties, as of 7.8. Properties that the library does not have are `nil`.
package enum PropertyNames {
    package static let all = names.flatMap(expanded).map { "rocksdb." + $0 }

    /// `<level>` is 0 to 6; `<temperature>` is unknown, hot, warm or cold.
    private static let names = [
        "num-files-at-level<level>", "compression-ratio-at-level<level>", "stats", "sstables", "cfstats", "cfstats-no-file-histogram",
        "cf-file-histogram", "dbstats", "levelstats", "block-cache-entry-stats", "fast-block-cache-entry-stats",
        "num-immutable-mem-table", "num-immutable-mem-table-flushed", "mem-table-flush-pending", "num-running-flushes",
        "compaction-pending", "num-running-compactions", "background-errors", "cur-size-active-mem-table", "cur-size-all-mem-tables",
        "size-all-mem-tables", "num-entries-active-mem-table", "num-entries-imm-mem-tables", "num-deletes-active-mem-table",
        "num-deletes-imm-mem-tables", "estimate-num-keys", "estimate-table-readers-mem", "is-file-deletions-enabled", "num-snapshots",
        "oldest-snapshot-time", "oldest-snapshot-sequence", "num-live-versions", "current-super-version-number",
        "estimate-live-data-size", "min-log-number-to-keep", "min-obsolete-sst-number-to-keep", "total-sst-files-size",
        "live-sst-files-size", "live-sst-files-size-at-temperature<temperature>", "base-level", "estimate-pending-compaction-bytes",
        "aggregated-table-properties", "aggregated-table-properties-at-level<level>", "actual-delayed-write-rate", "is-write-stopped",
        "estimate-oldest-key-time", "block-cache-capacity", "block-cache-usage", "block-cache-pinned-usage", "options-statistics",
        "num-blob-files", "blob-stats", "total-blob-file-size", "live-blob-file-size", "live-blob-file-garbage-size",
        "blob-cache-capacity", "blob-cache-usage", "blob-cache-pinned-usage",
    ]

    private static func expanded(_ name: String) -> [String] {
        guard let mark = name.firstIndex(of: "<") else { return [name] }
        let numbers = name[mark...] == "<level>" ? Array(0...6) : [0, 4, 8, 12]
        return numbers.map { name[..<mark] + String($0) }
    }
}
