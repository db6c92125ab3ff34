import CairnToolKit

extension Table {
    /// Reads CSV or TSV, whose header names the columns and their types.
    init(delimitedBy delimiter: UInt8, _ input: ByteInput) throws(TableFaults) {
        let source: DelimitedRows
        do throws(InputError) { source = try DelimitedRows(input: input, delimiter: delimiter) } catch {
            throw TableFaults([TableFault(error)])
        }
        columns = try Self.columns(of: source)
        rows = []
        var faults = FaultList()
        while !faults.isFull {
            do throws(InputError) {
                guard let (fields, line) = try source.next() else { break }
                var row = Row(line: line, values: [])
                row.values.reserveCapacity(columns.count)
                for (column, field) in zip(columns, fields) {
                    let text = String(decoding: field, as: UTF8.self)
                    if let value = column.value(of: text) {
                        row.values.append(value)
                    } else {
                        faults.add(line, column.fault(in: text))
                        row.values.append(.null)
                    }
                }
                rows.append(row)
            } catch {
                // Where the next row begins is not known.
                faults.add(TableFault(error))
                break
            }
        }
        try faults.check()
    }

    private static func columns(of source: DelimitedRows) throws(TableFaults) -> [TableColumn] {
        var faults = FaultList()
        var columns: [TableColumn] = []
        var names: Set<String> = []
        for field in source.names {
            do throws(NameFault) {
                let column = try TableColumn(header: String(decoding: field, as: UTF8.self))
                guard names.insert(column.name).inserted else { throw NameFault("two columns are named '\(column.name)'") }
                if columns.isEmpty { try TableColumn.check(key: column) }
                columns.append(column)
            } catch {
                faults.add(source.headerLine, error.message)
            }
        }
        try faults.check()
        return columns
    }
}

extension TableColumn {
    /// Reads the text of a field; `nil` if it does not fit.
    fileprivate func value(of text: String) -> TableValue? { text.isEmpty && isOptional ? .null : type.value(of: text) }

    /// What is wrong with the text of a field.
    fileprivate func fault(in text: String) -> String {
        if text.isEmpty { return "the column '\(name)' is empty; to allow that, make its type \(type.rawValue)?" }
        let note = type == .bool ? "; write true or false" : type == .int && Int128(text) != nil ? "; it is too large" : ""
        return "\(shown(text)), in the column '\(name)', is not \(type.phrase)\(note)"
    }
}
