import CairnCore

/// A half-open range of the keys of a property's values: elements as `KeyEncoder` writes them.
///
/// No element begins with `FF`, and no element is a proper prefix of another. So a value's own keys run from its bytes up to its bytes
/// followed by `FF`, even if more elements or a row follow.
struct KeySpan: Equatable {
    var lower: [UInt8]
    var upper: [UInt8]

    static let end: [UInt8] = [0xFF]

    /// The keys of one value.
    static func point(_ key: [UInt8]) -> KeySpan { KeySpan(lower: key, upper: key + end) }

    var isEmpty: Bool { !lower.lexicographicallyPrecedes(upper) }
    /// Whether it contains a single value.
    var isPoint: Bool { upper.count == lower.count + 1 && upper.last == 0xFF && upper.starts(with: lower) && !lower.isEmpty }
}

/// Non-overlapping spans, in order: the values of a property that a condition allows.
struct KeySpans: Equatable {
    private(set) var spans: [KeySpan]

    static let all = KeySpans([KeySpan(lower: [], upper: KeySpan.end)])
    static let none = KeySpans([])
    static let null = KeySpans([.point([0x00])])
    static let notNull = KeySpans([KeySpan(lower: [0x01], upper: KeySpan.end)])

    init(_ spans: [KeySpan]) { self.spans = spans.filter { !$0.isEmpty } }

    var isAll: Bool { self == .all }
    var isEmpty: Bool { spans.isEmpty }
    var arePoints: Bool { spans.allSatisfy(\.isPoint) }

    /// Whether one of them contains a key.
    func contains(_ key: [UInt8]) -> Bool {
        var (low, high) = (0, spans.count)
        // The first span that ends after the key.
        while low < high {
            let middle = (low + high) / 2
            if key.order(to: spans[middle].upper) < 0 { high = middle } else { low = middle + 1 }
        }
        return low < spans.count && key.order(to: spans[low].lower) >= 0
    }

    var complement: KeySpans {
        var gaps: [KeySpan] = []
        var start: [UInt8] = []
        for span in spans {
            gaps.append(KeySpan(lower: start, upper: span.lower))
            start = span.upper
        }
        gaps.append(KeySpan(lower: start, upper: KeySpan.end))
        return KeySpans(gaps)
    }

    func intersection(_ other: KeySpans) -> KeySpans {
        var result: [KeySpan] = []
        var (mine, theirs) = (0, 0)
        while mine < spans.count, theirs < other.spans.count {
            let (one, two) = (spans[mine], other.spans[theirs])
            let lower = one.lower.lexicographicallyPrecedes(two.lower) ? two.lower : one.lower
            let oneEndsFirst = one.upper.lexicographicallyPrecedes(two.upper)
            result.append(KeySpan(lower: lower, upper: oneEndsFirst ? one.upper : two.upper))
            if oneEndsFirst { mine += 1 } else { theirs += 1 }
        }
        return KeySpans(result)
    }

    func union(_ other: KeySpans) -> KeySpans { .union(spans + other.spans) }

    /// The union of spans in any order, which may overlap.
    static func union(_ spans: [KeySpan]) -> KeySpans {
        var result: [KeySpan] = []
        for span in spans.filter({ !$0.isEmpty }).sorted(by: { $0.lower.lexicographicallyPrecedes($1.lower) }) {
            guard let last = result.last, !last.upper.lexicographicallyPrecedes(span.lower) else {
                result.append(span)
                continue
            }
            // Two adjacent points stay two.
            if last.upper == span.lower {
                result.append(span)
            } else if last.upper.lexicographicallyPrecedes(span.upper) {
                result[result.count - 1].upper = span.upper
            }
        }
        return KeySpans(result)
    }
}

extension [UInt8] {
    /// Negative if these bytes come before the others, compared unsigned byte by byte; zero if they are equal.
    func order(to other: [UInt8]) -> Int { unsafe span.bytes.order(to: other.span.bytes) }
}
