import ArgumentParser
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Repair: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Rebuild a damaged database from the files that can be read.",
            discussion: """
                This is the last resort if there is no backup: damaged entries are lost, and deleted ones may reappear. Unusable files are moved to \
                the directory 'lost' within the database. Copy the directory first.
                """
        )

        @OptionGroup var database: WritableDatabaseArguments
        @Flag(help: "Confirm the repair. Without it, nothing is done.") var yes = false
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            let opener = DatabaseOpener(path: database.path)
            let manifest = opener.unnamedManifest()
            if manifest == nil { _ = try opener.checkPath() }
            guard yes else { throw Failure(.usage, "Repairing '\(database.path)' may lose data.", hint: "Confirm it with --yes.") }
            // The options that the database had are found by means of this file.
            if let manifest { try opener.nameManifest(manifest) }
            try RocksDB.repair(path: database.path, columnFamilies: try opener.storedColumnFamilies(for: .readWrite))
            let repaired = try opener.open(.readOnly)
            let counts = try repaired.columnFamilyNames.map { (name: $0, count: try repaired.columnFamily($0).count(options: .scan)) }
            try repaired.close()
            try printing { output in
                if json {
                    let families = counts.map { JSONValue.object([("name", .string($0.name)), ("entries", .int(Int64($0.count)))]) }
                    return try output.write(.object([("column_families", .array(families))]))
                }
                var table = TextTable(["column family", "entries"], [.left, .right])
                for (name, count) in counts { table.append([EscapedText.string(Array(name.utf8)), Numbers.grouped(count)]) }
                try output.write(table)
            }
        }
    }
}
