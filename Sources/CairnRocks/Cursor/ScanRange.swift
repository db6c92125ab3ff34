public import CairnCore

/// A range of keys for a cursor to visit, and the direction.
///
/// Keys are in the column family's order. In either direction, a scan starts at the first bound, inclusive, and ends before the second bound, or at
/// it if the range is `through` it. Over the keys A, B, C and D:
///
/// | range | keys |
/// | --- | --- |
/// | `.all` | A, B, C, D |
/// | `.from("B", to: "D")` | B, C |
/// | `.from("B")` | B, C, D |
/// | `.to("C")` | A, B |
/// | `.from("B", through: "C")` | B, C |
/// | `.through("C")` | A, B, C |
/// | `.all.reversed` | D, C, B, A |
/// | `.from("C", to: "A").reversed` | C, B |
/// | `.prefix("C")` | C |
public struct ScanRange: Sendable, Hashable {
    /// Where the scan begins and ends, in its own direction.
    var start: [UInt8]?
    var end: [UInt8]?
    /// Whether ``end`` is the last key of the scan.
    var includesEnd = false
    /// The keys to visit, regardless of direction.
    var keys: KeyRange?
    var prefix: [UInt8]?
    /// Whether the scan goes against the column family's order.
    public var isReversed = false

    /// All keys.
    public static let all = ScanRange()

    /// From `start`, inclusive, to the end.
    public static func from(_ start: some ByteSource & ~Escapable) -> ScanRange {
        ScanRange(start: start.withBytes { [UInt8](copying: $0) })
    }

    /// From the beginning to `end`, exclusive.
    public static func to(_ end: some ByteSource & ~Escapable) -> ScanRange {
        ScanRange(end: end.withBytes { [UInt8](copying: $0) })
    }

    /// From `start`, inclusive, to `end`, exclusive.
    public static func from(_ start: some ByteSource & ~Escapable, to end: some ByteSource & ~Escapable) -> ScanRange {
        ScanRange(start: start.withBytes { [UInt8](copying: $0) }, end: end.withBytes { [UInt8](copying: $0) })
    }

    /// From `start`, inclusive, to `end`, exclusive; `nil` stands for no bound.
    public static func from<Bound: ByteSource>(_ start: Bound?, to end: Bound?) -> ScanRange {
        ScanRange(start: start?.withBytes { [UInt8](copying: $0) }, end: end?.withBytes { [UInt8](copying: $0) })
    }

    /// From `start` to `end`, both inclusive.
    public static func from(_ start: some ByteSource & ~Escapable, through end: some ByteSource & ~Escapable) -> ScanRange {
        ScanRange(start: start.withBytes { [UInt8](copying: $0) }, end: end.withBytes { [UInt8](copying: $0) }, includesEnd: true)
    }

    /// From `start` to `end`, both inclusive; `nil` stands for no bound.
    public static func from<Bound: ByteSource>(_ start: Bound?, through end: Bound?) -> ScanRange {
        var range = from(start, to: end)
        range.includesEnd = end != nil
        return range
    }

    /// From the beginning to `end`, inclusive.
    public static func through(_ end: some ByteSource & ~Escapable) -> ScanRange {
        ScanRange(end: end.withBytes { [UInt8](copying: $0) }, includesEnd: true)
    }

    /// The keys that begin with the given bytes.
    ///
    /// - Complexity: In bytewise orders only the matching keys are visited. In a custom order all keys are, because keys with the same prefix may be
    ///   anywhere.
    public static func prefix(_ prefix: some ByteSource & ~Escapable) -> ScanRange {
        ScanRange(prefix: prefix.withBytes { [UInt8](copying: $0) })
    }

    /// The keys of a `KeyRange`, such as all that begin with certain elements of a compound key; for bytewise orders.
    public static func keys(_ range: KeyRange) -> ScanRange { ScanRange(keys: range) }

    /// The same bounds, scanned against the column family's order.
    public var reversed: ScanRange {
        var range = self
        range.isReversed.toggle()
        return range
    }
}
