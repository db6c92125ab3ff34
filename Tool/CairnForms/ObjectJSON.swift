import CairnCore
package import CairnGraph
package import CairnToolKit
import Foundation

/// Objects, classes and names as JSON: what `export` writes, line by line. `docs/formats/object-export.md` describes it.
package enum ObjectJSON {
    /// The first line of an export.
    package static let format = 1
    package static var header: JSONValue { .object([("cairn_objects", .int(Int64(format)))]) }

    // MARK: Classes

    package static func line(_ stored: ObjectCatalog.Class) -> JSONValue {
        var fields: [(String, JSONValue)] = [
            ("class", .string(stored.name)), ("number", .int(Int64(stored.number))), ("version", .int(Int64(stored.version))),
        ]
        if stored.isHandCoded { fields.append(("hand_coded", .bool(true))) }
        fields.append(("properties", .array(stored.properties.map { property($0) })))
        let indexes = stored.indexes.map { index in
            JSONValue.object([("properties", .array(index.properties.map { .string($0) })), ("unique", .bool(index.isUnique))])
        }
        return .object(fields + [("indexes", .array(indexes))])
    }

    package static func property(_ property: ObjectCatalog.Property) -> JSONValue {
        var fields: [(String, JSONValue)] = [("name", .string(property.name)), ("type", .string(property.typeText))]
        if let relationship = property.relationship {
            fields.append(("target", relationship.target.map { .string($0) } ?? .null))
            fields.append(("inverse", relationship.inverse.map { .string($0) } ?? .null))
            fields.append(("on_delete", .string(relationship.deleteRule)))
            if relationship.isDerived { fields.append(("derived", .bool(true))) }
        }
        if property.isGone { fields.append(("gone", .bool(true))) }
        return .object(fields)
    }

    // MARK: Objects

    package static func line(_ object: ObjectDump, _ stored: ObjectCatalog.Class) -> JSONValue {
        // A removed property may have the same name as another; importers could not distinguish them.
        let names = Dictionary(grouping: stored.properties, by: \.name)
        let fields = object.fields.enumerated().filter { index, field in
            (names[field.name]?.count ?? 1) == 1 || !object.fields[..<index].contains { $0.name == field.name }
        }
        return .object([
            ("object", .string("\(object.id)")), ("class", .string(object.className)), ("version", .int(Int64(object.version))),
            ("values", .object(fields.map { ($1.name, value($1, stored)) })),
        ])
    }

    /// The value of a property as text.
    package static func text(_ field: ObjectDump.Field, _ stored: ObjectCatalog.Class) -> String {
        String(decoding: value(field, stored).text, as: UTF8.self)
    }

    package static func text(_ value: ObjectDump.Value) -> String { String(decoding: self.value(value, nil).text, as: UTF8.self) }

    /// The value of a property.
    package static func value(_ field: ObjectDump.Field, _ stored: ObjectCatalog.Class) -> JSONValue {
        value(field.value, stored.properties.first { $0.name == field.name }?.type)
    }

    static func value(_ value: ObjectDump.Value, _ type: StoredType?) -> JSONValue {
        switch value {
        case .value(let value): json(value)
        case .one(let id): id.map { .string("\($0)") } ?? .null
        case .many(let ids): .array(ids.map { .string("\($0)") })
        case .keyed(let entries): .array(entries.map { .array([key($0.key), .string("\($0.object)")]) })
        }
    }

    /// The key of a dictionary of objects: text unchanged, others as bytes.
    private static func key(_ key: KeyTuple) -> JSONValue {
        if key.elements.count == 1, case .string(let text) = key.elements[0] { return .string(text) }
        return .object([("hex", .string(String(decoding: Hex.digits(key.keyBytes), as: UTF8.self)))])
    }

    // MARK: Values

    /// A value in the form that its type can be read back from.
    static func json(_ value: RecordValue) -> JSONValue {
        switch value {
        case .float(let number): number.isFinite ? .raw("\(number)") : .string(number.isNaN ? "nan" : "\(number)")
        case .double(let number): number.isFinite ? .raw("\(number)") : .string(number.isNaN ? "nan" : "\(number)")
        case .text(let text), .decimal(let text), .json(let text): .string(text)
        case .list(let values): .array(values.map(json))
        case .dictionary(let entries):
            if let members = members(entries) { .object(members) } else { .array(entries.map { .array([json($0.key), json($0.value)]) }) }
        default: .raw(value.json)
        }
    }

    /// The entries of a dictionary; `nil` if its keys are not text.
    private static func members(_ entries: [RecordValue.Entry]) -> [(String, JSONValue)]? {
        var members: [(String, JSONValue)] = []
        for entry in entries {
            guard case .text(let name) = entry.key else { return nil }
            members.append((name, json(entry.value)))
        }
        return members
    }

    // MARK: Names

    package static func line(_ name: StoreInspector.Name) -> JSONValue {
        let content: (String, JSONValue) =
            switch name.value {
            case .value: ("record", .string(String(decoding: Hex.digits(name.bytes), as: UTF8.self)))
            case .one: ("object", value(name.value, nil))
            case .many: ("objects", value(name.value, nil))
            case .keyed: ("keyed", value(name.value, nil))
            }
        return .object([("name", .string(name.name)), content])
    }
}
