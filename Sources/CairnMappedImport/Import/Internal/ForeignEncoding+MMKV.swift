import CairnMapped

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ForeignEncoding {
    /// Numbers as in protobuf; text, bytes and lists with a length prefix, so that none of them is empty.
    ///
    /// - Parameter booleans: Whether a lone 0 or 1 is more likely a `Bool` than an integer.
    static func mmkv(booleans: Bool) -> ForeignEncoding {
        ForeignEncoding(read: MMKVValue.read, likelihood: { bytes, type in MMKVValue.likelihood(bytes, type, booleans: booleans) })
    }
}

private enum MMKVValue {
    static func read(_ bytes: [UInt8], as type: MappedForeignType) -> MappedVariant? {
        switch type {
        case .bool: bytes == [0] || bytes == [1] ? .bool(bytes == [1]) : nil
        // Negative ones of any width are ten bytes.
        case .int: number(bytes).map { .int(Int128(Int64(bitPattern: $0))) }
        case .unsigned: number(bytes).map { .int(Int128($0)) }
        case .float: float(bytes).map { .float($0) }
        case .double: double(bytes).map { .double($0) }
        case .date: double(bytes).map { .date(Date(timeIntervalSince1970: $0)) }
        case .string: text(bytes).map { .string($0) }
        case .bytes: content(bytes).map { .bytes(Array($0)) }
        case .strings: strings(bytes).map { .array($0.map { .string($0) }) }
        case .json: text(bytes).flatMap { JSONReader.isValid($0) ? .json($0) : nil }
        case .url: text(bytes).flatMap { URL(string: $0) }.map { .url($0) }
        case .uuid: text(bytes).flatMap { UUID(uuidString: $0) }.map { .uuid($0) }
        case .raw: .bytes(bytes)
        }
    }

    static func likelihood(_ bytes: [UInt8], _ type: MappedForeignType, booleans: Bool) -> Int {
        switch type {
        case .bool: booleans ? 100 : 50
        case .int: float(bytes).map(Plausible.isCommon) == true || double(bytes).map(Plausible.isUsual) == true ? 60 : 90
        // Without the highest bit, it is the same as `int`.
        case .unsigned: bytes.count == 10 ? 40 : 0
        case .float: float(bytes).map(Plausible.isUsual) == true ? 70 : 15
        case .double: double(bytes).map(Plausible.isUsual) == true ? 80 : 18
        // That is, between 1990 and 2100.
        case .date: double(bytes).map { (631_152_000...4_102_444_800).contains($0) } == true ? 35 : 5
        case .string: text(bytes).map { Plausible.isText($0) ? 95 : $0.isEmpty ? 45 : 30 } ?? 0
        case .bytes: 20
        case .strings: text(bytes).map { $0.isEmpty ? 19 : Plausible.isText($0) ? 25 : 85 } ?? 85
        case .json: text(bytes).map { $0.hasPrefix("{") || $0.hasPrefix("[") } == true ? 22 : 0
        // Strings like any others: the caller has to know.
        case .url, .uuid: 0
        case .raw: bytes.starts(with: "bplist00".utf8) ? 99 : 1
        }
    }

    private static func number(_ bytes: [UInt8]) -> UInt64? {
        var reader = ByteReader(bytes)
        guard let number = reader.varint(), reader.isAtEnd else { return nil }
        return number
    }

    private static func float(_ bytes: [UInt8]) -> Float? { UInt32(little: bytes).map { Float(bitPattern: $0) } }
    private static func double(_ bytes: [UInt8]) -> Double? { UInt64(little: bytes).map { Double(bitPattern: $0) } }

    /// The bytes after a length prefix that matches their number.
    private static func content(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var reader = ByteReader(bytes)
        guard let count = reader.varint(), let content = reader.take(count), reader.isAtEnd else { return nil }
        return content
    }

    private static func text(_ bytes: [UInt8]) -> String? { content(bytes).flatMap { String(validating: $0, as: UTF8.self) } }

    private static func strings(_ bytes: [UInt8]) -> [String]? {
        guard let content = content(bytes) else { return nil }
        var reader = ByteReader(bytes, from: content.startIndex)
        var strings: [String] = []
        while !reader.isAtEnd {
            guard let count = reader.varint(), let bytes = reader.take(count), let text = String(validating: bytes, as: UTF8.self) else {
                return nil
            }
            strings.append(text)
        }
        return strings
    }
}
