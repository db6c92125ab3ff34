import CairnCore

extension MemoryTree {
    /// Lends the entries of `range` in order, until `body` returns false.
    func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) {
        guard !range.isEmpty else { return }
        _ = root.lendEntries(in: range, reverse: reverse, to: body)
    }
}

extension MemoryTree.Node {
    /// Returns whether to continue.
    fileprivate func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) -> Bool {
        let start = unsafe range.lowerBound.span.bytes
        let first = isLeaf ? firstIndex(notBefore: start) : childIndex(for: start)
        let indices = first..<max(first, endIndex(of: range))
        if reverse {
            for index in indices.reversed() where !lend(index, range, reverse, body) { return false }
        } else {
            for index in indices where !lend(index, range, reverse, body) { return false }
        }
        return true
    }

    /// The index after the last entry before the end of `range`, or after the last child that may have one.
    private func endIndex(of range: KeyRange) -> Int {
        guard let end = range.upperBound else { return keys.count }
        return unsafe isLeaf ? firstIndex(notBefore: end.span.bytes) : childIndex(for: end.span.bytes) + 1
    }

    private func lend(_ index: Int, _ range: KeyRange, _ reverse: Bool, _ body: (RawSpan, RawSpan) -> Bool) -> Bool {
        guard isLeaf else { return children[index].lendEntries(in: range, reverse: reverse, to: body) }
        return keys[index].withBytes { key in values[index].withBytes { body(key, $0) } }
    }
}
