public import CairnCore

/// A range of a table's entries to visit, and the direction; ``ScanRange`` with typed keys.
public struct TableRange<Key> {
    var start: Key?
    var end: Key?
    var includesEnd = false
    var bytes: ScanRange?
    var isReversed = false

    /// All entries.
    public static var all: TableRange { TableRange() }
    /// From `start`, inclusive, to the end.
    public static func from(_ start: Key) -> TableRange { TableRange(start: start) }
    /// From the beginning to `end`, exclusive.
    public static func to(_ end: Key) -> TableRange { TableRange(end: end) }
    /// From `start`, inclusive, to `end`, exclusive; `nil` stands for no bound.
    public static func from(_ start: Key?, to end: Key?) -> TableRange { TableRange(start: start, end: end) }
    /// From `start` to `end`, both inclusive; `nil` stands for no bound.
    public static func from(_ start: Key?, through end: Key?) -> TableRange { TableRange(start: start, end: end, includesEnd: end != nil) }
    /// From the beginning to `end`, inclusive.
    public static func through(_ end: Key) -> TableRange { TableRange(end: end, includesEnd: true) }

    /// A range of encoded keys.
    ///
    /// ```swift
    /// let visits = try db.table("visits", key: Key<String, Int>.self, value: String.self, codec: .utf8)
    /// try visits.entries(.keys(Key("ann").prefixRange))           // all of Ann's
    /// try names.entries(.keys(.strings(startingWith: "An")))      // Ann, Anna, Anthony
    /// ```
    public static func keys(_ range: KeyRange) -> TableRange { TableRange(bytes: .keys(range)) }

    /// The same bounds, scanned in descending order: `from` is then the upper bound.
    public var reversed: TableRange {
        var range = self
        range.isReversed.toggle()
        return range
    }
}

extension TableRange: Sendable where Key: Sendable {}

extension TableView {
    /// Returns `range` with its bounds encoded.
    func encoded(_ range: TableRange<Key>) throws(RocksError) -> ScanRange {
        var scan = range.bytes ?? .all
        do throws(CodecError) {
            if let start = range.start { scan.start = try keys.encode(start) }
            if let end = range.end { scan.end = try keys.encode(end) }
        } catch {
            throw failure("encoding a bound of a range", error)
        }
        scan.includesEnd = range.includesEnd
        scan.isReversed = range.isReversed
        return scan
    }
}
