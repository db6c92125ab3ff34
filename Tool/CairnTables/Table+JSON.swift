import CairnToolKit

extension Table {
    /// Reads JSON Lines: the fields of all objects are the columns, in the order in which they first occur, and their values say which types these have.
    init(json input: ByteInput) throws(TableFaults) {
        var source = JSONTreeReader(input: input)
        var fields = JSONColumns()
        var objects: [(line: Int, values: [TableValue])] = []
        var faults = FaultList()
        while !faults.isFull {
            do throws(InputError) {
                guard let (tree, line) = try source.next() else { break }
                guard case .object(let members) = tree else { continue }
                objects.append((line, fields.values(of: members, line: line, &faults)))
            } catch {
                faults.add(TableFault(error))
                break
            }
        }
        try faults.check()
        guard !objects.isEmpty else { throw TableFaults([TableFault(1, "the file is empty; the first object names the columns")]) }
        columns = fields.columns(rowCount: objects.count, &faults)
        try faults.check()
        rows = objects.map { Row(line: $0.line, values: $0.values) }
        complete(&faults)
        try faults.check()
    }

    /// Adds the fields that an object does not have, and makes integers of a column with fractions doubles.
    private mutating func complete(_ faults: inout FaultList) {
        for row in rows.indices {
            let missing = columns.count - rows[row].values.count
            rows[row].values += Array(repeating: .null, count: missing)
            for (index, column) in columns.enumerated() where column.type == .double {
                guard case .int(let number) = rows[row].values[index] else { continue }
                rows[row].values[index] = .double(Double(number))
                if Double(exactly: number) == nil {
                    faults.add(rows[row].line, "\(number), in the column '\(column.name)', does not fit in a Double")
                }
            }
        }
    }
}

/// The fields of the objects read so far.
private struct JSONColumns {
    private struct Column {
        var name: String
        /// The type, and the line that first had it; `nil` as long as all values are null.
        var type: (type: ColumnType, line: Int)?
        /// In how many objects it has a value.
        var count = 0
        /// The line of the first object that has it.
        var line: Int
    }
    private var columns: [Column] = []
    private var places: [String: Int] = [:]

    /// Returns the values of an object by column, as many as are known.
    mutating func values(of members: [JSONTree.Member], line: Int, _ faults: inout FaultList) -> [TableValue] {
        var values = [TableValue](repeating: .null, count: columns.count)
        var seen: Set<String> = []
        for member in members {
            guard seen.insert(member.name).inserted else {
                faults.add(line, "the row has two fields named \(shown(member.name))")
                continue
            }
            let place = place(of: member.name, line, &faults)
            if place == values.count { values.append(.null) }
            guard let value = Self.value(of: member, line, &faults), let type = value.type else { continue }
            values[place] = value
            columns[place].count += 1
            add(type, to: place, line, member.value, &faults)
        }
        return values
    }

    private mutating func place(of name: String, _ line: Int, _ faults: inout FaultList) -> Int {
        if let place = places[name] { return place }
        do throws(NameFault) { try TableColumn.check(name: name) } catch { faults.add(line, error.message) }
        places[name] = columns.count
        columns.append(Column(name: name, line: line))
        return columns.count - 1
    }

    /// A column has one type; integers and fractions together are doubles.
    private mutating func add(_ type: ColumnType, to place: Int, _ line: Int, _ value: JSONTree, _ faults: inout FaultList) {
        guard let (known, first) = columns[place].type else {
            columns[place].type = (type, line)
            return
        }
        switch (known, type) {
        case (.int, .double): columns[place].type = (.double, line)
        case (.double, .int): break
        case _ where known == type: break
        default:
            faults.add(line, "the field '\(columns[place].name)' is \(type.phrase), but \(known.phrase) on line \(first)")
        }
    }

    private static func value(of member: JSONTree.Member, _ line: Int, _ faults: inout FaultList) -> TableValue? {
        switch member.value {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .string(let text): return .string(text)
        case .number(let text):
            if let value = ColumnType.int.value(of: text)
                ?? (text.utf8.contains { ".eE".utf8.contains($0) } ? ColumnType.double.value(of: text) : nil)
            {
                return value
            }
            faults.add(line, "\(shown(text)), in the field '\(member.name)', fits neither an Int nor a Double")
        case .array, .object:
            faults.add(line, "the field \(shown(member.name)) is a list or an object; a column has strings, numbers or Booleans")
        }
        return nil
    }

    /// Returns the columns of `rowCount` objects.
    func columns(rowCount: Int, _ faults: inout FaultList) -> [TableColumn] {
        var result: [TableColumn] = []
        for (index, column) in columns.enumerated() {
            guard let type = column.type?.type else {
                faults.add(column.line, "the field '\(column.name)' is null in every row, so its type is unknown")
                continue
            }
            let found = TableColumn(name: column.name, type: type, isOptional: column.count < rowCount)
            if index == 0 {
                do throws(NameFault) { try TableColumn.check(key: found) } catch { faults.add(column.line, error.message) }
            }
            result.append(found)
        }
        if columns.isEmpty { faults.add(1, "the first object has no fields; its first field must be the key") }
        return result
    }
}
