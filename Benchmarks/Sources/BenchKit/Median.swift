extension [Double] {
    /// The one in the middle, or half-way between the two there; not a number if there is none.
    public var median: Double {
        let sorted = sorted()
        guard let middle = sorted.indices.dropLast(count / 2).last else { return .nan }
        return count % 2 == 1 ? sorted[middle] : (sorted[middle] + sorted[middle + 1]) / 2
    }
}
