import ArgumentParser
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Properties: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show RocksDB's properties of a column family.",
            discussion: "Without a name, shows all properties. Exits with 1 if the named property does not exist."
        )

        @OptionGroup var store: StoreArguments
        @Argument(help: "A property, such as rocksdb.stats. Only its value is printed.") var name: String?
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            try store.reading { family in
                if let name { return try printOne(name, of: family) }
                let properties = try PropertyNames.all.compactMap { name in
                    try family.property(name).map { (name: name, value: $0) }
                }
                try printing { output in
                    if json { return try output.write(.object(properties.map { ($0.name, .string($0.value)) })) }
                    try write(properties, to: output)
                }
            }
        }

        private func printOne(_ name: String, of family: ColumnFamily) throws {
            guard let value = try family.property(name) else {
                throw Failure(
                    .no,
                    "'\(store.database.path)' has no property '\(name)'.",
                    hint: "Run 'cairn rocks properties' without a name to list all properties."
                )
            }
            try printing { output in
                if json { return try output.write(.object([(name, .string(value))])) }
                try output.write(value.last == "\n" ? value : value + "\n")
            }
        }

        /// Short ones as a table, then the longer ones.
        private func write(_ properties: [(name: String, value: String)], to output: OutputWriter) throws {
            func isShort(_ value: String) -> Bool { value.count <= 100 && !value.contains("\n") }
            var table = TextTable(["property", "value"])
            for (name, value) in properties where isShort(value) { table.append([name, value]) }
            try output.write(table)
            for (name, value) in properties where !isShort(value) {
                try output.writeLine()
                try output.writeLine(name, .bold)
                try output.write(value.last == "\n" ? value : value + "\n")
            }
        }
    }
}

/// The names of RocksDB's properties, as of 7.8. Properties that the library does not have are `nil`.
enum PropertyNames {
    static let all = names.flatMap(expanded).map { "rocksdb." + $0 }

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
