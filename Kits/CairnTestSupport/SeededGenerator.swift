/// A repeatable random number generator (SplitMix64): equal seeds give equal sequences on every platform. Not for secrets.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// The seed of the sequence.
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
    /// Returns `count` random bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count {
            unsafe withUnsafeBytes(of: next().littleEndian) { unsafe bytes.append(contentsOf: $0) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Returns a number in `range`.
    public mutating func int(in range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

    /// Returns true with a probability of one in `count`.
    public mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    /// Returns a 64-bit integer whose length in bits is uniformly distributed, so that small numbers and limits occur.
    public mutating func spreadInteger() -> UInt64 {
        let bits = UInt64.random(in: 0...64, using: &self)
        return bits == 0 ? 0 : next() >> (64 - bits)
    }

    /// Returns one of `elements`, which must not be empty.
    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements.randomElement(using: &self)! }
}
