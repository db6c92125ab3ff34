import ArgumentParser
import CairnCore
import CairnForms
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Stats: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show statistics of a database: keys, sizes, files and memory.",
            discussion: """
                Key counts are RocksDB's estimates; 'count' and 'verify' give exact numbers.

                --counters, --histograms and --name show the latest statistics that a program wrote to the text log (LOG). The program must open \
                the database with statistics, and writes them every stats_dump_period_sec (by default ten minutes). Durations are in \
                microseconds.
                """
        )

        @OptionGroup var database: DatabaseArguments
        @Flag(help: "Print RocksDB's report ('rocksdb.stats') for each column family.") var text = false
        @Flag(help: "Print the program's counters that are not zero.") var counters = false
        @Flag(help: "Print the program's histograms that are not empty.") var histograms = false
        @Option(help: "Print the counter or histogram with this name, such as 'rocksdb.block.cache.hit'. Can be repeated.")
        var name: [String] = []
        @Flag(help: "Print a JSON object.") var json = false

        private var isAboutProgram: Bool { counters || histograms || !name.isEmpty }

        func validate() throws {
            if text && json { throw ValidationError("--text cannot be combined with --json.") }
            if text && isAboutProgram { throw ValidationError("--text cannot be combined with --counters, --histograms and --name.") }
            if !name.isEmpty && (counters || histograms) {
                throw ValidationError("--name cannot be combined with --counters and --histograms.")
            }
        }

        func run() throws {
            if isAboutProgram { return try writeStatistics() }
            let database = try database.openForReading()
            let families = try database.columnFamilyNames.map(database.columnFamily)
            try printing { output in
                if text { return try writeReports(of: families, to: output) }
                let stats = try families.map(FamilyStats.init)
                if json { try output.write(Self.json(database, stats)) } else { try Self.write(database, stats, to: output) }
            }
            try database.close()
        }

        private func writeStatistics() throws {
            guard try DatabaseOpener(path: database.path).checkPath() else { return }
            var dump = try StatisticsDump.last(ofDatabaseAt: database.path)
            if name.isEmpty { dump.keep(counters: counters, histograms: histograms) } else { try dump.keep(name) }
            try printing { output in
                if json { try output.write(dump.json) } else { try dump.write(hidesZeros: name.isEmpty, to: output) }
            }
        }

        private func writeReports(of families: [ColumnFamily], to output: OutputWriter) throws {
            for family in families {
                if families.count > 1 { try output.writeLine("column family \(family.name)") }
                try output.writeLine(try family.property("rocksdb.stats") ?? "")
            }
        }

        private static func write(_ database: RocksDB, _ stats: [FamilyStats], to output: OutputWriter) throws {
            let sequence = Numbers.grouped(try database.latestSequenceNumber())
            try output.writeLine("\(database.path)  (RocksDB \(RocksDB.libraryVersion), sequence number \(sequence))")
            try output.writeLine()
            var table = TextTable(
                ["column family", "keys (estimated)", "live data", "files", "on disk", "memtables", "table readers", "per level"],
                [.left, .right, .right, .right, .right, .right, .right]
            )
            for family in stats {
                table.append([
                    EscapedText.string(Array(family.name.utf8)), Numbers.grouped(family.keys), family.liveData.description,
                    Numbers.grouped(family.files),
                    family.onDisk.description, family.memtables.description, family.tableReaders.description,
                    family.filesPerLevel.map(String.init).joined(separator: " "),
                ])
            }
            try output.write(table)
        }

        private static func json(_ database: RocksDB, _ stats: [FamilyStats]) throws -> JSONValue {
            .object([
                ("path", .string(database.path)),
                ("rocksdb", .string(RocksDB.libraryVersion)),
                ("sequence_number", .unsigned(try database.latestSequenceNumber())),
                ("column_families", .array(stats.map(\.json))),
            ])
        }
    }
}
