import CairnMapped

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads binary property lists. All numbers are big-endian:
///
///     "bplist00", values, table of the values' offsets, trailer of 32 bytes:
///     6 bytes, width of an offset (1), width of a reference (1), number of values (8), the outermost value (8), offset of the table (8)
struct BinaryPropertyListReader {
    static let magic = Array("bplist00".utf8)

    private let bytes: [UInt8]
    private let offsetWidth: Int
    private let referenceWidth: Int
    private let table: Int
    private let count: Int
    /// How much more memory the values may take, about: lists whose values refer to the same ones repeatedly can expand to any size.
    private var budget: Int
    /// About what a value takes in memory in addition to its bytes.
    private static let nodeSize = 32

    /// What is wrong with a value.
    private struct Fault: Error {
        let reason: String
        init(_ reason: String) { self.reason = reason }
        static let damaged = Fault("the value is damaged")
    }

    /// The outermost value. Values in a dictionary or array that cannot be read are ``PropertyListNode/damaged(_:)``.
    static func parse(_ bytes: [UInt8]) throws(MappedStoreError) -> PropertyListNode {
        do throws(Fault) {
            var reader = try BinaryPropertyListReader(bytes)
            return try reader.node(reader.number(at: bytes.count - 16, width: 8), depth: 1)
        } catch {
            throw MappedStoreError(.malformedInput, "the binary property list is damaged: \(error.reason)")
        }
    }

    private init(_ bytes: [UInt8]) throws(Fault) {
        let trailer = bytes.count - 32
        guard trailer >= 8, bytes.starts(with: Self.magic) else { throw Fault("its beginning or end is missing") }
        self.bytes = bytes
        offsetWidth = Int(bytes[trailer + 6])
        referenceWidth = Int(bytes[trailer + 7])
        // Enough for one reference in each byte, and for short texts that many values have in common.
        budget = bytes.count * 64 + 4 << 20
        table = try Self.number(in: bytes, at: trailer + 24, width: 8)
        count = try Self.number(in: bytes, at: trailer + 8, width: 8)
        guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth), table <= trailer, count <= (trailer - table) / offsetWidth
        else { throw Fault("its trailer is invalid") }
    }

    // MARK: - Values

    private mutating func node(_ value: Int, depth: Int) throws(Fault) -> PropertyListNode {
        guard value < count else { throw .damaged }
        guard depth <= PropertyListNode.deepest else {
            throw Fault("values are nested more than \(PropertyListNode.deepest) deep, or one contains itself")
        }
        var position = try number(at: table + value * offsetWidth, width: offsetWidth)
        let marker = try take(1, &position).first ?? 0
        let low = Int(marker & 15)
        switch marker >> 4 {
        case 0x0 where low == 8 || low == 9: return .bool(low == 9)
        case 0x0 where low == 0: throw Fault("the value is null")
        case 0x1 where low <= 4: return .int(try integer(width: 1 << low, &position))
        case 0x2 where low == 2: return .float(Float(bitPattern: try big(4, &position)))
        case 0x2 where low == 3: return .double(Double(bitPattern: try big(8, &position)))
        case 0x3 where low == 3: return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: try big(8, &position))))
        case 0x4:
            let count = try length(low, &position)
            return .data(Array(try take(count, &position)))
        case 0x5, 0x7:
            let count = try length(low, &position)
            return .string(try text(String(validating: try take(count, &position), as: UTF8.self)))
        case 0x6:
            let units = try length(low, &position)
            let bytes = Array(try take(units * 2, &position))
            let text = String(validating: (0..<units).map { UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1]) }, as: UTF16.self)
            return .string(try self.text(text))
        case 0x8 where low < 8: return .uid(try big(low + 1, &position))
        case 0xA, 0xB, 0xC:
            let references = try references(try length(low, &position), &position)
            return .array(references.map { child($0, depth: depth + 1) })
        case 0xD:
            let count = try length(low, &position)
            let names = try references(count, &position)
            let nodes = try references(count, &position)
            var members: [PropertyListNode.Member] = []
            for (name, node) in zip(names, nodes) {
                guard case .string(let name) = child(name, depth: depth + 1) else {
                    members.append(.init(name: "", node: .damaged("the key is damaged")))
                    continue
                }
                members.append(.init(name: name, node: child(node, depth: depth + 1)))
            }
            return .dictionary(members)
        default: throw .damaged
        }
    }

    private mutating func child(_ value: Int, depth: Int) -> PropertyListNode {
        do throws(Fault) { return try node(value, depth: depth) } catch { return .damaged(error.reason) }
    }

    private func text(_ text: String?) throws(Fault) -> String {
        guard let text else { throw Fault("the text is not Unicode") }
        return text
    }

    /// One, two and four bytes are unsigned, more are signed.
    private mutating func integer(width: Int, _ position: inout Int) throws(Fault) -> Int128 {
        let bytes = try take(width, &position)
        let number = bytes.reduce(Int128(0)) { $0 << 8 | Int128($1) }
        return width == 8 ? Int128(Int64(truncatingIfNeeded: number)) : number
    }

    private mutating func big<Number: FixedWidthInteger>(_ width: Int, _ position: inout Int) throws(Fault) -> Number {
        try take(width, &position).reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    // MARK: - Lengths and references

    /// A length of 15 means that an integer with the length follows.
    private mutating func length(_ low: Int, _ position: inout Int) throws(Fault) -> Int {
        guard low == 15 else { return low }
        let marker = try take(1, &position).first ?? 0
        guard marker >> 4 == 1, marker & 15 <= 3 else { throw .damaged }
        let width = 1 << Int(marker & 15)
        let length = try number(at: position, width: width)
        position += width
        return length
    }

    private mutating func references(_ count: Int, _ position: inout Int) throws(Fault) -> [Int] {
        let bytes = try take(count * referenceWidth, &position)
        try charge(count * Self.nodeSize)
        var references: [Int] = []
        for index in 0..<count { references.append(try number(at: bytes.startIndex + index * referenceWidth, width: referenceWidth)) }
        return references
    }

    private mutating func charge(_ size: Int) throws(Fault) {
        budget -= size
        guard budget >= 0 else { throw Fault("the same values are referred to too often") }
    }

    /// Lengths are checked to be at most the file's, so that their products do not overflow.
    private mutating func take(_ count: Int, _ position: inout Int) throws(Fault) -> ArraySlice<UInt8> {
        guard position <= bytes.count, count <= bytes.count - position else { throw .damaged }
        try charge(count)
        defer { position += count }
        return bytes[position..<position + count]
    }

    private func number(at position: Int, width: Int) throws(Fault) -> Int { try Self.number(in: bytes, at: position, width: width) }

    private static func number(in bytes: [UInt8], at position: Int, width: Int) throws(Fault) -> Int {
        guard position >= 0, position <= bytes.count - width else { throw .damaged }
        let number = bytes[position..<position + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard number <= UInt64(bytes.count) else { throw .damaged }
        return Int(number)
    }
}
