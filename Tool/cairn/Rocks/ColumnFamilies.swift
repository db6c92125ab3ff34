import ArgumentParser
import CairnRocks
import CairnToolKit

extension Rocks {
    struct ColumnFamilies: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "column-families",
            abstract: "List, create or drop column families.",
            discussion:
                "Prints one name per line. With --create or --drop, lists what is left afterwards. Dropping a column family deletes all its entries."
        )

        @OptionGroup var database: WritableDatabaseArguments
        @Option(help: ArgumentHelp("Create a column family with this name. Can be repeated.", valueName: "name")) var create: [String] = []
        @Option(help: ArgumentHelp("Drop the column family with this name, and all its entries. Can be repeated.", valueName: "name"))
        var drop: [String] = []
        @Flag(help: "Print a JSON array.") var json = false

        func run() throws {
            _ = try DatabaseOpener(path: database.path).checkPath()
            try change()
            let names = try RocksDB.columnFamilyNames(path: database.path)
            try printing { output in
                if json { return try output.write(.array(names.map { .string($0) })) }
                for name in names { try output.writeLine(EscapedText.string(Array(name.utf8))) }
            }
        }

        private func change() throws {
            guard !create.isEmpty || !drop.isEmpty else { return }
            let database = try database.openForWriting(create: false)
            for name in create {
                guard !database.columnFamilyNames.contains(name) else {
                    throw Failure(.database, "'\(database.path)' already has a column family '\(name)'.")
                }
                _ = try database.createColumnFamily(name)
            }
            for name in drop { try database.dropColumnFamily(try database.family(named: name).name) }
            try database.close()
        }
    }
}
