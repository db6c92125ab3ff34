import ArgumentParser
import CairnCore
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print all entries as JSON Lines that 'import' reads.",
            discussion: """
                Each line is {"key":…,"value":…}; bytes that are not UTF-8 are written as hexadecimal digits in 'key_hex' and 'value_hex'. Lines \
                of column families other than 'default' begin with 'column_family'; a line with only that field says that the column family \
                exists. With --column-family, only that one is printed, and the lines do not name it.
                """
        )

        @OptionGroup var database: DatabaseArguments
        @Option(
            name: [.customLong("column-family"), .customShort("c")],
            help: ArgumentHelp("The column family. (default: all)", valueName: "name")
        )
        var columnFamily: String?
        @OptionGroup var range: RangeArguments
        @OptionGroup var form: KeyForm

        func run() throws {
            let range = try range.range(form)
            let database = try database.openForReading()
            let families = try columnFamily.map { [try database.family(named: $0)] }
            try printing { output in
                for family in try families ?? database.columnFamilyNames.map(database.columnFamily) {
                    let isNamed = columnFamily == nil && family.name != "default"
                    try family.reading { try export(family, range, isNamed: isNamed, to: output) }
                }
            }
            try database.close()
        }

        private func export(_ family: ColumnFamily, _ range: ScanRange, isNamed: Bool, to output: OutputWriter) throws {
            // The beginning of all lines.
            var start: [UInt8] = [UInt8(ascii: "{")]
            if isNamed {
                start += #""column_family":"#.utf8
                JSONText.appendString(Array(family.name.utf8), to: &start)
                try output.write(start + "}\n".utf8)
                start.append(UInt8(ascii: ","))
            }
            var line: [UInt8] = []
            var cursor = try family.makeCursor(range, options: .scan)
            while let entry = try cursor.next() {
                line.removeAll(keepingCapacity: true)
                line += start
                try form.appendFields(key: [UInt8](copying: entry.key), value: [UInt8](copying: entry.value), to: &line)
                line += "}\n".utf8
                try output.write(line)
            }
        }
    }
}
