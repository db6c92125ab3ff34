/// The hash of keys: 64 bits, fast for short keys, seeded by the file so that no one can choose keys that collide in all of them.
enum MappedHash {
    private static let first: UInt64 = 0xa076_1d64_78bd_642f
    private static let second: UInt64 = 0xe703_7ed1_a0b4_28db

    /// Multiplies to 128 bits and folds them.
    @inline(__always)
    private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }

    @inline(__always)
    static func hash(_ key: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        var state = seed ^ first
        var rest = key.count
        guard var next = key.baseAddress else { return mix(state, second) }
        while rest > 16 {
            state = unsafe mix(next.loadUnaligned(as: UInt64.self) ^ second, (next + 8).loadUnaligned(as: UInt64.self) ^ state)
            unsafe next += 16
            rest &-= 16
        }
        let low: UInt64
        let high: UInt64
        if rest >= 8 {
            low = unsafe next.loadUnaligned(as: UInt64.self)
            high = unsafe (next + (rest &- 8)).loadUnaligned(as: UInt64.self)
        } else if rest >= 4 {
            low = unsafe UInt64(next.loadUnaligned(as: UInt32.self))
            high = unsafe UInt64((next + (rest &- 4)).loadUnaligned(as: UInt32.self))
        } else if rest > 0 {
            low = unsafe UInt64(next.load(as: UInt8.self)) | UInt64((next + rest / 2).load(as: UInt8.self)) << 8
            high = unsafe UInt64((next + (rest &- 1)).load(as: UInt8.self))
        } else {
            low = 0
            high = 0
        }
        return mix(mix(low ^ second, high ^ state), first ^ UInt64(key.count))
    }
}
