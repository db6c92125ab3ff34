/// How the results of a live query differ from the ones before; all positions are offsets, in ascending order.
///
/// Removing ``removed`` and the sources of ``moved`` from the former results, and then inserting ``inserted`` and the targets of ``moved``, gives the
/// new results. List and collection views work in this order.
public struct LiveChanges: Sendable, Hashable {
    /// An object that has moved in the order.
    public struct Move: Sendable, Hashable {
        /// Its position in the former results.
        public let from: Int
        /// Its position in the new results.
        public let to: Int
    }

    /// Positions in the former results of objects that are no longer among them.
    public private(set) var removed: [Int] = []
    /// Positions in the new results of objects that were not among the former ones.
    public private(set) var inserted: [Int] = []
    /// The smallest set of moves that explains the new order, sorted by the position in the new results.
    public private(set) var moved: [Move] = []
    /// Positions in the new results of objects that were saved with other values since; some of them may also have moved.
    public private(set) var updated: [Int] = []

    /// Whether the results are the same as before.
    public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }

    /// - Parameters:
    ///   - former: Results, or the part of them that differs.
    ///   - new: The same part of the new results.
    ///   - start: The position at which both begin.
    /// - Complexity: O(n log n).
    init(from former: [LiveItem], to new: [LiveItem], at start: Int = 0) {
        // A damaged index may lead to an object twice.
        var places = Dictionary(former.indices.map { (former[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
        var kept: [Move] = []
        for place in new.indices {
            guard let old = places.removeValue(forKey: new[place].id) else {
                inserted.append(start + place)
                continue
            }
            kept.append(Move(from: start + old, to: start + place))
            if former[old].changeCount != new[place].changeCount { updated.append(start + place) }
        }
        removed = places.values.map { start + $0 }.sorted()
        let stays = Self.longestRise(kept.map(\.from))
        moved = kept.indices.filter { !stays.contains($0) }.map { kept[$0] }
    }

    /// The indices of a longest increasing subsequence of different numbers.
    private static func longestRise(_ numbers: [Int]) -> Set<Int> {
        // For each length, the index of the smallest number that ends a rise of this length.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var rise: Set<Int> = []
        var last = ends.last
        while let index = last {
            rise.insert(index)
            last = before[index]
        }
        return rise
    }
}
