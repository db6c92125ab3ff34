import ArgumentParser
import CairnCore
import CairnRocks
import CairnToolKit
import Synchronization

extension Rocks {
    struct Compact: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Rewrite files to reclaim the space of overwritten and deleted entries.",
            discussion: """
                RocksDB compacts in the background; do it by hand after deleting a lot, or before distributing the files. By default every \
                file is rewritten. With --skip-bottommost, the files of the lowest level are not.
                """
        )

        @OptionGroup var database: WritableDatabaseArguments
        @Option(
            name: [.customLong("column-family"), .customShort("c")],
            help: ArgumentHelp("The column family. (default: all)", valueName: "name")
        )
        var columnFamily: String?
        @OptionGroup var range: RangeArguments
        @OptionGroup var form: KeyForm
        @Flag(help: "Do not rewrite files of the lowest level.") var skipBottommost = false
        @Flag(help: "Print a JSON array.") var json = false

        func run() throws {
            let database = try database.openForWriting(create: false, events: DatabaseEvents())
            let families =
                try columnFamily.map { [try database.family(named: $0)] } ?? database.columnFamilyNames.map(database.columnFamily)
            let remembered = form.remembered(in: database.path)
            let forms = families.map { form.form(of: $0.name, remembered) }
            let ranges = try forms.map { try range.range($0) }
            try range.refuseReversed(zip(families, forms).map { (family: $0, form: $1) })
            let progress = Mutex(Progress(total: nil))
            var results: [Result] = []
            for (index, family) in families.enumerated() {
                let step = "compacting \(family.name) (\(index + 1) of \(families.count))"
                progress.withLock { $0.show(step: step) }
                let before = try family.bytesOnDisk()
                try family.compact(ranges[index], options: CompactOptions(bottommostLevel: skipBottommost ? .ifFiltered : .force)) { done in
                    progress.withLock { $0.show(step: "\(step): \(done.read) read, \(done.written) written") }
                }
                results.append(Result(name: family.name, before: before, after: try family.bytesOnDisk()))
            }
            progress.withLock { $0.finish() }
            try database.close()
            try printing { output in
                if json { return try output.write(.array(results.map(\.json))) }
                var table = TextTable(["column family", "before", "after"], [.left, .right, .right])
                for result in results {
                    table.append([EscapedText.string(Array(result.name.utf8)), result.before.description, result.after.description])
                }
                try output.write(table)
            }
        }

        /// The size of the files before and after.
        private struct Result {
            let name: String
            let before: ByteCount
            let after: ByteCount

            var json: JSONValue {
                .object([("name", .string(name)), ("bytes_before", .int(before.bytes)), ("bytes_after", .int(after.bytes))])
            }
        }
    }
}

extension ColumnFamily {
    fileprivate func bytesOnDisk() throws -> ByteCount {
        // So that what is in memory counts as well.
        try flush()
        return try property(.liveSSTFilesSize) ?? .zero
    }
}
