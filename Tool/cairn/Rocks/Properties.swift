import ArgumentParser
import CairnForms
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
