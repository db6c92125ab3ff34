/// Normalizes text into the form in which it is searched: `docs/formats/object-text.md`. Case, accents, width, and how spaces, apostrophes
/// and hyphens are written make no difference.
///
/// Reuses its memory from one text to the next.
package struct TextNormalizer {
    /// The form of the last text: UTF-8, in which no space is at either end or next to another.
    package private(set) var bytes: [UInt8] = []
    /// Where in the text each byte comes from, followed by the end of the last; empty unless requested.
    private(set) var sources: [Int] = []
    /// Whether the text was well-formed UTF-8.
    package private(set) var isWellFormed = true
    private let wantsSources: Bool

    private var composer = TextComposer()
    /// Where a pending space began; it is written once something follows it.
    private var space: Int?

    package init(wantsSources: Bool = false) { self.wantsSources = wantsSources }

    /// Normalizes UTF-8; invalid bytes count as U+FFFD.
    package mutating func normalize(_ text: Span<UInt8>) {
        isWellFormed = true
        if !wantsSources, Self.foldASCII(text, Self.ascii, into: &bytes) { return }
        bytes.removeAll(keepingCapacity: true)
        sources.removeAll(keepingCapacity: true)
        space = nil
        var position = 0
        // The end of what was written last.
        var end = 0
        while position < text.count {
            let start = position
            let byte = text[position]
            if byte < 0x80, position + 1 == text.count || text[position + 1] < 0x80 {
                // No scalar can combine with it.
                finishCharacter()
                position += 1
                let folded = Self.ascii[Int(byte)]
                if folded == 0x20 { addSpace(start) } else { append(folded, start) }
            } else {
                let scalar = UTF8Reading.scalar(text, &position)
                // U+FFFD itself has three bytes.
                if scalar == 0xFFFD, position == start + 1 { isWellFormed = false }
                fold(scalar, start)
            }
            if space == nil || !composer.isEmpty { end = position }
        }
        finishCharacter()
        if wantsSources { sources.append(end) }
    }

    package mutating func normalize(_ text: String) { normalize(Array(text.utf8).span) }

    /// The form of a text.
    package static func form(of text: String) -> [UInt8] {
        var normalizer = TextNormalizer()
        normalizer.normalize(text)
        return normalizer.bytes
    }

    /// Whether a scalar becomes a space.
    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        if case .one(0x20) = FoldingTable.shared[scalar.value] { return true }
        return scalar == " "
    }

    private static let ascii: [UInt8] = (UInt32(0)..<128).map { byte in
        if case .one(let folded) = FoldingTable.shared[byte] { UInt8(truncatingIfNeeded: folded) } else { UInt8(byte) }
    }

    // MARK: Scalars

    private mutating func fold(_ scalar: UInt32, _ source: Int) {
        switch FoldingTable.shared[scalar] {
        case .itself: add(scalar, 0, source)
        case .mark(let combining): add(scalar, combining, source)
        case .one(let folded): addFolded(folded, source)
        case .several(let scalars): for folded in scalars { addFolded(folded, source) }
        }
    }

    /// Adds a scalar of a folding.
    private mutating func addFolded(_ scalar: UInt32, _ source: Int) {
        if case .mark(let combining) = FoldingTable.shared[scalar] { add(scalar, combining, source) } else { add(scalar, 0, source) }
    }

    private mutating func add(_ scalar: UInt32, _ combining: UInt8, _ source: Int) {
        if composer.takes(scalar, combining) { return }
        finishCharacter()
        if scalar == 0x20 { addSpace(source) } else { composer.begin(scalar, combining, source) }
    }

    /// Writes the composed character.
    private mutating func finishCharacter() {
        guard !composer.isEmpty else { return }
        composer.orderMarks()
        for scalar in composer.scalars { UTF8Reading.encode(scalar) { byte in append(byte, composer.source) } }
        composer.clear()
    }

    private mutating func addSpace(_ source: Int) { if !bytes.isEmpty, space == nil { space = source } }

    @inline(__always)
    private mutating func append(_ byte: UInt8, _ source: Int) {
        if let start = space {
            bytes.append(0x20)
            if wantsSources { sources.append(start) }
            space = nil
        }
        bytes.append(byte)
        if wantsSources { sources.append(source) }
    }
}

/// Composes a character: a scalar that combines with nothing before it, and the marks after it.
private struct TextComposer {
    private(set) var scalars: [UInt32] = []
    private var classes: [UInt8] = []
    private(set) var source = 0

    var isEmpty: Bool { scalars.isEmpty }

    mutating func begin(_ scalar: UInt32, _ combining: UInt8, _ source: Int) {
        scalars.append(scalar)
        classes.append(combining)
        self.source = source
    }

    /// Adds a scalar of the character; returns false if it begins another.
    mutating func takes(_ scalar: UInt32, _ combining: UInt8) -> Bool {
        guard let first = scalars.first else { return false }
        if scalars.count == 1, let composed = FoldingTable.shared.composed(first, scalar) {
            scalars[0] = composed
            return true
        }
        guard combining != 0 else { return false }
        scalars.append(scalar)
        classes.append(combining)
        return true
    }

    /// Sorts marks by class, where those of one class keep their order, and composes the first of the voicing marks, which others may have preceded.
    mutating func orderMarks() {
        // Usually, at most one mark follows.
        guard scalars.count > 2 || scalars.count == 2 && classes[1] < classes[0] else { return }
        let order = scalars.indices.sorted { (classes[$0], $0) < (classes[$1], $1) }
        (scalars, classes) = (order.map { scalars[$0] }, order.map { classes[$0] })
        guard classes[0] == 0, let mark = classes.firstIndex(of: Self.voicing),
            let composed = FoldingTable.shared.composed(scalars[0], scalars[mark])
        else { return }
        scalars[0] = composed
        scalars.remove(at: mark)
        classes.remove(at: mark)
    }

    /// The combining class of U+3099 and U+309A.
    private static let voicing: UInt8 = 8

    mutating func clear() {
        scalars.removeAll(keepingCapacity: true)
        classes.removeAll(keepingCapacity: true)
    }
}
