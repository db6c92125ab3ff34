import CCairn

/// The hash of keys: 64 bits, fast for short keys, seeded by the file so that no one can choose keys that collide in all of them.
enum MappedHash {
    @inline(__always)
    static func hash(_ key: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 { unsafe cairn_hash(key.baseAddress, key.count, seed) }
}
