import CairnCore

/// Recently decoded values, in two generations: the older is dropped when the younger has filled half of the limit.
struct CDBValueCache<Value: Sendable>: Sendable {
    private let half: Int64
    private var young: [[UInt8]: Value] = [:]
    private var old: [[UInt8]: Value] = [:]
    /// The generation of the store's state that the values were decoded from.
    private var generation: UInt64 = 0
    /// The total stored size of the values in `young`.
    private var cost: Int64 = 0

    init(limit: ByteCount) { half = limit.bytes / 2 }

    /// The number of values.
    var count: Int { young.count + old.count }

    /// Returns the value, if it is of this generation. A later generation than the cached one empties the cache.
    mutating func value(for key: [UInt8], _ generation: UInt64) -> Value? {
        if generation > self.generation {
            removeAll()
            self.generation = generation
        }
        guard generation == self.generation else { return nil }
        return young[key] ?? old[key]
    }

    /// Caches a value, unless it is larger than half of the limit or of another generation.
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
