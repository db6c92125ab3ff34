import CairnCore

extension KeySpans {
    /// The integers in the spans, in order; `nil` if a bound is not that of an integer.
    var integerRanges: [ClosedRange<Int64>]? {
        var ranges: [ClosedRange<Int64>] = []
        for span in spans {
            guard let first = Self.firstInteger(from: span.lower), let end = Self.firstInteger(from: span.upper) else { return nil }
            // Past the last integer, the end is 2⁶³, and the last one is one less.
            guard first < end else { continue }
            ranges.append(Int64(first)...Int64(end - 1))
        }
        return ranges
    }

    /// The first integer of at most 64 bits whose key is not before a bound; 2⁶³ if there is none.
    private static func firstInteger(from bound: [UInt8]) -> Int128? {
        if bound.order(to: element(Int64.min)) <= 0 { return Int128(Int64.min) }
        if bound.order(to: element(Int64.max)) > 0 { return Int128(Int64.max) + 1 }
        var decoder = unsafe KeyDecoder(bound.span.bytes)
        guard let number = try? Int64(decoding: &decoder) else { return nil }
        let rest = bound.count - element(number).count
        if rest == 0 { return Int128(number) }
        return rest == 1 && bound.last == 0xFF ? Int128(number) + 1 : nil
    }

    /// The doubles in the spans, in order, as their keys have them; `nil` if a bound is not that of a double.
    var numberRanges: [ClosedRange<UInt64>]? {
        var ranges: [ClosedRange<UInt64>] = []
        for span in spans {
            guard let first = Self.firstNumber(from: span.lower), let end = Self.firstNumber(from: span.upper) else { return nil }
            guard first < end else { continue }
            ranges.append(UInt64(first)...UInt64(end - 1))
        }
        return ranges
    }

    /// The first double whose key is not before a bound, as in the key; 2⁶⁴ if there is none.
    private static func firstNumber(from bound: [UInt8]) -> UInt128? {
        guard let code = bound.first, code >= number else { return 0 }
        guard code == number else { return 1 << 64 }
        let rest = bound.dropFirst()
        guard rest.count == 8 || rest.count == 9 && rest.last == 0xFF else { return nil }
        return rest.prefix(8).reduce(0) { $0 << 8 | UInt128($1) } + (rest.count == 9 ? 1 : 0)
    }

    /// The first byte of the key of a double.
    private static let number: UInt8 = 0x21

    /// The texts in the spans; `nil` if texts cannot be compared with a bound by their bytes.
    var textSpans: TextSpans? {
        var bounds: [TextBound] = []
        for span in spans where span.upper.order(to: [Self.text]) > 0 {
            guard let lower = TextBound(span.lower), let upper = TextBound(span.upper) else { return nil }
            bounds += [lower, upper]
        }
        return TextSpans(bounds)
    }

    /// The first byte of the key of a text.
    fileprivate static let text: UInt8 = 0x02
}

/// Where a span of texts begins or ends: before a text or, if `isAfter`, after it; after all texts if there are no bytes.
private struct TextBound {
    let bytes: [UInt8]?
    let isAfter: Bool

    init?(_ bound: [UInt8]) {
        guard let first = bound.first, first >= KeySpans.text else {
            (bytes, isAfter) = ([], false)
            return
        }
        guard first == KeySpans.text else {
            (bytes, isAfter) = (nil, true)
            return
        }
        let rest = bound.dropFirst()
        // The terminator of a whole text, and what may follow it. An escaped zero byte at the end means the same: "a\0" follows "a".
        let content = rest.prefix { $0 != 0 }
        switch Array(rest.dropFirst(content.count)) {
        case [], [0x00]: isAfter = false
        case [0x00, 0xFF]: isAfter = true
        default: return nil
        }
        bytes = Array(content)
    }
}

/// Half-open ranges of texts, by the order of their bytes. Comparing counts no references, which would take half of the time of a scan.
@safe
final class TextSpans {
    /// Where a range begins or ends. Without bytes: after all texts.
    @safe private struct Bound {
        let bytes: UnsafeRawBufferPointer?
        let isAfter: Bool

        /// Whether a text is at the bound or after it.
        @inline(__always)
        func isBefore(_ text: UnsafeRawBufferPointer) -> Bool {
            guard let bytes = unsafe bytes else { return false }
            let order = unsafe RawSpan(_unsafeBytes: text).order(to: RawSpan(_unsafeBytes: bytes))
            return isAfter ? order > 0 : order >= 0
        }
    }

    /// The beginning and the end of each range, in order.
    private let bounds: UnsafeMutableBufferPointer<Bound>

    fileprivate init(_ bounds: [TextBound]) {
        unsafe self.bounds = .allocate(capacity: bounds.count)
        for (place, bound) in bounds.enumerated() {
            var copy: UnsafeMutableRawBufferPointer?
            if let bytes = bound.bytes {
                unsafe copy = .allocate(byteCount: bytes.count, alignment: 1)
                unsafe copy?.copyBytes(from: bytes)
            }
            let bytes = unsafe copy.map { UnsafeRawBufferPointer($0) }
            unsafe self.bounds.initializeElement(at: place, to: Bound(bytes: bytes, isAfter: bound.isAfter))
        }
    }

    deinit {
        for place in unsafe bounds.indices { unsafe bounds[place].bytes?.deallocate() }
        unsafe bounds.deallocate()
    }

    func contains(_ text: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while unsafe place < bounds.count {
            if unsafe bounds[place].isBefore(text), unsafe !bounds[place + 1].isBefore(text) { return true }
            place += 2
        }
        return false
    }
}
