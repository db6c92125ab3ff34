import CairnCore
package import CairnGraph
import CairnToolKit

extension ObjectCatalog.Property {
    /// The value of an object that is given none; `nil` if there is no such value, or if it has no field.
    package var missingValue: ObjectDump.Value? {
        if case .optional = type { return .value(.null) }
        return relationship?.shape == .one ? .one(nil) : nil
    }

    /// Whether an object cannot be without it.
    package var isRequired: Bool { !isGone && relationship == nil && missingValue == nil }

    /// The value of a field of CSV or TSV.
    package func value(field: String) throws(ObjectJSONFault) -> ObjectDump.Value {
        if field.isEmpty, let missingValue { return missingValue }
        if let type, let value = RecordValue(field, as: type) { return .value(value) }
        guard !field.isEmpty else { throw ObjectJSONFault(message: "is empty, and '\(name)' cannot be nil") }
        if relationship?.shape == .one { return try ObjectJSON.value(.string(field), self) }
        if let type, type.isPlain {
            let isNil = missingValue != nil && ["nil", "null"].contains(field)
            throw ObjectJSONFault(message: "'\(field)' \(type.refusal(of: field))\(isNil ? "; leave it empty for nil" : "")")
        }
        // JSON that is not an object is parsed as a member of one.
        guard case .object(let members)? = try? JSONTree(object: Array("{\"value\":\(field)}".utf8)), members.count == 1 else {
            throw ObjectJSONFault(message: "is not JSON")
        }
        return type?.isCodable == true ? .value(.json(field)) : try ObjectJSON.value(members[0].value, self)
    }
}

extension ObjectCatalog.Property {
    /// The field of CSV or TSV that has a value: text for most types, JSON for lists and the like. That of `nil` is empty.
    package func field(_ value: ObjectDump.Value) -> String {
        if case .value(.json(let text)) = value { return text }
        let json = ObjectJSON.value(value, type)
        switch json {
        case .null: return ""
        case .string(let text): return text
        default:
            let text = json.text
            // Such as a date.
            if text.first == UInt8(ascii: "\""), case .string(let content)? = try? JSONTree(value: text) { return content }
            return String(decoding: text, as: UTF8.self)
        }
    }
}

extension StoredType {
    /// Whether `Codable` values are stored as JSON.
    fileprivate var isCodable: Bool {
        switch self {
        case .optional(let type): type.isCodable
        case .codable: true
        default: false
        }
    }

    /// Whether a field has the value itself rather than its JSON.
    fileprivate var isPlain: Bool {
        switch self {
        case .optional(let type), .raw(let type, _): type.isPlain
        case .array, .set, .dictionary, .codable: false
        default: true
        }
    }
}
