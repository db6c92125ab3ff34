import CairnMapped

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ForeignEncoding {
    /// Numbers as in memory, text and bytes unchanged, everything else as `JSONEncoder` encodes it. They cannot be told apart.
    static let goose = ForeignEncoding(read: GooseValue.read, likelihood: GooseValue.likelihood)
}

private enum GooseValue {
    @Sendable static func read(_ bytes: [UInt8], as type: MappedForeignType) -> MappedVariant? {
        switch type {
        case .bool: bytes == [0] || bytes == [1] ? .bool(bytes == [1]) : nil
        case .int: signed(bytes).map { .int($0) }
        case .unsigned: unsigned(bytes).map { .int($0) }
        case .float: UInt32(little: bytes).map { .float(Float(bitPattern: $0)) }
        case .double: UInt64(little: bytes).map { .double(Double(bitPattern: $0)) }
        case .date: text(bytes).flatMap { Double($0) }.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case .string: text(bytes).map { .string($0) }
        case .bytes, .raw: .bytes(bytes)
        case .strings: strings(bytes).map { .array($0.map { .string($0) }) }
        case .json: text(bytes).flatMap { JSONReader.isValid($0) ? .json($0) : nil }
        case .url: unquoted(bytes).flatMap { URL(string: $0) }.map { .url($0) }
        case .uuid: unquoted(bytes).flatMap { UUID(uuidString: $0) }.map { .uuid($0) } ?? uuid(bytes)
        }
    }

    @Sendable static func likelihood(_ bytes: [UInt8], _ type: MappedForeignType) -> Int {
        switch type {
        case .bool: 90
        case .int:
            switch bytes.count {
            case 4: signed(bytes).map { $0.magnitude < 1 << 24 } == true ? 86 : 60
            case 8: signed(bytes).map { $0.magnitude < 1 << 48 } == true ? 86 : 60
            case 16: 19
            default: 60
            }
        // Without the highest bit, it is the same as `int`.
        case .unsigned: bytes.last.map { $0 >= 0x80 } == true ? bytes.count == 16 ? 18 : 40 : 0
        case .float: UInt32(little: bytes).map { Plausible.isUsual(Float(bitPattern: $0)) } == true ? 75 : 15
        case .double: UInt64(little: bytes).map { Plausible.isUsual(Double(bitPattern: $0)) } == true ? 75 : 15
        case .string: text(bytes).map { Plausible.isText($0) ? 88 : 30 } ?? 0
        case .bytes: 20
        case .json: bytes.first.map { [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")].contains($0) } == true ? 95 : 0
        case .strings: 70
        case .date, .url, .uuid, .raw: 0
        }
    }

    private static func signed(_ bytes: [UInt8]) -> Int128? {
        switch bytes.count {
        case 1: Int128(Int8(bitPattern: bytes[0]))
        case 2: Int16(little: bytes).map { Int128($0) }
        case 4: Int32(little: bytes).map { Int128($0) }
        case 8: Int64(little: bytes).map { Int128($0) }
        case 16: Int128(little: bytes)
        default: nil
        }
    }

    private static func unsigned(_ bytes: [UInt8]) -> Int128? {
        switch bytes.count {
        case 1: Int128(bytes[0])
        case 2: UInt16(little: bytes).map { Int128($0) }
        case 4: UInt32(little: bytes).map { Int128($0) }
        case 8: UInt64(little: bytes).map { Int128($0) }
        case 16: UInt128(little: bytes).flatMap { Int128(exactly: $0) }
        default: nil
        }
    }

    private static func text(_ bytes: [UInt8]) -> String? { String(validating: bytes, as: UTF8.self) }

    /// Text, with or without JSON quotes.
    private static func unquoted(_ bytes: [UInt8]) -> String? {
        if case .string(let text)? = try? JSONReader.parse(bytes).value { return text }
        return text(bytes)
    }

    private static func strings(_ bytes: [UInt8]) -> [String]? {
        guard case .array(let elements)? = try? JSONReader.parse(bytes).value else { return nil }
        let strings = elements.compactMap { element in if case .string(let text) = element.value { text } else { nil } as String? }
        return strings.count == elements.count ? strings : nil
    }

    private static func uuid(_ bytes: [UInt8]) -> MappedVariant? {
        bytes.withBytes { try? UUID(stored: $0, as: .uuid) }.map { .uuid($0) }
    }
}
