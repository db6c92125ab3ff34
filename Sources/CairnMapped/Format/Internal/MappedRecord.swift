import CCairn
import CairnCore

/// The fixed part of a record, and the positions of its parts.
///
/// ```
/// checksum u32 | length of the value u32 | length of the key u16 | flags u8 | type u8 | deadline i64, if it expires | key | value
/// ```
struct MappedRecord {
    struct Flags: OptionSet {
        let rawValue: UInt8
        /// The key was removed; there is no value.
        static let removed = Flags(rawValue: 1)
        /// A deadline follows: milliseconds since 1970.
        static let expires = Flags(rawValue: 2)
        /// Key, type and value are encrypted together, in place of the value, and the key's length is 0.
        static let sealed = Flags(rawValue: 4)
        /// The next record belongs to the same transaction.
        static let continues = Flags(rawValue: 8)
        /// Not the record of a key but an index table, whose checksum covers only the lengths.
        static let table = Flags(rawValue: 16)
        /// The previous record belongs to the same transaction.
        static let continued = Flags(rawValue: 32)
        /// The flags that concern transactions.
        static let ofTransactions: Flags = [.continues, .continued]
        static let known: UInt8 = 63
    }

    var offset: Int
    var checksum: UInt32
    var valueCount: Int
    var keyCount: Int
    var flags: Flags
    var type: MappedValueType

    /// Reads the fixed part. `offset + 12` is within the mapping.
    @inline(__always)
    init(at offset: Int, in base: UnsafeRawPointer) {
        let start = unsafe base + offset
        self.offset = offset
        checksum = unsafe start.loadUnaligned(as: UInt32.self)
        let word = unsafe (start + 4).loadUnaligned(as: UInt64.self)
        valueCount = Int(UInt32(truncatingIfNeeded: word))
        keyCount = Int(UInt16(truncatingIfNeeded: word >> 32))
        flags = Flags(rawValue: UInt8(truncatingIfNeeded: word >> 48))
        type = MappedValueType(rawValue: UInt8(truncatingIfNeeded: word >> 56))
    }

    init(offset: Int, keyCount: Int, valueCount: Int, flags: Flags, type: MappedValueType) {
        self.offset = offset
        checksum = 0
        self.keyCount = keyCount
        self.valueCount = valueCount
        self.flags = flags
        self.type = type
    }

    @inline(__always) var isRemoved: Bool { flags.rawValue & Flags.removed.rawValue != 0 }
    @inline(__always) var expires: Bool { flags.rawValue & Flags.expires.rawValue != 0 }
    @inline(__always) var isSealed: Bool { flags.rawValue & Flags.sealed.rawValue != 0 }
    @inline(__always) var isTable: Bool { flags.rawValue & Flags.table.rawValue != 0 }
    @inline(__always) var continues: Bool { flags.rawValue & Flags.continues.rawValue != 0 }
    @inline(__always) var isContinued: Bool { flags.rawValue & Flags.continued.rawValue != 0 }
    @inline(__always) var isKnown: Bool { flags.rawValue & ~Flags.known == 0 }

    @inline(__always) var keyOffset: Int { offset &+ MappedLayout.recordHeaderSize &+ (expires ? 8 : 0) }
    @inline(__always) var valueOffset: Int { keyOffset &+ keyCount }
    /// The offset of the next record, less the padding.
    @inline(__always) var unpaddedEnd: Int { valueOffset &+ valueCount }
    @inline(__always) var end: Int { MappedLayout.aligned(unpaddedEnd) }
    /// The number of bytes taken in the file.
    @inline(__always) var size: Int { end &- offset }

    @inline(__always)
    func key(in base: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: base + keyOffset, count: keyCount)
    }

    @inline(__always)
    func value(in base: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: base + valueOffset, count: valueCount)
    }

    /// Milliseconds since 1970, after which the record counts as missing; `Int64.max` if it does not expire.
    @inline(__always)
    func deadline(in base: UnsafeRawPointer) -> Int64 {
        expires ? unsafe (base + offset + MappedLayout.recordHeaderSize).loadUnaligned(as: Int64.self) : .max
    }

    /// The checksum that the record should have: bound to the file and to the offset, so that bytes elsewhere cannot pass for a record.
    @inline(__always)
    func expectedChecksum(in base: UnsafeRawPointer, seed: UInt64) -> UInt32 {
        let start = UInt32(truncatingIfNeeded: seed) ^ UInt32(truncatingIfNeeded: offset)
        return unsafe cairn_crc32c(start, base + offset + 4, (isTable ? MappedLayout.recordHeaderSize : unpaddedEnd &- offset) &- 4)
    }

    @inline(__always)
    func isIntact(in base: UnsafeRawPointer, seed: UInt64) -> Bool {
        unsafe checksum == expectedChecksum(in: base, seed: seed)
    }

    /// Writes the fixed part except the checksum.
    @inline(__always)
    func write(to base: UnsafeMutableRawPointer) {
        let word =
            UInt64(UInt32(truncatingIfNeeded: valueCount)) | UInt64(UInt16(truncatingIfNeeded: keyCount)) << 32 | UInt64(flags.rawValue)
            << 48
            | UInt64(type.rawValue) << 56
        unsafe (base + offset + 4).storeBytes(of: word, as: UInt64.self)
    }

    /// Writes the checksum, last: everything else of the record is already in place.
    @inline(__always)
    func seal(in base: UnsafeMutableRawPointer, seed: UInt64) {
        let sum = unsafe expectedChecksum(in: UnsafeRawPointer(base), seed: seed)
        unsafe (base + offset).storeBytes(of: sum, as: UInt32.self)
    }
}
