/// The position of a record and the lengths of its key and value. It is within the data.
@usableFromInline
struct CDBRecord {
    @usableFromInline var position: UInt64
    @usableFromInline var keyPosition: UInt64
    @usableFromInline var keyCount: UInt64
    @usableFromInline var valueCount: UInt64

    @inlinable @inline(__always)
    init(position: UInt64, keyPosition: UInt64, keyCount: UInt64, valueCount: UInt64) {
        self.position = position
        self.keyPosition = keyPosition
        self.keyCount = keyCount
        self.valueCount = valueCount
    }

    @inlinable @inline(__always)
    var valuePosition: UInt64 { keyPosition &+ keyCount }

    /// The position of the next record.
    @inlinable @inline(__always)
    var end: UInt64 { keyPosition &+ keyCount &+ valueCount }
}

extension CDBRecord {
    @inlinable @inline(__always) @unsafe
    func key(_ base: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: base + Int(truncatingIfNeeded: keyPosition), count: Int(truncatingIfNeeded: keyCount))
    }

    @inlinable @inline(__always) @unsafe
    func value(_ base: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: base + Int(truncatingIfNeeded: valuePosition), count: Int(truncatingIfNeeded: valueCount))
    }
}

extension CDBReader {
    /// Returns the record that begins at `position`, in memory.
    ///
    /// - Throws: `corruption` if it is not within the data.
    @inlinable @inline(__always)
    func record(at position: UInt64, _ base: UnsafeRawPointer) throws(CDBError) -> CDBRecord {
        let size = dialect.pairSize
        guard position <= dataEnd, dataEnd &- position >= size else { throw damage("a record is truncated", at: position) }
        let start = unsafe base + Int(truncatingIfNeeded: position)
        let keyCount: UInt64
        let valueCount: UInt64
        if dialect.isWide {
            unsafe keyCount = loadWord(start, as: UInt64.self)
            unsafe valueCount = loadWord(start + 8, as: UInt64.self)
        } else {
            unsafe keyCount = loadWord(start, as: UInt32.self)
            unsafe valueCount = loadWord(start + 4, as: UInt32.self)
        }
        let room = dataEnd &- position &- size
        guard keyCount <= room, valueCount <= room &- keyCount else {
            throw damage("a record extends past the end of the data", at: position)
        }
        return CDBRecord(position: position, keyPosition: position &+ size, keyCount: keyCount, valueCount: valueCount)
    }
}
