package import CairnCDB
package import CairnCore

/// Makes a constant database and the Swift code of its rows from a file.
package struct TableCompiler {
    /// The path of the file, which ends with `.table.csv`, `.table.tsv` or `.table.jsonl`.
    package let source: String
    /// The name of the type: the name of the file up to `.table`.
    package let name: String
    private let fileName: String
    private let format: Table.Format

    /// - Throws: ``TableFaults`` if the name of the file is not that of a table.
    package init(source: String) throws(TableFaults) {
        self.source = source
        fileName = source.split(separator: "/").last.map(String.init) ?? source
        let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[parts.count - 2] == "table", let format = Table.Format(rawValue: String(parts[parts.count - 1]))
        else {
            throw TableFaults([TableFault(1, "the file's name must end with '.table.csv', '.table.tsv' or '.table.jsonl'")])
        }
        self.format = format
        name = parts.dropLast(2).joined(separator: ".")
        do throws(NameFault) { try TableColumn.check(typeName: name) } catch { throw TableFaults([TableFault(1, error.message)]) }
    }

    /// Reads the file.
    ///
    /// - Throws: ``TableFaults``: what is wrong with it.
    package func table() throws(TableFaults) -> Table { try Table(path: source, format: format) }

    /// Writes the database. The same table gives the same bytes.
    package static func write(_ table: Table, to path: String) throws(CDBError) {
        let writer = try CDBWriter(path: path, durability: .none)
        try writer.put(CDBTableFormat.header(count: table.rows.count, columns: table.header), for: "")
        var encoder = KeyEncoder()
        for row in table.rows {
            encoder.removeAll()
            for value in row.values.dropFirst() { value.encode(into: &encoder) }
            try writer.put(encoder.bytes, for: row.values[0].text)
        }
        try writer.finish()
    }

    /// Writes the Swift code, unless the file has it already, so that code that uses it is not compiled again.
    package func writeAccessor(of table: Table, to path: String) throws(FileError) {
        let text = Accessor(source: fileName, name: name, columns: table.columns).text
        if let present = try? File(path, [.read]), let size = try? present.status().size, size == text.utf8.count,
            let bytes = try? present.read(Int(size), at: 0), bytes.elementsEqual(text.utf8)
        {
            return
        }
        let writer = try AtomicFileWriter(replacing: path, durability: .none)
        try writer.write(Array(text.utf8))
        try writer.finish()
    }
}
