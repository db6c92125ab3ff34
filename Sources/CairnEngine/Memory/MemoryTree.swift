import CairnCore

/// A sorted map from bytes to bytes with free copies: a B+ tree that shares all unchanged nodes with its copies.
///
/// A tree changes a node in place only while it has the only reference to it. So a thread can change its copy while others read theirs.
struct MemoryTree: Sendable {
    var root = Node()

    /// Sendable because nodes change only while they have a single reference.
    final class Node: @unchecked Sendable {
        /// In a leaf, the keys of the entries; otherwise the least key of each child, where the first does not count.
        var keys: [[UInt8]] = []
        /// In a leaf, as many values as keys.
        var values: [[UInt8]] = []
        /// As many as keys; none in a leaf.
        var children: [Node] = []

        static let capacity = 64
        var isLeaf: Bool { children.isEmpty }

        func copy() -> Node {
            let copy = Node()
            copy.keys = keys
            copy.values = values
            copy.children = children
            return copy
        }
    }

    mutating func put(_ value: RawSpan, for key: RawSpan) {
        makeRootUnique()
        guard let (start, right) = root.put(value, for: key) else { return }
        let left = root
        root = Node()
        root.keys = [[], start]
        root.children = [left, right]
    }

    mutating func delete(_ key: RawSpan) {
        guard root.leaf(of: key).index(of: key) != nil else { return }
        makeRootUnique()
        root.delete(key)
        dropEmptyRoot()
    }

    mutating func delete(_ range: KeyRange) {
        guard !range.isEmpty else { return }
        makeRootUnique()
        root.delete(range)
        dropEmptyRoot()
    }

    /// Lends the value of `key`, or returns false.
    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) -> Bool {
        let leaf = root.leaf(of: key)
        guard let index = leaf.index(of: key) else { return false }
        leaf.values[index].withBytes(body)
        return true
    }

    private mutating func makeRootUnique() { if !isKnownUniquelyReferenced(&root) { root = root.copy() } }

    private mutating func dropEmptyRoot() {
        while root.children.count == 1 { root = root.children[0] }
    }
}

extension MemoryTree.Node {
    /// The index of the first key of this leaf that is not less than `key`.
    func firstIndex(notBefore key: RawSpan) -> Int {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle].order(to: key) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The index of `key` in this leaf.
    func index(of key: RawSpan) -> Int? {
        let index = firstIndex(notBefore: key)
        guard index < keys.count, keys[index].order(to: key) == 0 else { return nil }
        return index
    }

    /// The child that contains `key`, if any does: the last whose least key is not greater. The first child's least key does not count, and may be
    /// greater than the second's: smaller keys go there too, and are split off.
    func childIndex(for key: RawSpan) -> Int {
        var low = 1
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle].order(to: key) <= 0 { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }

    func leaf(of key: RawSpan) -> MemoryTree.Node {
        var node = self
        while !node.isLeaf { node = node.children[node.childIndex(for: key)] }
        return node
    }

    /// Copies the child at `index` if other trees share it.
    private func makeChildUnique(_ index: Int) {
        if !isKnownUniquelyReferenced(&children[index]) { children[index] = children[index].copy() }
    }

    /// Returns the right half and its least key, if the node had to be split.
    fileprivate func put(_ value: RawSpan, for key: RawSpan) -> (start: [UInt8], right: MemoryTree.Node)? {
        if isLeaf {
            let index = firstIndex(notBefore: key)
            if index < keys.count, keys[index].order(to: key) == 0 {
                values[index] = [UInt8](copying: value)
                return nil
            }
            keys.insert([UInt8](copying: key), at: index)
            values.insert([UInt8](copying: value), at: index)
            return splitIfFull(isAtEnd: index == keys.count - 1)
        }
        let index = childIndex(for: key)
        makeChildUnique(index)
        guard let (start, right) = children[index].put(value, for: key) else { return nil }
        keys.insert(start, at: index + 1)
        children.insert(right, at: index + 1)
        return splitIfFull(isAtEnd: index + 1 == keys.count - 1)
    }

    /// Appending in order leaves nodes nearly full, not half full.
    private func splitIfFull(isAtEnd: Bool) -> (start: [UInt8], right: MemoryTree.Node)? {
        guard keys.count > Self.capacity else { return nil }
        let middle = isAtEnd ? Self.capacity - 2 : Self.capacity / 2
        let right = MemoryTree.Node()
        right.keys = Array(keys[middle...])
        keys.removeSubrange(middle...)
        if isLeaf {
            right.values = Array(values[middle...])
            values.removeSubrange(middle...)
        } else {
            right.children = Array(children[middle...])
            children.removeSubrange(middle...)
        }
        return (right.keys[0], right)
    }

    fileprivate func delete(_ key: RawSpan) {
        guard !isLeaf else {
            guard let index = index(of: key) else { return }
            keys.remove(at: index)
            values.remove(at: index)
            return
        }
        let index = childIndex(for: key)
        makeChildUnique(index)
        children[index].delete(key)
        dropEmptyChildren(index...index)
    }

    /// Deletes the keys in `range`, and whole children that lie in it.
    fileprivate func delete(_ range: KeyRange) {
        let start = unsafe range.lowerBound.span.bytes
        if isLeaf {
            let first = firstIndex(notBefore: start)
            let end = range.upperBound.map { unsafe firstIndex(notBefore: $0.span.bytes) } ?? keys.count
            keys.removeSubrange(first..<end)
            values.removeSubrange(first..<end)
            return
        }
        let first = childIndex(for: start)
        let last = range.upperBound.map { unsafe childIndex(for: $0.span.bytes) } ?? keys.count - 1
        for index in Set([first, last]) {
            makeChildUnique(index)
            children[index].delete(range)
        }
        if last > first + 1 {
            keys.removeSubrange(first + 1..<last)
            children.removeSubrange(first + 1..<last)
        }
        dropEmptyChildren(first...min(first + 1, children.count - 1))
    }

    /// Removes empty children at `indices`. If no child remains, the node becomes an empty leaf.
    private func dropEmptyChildren(_ indices: ClosedRange<Int>) {
        for index in indices.reversed() where children[index].keys.isEmpty {
            guard children.count > 1 else {
                keys = []
                children = []
                return
            }
            keys.remove(at: index)
            children.remove(at: index)
        }
    }
}
