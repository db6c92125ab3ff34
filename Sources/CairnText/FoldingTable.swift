/// Maps each scalar to its searched form (``TextNormalizer``); read once from ``FoldingData``.
struct FoldingTable: Sendable {
    static let shared = FoldingTable()

    /// The folding of a scalar.
    enum Folding {
        case itself
        /// The scalar stays, and has a combining class.
        case mark(UInt8)
        case one(UInt32)
        case several(ArraySlice<UInt32>)
    }

    /// The block of ``entries`` for each 256 scalars; the first is for scalars that stay.
    private var blocks = [UInt16](repeating: 0, count: 0x1100)
    /// 0: the scalar itself. Otherwise: the class of a mark in the bits from 24 on; or the scalar; or, with bit 23 set, where its
    /// scalars begin in ``sequences``, and their number in the bits from 24 on.
    private var entries = [UInt32](repeating: 0, count: 256)
    private var sequences: [UInt32] = []
    /// For each kana from U+3040: with a voiced mark, with a half-voiced one.
    private var voiced = [(UInt32, UInt32)](repeating: (0, 0), count: 0xC0)

    /// No scalar has this bit, and classes of marks begin above it.
    private static let isSequence: UInt32 = 1 << 23

    private init() {
        Self.forEachLine(of: FoldingData.foldings) { words in
            var scalar = Self.number(words[0])
            for word in words.dropFirst() {
                let folded = word == "-" ? [] : word.split(separator: "+").map { Self.number($0) }
                if folded.count == 1 {
                    set(scalar, folded[0])
                } else {
                    set(scalar, Self.isSequence | UInt32(folded.count) << 24 | UInt32(sequences.count))
                    sequences += folded
                }
                scalar += 1
            }
        }
        Self.forEachLine(of: FoldingData.marks) { words in
            let numbers = words.map { Self.number($0) }
            for scalar in numbers[0]...numbers[1] { set(scalar, numbers[2] << 24) }
        }
        Self.forEachLine(of: FoldingData.voiced) { words in
            let numbers = words.map { Self.number($0) }
            voiced[Int(numbers[0] - 0x3040)] = (numbers[1], numbers[2])
        }
    }

    private mutating func set(_ scalar: UInt32, _ entry: UInt32) {
        let block = Int(scalar >> 8)
        if blocks[block] == 0 {
            blocks[block] = UInt16(entries.count >> 8)
            entries += [UInt32](repeating: 0, count: 256)
        }
        entries[Int(blocks[block]) << 8 | Int(scalar & 0xFF)] = entry
    }

    private static func forEachLine(of text: StaticString, _ body: ([Substring]) -> Void) {
        for line in "\(text)".split(separator: "\n") { body(line.split(separator: " ")) }
    }

    private static func number(_ digits: Substring) -> UInt32 { UInt32(digits, radix: 16) ?? 0 }

    /// The folding of a scalar.
    @inline(__always)
    subscript(scalar: UInt32) -> Folding {
        let entry = entries[Int(blocks[Int(scalar >> 8)]) << 8 | Int(scalar & 0xFF)]
        if entry == 0 { return .itself }
        if entry & Self.isSequence != 0 {
            let start = Int(entry & (Self.isSequence - 1))
            return .several(sequences[start..<start + Int(entry >> 24)])
        }
        return entry < 1 << 24 ? .one(entry) : .mark(UInt8(entry >> 24))
    }

    /// The composition of two characters: Hangul syllables, and kana with their marks; `nil` for others.
    func composed(_ first: UInt32, _ second: UInt32) -> UInt32? {
        switch second {
        case 0x3099, 0x309A:
            guard first >= 0x3040, first < 0x3100 else { return nil }
            let (full, half) = voiced[Int(first - 0x3040)]
            let result = second == 0x3099 ? full : half
            return result == 0 ? nil : result
        case 0x1161..<0x1176:
            guard first >= 0x1100, first < 0x1113 else { return nil }
            return 0xAC00 + (first - 0x1100) * 588 + (second - 0x1161) * 28
        case 0x11A8..<0x11C3:
            guard first >= 0xAC00, first < 0xD7A4, (first - 0xAC00) % 28 == 0 else { return nil }
            return first + second - 0x11A7
        default: return nil
        }
    }
}
