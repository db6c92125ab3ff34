/// Checks a binary property list before Foundation reads it.
///
/// The list's values refer to each other by number. Foundation's decoder (swift-foundation 6.3) follows an array that contains itself until the
/// stack is exhausted. It also reads bytes that do not begin like a binary list as XML or text, and those parsers trap on anything that is not UTF-8.
///
///     "bplist00", values, table of the values' offsets, trailer of 32 bytes:
///     6 bytes, width of an offset (1), width of a reference (1), number of values (8), the outermost value (8), offset of the table (8)
struct BinaryPropertyList: ~Escapable {
    /// The maximum nesting depth; deeper values are rejected, as Foundation does for JSON.
    private static let deepest = 512

    private let bytes: RawSpan
    private let offsetWidth: Int
    private let referenceWidth: Int
    private let table: Int
    /// For each value, the number of values it expands to when all references are followed; 0: not known yet, -1: being counted.
    private var weights: [Int]
    private let heaviest: Int

    /// Throws unless `bytes` are a binary property list whose values form a tree, or share parts in moderation.
    static func check(_ bytes: RawSpan) throws(CodecError) {
        var list = try BinaryPropertyList(bytes)
        let outermost = try list.number(at: bytes.byteCount - 16, width: 8)
        _ = try list.weigh(outermost, depth: 1)
    }

    @_lifetime(copy bytes)
    private init(_ bytes: RawSpan) throws(CodecError) {
        self.bytes = bytes
        let trailer = bytes.byteCount - 32
        guard trailer >= 8, zip("bplist00".utf8, 0..<8).allSatisfy({ bytes.byte(at: $1) == $0 }) else {
            throw CodecError(.malformed, "they do not begin and end like a binary property list")
        }
        offsetWidth = Int(bytes.byte(at: trailer + 6))
        referenceWidth = Int(bytes.byte(at: trailer + 7))
        heaviest = bytes.byteCount * 64
        weights = []
        table = try Self.number(in: bytes, at: trailer + 24, width: 8)
        let count = try Self.number(in: bytes, at: trailer + 8, width: 8)
        guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth), table <= trailer, count <= (trailer - table) / offsetWidth
        else {
            throw Self.damaged
        }
        weights = Array(repeating: 0, count: count)
    }

    private static var damaged: CodecError { CodecError(.malformed, "the binary property list is damaged") }

    /// Returns the number of values that `value` expands to.
    private mutating func weigh(_ value: Int, depth: Int) throws(CodecError) -> Int {
        guard value < weights.count else { throw Self.damaged }
        if weights[value] > 0 { return weights[value] }
        guard weights[value] == 0 else { throw CodecError(.malformed, "a value of the property list contains itself") }
        guard depth <= Self.deepest else { throw CodecError(.malformed, "the property list is nested more than \(Self.deepest) deep") }
        weights[value] = -1
        var weight = 1
        let references = try references(of: value)
        for index in 0..<references.count {
            weight += try weigh(number(at: references.start + index * referenceWidth, width: referenceWidth), depth: depth + 1)
            guard weight <= heaviest else { throw CodecError(.malformed, "the property list refers to the same values too often") }
        }
        weights[value] = weight
        return weight
    }

    /// Returns where the references of an array, set or dictionary are; none for other values.
    private func references(of value: Int) throws(CodecError) -> (start: Int, count: Int) {
        var position = try number(at: table + value * offsetWidth, width: offsetWidth)
        let marker = try kind(at: position)
        let isDictionary = marker >> 4 == 0xD
        guard isDictionary || marker >> 4 == 0xA || marker >> 4 == 0xC else { return (0, 0) }
        var count = Int(marker & 15)
        position += 1
        if count == 15 {
            // The count follows as an integer value: its width as a power of two, then its bytes.
            let integer = try kind(at: position)
            guard integer >> 4 == 1, integer & 15 <= 3 else { throw Self.damaged }
            let width = 1 << Int(integer & 15)
            count = try number(at: position + 1, width: width)
            position += 1 + width
        }
        guard count <= bytes.byteCount else { throw Self.damaged }
        return (position, isDictionary ? count * 2 : count)
    }

    /// Returns the byte that gives the kind of the value at `position`.
    private func kind(at position: Int) throws(CodecError) -> UInt8 {
        guard position < bytes.byteCount else { throw Self.damaged }
        return bytes.byte(at: position)
    }

    /// Returns the unsigned number at `position`, most significant byte first.
    private func number(at position: Int, width: Int) throws(CodecError) -> Int {
        try Self.number(in: bytes, at: position, width: width)
    }

    private static func number(in bytes: RawSpan, at position: Int, width: Int) throws(CodecError) -> Int {
        guard position >= 0, position <= bytes.byteCount - width else { throw damaged }
        var number: UInt64 = 0
        for index in 0..<width { number = number << 8 | UInt64(bytes.byte(at: position + index)) }
        // A number larger than the file means damage; sums and products of smaller ones cannot overflow.
        guard number <= UInt64(bytes.byteCount) else { throw damaged }
        return Int(number)
    }
}

extension RawSpan {
    /// The byte at `index`, with bounds checking.
    fileprivate func byte(at index: Int) -> UInt8 {
        precondition(index >= 0 && index < byteCount)
        return unsafe unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
    }
}
