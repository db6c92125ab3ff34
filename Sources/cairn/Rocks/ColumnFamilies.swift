import ArgumentParser
import CairnRocks
import CairnToolKit

extension Rocks {
    struct ColumnFamilies: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "column-families",
            abstract: "List the column families, one a line."
        )

        @OptionGroup var database: DatabaseArguments
        @Flag(help: "Print a JSON array.") var json = false

        func run() throws {
            _ = try DatabaseOpener(path: database.path).checkPath()
            let names = try RocksDB.columnFamilyNames(path: database.path)
            try printing { output in
                if json { return try output.write(.array(names.map { .string($0) })) }
                for name in names { try output.writeLine(EscapedText.string(Array(name.utf8))) }
            }
        }
    }
}
