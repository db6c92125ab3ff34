import CairnCore
package import CairnMapped
package import CairnToolKit
package import Foundation

/// The types of values that can be given on the command line.
package enum MappedTypeName: String, CaseIterable {
    case bool, int, float, double, string, bytes, date, uuid, url, json

    /// The value that `bytes` are the text of; `nil` if they are not valid for the type.
    package func value(_ bytes: [UInt8]) -> MappedVariant? {
        if self == .bytes { return .bytes(bytes) }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        switch self {
        case .bool: return Bool(text).map { .bool($0) }
        case .int: return MappedVariant(integer: text)
        case .float: return NumberText.number(text).map { .float($0) }
        case .double: return NumberText.number(text).map { .double($0) }
        case .date: return MappedText.date(text).map { .date($0) }
        case .uuid: return UUID(uuidString: text).map { .uuid($0) }
        case .url: return URL(string: text).map { .url($0) }
        case .json: return MappedText.isJSON(text) ? .json(text) : nil
        case .string, .bytes: return .string(text)
        }
    }

    /// The most likely value of a text on the command line.
    package static func guess(_ text: String) -> MappedVariant {
        if let value = Bool(text) { return .bool(value) }
        // Text with leading zeros, a plus sign or the like is not a number, and whole numbers that are too large are not rounded.
        guard let match = text.wholeMatch(of: /-?(0|[1-9][0-9]*)(?<rest>(\.[0-9]+)?([eE][+-]?[0-9]+)?)/), text != "-0" else {
            return .string(text)
        }
        let value = match.rest.isEmpty ? MappedVariant(integer: text) : NumberText.number(text).map { .double($0) }
        return value ?? .string(text)
    }

    /// What is wrong with a text that is not a value of the type.
    package var refusal: String {
        switch self {
        case .json: "is not JSON"
        case .url: "is not a URL"
        case .date: "is not a valid date, such as 2026-03-01 or 2026-03-01T12:30:00Z"
        default: "is not a valid \(rawValue)"
        }
    }
}

/// Values of mapped stores as text and as JSON.
package enum MappedText {
    /// The value as `get` prints it: text and bytes unchanged.
    package static func bytes(_ value: MappedVariant) -> [UInt8] {
        switch value {
        case .string(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        case .other(_, let bytes): value.wideInteger.map { Array("\($0)".utf8) } ?? bytes
        case .json(let text): Array(text.utf8)
        case .bool(let value): Array("\(value)".utf8)
        case .int(let value): Array("\(value)".utf8)
        case .float(let value): Array("\(value)".utf8)
        case .double(let value): Array("\(value)".utf8)
        case .date(let date): Array(text(date).utf8)
        case .uuid(let uuid): Array(uuid.uuidString.utf8)
        case .url(let url): Array(url.absoluteString.utf8)
        case .array: json(value).text
        }
    }

    /// The point in time, or the beginning of the day, that a text in ISO 8601 stands for.
    package static func date(_ text: String) -> Date? {
        if let date = DateText.date(text) ?? DateText.day(text) { return date }
        // Foundation reads more, such as offsets without a colon, but not all digits.
        guard let point = text.firstIndex(of: ".") else { return try? Date(text, strategy: .iso8601) }
        let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
        guard let fraction = Double("0.\(digits)"),
            let second = try? Date(String(text[..<point] + text[digits.endIndex...]), strategy: .iso8601)
        else { return nil }
        return second + fraction
    }

    /// ISO 8601; for dates that have no such text, the seconds since 2001, as `export` writes them.
    package static func text(_ date: Date) -> String { DateText.text(date) ?? "\(date.timeIntervalSinceReferenceDate)" }

    package static func json(_ value: MappedVariant) -> JSONValue {
        switch value {
        case .bool(let value): .bool(value)
        case .int(let value):
            if let value = Int64(exactly: value) {
                .int(value)
            } else if let value = UInt64(exactly: value) {
                .unsigned(value)
            } else {
                .string("\(value)")
            }
        case .float(let value): number(Double(value), "\(value)")
        case .double(let value): number(value, "\(value)")
        case .date(let date): DateText.text(date).map { .string($0) } ?? number(date.timeIntervalSinceReferenceDate, text(date))
        case .json(let text): isJSON(text) && !text.contains { $0.isNewline } ? .raw(text) : .string(text)
        case .array(let elements): .array(elements.map(json))
        case .bytes(let bytes): .string(String(decoding: Hex.digits(bytes), as: UTF8.self))
        case .other(_, let bytes) where value.wideInteger == nil: .string(String(decoding: Hex.digits(bytes), as: UTF8.self))
        default: .string(String(decoding: bytes(value), as: UTF8.self))
        }
    }

    private static func number(_ value: Double, _ text: String) -> JSONValue { value.isFinite ? .raw(text) : .string(text) }

    package static func json(_ entry: MappedEntry, hasValue: Bool = true) -> JSONValue { .object(fields(entry, hasValue: hasValue)) }

    package static func fields(_ entry: MappedEntry, hasValue: Bool = true) -> [(name: String, value: JSONValue)] {
        var fields: [(name: String, value: JSONValue)] = [("key", .string(entry.key)), ("type", .string("\(entry.value.type)"))]
        if hasValue {
            switch entry.value {
            // The name shows that bytes are digits.
            case .bytes: fields.append(("value_hex", json(entry.value)))
            case .other where entry.value.wideInteger == nil: fields.append(("value_hex", json(entry.value)))
            default: fields.append(("value", json(entry.value)))
            }
        }
        if let expires = entry.expires { fields.append(("expires", .string(text(expires)))) }
        return fields
    }

    /// Key, type, value, and the expiry date if there is one, separated by tabs.
    package static func line(_ entry: MappedEntry) -> String {
        let value: String =
            switch entry.value {
            case .other(_, let bytes) where entry.value.wideInteger == nil: String(decoding: Hex.digits(bytes), as: UTF8.self)
            case let value: EscapedText.string(bytes(value))
            }
        return "\(EscapedText.string(Array(entry.key.utf8)))\t\(entry.value.type)\t\(value)" + (entry.expires.map { "\t" + text($0) } ?? "")
    }

    package static func isJSON(_ text: String) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
    }

    /// A time to live in seconds, or with a unit: `90s`, `15m`, `2h`, `7d`; `nil` if it is not valid.
    package static func lifetime(_ text: String) -> Duration? {
        // A thousand years: what is longer is a mistake, and its end would not be a date.
        let longest: Int64 = 1000 * 366 * 86_400
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
        let unit = text.last.flatMap { units[$0] }
        guard let number = Int64(unit == nil ? text : String(text.dropLast())), number > 0 else { return nil }
        let (seconds, isTooLong) = number.multipliedReportingOverflow(by: unit ?? 1)
        return isTooLong || seconds > longest ? nil : .seconds(seconds)
    }
}
