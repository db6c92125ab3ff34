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
            try check(database)
            for name in create { _ = try database.createColumnFamily(name) }
            for name in drop { try database.dropColumnFamily(name) }
            try database.close()
        }

        /// Refuses names before anything is changed.
        private func check(_ database: RocksDB) throws {
            var names = Set(database.columnFamilyNames)
            for name in create {
                guard !name.isEmpty else { throw Failure(.usage, "The name of a column family cannot be empty.") }
                guard names.insert(name).inserted else {
                    throw Failure(.database, "'\(database.path)' already has a column family '\(name)'.")
                }
            }
            for name in drop {
                guard name != "default" else { throw Failure(.database, "The column family 'default' cannot be dropped.") }
                guard drop.count(where: { $0 == name }) == 1 else {
                    throw Failure(.usage, "The column family '\(name)' cannot be dropped twice.")
                }
                // One that is missing is named, with those that there are.
                if !names.contains(name) { _ = try database.family(named: name) }
            }
        }
    }
}
