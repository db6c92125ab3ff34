extension TextQuery {
    /// Returns the ranges of a text that the query finds, to highlight them. They are in order, don't overlap, and end at character
    /// boundaries; empty if the text doesn't match.
    ///
    /// - Complexity: O(n) in the length of the text for each word of the query; O(n · m) at worst, for a word of m characters and a text that repeats most of it.
    public func highlights(in text: String) -> [Range<String.Index>] {
        var normalizer = TextNormalizer(wantsSources: true)
        normalizer.normalize(text)
        guard holds({ $0.matches(normalizer.bytes) }) else { return [] }
        return places(in: normalizer).map { range in
            text.characters(
                text.utf8.index(text.startIndex, offsetBy: range.lowerBound)..<text.utf8.index(text.startIndex, offsetBy: range.upperBound)
            )
        }.united()
    }

    /// The bytes of the text in which the patterns are found.
    private func places(in normalizer: TextNormalizer) -> [Range<Int>] {
        var places: [Range<Int>] = []
        for pattern in required.joined() {
            var start = 0
            while let found = pattern.first(in: normalizer.bytes, from: start) {
                places.append(normalizer.source(of: found))
                start = found.upperBound
            }
        }
        return places.sorted { $0.lowerBound < $1.lowerBound }
    }
}

extension TextNormalizer {
    /// The part of the text that a part of the form comes from: whole characters, with the marks after them.
    fileprivate func source(of range: Range<Int>) -> Range<Int> {
        let last = sources[range.upperBound - 1]
        let end = sources[range.upperBound...].first { $0 > last } ?? last
        return sources[range.lowerBound]..<end
    }
}

extension String {
    /// The characters that a range touches.
    fileprivate func characters(_ range: Range<Index>) -> Range<Index> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower > startIndex, Index(lower, within: self) == nil { lower = unicodeScalars.index(before: lower) }
        while upper < endIndex, Index(upper, within: self) == nil { upper = unicodeScalars.index(after: upper) }
        return lower..<upper
    }
}

extension [Range<String.Index>] {
    /// Merges sorted ranges that overlap or touch.
    fileprivate func united() -> Self {
        var united: Self = []
        for range in self {
            if let last = united.last, range.lowerBound <= last.upperBound {
                united[united.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
            } else {
                united.append(range)
            }
        }
        return united
    }
}
