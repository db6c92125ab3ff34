/// Vigna's SplitMix64: small, seedable, good enough to shuffle.
public struct SplitMix64: RandomNumberGenerator {
    /// What is added to the state for each number.
    public static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    @usableFromInline var state: UInt64

    public init(state: UInt64) { self.state = state }

    @inlinable
    public mutating func next() -> UInt64 {
        state &+= Self.increment
        return Self.mixed(state)
    }

    /// The number that belongs to a state.
    @inlinable
    public static func mixed(_ state: UInt64) -> UInt64 {
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
