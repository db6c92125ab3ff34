/// A repeatable source of random numbers (SplitMix64): equal seeds give equal sequences on every platform. Not for secrets.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// What the sequence was started from.
    public let seed: UInt64
    private var state: UInt64

    /// Starts the sequence of `seed`.
    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}

extension SeededGenerator {
    /// `count` random bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count {
            unsafe withUnsafeBytes(of: next().littleEndian) { unsafe bytes.append(contentsOf: $0) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// A number in `range`.
    public mutating func int(in range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

    /// Whether a chance of one in `count` came true.
    public mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    /// A 64-bit integer whose length in bits is evenly spread, so that small numbers and limits come up.
    public mutating func spreadInteger() -> UInt64 {
        let bits = UInt64.random(in: 0...64, using: &self)
        return bits == 0 ? 0 : next() >> (64 - bits)
    }

    /// One of `elements`, which may not be empty.
    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements.randomElement(using: &self)! }
}
