import CairnCore
import CairnMapped

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The form of values in exported JSON.
///
/// Types that JSON has are written directly: `true`, `3`, `1.5`, `"text"`, `[…]`, and the JSON of `Codable` values that are objects. The rest, and
/// anything with a deadline, is a separate object:
///
///     {"type": "date", "value": "2026-03-01T12:30:00Z", "expires": "2027-01-01T00:00:00Z"}
///     {"type": "float", "value": 1.5}      {"type": "double", "value": "nan"}     {"type": "bytes", "value": "base64"}
///     {"type": "uuid", "value": "…"}       {"type": "url", "value": "…"}          {"type": "json", "value": 3}
///     {"type": 200, "bytes": "base64"}     anything else, as it is stored
enum MappedJSONForm {
    // MARK: - Writing

    static func text(_ value: MappedVariant, expires: Date?) -> String {
        let plain = text(value)
        guard isReadable(plain, value) else { return JSONWriter.object(stored(value) + deadline(expires)) }
        guard expires != nil else { return plain }
        let members: [(name: String, text: String)] =
            switch value {
            case .bool, .int, .string, .array: [("type", name(value.type)), ("value", plain)]
            case .double(let number) where number.isFinite: [("type", name(.double)), ("value", plain)]
            default: tagged(value)
            }
        return JSONWriter.object(members + deadline(expires))
    }

    /// Whether `text` is nested shallowly enough to be read within an object in the outermost object.
    private static func isReadable(_ text: String, _ value: MappedVariant) -> Bool {
        switch value {
        case .array, .json: (try? JSONReader.parse(Array(text.utf8), depth: 2)) != nil
        default: true
        }
    }

    private static func deadline(_ expires: Date?) -> [(name: String, text: String)] {
        guard let expires else { return [] }
        return [("expires", seconds(expires) ?? JSONText.string("nan"))]
    }

    private static func text(_ value: MappedVariant) -> String {
        switch value {
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .double(let value) where value.isFinite: "\(value)"
        case .string(let text): JSONText.string(text)
        case .array(let elements): JSONWriter.array(elements.map { text($0) })
        case .json(let text) where isPlainObject(text): text
        default: value.wideInteger.map { "\($0)" } ?? JSONWriter.object(tagged(value))
        }
    }

    private static func tagged(_ value: MappedVariant) -> [(name: String, text: String)] {
        let plain: String? =
            switch value {
            case .float(let value): number(Double(value), text: "\(value)", isExact: !value.isNaN)
            case .double(let value): number(value, text: "\(value)", isExact: !value.isNaN)
            case .bytes(let bytes): JSONWriter.base64(bytes)
            case .date(let date): seconds(date)
            case .uuid(let uuid): JSONText.string(uuid.uuidString)
            case .url(let url):
                URL(string: url.absoluteString)?.absoluteString == url.absoluteString ? JSONText.string(url.absoluteString) : nil
            case .json(let text): isUnchanged(text) ? text : nil
            default: value.wideInteger.map { "\($0)" }
            }
        return if let plain { [("type", name(value.type)), ("value", plain)] } else { stored(value) }
    }

    /// Any value, in its stored form.
    private static func stored(_ value: MappedVariant) -> [(name: String, text: String)] {
        [("type", name(value.type)), ("bytes", JSONWriter.base64(value.storedBytes))]
    }

    private static func name(_ type: MappedValueType) -> String {
        MappedValueType.all.contains(type) ? JSONText.string("\(type)") : "\(type.rawValue)"
    }

    private static func number(_ number: Double, text: String, isExact: Bool) -> String? {
        number.isFinite ? text : isExact ? JSONText.string(number < 0 ? "-inf" : "inf") : nil
    }

    private static func seconds(_ date: Date) -> String? {
        if let text = DateText.text(date, digits: 0...9) { return JSONText.string(text) }
        let seconds = date.timeIntervalSinceReferenceDate
        return number(seconds, text: "\(seconds)", isExact: !seconds.isNaN)
    }

    /// Whether this is an object that is read back as such.
    private static func isPlainObject(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let node = try? JSONReader.parse(bytes), case .object(let members) = node.value, node.range == bytes.indices else {
            return false
        }
        return tag(members) == nil
    }

    private static func isUnchanged(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return (try? JSONReader.parse(bytes))?.range == bytes.indices
    }

    // MARK: - Reading

    /// An object with a type.
    private struct Tag {
        var type: MappedValueType
        var value: JSONNode?
        var bytes: JSONNode?
        var expires: JSONNode?
    }

    /// Returns the value of `node`, which is in `text`; `nil` for `null`, which is not a value.
    static func value(_ node: JSONNode, in text: [UInt8]) -> (value: MappedVariant, expires: Date?)? {
        if case .object(let members) = node.value, let tag = tag(members), let value = value(tag, in: text) {
            guard let expires = tag.expires else { return (value, nil) }
            if let date = date(expires) { return (value, date) }
        }
        return plain(node, in: text).map { ($0, nil) }
    }

    private static func plain(_ node: JSONNode, in text: [UInt8]) -> MappedVariant? {
        switch node.value {
        case .null: return nil
        case .bool(let value): return .bool(value)
        case .number(let digits): return number(digits) ?? json(node, in: text)
        case .string(let text): return .string(text)
        case .array(let elements):
            // Stored arrays have no deadlines and no `null`; with these, the value is JSON.
            var values: [MappedVariant] = []
            for element in elements {
                guard let (value, expires) = value(element, in: text), expires == nil else { return json(node, in: text) }
                values.append(value)
            }
            return .array(values)
        case .object: return json(node, in: text)
        }
    }

    private static func json(_ node: JSONNode, in text: [UInt8]) -> MappedVariant {
        .json(String(decoding: text[node.range], as: UTF8.self))
    }

    /// An integer if it is written as one and fits, otherwise a `Double`; `nil` if it is too large for that too.
    private static func number(_ digits: String) -> MappedVariant? {
        MappedVariant(integer: digits) ?? finite(digits).map { .double($0) }
    }

    private static func finite<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ digits: String) -> Number? {
        Number(digits).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func tag(_ members: [(name: String, node: JSONNode)]) -> Tag? {
        guard (2...3).contains(members.count) else { return nil }
        let nodes = Dictionary(members.map { ($0.name, $0.node) }) { first, _ in first }
        guard nodes.count == members.count else { return nil }
        let type: MappedValueType
        switch nodes["type"]?.value {
        case .string(let name): if let known = MappedValueType(name: name) { type = known } else { return nil }
        case .number(let digits): if let number = UInt8(digits) { type = MappedValueType(rawValue: number) } else { return nil }
        default: return nil
        }
        let tag = Tag(type: type, value: nodes["value"], bytes: nodes["bytes"], expires: nodes["expires"])
        guard (tag.value == nil) != (tag.bytes == nil), (tag.expires == nil) == (members.count == 2) else { return nil }
        return tag
    }

    /// The value that a tag describes; `nil` if its contents are not valid for its type.
    private static func value(_ tag: Tag, in text: [UInt8]) -> MappedVariant? {
        if let bytes = tag.bytes {
            guard case .string(let digits) = bytes.value, let data = Data(base64Encoded: digits) else { return nil }
            return data.withBytes { bytes in
                tag.type != .array || isShallow(bytes) ? try? MappedVariant(stored: bytes, as: tag.type) : nil
            }
        }
        guard let node = tag.value else { return nil }
        switch (tag.type, node.value) {
        case (.bool, .bool(let value)): return .bool(value)
        case (.int, .number(let digits)): return MappedVariant(integer: digits)
        case (.float, .number(let digits)): return finite(digits).map { .float($0) }
        case (.float, .string("inf")): return .float(.infinity)
        case (.float, .string("-inf")): return .float(-.infinity)
        case (.float, .string("nan")): return .float(.nan)
        case (.double, _): return double(node).map { .double($0) }
        case (.string, .string(let text)): return .string(text)
        case (.bytes, .string(let digits)): return Data(base64Encoded: digits).map { .bytes([UInt8]($0)) }
        case (.date, _): return date(node).map { .date($0) }
        case (.uuid, .string(let text)): return UUID(uuidString: text).map { .uuid($0) }
        case (.url, .string(let text)): return URL(string: text).map { .url($0) }
        case (.array, .array): if case .array(let values)? = plain(node, in: text) { return .array(values) } else { return nil }
        case (.json, _): return json(node, in: text)
        default: return nil
        }
    }

    /// Whether the arrays in the bytes of an array are nested no deeper than JSON arrays may be.
    private static func isShallow(_ bytes: RawSpan, depth: Int = 1) -> Bool {
        guard depth <= JSONReader.deepest else { return false }
        var isShallow = true
        try? MappedArray.forEach(bytes) { bytes, type throws(MappedStoreError) in
            if isShallow, type == .array { isShallow = self.isShallow(bytes, depth: depth + 1) }
        }
        return isShallow
    }

    private static func double(_ node: JSONNode) -> Double? {
        switch node.value {
        case .number(let digits): finite(digits)
        case .string("inf"): .infinity
        case .string("-inf"): -.infinity
        case .string("nan"): .nan
        default: nil
        }
    }

    /// ISO 8601, or seconds since 2001.
    private static func date(_ node: JSONNode) -> Date? {
        if case .string(let text) = node.value, let date = DateText.date(text) { return date }
        return double(node).map { Date(timeIntervalSinceReferenceDate: $0) }
    }
}

extension MappedValueType {
    static let all: [MappedValueType] = [.bool, .int, .float, .double, .string, .bytes, .date, .uuid, .url, .array, .json]

    /// The type with this name.
    init?(name: String) {
        guard let type = Self.all.first(where: { $0.description == name }) else { return nil }
        self = type
    }
}

extension MappedVariant {
    /// The bytes to store. Encoding always succeeds: only `Codable` values can fail, and this is not one.
    var storedBytes: [UInt8] { (try? withStoredBytes { bytes, _ in [UInt8](copying: bytes) }) ?? [] }
}
