/// A version of the data in a ``StorageEngine``. Later versions are greater; each commit that writes anything makes a new one.
///
/// Versions of one engine can be compared, even after reopening it; their differences mean nothing.
public struct EngineVersion: Hashable, Sendable, Comparable, RawRepresentable, CustomStringConvertible {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static func < (lhs: EngineVersion, rhs: EngineVersion) -> Bool { lhs.rawValue < rhs.rawValue }
    public var description: String { "\(rawValue)" }
}
