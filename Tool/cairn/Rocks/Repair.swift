import ArgumentParser
import CairnCore
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Repair: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Rebuild a damaged database from the files that can be read.",
            discussion: """
                This is the last resort if there is no backup: damaged entries are lost, and deleted ones may reappear. Unusable files are moved to \
                the directory 'lost' within the database, and are listed: their intact entries are lost too. Copy the directory first, and save what \
                'export' can read.
                """
        )

        @OptionGroup var database: WritableDatabaseArguments
        @Flag(help: "Confirm the repair. Without it, nothing is done.") var yes = false
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            let lostBefore = Set(lostFiles())
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
            let lost = lostFiles().filter { !lostBefore.contains($0) }
            try printing { output in
                if json {
                    let families = counts.map { JSONValue.object([("name", .string($0.name)), ("entries", .int(Int64($0.count)))]) }
                    return try output.write(
                        .object([("column_families", .array(families)), ("lost_files", .array(lost.map { .string($0) }))])
                    )
                }
                var table = TextTable(["column family", "entries"], [.left, .right])
                for (name, count) in counts { table.append([EscapedText.string(Array(name.utf8)), Numbers.grouped(count)]) }
                try output.write(table)
                for name in lost {
                    let path = FileSystem.join(database.path, "lost/" + name)
                    try output.writeLine("lost: \(EscapedText.string(Array(path.utf8))), with its intact entries")
                }
            }
        }

        /// The files of entries in the directory 'lost', to which RocksDB also moves logs and manifests that it has read.
        private func lostFiles() -> [String] {
            let names = (try? FileSystem.system.list(FileSystem.join(database.path, "lost"))) ?? []
            return names.filter { name in [".sst", ".ldb", ".blob"].contains { name.hasSuffix($0) } }
        }
    }
}
