package import CairnCore
package import CairnToolKit
import Foundation

/// The types of the elements of a typed table's keys, for `--key-type`: `string,int?`.
package struct KeyTypes: Equatable, CustomStringConvertible {
    package struct Element: Equatable {
        package enum Kind: String {
            case string, int, float, double, bool, date, uuid, bytes
        }

        package let kind: Kind
        /// Whether it can be null.
        package let isOptional: Bool

        package var name: String { kind.rawValue + (isOptional ? "?" : "") }
    }

    package let elements: [Element]

    package init?(argument: String) {
        var elements: [Element] = []
        for name in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let isOptional = name.hasSuffix("?")
            guard let kind = Element.Kind(rawValue: String(isOptional ? name.dropLast() : name)) else { return nil }
            elements.append(Element(kind: kind, isOptional: isOptional))
        }
        self.elements = elements
    }

    package var description: String { elements.map(\.name).joined(separator: ",") }

    /// The key of which `text` has the elements: separated by commas, of which the last element may contain more, or as a JSON array. With
    /// `isPart`, the last elements may be missing.
    package func bytes(_ text: String, isPart: Bool) throws -> [UInt8] {
        if elements.count > 1, text.hasPrefix("["), case .array(let values)? = try? JSONTree(value: Array(text.utf8)) {
            return try bytes(values, isPart: isPart)
        }
        let parts = text.split(separator: ",", maxSplits: elements.count - 1, omittingEmptySubsequences: false).map(String.init)
        return try bytes(parts, of: "'\(text)'", isPart: isPart) { part, type in
            guard let element = type.element(part) else {
                let note = type.kind == .int ? Numbers.noteOnInteger(part) : type.note
                throw Failure(.usage, "'\(part)' is \(type.problem)\(note).")
            }
            return element
        }
    }

    /// The beginning of keys that `text` has the first elements of. If their only element is a string or bytes, the beginning of that.
    package func prefix(_ text: String) throws -> [UInt8] {
        let bytes = try bytes(text, isPart: true)
        guard elements.count == 1, [.string, .bytes].contains(elements[0].kind), bytes.count > 1 else { return bytes }
        // Without the zero byte that ends it.
        return bytes.dropLast()
    }

    /// The key of which `json` is the only element, or an array of the elements.
    package func bytes(json: [UInt8]) throws -> [UInt8] {
        guard let tree = try? JSONTree(value: json) else { throw Failure(.usage, "The key is not valid JSON.") }
        guard elements.count > 1 else { return try bytes([tree], isPart: false) }
        guard case .array(let values) = tree else {
            throw Failure(.usage, "The key is not an array, but a key has \(elements.count) elements.")
        }
        return try bytes(values, isPart: false)
    }

    private func bytes(_ values: [JSONTree], isPart: Bool) throws -> [UInt8] {
        try bytes(values, of: "The array", isPart: isPart) { value, type in
            guard let element = type.element(value) else { throw Failure(.usage, "An element of the key is \(type.problem)\(type.note).") }
            return element
        }
    }

    private func bytes<Part>(
        _ parts: [Part],
        of whole: String,
        isPart: Bool,
        _ element: (Part, Element) throws -> KeyValue
    ) throws -> [UInt8] {
        guard parts.count == elements.count || (isPart && parts.count < elements.count) else {
            let count = Numbers.counted(parts.count, "element", "elements")
            throw Failure(.usage, "\(whole) has \(count); a key has \(elements.count), separated by commas.")
        }
        var encoder = KeyEncoder()
        for (part, type) in zip(parts, elements) { encoder.encode(try element(part, type)) }
        return encoder.bytes
    }

    /// The elements of a key, for the output.
    ///
    /// - Throws: `CodecError` if the key does not have these types.
    package func values(_ key: [UInt8]) throws(CodecError) -> [JSONValue] {
        let tuple = try KeyTuple(keyBytes: key)
        guard tuple.elements.count == elements.count else {
            throw CodecError(.typeMismatch, "it has \(Numbers.counted(tuple.elements.count, "element", "elements"))")
        }
        // Other programs may have encoded it another way.
        guard tuple.keyBytes == key else { throw CodecError(.malformed, "it is not in canonical form") }
        var values: [JSONValue] = []
        for (element, type) in zip(tuple.elements, elements) {
            guard let value = type.value(element) else { throw CodecError(.typeMismatch, "an element is not a \(type.name)") }
            values.append(value)
        }
        return values
    }
}

extension KeyTypes.Element {
    /// What is wrong with something that is not of this type.
    fileprivate var problem: String {
        let noun = kind == .bytes ? "bytes" : "a valid \(kind.rawValue)"
        return isOptional ? "neither \(noun) nor null" : "not \(noun)"
    }

    /// What to write instead, if the name of the type does not say it.
    fileprivate var note: String {
        switch kind {
        case .date: ", such as 2026-03-01 or 2026-03-01T12:30:00Z"
        case .bytes: ": write pairs of hexadecimal digits"
        default: ""
        }
    }

    /// `nil` if the text is not of this type.
    fileprivate func element(_ text: String) -> KeyValue? {
        if isOptional, text == "null" { return .null }
        return switch kind {
        case .string: .string(text)
        case .int: Int128(text).map { .integer($0) } ?? UInt128(text).map { .largeInteger($0) }
        case .float: NumberText.number(text).map { .float($0) }
        case .double: NumberText.number(text).map { .double($0) }
        case .bool: Bool(text).map { .bool($0) }
        case .date: MappedText.date(text).map { .double($0.timeIntervalSinceReferenceDate) }
        case .uuid: UUID(uuidString: text).map { .uuid($0) }
        case .bytes: Hex.bytes(text.utf8).map { .bytes($0) }
        }
    }

    fileprivate func element(_ json: JSONTree) -> KeyValue? {
        switch (json, kind) {
        case (.null, _): isOptional ? .null : nil
        case (.string(let text), .string): .string(text)
        case (.string(let text), _), (.number(let text), .int), (.number(let text), .float), (.number(let text), .double): element(text)
        case (.bool(let value), .bool): .bool(value)
        default: nil
        }
    }

    /// `nil` if the element is not of this type, or the text would not become the same element again.
    fileprivate func value(_ element: KeyValue) -> JSONValue? {
        switch (element, kind) {
        case (.null, _): isOptional ? .null : nil
        case (.string(let text), .string): .string(text)
        case (.integer(let number), .int): .raw("\(number)")
        case (.largeInteger(let number), .int): .raw("\(number)")
        case (.float(let number), .float): value("\(number)", isNumber: number.isFinite, of: element)
        case (.double(let number), .double): value("\(number)", isNumber: number.isFinite, of: element)
        // A key is found by exactly its date only.
        case (.double(let number), .date) where number != 0 || number.sign == .plus:
            DateText.text(Date(timeIntervalSinceReferenceDate: number)).map { .string($0) }
        case (.bool(let value), .bool): .bool(value)
        case (.uuid(let uuid), .uuid): .string(uuid.uuidString)
        case (.bytes(let bytes), .bytes): .string(String(decoding: Hex.digits(bytes), as: UTF8.self))
        default: nil
        }
    }

    private func value(_ text: String, isNumber: Bool, of element: KeyValue) -> JSONValue? {
        guard self.element(text) == element else { return nil }
        return isNumber ? .raw(text) : .string(text)
    }
}
