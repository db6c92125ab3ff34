/// An amount of storage or memory, in bytes.
///
/// ```swift
/// let cache: ByteCount = .mebibytes(64)      // 67,108,864 bytes
/// ```
public struct ByteCount: Hashable, Sendable, Comparable {
    /// The number of bytes; can be negative only as the result of a subtraction.
    public var bytes: Int64

    /// Creates an amount of exactly `bytes` bytes.
    public init(bytes: Int64) { self.bytes = bytes }

    /// No bytes.
    public static var zero: ByteCount { ByteCount(bytes: 0) }

    /// `count` bytes.
    public static func bytes(_ count: Int64) -> ByteCount { ByteCount(bytes: count) }
    /// `count` times 1,000 bytes.
    public static func kilobytes(_ count: Int64) -> ByteCount { ByteCount(bytes: count * 1_000) }
    /// `count` times 1,000,000 bytes.
    public static func megabytes(_ count: Int64) -> ByteCount { ByteCount(bytes: count * 1_000_000) }
    /// `count` times 1,000,000,000 bytes.
    public static func gigabytes(_ count: Int64) -> ByteCount { ByteCount(bytes: count * 1_000_000_000) }
    /// `count` times 1,024 bytes.
    public static func kibibytes(_ count: Int64) -> ByteCount { ByteCount(bytes: count * 1_024) }
    /// `count` times 1,048,576 bytes.
    public static func mebibytes(_ count: Int64) -> ByteCount { ByteCount(bytes: count * 1_048_576) }
    /// `count` times 1,073,741,824 bytes.
    public static func gibibytes(_ count: Int64) -> ByteCount { ByteCount(bytes: count * 1_073_741_824) }

    public static func < (lhs: ByteCount, rhs: ByteCount) -> Bool { lhs.bytes < rhs.bytes }
    public static func + (lhs: ByteCount, rhs: ByteCount) -> ByteCount { ByteCount(bytes: lhs.bytes + rhs.bytes) }
    public static func - (lhs: ByteCount, rhs: ByteCount) -> ByteCount { ByteCount(bytes: lhs.bytes - rhs.bytes) }
    public static func += (lhs: inout ByteCount, rhs: ByteCount) { lhs = lhs + rhs }
}

extension ByteCount: CustomStringConvertible {
    /// The amount in the largest binary unit that fits into it: `"1.5 MiB"`, `"900 B"`.
    public var description: String {
        let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
        var unit = 0
        var scale: Int64 = 1
        while unit < units.count - 1, bytes.magnitude / UInt64(scale) >= 1024 {
            scale <<= 10
            unit += 1
        }
        guard unit > 0 else { return "\(bytes) B" }
        let tenths = (Double(bytes) / Double(scale) * 10).rounded() / 10
        let text = tenths == tenths.rounded() ? "\(Int64(tenths))" : "\(tenths)"
        return "\(text) \(units[unit])"
    }
}
