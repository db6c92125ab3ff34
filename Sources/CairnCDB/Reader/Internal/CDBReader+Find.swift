import CCairn
import CairnCore

/// The state of a lookup in its hash table.
struct CDBProbe {
    let hash: UInt64
    /// The position of the table.
    let position: UInt64
    /// The number of slots in the table.
    let count: UInt64
    /// The next slot to examine.
    var slot: UInt64
    /// The number of slots not yet examined; initially all, so that every search ends.
    var left: UInt64
}

extension CDBReader {
    /// Starts a lookup.
    @inline(__always)
    func probe(hash: UInt64) throws(CDBError) -> CDBProbe {
        let table = tables.table(of: hash)
        guard table.count != 0 else {
            if table.isDamaged { throw damagedTable(Int(hash & 0xFF)) }
            return CDBProbe(hash: hash, position: 0, count: 0, slot: 0, left: 0)
        }
        let slot =
            dialect.isWide
            ? (hash &>> 8) % table.count
            // Division of 32-bit numbers is several times as fast. A count that does not fit was rejected with its table.
            : UInt64(UInt32(truncatingIfNeeded: hash &>> 8) % UInt32(truncatingIfNeeded: table.count))
        return CDBProbe(hash: hash, position: table.position, count: table.count, slot: slot, left: table.count)
    }

    /// Returns the next record with the key, in memory; `nil` if there are no more.
    @inline(__always)
    func next(_ probe: inout CDBProbe, _ key: UnsafeRawBufferPointer, _ base: UnsafeRawPointer) throws(CDBError) -> CDBRecord? {
        try dialect.isWide
            ? unsafe next(&probe, key, base, as: UInt64.self)
            : unsafe next(&probe, key, base, as: UInt32.self)
    }

    @inline(__always)
    private func next<Word: FixedWidthInteger & UnsignedInteger>(
        _ probe: inout CDBProbe,
        _ key: UnsafeRawBufferPointer,
        _ base: UnsafeRawPointer,
        as word: Word.Type
    ) throws(CDBError) -> CDBRecord? {
        while let position = unsafe nextPosition(&probe, base, as: word) {
            if let record = unsafe try match(position, key, base, as: word) { return record }
        }
        return nil
    }

    /// Returns the position in the next slot with the hash; `nil` if there are no more. The position may be anything.
    @inline(__always)
    func nextPosition<Word: FixedWidthInteger & UnsignedInteger>(
        _ probe: inout CDBProbe,
        _ base: UnsafeRawPointer,
        as word: Word.Type
    ) -> UInt64? {
        let width = MemoryLayout<Word>.size
        while probe.left != 0 {
            let slot = unsafe base + Int(truncatingIfNeeded: probe.position &+ probe.slot &* UInt64(2 * width))
            let hash = unsafe loadWord(slot, as: word)
            let position = unsafe loadWord(slot + width, as: word)
            guard position != 0 else {
                probe.left = 0
                return nil
            }
            probe.left &-= 1
            probe.slot &+= 1
            if probe.slot == probe.count { probe.slot = 0 }
            if hash == probe.hash { return position }
        }
        return nil
    }

    /// Returns the record at `position` if it has that key.
    ///
    /// - Throws: `corruption` if it is not within the data.
    @inline(__always)
    func match<Word: FixedWidthInteger & UnsignedInteger>(
        _ position: UInt64,
        _ key: UnsafeRawBufferPointer,
        _ base: UnsafeRawPointer,
        as word: Word.Type
    ) throws(CDBError) -> CDBRecord? {
        let width = UInt64(MemoryLayout<Word>.size)
        guard position >= 512 &* width, position <= dataEnd, dataEnd &- position >= 2 &* width else {
            throw damage("a hash table refers to a record that is out of bounds", at: position)
        }
        let start = unsafe base + Int(truncatingIfNeeded: position)
        // Most values end in the next cache line, which is prefetched while the first is waited for.
        unsafe cairn_prefetch(start + 64)
        let keyCount = unsafe loadWord(start, as: word)
        guard keyCount == UInt64(key.count) else { return nil }
        let valueCount = unsafe loadWord(start + Int(width), as: word)
        let room = dataEnd &- position &- 2 &* width
        guard keyCount <= room, valueCount <= room &- keyCount else {
            throw damage("a record extends past the end of the data", at: position)
        }
        guard unsafe bytesAreEqual(start + Int(2 * width), key) else { return nil }
        return CDBRecord(position: position, keyPosition: position &+ 2 &* width, keyCount: keyCount, valueCount: valueCount)
    }
}

/// Whether the bytes at `start` are those of `key`.
@inline(__always)
func bytesAreEqual(_ start: UnsafeRawPointer, _ key: UnsafeRawBufferPointer) -> Bool {
    guard let other = key.baseAddress else { return true }
    var offset = 0
    while key.count - offset >= 8 {
        guard
            unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        else { return false }
        offset += 8
    }
    while offset < key.count {
        guard unsafe start.load(fromByteOffset: offset, as: UInt8.self) == other.load(fromByteOffset: offset, as: UInt8.self) else {
            return false
        }
        offset += 1
    }
    return true
}
