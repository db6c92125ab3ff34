import CairnCore
package import CairnGraph
package import CairnToolKit
import Foundation

/// The reason why a line cannot be read.
package struct ObjectJSONFault: Error {
    package let message: String

    package init(message: String) { self.message = message }
}

extension ObjectJSON {
    /// A line of an export, except the first.
    package enum Line {
        case storedClass(ObjectCatalog.Class)
        case object(JSONTree, ObjectID, String, UInt8)
        case name(StoreInspector.Name)
    }

    package static func read(_ line: JSONTree) throws(ObjectJSONFault) -> Line {
        if line["name"] != nil { return .name(try name(line)) }
        if let object = line["object"] {
            let values = try member("values", line)
            return .object(
                values,
                try id(object),
                try text("class", line),
                UInt8(try number(try member("version", line), "version", upTo: 255))
            )
        }
        return .storedClass(try storedClass(line))
    }

    private static func storedClass(_ line: JSONTree) throws(ObjectJSONFault) -> ObjectCatalog.Class {
        var properties: [ObjectCatalog.Property] = []
        for property in try list("properties", line) {
            var relationship: ObjectCatalog.Relationship?
            let type = try text("type", property)
            if property["on_delete"] != nil {
                guard let shape = ObjectRelationship.Shape(rawValue: type) else {
                    throw ObjectJSONFault(message: "'\(type)' is not a kind of relationship: one, list, set or dictionary")
                }
                relationship = ObjectCatalog.Relationship(
                    shape: shape,
                    target: try optionalText("target", property),
                    inverse: try optionalText("inverse", property),
                    deleteRule: try text("on_delete", property),
                    isDerived: property["derived"] == .bool(true)
                )
            }
            properties.append(
                ObjectCatalog.Property(
                    name: try text("name", property),
                    typeText: type,
                    relationship: relationship,
                    isGone: property["gone"] == .bool(true)
                )
            )
        }
        var indexes: [ObjectCatalog.Index] = []
        for index in try list("indexes", line) {
            var names: [String] = []
            for name in try list("properties", index) {
                guard case .string(let name) = name else { throw ObjectJSONFault(message: "the properties of an index must be strings") }
                names.append(name)
            }
            let number = UInt32(indexes.count + 1)
            indexes.append(
                ObjectCatalog.Index(number: number, properties: names, isUnique: index["unique"] == .bool(true), isComplete: false)
            )
        }
        return ObjectCatalog.Class(
            number: UInt16(try number(try member("number", line), "number", upTo: UInt64(UInt16.max))),
            name: try text("class", line),
            version: UInt8(try number(try member("version", line), "version", upTo: 255)),
            isHandCoded: line["hand_coded"] == .bool(true),
            properties: properties,
            indexes: indexes
        )
    }

    private static func name(_ line: JSONTree) throws(ObjectJSONFault) -> StoreInspector.Name {
        let name = try text("name", line)
        if let record = line["record"] {
            guard case .string(let digits) = record, let bytes = Hex.bytes(Array(digits.utf8)) else {
                throw ObjectJSONFault(message: "'record' must be hexadecimal digits")
            }
            return StoreInspector.Name(name: name, value: .value(.null), bytes: bytes)
        }
        if let object = line["object"] { return StoreInspector.Name(name: name, value: try references(object, .one), bytes: []) }
        if let objects = line["objects"] { return StoreInspector.Name(name: name, value: try references(objects, .list), bytes: []) }
        return StoreInspector.Name(name: name, value: try references(try member("keyed", line), .dictionary), bytes: [])
    }

    // MARK: Objects

    /// The object of a line; its class was read before.
    package static func object(
        _ values: JSONTree,
        _ id: ObjectID,
        version: UInt8,
        _ stored: ObjectCatalog.Class
    ) throws(ObjectJSONFault) -> ObjectDump {
        guard case .object(let members) = values else { throw ObjectJSONFault(message: "'values' must be an object") }
        var dump = ObjectDump(id: id, className: stored.name, version: version, fields: [])
        for member in members {
            guard
                let property = stored.properties.first(where: { $0.name == member.name && !$0.isGone })
                    ?? stored.properties.first(where: { $0.name == member.name })
            else { throw ObjectJSONFault(message: "\(stored.name) has no property '\(member.name)'") }
            let value = try value(member.value, property)
            dump.fields.append(ObjectDump.Field(name: member.name, value: value))
        }
        return dump
    }

    /// The value of a property.
    package static func value(_ tree: JSONTree, _ property: ObjectCatalog.Property) throws(ObjectJSONFault) -> ObjectDump.Value {
        if let shape = property.relationship?.shape { return try references(tree, shape) }
        guard let type = property.type else { throw ObjectJSONFault(message: "'\(property.typeText)' is not a type") }
        guard let value = RecordValue(tree, type) else {
            throw ObjectJSONFault(message: "the value of '\(property.name)' \(type.refusal)")
        }
        return .value(value)
    }

    private static func references(_ tree: JSONTree, _ shape: ObjectRelationship.Shape) throws(ObjectJSONFault) -> ObjectDump.Value {
        if shape == .one { return .one(tree == .null ? nil : try id(tree)) }
        guard case .array(let elements) = tree else { throw ObjectJSONFault(message: "expected a list of objects") }
        guard shape == .dictionary else {
            var ids: [ObjectID] = []
            for element in elements { ids.append(try id(element)) }
            return .many(ids)
        }
        var entries: [ObjectDump.Entry] = []
        for element in elements {
            guard case .array(let pair) = element, pair.count == 2 else {
                throw ObjectJSONFault(message: "expected pairs of key and object")
            }
            entries.append(ObjectDump.Entry(key: try key(pair[0]), object: try id(pair[1])))
        }
        return .keyed(entries)
    }

    private static func key(_ tree: JSONTree) throws(ObjectJSONFault) -> KeyTuple {
        if case .string(let text) = tree { return [.string(text)] }
        guard case .string(let digits)? = tree["hex"], let bytes = Hex.bytes(Array(digits.utf8)), let key = try? KeyTuple(keyBytes: bytes)
        else {
            throw ObjectJSONFault(message: "a key must be a string or {\"hex\":…}")
        }
        return key
    }

    private static func id(_ tree: JSONTree) throws(ObjectJSONFault) -> ObjectID {
        guard case .string(let text) = tree, let id = ObjectID(text) else {
            throw ObjectJSONFault(message: "an object is identified by its class number and row, such as \"1/17\"")
        }
        return id
    }

    // MARK: Members

    private static func member(_ name: String, _ line: JSONTree) throws(ObjectJSONFault) -> JSONTree {
        guard let value = line[name] else { throw ObjectJSONFault(message: "'\(name)' is missing") }
        return value
    }

    private static func text(_ name: String, _ line: JSONTree) throws(ObjectJSONFault) -> String {
        guard case .string(let text) = try member(name, line) else { throw ObjectJSONFault(message: "'\(name)' must be a string") }
        return text
    }

    private static func optionalText(_ name: String, _ line: JSONTree) throws(ObjectJSONFault) -> String? {
        line[name] ?? .null == .null ? nil : try text(name, line)
    }

    private static func list(_ name: String, _ line: JSONTree) throws(ObjectJSONFault) -> [JSONTree] {
        guard case .array(let values) = try member(name, line) else { throw ObjectJSONFault(message: "'\(name)' must be a list") }
        return values
    }

    private static func number(_ tree: JSONTree, _ name: String, upTo limit: UInt64) throws(ObjectJSONFault) -> UInt64 {
        guard case .number(let text) = tree, let number = UInt64(text), number <= limit else {
            throw ObjectJSONFault(message: "'\(name)' must be a number up to \(limit)")
        }
        return number
    }
}

extension RecordValue {
    /// The value of a type from JSON; `nil` if it is not valid for the type.
    init?(_ tree: JSONTree, _ type: StoredType) {
        switch (type, tree) {
        case (.raw(let raw, _), _):
            guard let value = RecordValue(tree, raw) else { return nil }
            self = value
        case (.optional, .null): self = .null
        case (.optional(let wrapped), _):
            guard let value = RecordValue(tree, wrapped) else { return nil }
            self = value
        case (.bool, .bool(let bool)): self = .bool(bool)
        case (.integer(_, true), .number(let text)):
            guard let number = Int128(text) else { return nil }
            self = .signed(number)
        case (.integer(_, false), .number(let text)):
            guard let number = UInt128(text) else { return nil }
            self = .unsigned(number)
        case (.float, .number(let text)), (.float, .string(let text)):
            guard let number: Float = NumberText.number(text) else { return nil }
            self = .float(number)
        case (.double, .number(let text)), (.double, .string(let text)):
            guard let number: Double = NumberText.number(text) else { return nil }
            self = .double(number)
        case (.string, .string(let text)), (.url, .string(let text)): self = .text(text)
        case (.decimal, .string(let text)): self = .decimal(text)
        case (.codable, .string(let text)): self = .json(text)
        case (.bytes, .string(let digits)):
            guard let bytes = Hex.bytes(Array(digits.utf8)) else { return nil }
            self = .bytes(bytes)
        case (.date, .string(let text)):
            let seconds: Double? = NumberText.number(text)
            guard let date = MappedText.date(text) ?? seconds.map({ Date(timeIntervalSinceReferenceDate: $0) }) else { return nil }
            self = .date(date)
        case (.date, .number(let text)):
            guard let seconds: Double = NumberText.number(text) else { return nil }
            self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.uuid, .string(let text)):
            guard let uuid = UUID(uuidString: text) else { return nil }
            self = .uuid(uuid)
        case (.array(let element), .array(let trees)), (.set(let element), .array(let trees)):
            let values = trees.compactMap { RecordValue($0, element) }
            guard values.count == trees.count else { return nil }
            self = .list(values)
        case (.dictionary(let key, let value), _):
            guard let entries = Self.entries(tree, key, value) else { return nil }
            self = .dictionary(entries)
        default: return nil
        }
    }

    private static func entries(_ tree: JSONTree, _ key: StoredType, _ value: StoredType) -> [Entry]? {
        var entries: [Entry] = []
        switch tree {
        case .object(let members):
            for member in members {
                guard let name = RecordValue(.string(member.name), key), let value = RecordValue(member.value, value) else { return nil }
                entries.append(Entry(name, value))
            }
        case .array(let pairs):
            for pair in pairs {
                guard case .array(let both) = pair, both.count == 2, let name = RecordValue(both[0], key),
                    let value = RecordValue(both[1], value)
                else { return nil }
                entries.append(Entry(name, value))
            }
        default: return nil
        }
        return entries
    }
}
