import ArgumentParser
import CairnCore
import CairnToolKit
import Foundation

/// The types of the elements of a typed table's keys, for `--key-type`.
struct KeyTypes: ExpressibleByArgument {
    enum Element: String, CaseIterable {
        case string, int, float, double, bool, date, uuid, bytes
    }

    let elements: [Element]

    init?(argument: String) {
        var elements: [Element] = []
        for name in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let element = Element(rawValue: String(name)) else { return nil }
            elements.append(element)
        }
        self.elements = elements
    }

    /// The key of which `text` has the elements, separated by commas. The last element may contain commas. With `isPart`, the last elements may be
    /// missing.
    func bytes(_ text: String, isPart: Bool) throws -> [UInt8] {
        let parts = text.split(separator: ",", maxSplits: elements.count - 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == elements.count || isPart else {
            throw Failure(
                .usage,
                "'\(text)' has \(Numbers.counted(parts.count, "element", "elements")); a key has \(elements.count), separated by commas."
            )
        }
        var encoder = KeyEncoder()
        for (part, type) in zip(parts, elements) {
            guard let element = Self.element(part, type) else { throw Failure(.usage, "'\(part)' is not a valid \(type.rawValue).") }
            encoder.encode(element)
        }
        return encoder.bytes
    }

    private static func element(_ text: String, _ type: Element) -> KeyValue? {
        switch type {
        case .string: .string(text)
        case .int: Int128(text).map { .integer($0) }
        case .float: Float(text).map { .float($0) }
        case .double: Double(text).map { .double($0) }
        case .bool: Bool(text).map { .bool($0) }
        case .date: MappedText.date(text).map { .double($0.timeIntervalSinceReferenceDate) }
        case .uuid: UUID(uuidString: text).map { .uuid($0) }
        case .bytes: Hex.bytes(text.utf8).map { .bytes($0) }
        }
    }

    /// The elements of a key, for the output.
    ///
    /// - Throws: `Failure` if the key does not have these types.
    func values(_ key: [UInt8]) throws -> [JSONValue] {
        do {
            let tuple = try KeyTuple(keyBytes: key)
            guard tuple.elements.count == elements.count else {
                throw CodecError(.typeMismatch, "it has \(Numbers.counted(tuple.elements.count, "element", "elements"))")
            }
            return try zip(tuple.elements, elements).map { element, type in try Self.value(element, type) }
        } catch let error as CodecError {
            throw Failure(
                .database,
                "The key '\(EscapedText.string(key))' does not have the types \(elements.map(\.rawValue).joined(separator: ",")): \(error.message).",
                hint: "Without --key-type, keys are printed as bytes."
            )
        }
    }

    private static func value(_ element: KeyValue, _ type: Element) throws -> JSONValue {
        switch (element, type) {
        // As an optional property has it.
        case (.null, _): .null
        case (.string(let text), .string): .string(text)
        case (.integer(let number), .int): .raw("\(number)")
        case (.largeInteger(let number), .int): .raw("\(number)")
        case (.float(let number), .float): .double(Double(number))
        case (.double(let number), .double): .double(number)
        case (.double(let number), .date): .string(MappedText.text(Date(timeIntervalSinceReferenceDate: number)))
        case (.bool(let value), .bool): .bool(value)
        case (.uuid(let uuid), .uuid): .string(uuid.uuidString)
        case (.bytes(let bytes), .bytes): .string(String(decoding: Hex.digits(bytes), as: UTF8.self))
        default: throw CodecError(.typeMismatch, "an element is not a \(type.rawValue)")
        }
    }
}
