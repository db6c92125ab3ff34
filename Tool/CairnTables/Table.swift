import CairnToolKit

/// The columns and rows of a file.
package struct Table: Sendable {
    /// A row, and the line it begins on.
    package struct Row: Sendable {
        package var line: Int
        /// As many as there are columns, each of its column's type, or null if the column is optional.
        package var values: [TableValue]
    }

    /// The first one is the key.
    package var columns: [TableColumn]
    package var rows: [Row]

    /// As in a header.
    package var header: String { columns.map(\.text).joined(separator: ",") }

    /// The formats that a table can be read from, by the end of the file's name.
    package enum Format: String, CaseIterable, Sendable { case csv, tsv, jsonl }

    /// Reads a file.
    ///
    /// - Throws: ``TableFaults``: what is wrong with it.
    package init(path: String, format: Format) throws(TableFaults) {
        let input = try Self.open(path)
        switch format {
        case .csv: try self.init(delimitedBy: UInt8(ascii: ","), input)
        case .tsv: try self.init(delimitedBy: UInt8(ascii: "\t"), input)
        case .jsonl: try self.init(json: input)
        }
        try checkKeys()
    }

    private static func open(_ path: String) throws(TableFaults) -> ByteInput {
        do throws(InputError) {
            let input = try ByteInput(path: path)
            guard input.size != nil else { throw input.error(nil, "is not a regular file") }
            return input
        } catch {
            throw TableFaults([TableFault(error)])
        }
    }

    /// Checks that no key is empty or occurs twice.
    private func checkKeys() throws(TableFaults) {
        var faults = FaultList()
        var lines: [TableValue: Int] = [:]
        lines.reserveCapacity(rows.count)
        for row in rows {
            let key = row.values[0]
            if key.text.isEmpty { faults.add(row.line, "the key column '\(columns[0].name)' is empty") }
            if let line = lines[key] {
                faults.add(row.line, "the key \(shown(key.text)) already occurs on line \(line)")
            } else {
                lines[key] = row.line
            }
        }
        try faults.check()
    }
}
