/// The layout of a file: Bernstein's, or one of two variants for files larger than 4 GiB.
///
/// A file does not record its layout: open it with the one it was written with. With another, lookups find nothing or throw
/// ``CDBError/Code/corruption``.
public enum CDBDialect: String, Sendable, CaseIterable {
    /// Bernstein's format, used by `cdb`, tinycdb and all others: 32-bit numbers, files of less than 4 GiB.
    case standard
    /// The format of `chrislusf/cdb64` for Go: 64-bit numbers and a 64-bit hash.
    case go64
    /// The format of `Reader64` and `Writer64` in `python-pure-cdb`: 64-bit numbers, and the hash of the standard format.
    case python64
}

extension CDBDialect {
    /// Whether numbers take 8 bytes rather than 4.
    @inlinable @inline(__always)
    var isWide: Bool { self != .standard }

    /// The size of two numbers: a slot, an entry of the header, the lengths before a record.
    @inlinable @inline(__always)
    var pairSize: UInt64 { isWide ? 16 : 8 }

    /// The size of the header, and the position of the first record.
    @inlinable @inline(__always)
    var headerSize: UInt64 { 256 * pairSize }

    /// The largest position in a file: at most one past its last byte.
    var largestPosition: UInt64 { isWide ? UInt64(Int64.max) : UInt64(UInt32.max) }

    /// The hash of a key.
    @inline(__always)
    func hash(_ key: UnsafeRawBufferPointer) -> UInt64 {
        let hash = unsafe cdbHash(key)
        return self == .go64 ? hash : hash & 0xFFFF_FFFF
    }
}

/// Bernstein's hash in 64 bits. Its lower half is the 32-bit hash, since no bits move down.
@inline(__always)
func cdbHash(_ key: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 5381
    guard var next = key.baseAddress else { return hash }
    let end = unsafe next + key.count
    while unsafe next < end {
        hash = (hash &+ (hash &<< 5)) ^ UInt64(unsafe next.load(as: UInt8.self))
        unsafe next += 1
    }
    return hash
}

/// Loads an unaligned, little-endian number of the dialect's width.
@inlinable @inline(__always)
func loadWord<Word: FixedWidthInteger & UnsignedInteger>(_ address: UnsafeRawPointer, as: Word.Type) -> UInt64 {
    UInt64(truncatingIfNeeded: Word(littleEndian: unsafe address.loadUnaligned(as: Word.self)))
}
