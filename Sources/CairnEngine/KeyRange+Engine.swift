public import CairnCore

extension KeyRange {
    /// All keys.
    public static var all: KeyRange { KeyRange(lowerBound: [], upperBound: nil) }

    /// Whether the range cannot contain any key.
    public var isEmpty: Bool {
        guard let upperBound else { return false }
        return !lowerBound.lexicographicallyPrecedes(upperBound)
    }
}

extension KeyRange {
    /// Whether a key can be in both ranges.
    package func overlaps(_ other: KeyRange) -> Bool {
        guard !isEmpty, !other.isEmpty else { return false }
        if let upperBound, !other.lowerBound.lexicographicallyPrecedes(upperBound) { return false }
        if let end = other.upperBound, !lowerBound.lexicographicallyPrecedes(end) { return false }
        return true
    }

    /// The number of bytes of the bounds.
    var boundsSize: Int { lowerBound.count + (upperBound?.count ?? 0) }
}
