/// The identity of an object: the number of its class in the store, and its row. Never reused in the same store, even after the object is deleted.
///
/// Can be kept, sent to other threads and, through ``description``, written down; ``ObjectContext/object(_:as:)`` finds the object again.
public struct ObjectID: Hashable, Sendable, Comparable {
    /// The class in the upper 16 bits, the row in the lower 48.
    @usableFromInline let raw: UInt64

    static let rowBits: UInt64 = 48
    static let maximumRow: UInt64 = 1 << rowBits - 1
    /// The last row that stores assign: rows beyond the maximum would overlap those of the next class.
    static let lastRow = maximumRow / 2

    @inlinable @inline(__always)
    init(raw: UInt64) { self.raw = raw }

    @inline(__always)
    init(class number: UInt16, row: UInt64) { raw = UInt64(number) << Self.rowBits | row }

    /// The number of the class in the store's catalog.
    @inline(__always) public var classNumber: UInt16 { UInt16(truncatingIfNeeded: raw >> Self.rowBits) }
    /// The row in that class, from 1.
    @inline(__always) public var row: UInt64 { raw & Self.maximumRow }

    /// By class, then in the order in which the objects were inserted.
    public static func < (one: Self, other: Self) -> Bool { one.raw < other.raw }
}

extension ObjectID: LosslessStringConvertible {
    /// Class and row, such as `3/17`.
    public var description: String { "\(classNumber)/\(row)" }

    /// Parses a ``description``; `nil` for other text.
    public init?(_ description: String) {
        let parts = description.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = UInt16(parts[0]), let row = UInt64(parts[1]), row <= Self.maximumRow else { return nil }
        self.init(class: number, row: row)
    }
}
