#if Hummingbird
import CairnCore

/// Reads items of CBOR (RFC 8949) from bytes, as far as `CBORWriter` writes them: no tags, no items of unknown length, no floats of 16 bits.
struct CBORReader {
    let bytes: [UInt8]
    var position: Int

    init(_ bytes: [UInt8], _ position: Int) {
        self.bytes = bytes
        self.position = position
    }

    static func damage(_ what: String, _ path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(codingPath: path, debugDescription: what))
    }

    private func mismatch(_ type: any Any.Type, _ path: [any CodingKey]) -> DecodingError {
        .typeMismatch(type, .init(codingPath: path, debugDescription: "the value has another type"))
    }

    /// Whether the next item is null.
    var isNull: Bool { position < bytes.count && bytes[position] == 0xF6 }

    /// The kind of an item, and its number: a value, a length, or the bits of a float.
    private mutating func head(_ path: [any CodingKey]) throws -> (major: UInt8, info: UInt8, argument: UInt64) {
        guard position < bytes.count else { throw Self.damage("the bytes end early", path) }
        let first = bytes[position]
        let (major, info) = (first >> 5, first & 31)
        position += 1
        guard info >= 24 else { return (major, info, UInt64(info)) }
        guard info < 28 else { throw Self.damage("there is no item that begins with \(first)", path) }
        let width = 1 << Int(info - 24)
        guard width <= bytes.count - position else { throw Self.damage("the bytes end early", path) }
        var argument: UInt64 = 0
        for byte in bytes[position..<position + width] { argument = argument << 8 | UInt64(byte) }
        position += width
        return (major, info, argument)
    }

    /// Moves behind the next item, whatever is in it.
    mutating func skip(_ path: [any CodingKey]) throws {
        var remaining: UInt64 = 1
        while remaining > 0 {
            let (major, info, argument) = try head(path)
            remaining -= 1
            let left = UInt64(bytes.count - position)
            switch major {
            case 0, 1: break
            case 2, 3:
                guard argument <= left else { throw Self.damage("the bytes end early", path) }
                position += Int(argument)
            case 4, 5:
                // Each item takes at least a byte.
                let items = argument.multipliedReportingOverflow(by: major == 4 ? 1 : 2)
                guard !items.overflow, items.partialValue <= left else { throw Self.damage("the bytes end early", path) }
                remaining += items.partialValue
            case 7 where (20...22).contains(info) || info == 26 || info == 27: break
            default: throw Self.damage("an item of a kind that is not written", path)
            }
        }
    }

    /// Reads the head of an array (4) or a map (5), and returns how many elements or entries it has.
    mutating func count(of major: UInt8, _ path: [any CodingKey]) throws -> Int {
        let found = try head(path)
        guard found.major == major else { throw mismatch(major == 4 ? [Any].self : [String: Any].self, path) }
        guard found.argument <= UInt64(bytes.count - position) else { throw Self.damage("the bytes end early", path) }
        return Int(found.argument)
    }

    /// Reads the head of a string, and returns where its bytes are.
    private mutating func string(_ major: UInt8, _ type: any Any.Type, _ path: [any CodingKey]) throws -> Range<Int> {
        let found = try head(path)
        guard found.major == major else { throw mismatch(type, path) }
        guard found.argument <= UInt64(bytes.count - position) else { throw Self.damage("the bytes end early", path) }
        defer { position += Int(found.argument) }
        return position..<position + Int(found.argument)
    }

    mutating func byteString(_ path: [any CodingKey]) throws -> [UInt8] { [UInt8](bytes[try string(2, [UInt8].self, path)]) }

    mutating func text(_ path: [any CodingKey]) throws -> String {
        String(decoding: bytes[try string(3, String.self, path)], as: UTF8.self)
    }

    /// Reads text, and returns whether it is `other`.
    mutating func readText(equalTo other: String, _ path: [any CodingKey]) throws -> Bool {
        let range = try string(3, String.self, path)
        guard range.count == other.utf8.count else { return false }
        return other.utf8.elementsEqual(bytes[range])
    }

    mutating func bool(_ path: [any CodingKey]) throws -> Bool {
        let found = try head(path)
        guard found.major == 7, found.info == 20 || found.info == 21 else { throw mismatch(Bool.self, path) }
        return found.info == 21
    }

    mutating func double(_ path: [any CodingKey]) throws -> Double {
        let found = try head(path)
        guard found.major == 7, found.info >= 26 else { throw mismatch(Double.self, path) }
        return found.info == 27 ? Double(bitPattern: found.argument) : Double(Float(bitPattern: UInt32(found.argument)))
    }

    mutating func float(_ path: [any CodingKey]) throws -> Float {
        let found = try head(path)
        guard found.major == 7, found.info == 26 else { throw mismatch(Float.self, path) }
        return Float(bitPattern: UInt32(found.argument))
    }

    mutating func integer<Number: FixedWidthInteger>(_ path: [any CodingKey]) throws -> Number {
        let found = try head(path)
        guard found.major < 2 else { throw mismatch(Number.self, path) }
        let number =
            found.major == 0 ? Number(exactly: found.argument) : Int64(exactly: found.argument).flatMap { Number(exactly: -1 - $0) }
        guard let number else { throw Self.damage("the number does not fit a \(Number.self)", path) }
        return number
    }
}
#endif
