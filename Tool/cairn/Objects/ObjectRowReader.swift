import CairnCore
import CairnForms
import CairnRocksGraph
import CairnToolKit

/// Reads objects of a class from CSV, TSV or JSON Lines: each column or member is a property.
struct ObjectRowReader {
    private let input: ByteInput
    private let stored: ObjectCatalog.Class
    private let columns: ColumnNames

    init(_ input: ByteInput, _ stored: ObjectCatalog.Class, _ columns: ColumnNames) {
        self.input = input
        self.stored = stored
        self.columns = columns
    }

    /// Calls `body` with each object; its errors are reported with the line.
    func forEach(_ format: RecordFormat, _ body: (ObjectDump) throws -> Void) throws {
        var row: UInt64 = 0
        func add(_ line: Int, _ values: () throws(ObjectJSONFault) -> [String: ObjectDump.Value]) throws {
            row += 1
            do {
                try body(try object(row, values()))
            } catch {
                guard let message = (error as? ObjectJSONFault)?.message ?? (error as? ObjectStoreError)?.message else { throw error }
                throw input.error(line, message)
            }
        }
        guard format == .jsonl else { return try forEachRow(delimiter: UInt8(ascii: format == .csv ? "," : "\t"), add) }
        var lines = JSONTreeReader(input: input)
        while let (tree, line) = try lines.next() { try add(line) { () throws(ObjectJSONFault) in try values(of: tree) } }
    }

    private func forEachRow(
        delimiter: UInt8,
        _ add: (Int, () throws(ObjectJSONFault) -> [String: ObjectDump.Value]) throws -> Void
    ) throws {
        let rows = try DelimitedRows(input: input, delimiter: delimiter)
        let names = rows.names.map { String(decoding: $0, as: UTF8.self) }
        let properties: [ObjectCatalog.Property?]
        do throws(ObjectJSONFault) { properties = try self.properties(of: names) } catch {
            throw input.error(rows.headerLine, error.message)
        }
        while let (fields, line) = try rows.next() {
            try add(line) { () throws(ObjectJSONFault) in
                var values: [String: ObjectDump.Value] = [:]
                for (place, property) in properties.enumerated() {
                    guard let property else { continue }
                    let text = String(decoding: fields[place], as: UTF8.self)
                    do throws(ObjectJSONFault) { values[property.name] = try property.value(field: text) } catch {
                        let separator = InputError.isPredicate(error.message) ? " " : ": "
                        throw ObjectJSONFault(message: "column '\(names[place])'" + separator + error.message)
                    }
                }
                return values
            }
        }
    }

    /// The properties of columns; `nil` for those to ignore.
    private func properties(of names: [String]) throws(ObjectJSONFault) -> [ObjectCatalog.Property?] {
        for name in columns.properties.keys.sorted() where !names.contains(name) {
            throw ObjectJSONFault(message: "the header has no column '\(name)'; it has \(names.joined(separator: ", "))")
        }
        var properties: [ObjectCatalog.Property?] = []
        for name in names { properties.append(try property(of: name)) }
        let known = properties.compactMap { $0?.name }
        for name in known where known.count(where: { $0 == name }) > 1 { throw ObjectJSONFault(message: "two columns are named '\(name)'") }
        if let missing = stored.properties.first(where: { $0.isRequired && !known.contains($0.name) }) {
            throw ObjectJSONFault(message: "the header has no column for '\(missing.name)', which cannot be nil")
        }
        return properties
    }

    private func property(of column: String) throws(ObjectJSONFault) -> ObjectCatalog.Property? {
        let name = columns.properties[column] ?? column
        if name.isEmpty { return nil }
        let all = stored.properties.filter { !$0.isGone }
        if let property = all.first(where: { $0.name == name }) { return property }
        throw ObjectJSONFault(message: "\(stored.name) has no property '\(name)'; it has \(all.map(\.name).joined(separator: ", "))")
    }

    private func values(of tree: JSONTree) throws(ObjectJSONFault) -> [String: ObjectDump.Value] {
        guard case .object(let members) = tree else { throw ObjectJSONFault(message: "is not an object") }
        var values: [String: ObjectDump.Value] = [:]
        for member in members {
            guard let property = try property(of: member.name) else { continue }
            guard values.updateValue(try ObjectJSON.value(member.value, property), forKey: property.name) == nil else {
                throw ObjectJSONFault(message: "'\(property.name)' occurs twice")
            }
        }
        return values
    }

    /// The object with these values; without one, a property is `nil` or has no objects.
    private func object(_ row: UInt64, _ values: [String: ObjectDump.Value]) throws(ObjectJSONFault) -> ObjectDump {
        let id = ObjectID(classNumber: stored.number, row: row)
        var dump = ObjectDump(id: id, className: stored.name, version: stored.version, fields: [])
        for property in stored.properties where !property.isGone {
            guard let value = values[property.name] ?? property.missingValue else {
                guard !property.isRequired else { throw ObjectJSONFault(message: "'\(property.name)' is missing, but cannot be nil") }
                continue
            }
            dump.fields.append(ObjectDump.Field(name: property.name, value: value))
        }
        return dump
    }
}
