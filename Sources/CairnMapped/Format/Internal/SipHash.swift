/// SipHash-2-4 (Aumasson and Bernstein, 2012): a hash that reveals nothing about the bytes without its key. For the keys of encrypted stores.
enum SipHash {
    static func hash(_ bytes: UnsafeRawBufferPointer, key: UInt128) -> UInt64 {
        let (low, high) = (UInt64(truncatingIfNeeded: key), UInt64(truncatingIfNeeded: key >> 64))
        var state = State(
            v0: low ^ 0x736f_6d65_7073_6575,
            v1: high ^ 0x646f_7261_6e64_6f6d,
            v2: low ^ 0x6c79_6765_6e65_7261,
            v3: high ^ 0x7465_6462_7974_6573
        )
        var offset = 0
        while offset + 8 <= bytes.count {
            state.absorb(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        for index in offset..<bytes.count { last |= unsafe UInt64(bytes[index]) << UInt64(8 * (index - offset)) }
        state.absorb(last)
        state.v2 ^= 0xff
        for _ in 0..<4 { state.round() }
        return state.v0 ^ state.v1 ^ state.v2 ^ state.v3
    }

    private struct State {
        var v0, v1, v2, v3: UInt64

        mutating func absorb(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }

        mutating func round() {
            v0 &+= v1
            v1 = Self.rotated(v1, 13) ^ v0
            v0 = Self.rotated(v0, 32)
            v2 &+= v3
            v3 = Self.rotated(v3, 16) ^ v2
            v0 &+= v3
            v3 = Self.rotated(v3, 21) ^ v0
            v2 &+= v1
            v1 = Self.rotated(v1, 17) ^ v2
            v2 = Self.rotated(v2, 32)
        }

        private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }
    }
}
