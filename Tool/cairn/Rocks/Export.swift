import ArgumentParser
import CairnCore
import CairnForms
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

                Entries of typed tables are preceded by a line with the types, 'key_type' and 'value_type'.
                """
        )

        @OptionGroup var database: DatabaseArguments
        @Option(
            name: [.customLong("column-family"), .customShort("c")],
            help: ArgumentHelp("The column family. (default: all)", valueName: "name")
        )
        var columnFamily: String?
        @OptionGroup var range: RangeArguments
        @OptionGroup var entry: EntryArguments

        func run() throws {
            let database = try database.openForReading()
            let families =
                try columnFamily.map { [try database.family(named: $0)] } ?? database.columnFamilyNames.map(database.columnFamily)
            let remembered = entry.keys.remembered(in: database.path)
            let forms = families.map { entry.form(of: $0.name, remembered) }
            let ranges = try forms.map { try range.range($0) }
            try range.refuseReversed(zip(families, forms).map { (family: $0, form: $1) })
            try printing { output in
                for (index, family) in families.enumerated() {
                    let isNamed = columnFamily == nil && family.name != "default"
                    try family.reading { try export(family, ranges[index], forms[index], isNamed: isNamed, to: output) }
                }
            }
            try database.close()
        }

        private func export(
            _ family: ColumnFamily,
            _ range: ScanRange,
            _ form: EntryForm,
            isNamed: Bool,
            to output: OutputWriter
        ) throws {
            let name: [(name: String, value: JSONValue)] = isNamed ? [("column_family", .string(family.name))] : []
            var header = name
            if let keyTypes = form.keyTypes { header.append(("key_type", .string(keyTypes.description))) }
            if let valueType = form.valueType { header.append(("value_type", .string(valueType.description))) }
            if !header.isEmpty { try output.write(.object(header)) }
            // The beginning of all lines.
            var start = Array(JSONValue.object(name).text.dropLast())
            if isNamed { start.append(UInt8(ascii: ",")) }
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
