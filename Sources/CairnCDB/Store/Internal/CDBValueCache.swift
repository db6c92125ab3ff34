import CairnCore

/// Decoded values, those of late: two generations, of which the older goes when the younger has filled half of the limit.
struct CDBValueCache<Value: Sendable>: Sendable {
    private let half: Int64
    private var young: [[UInt8]: Value] = [:]
    private var old: [[UInt8]: Value] = [:]
    /// What the values were decoded from: the store's state counts.
    private var generation: UInt64 = 0
    /// The stored sizes of what is in `young`.
    private var cost: Int64 = 0

    init(limit: ByteCount) { half = limit.bytes / 2 }

    /// How many values there are.
    var count: Int { young.count + old.count }

    /// The value, if it is of that generation. A later one than that of the values here empties the cache.
    mutating func value(for key: [UInt8], _ generation: UInt64) -> Value? {
        if generation > self.generation {
            removeAll()
            self.generation = generation
        }
        guard generation == self.generation else { return nil }
        return young[key] ?? old[key]
    }

    /// Keeps a value; not one that is larger than half of the limit, or of another generation.
    mutating func insert(_ value: Value, for key: [UInt8], cost size: Int, _ generation: UInt64) {
        let size = Int64(size)
        guard size <= half, half > 0, generation == self.generation else { return }
        if cost + size > half {
            old = young
            young = [:]
            cost = 0
        }
        cost += size
        young[key] = value
    }

    mutating func remove(_ key: [UInt8]) {
        young[key] = nil
        old[key] = nil
    }

    mutating func removeAll() {
        young = [:]
        old = [:]
        cost = 0
    }
}
