/// A moment of a ``StorageEngine``: larger is later, and each commit that writes anything makes a new one.
///
/// Versions of one engine compare, also across its openings; their differences mean nothing.
public struct EngineVersion: Hashable, Sendable, Comparable, RawRepresentable, CustomStringConvertible {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static func < (lhs: EngineVersion, rhs: EngineVersion) -> Bool { lhs.rawValue < rhs.rawValue }
    public var description: String { "\(rawValue)" }
}
