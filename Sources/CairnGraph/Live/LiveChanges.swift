/// How the results of a live query differ from the ones before; all positions are offsets, in ascending order.
///
/// Removing ``removed`` and the sources of ``moved`` from the former results, and then inserting ``inserted`` and the targets of ``moved``, gives the
/// new ones: the order of work of list and collection views.
public struct LiveChanges: Sendable, Hashable {
    /// An object that is elsewhere in the order now.
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
    /// The fewest objects that explain the new order, by their position in the new results.
    public private(set) var moved: [Move] = []
    /// Positions in the new results of objects that were saved with other values since; some of them may also have moved.
    public private(set) var updated: [Int] = []

    /// Whether the results are the same as before.
    public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }

    /// An object among the results, and how often it had been saved.
    struct Item {
        let identity: ObjectIdentifier
        let changeCount: UInt32
    }

    /// - Complexity: O(n), and O(m log m) in the objects from the first to the last that is elsewhere.
    init(from former: [Item], to new: [Item]) {
        // Most commits change little: what is equal at both ends is only compared.
        var start = 0
        while start < former.count, start < new.count, former[start].identity == new[start].identity {
            if former[start].changeCount != new[start].changeCount { updated.append(start) }
            start += 1
        }
        var (oldEnd, newEnd) = (former.count, new.count)
        while oldEnd > start, newEnd > start, former[oldEnd - 1].identity == new[newEnd - 1].identity {
            oldEnd -= 1
            newEnd -= 1
        }
        var places = Dictionary(uniqueKeysWithValues: (start..<oldEnd).map { (former[$0].identity, $0) })
        var kept: [Move] = []
        for place in start..<newEnd {
            guard let old = places.removeValue(forKey: new[place].identity) else {
                inserted.append(place)
                continue
            }
            kept.append(Move(from: old, to: place))
            if former[old].changeCount != new[place].changeCount { updated.append(place) }
        }
        removed = places.values.sorted()
        let stays = Self.longestRise(kept.map(\.from))
        moved = kept.indices.filter { !stays.contains($0) }.map { kept[$0] }
        for place in newEnd..<new.count where former[place - newEnd + oldEnd].changeCount != new[place].changeCount {
            updated.append(place)
        }
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
