import CairnCore

/// Keys, numbered in the order in which they arrive. Looking one up copies nothing.
struct KeyTable {
    private(set) var keys: [[UInt8]] = []
    /// By hash: the number of a key plus 1; 0 for none. At most half are used.
    private var slots = [Int](repeating: 0, count: 16)

    /// Returns the number of a key, which is the next one if it is new.
    mutating func number(of key: RawSpan) -> Int {
        let slot = slot(of: key)
        guard slots[slot] == 0 else { return slots[slot] - 1 }
        keys.append([UInt8](copying: key))
        slots[slot] = keys.count
        if keys.count * 2 > slots.count { grow() }
        return keys.count - 1
    }

    /// The slot with a key, or the free one where it belongs.
    private func slot(of key: RawSpan) -> Int {
        var hasher = Hasher()
        unsafe key.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        var slot = hasher.finalize() & (slots.count - 1)
        while slots[slot] != 0, keys[slots[slot] - 1].order(to: key) != 0 { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private mutating func grow() {
        slots = [Int](repeating: 0, count: slots.count * 2)
        for (number, key) in keys.enumerated() {
            let slot = unsafe slot(of: key.span.bytes)
            slots[slot] = number + 1
        }
    }
}
