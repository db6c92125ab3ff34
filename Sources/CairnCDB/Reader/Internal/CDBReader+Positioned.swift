import CairnCore

// Reading without a mapping: the same searches, with a system call for each block of slots and one for each candidate record.
extension CDBReader {
    /// The number of slots to read at once: most keys are within the first few.
    private static let slotsAtOnce: UInt64 = 16
    /// The number of bytes of a value to read together with its key.
    private static let valueAtOnce: UInt64 = 512

    /// Reads `count` bytes of the file; the caller knows that they are within it.
    func read(_ count: UInt64, at position: UInt64) throws(CDBError) -> [UInt8] {
        var failure: CDBError?
        // Not filled with zeros first. If the read fails, the array is not returned.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(truncatingIfNeeded: count)) { buffer, initialized in
            do throws(CDBError) {
                unsafe try read(into: buffer.baseAddress, buffer.count, at: position)
                initialized = buffer.count
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Fills the first `count` bytes of `bytes`; the caller knows that they are within the file.
    func read(into bytes: OwnedBytes, _ count: Int, at position: UInt64) throws(CDBError) {
        try unsafe read(into: bytes.start, count, at: position)
    }

    private func read(into start: UnsafeMutableRawPointer?, _ count: Int, at position: UInt64) throws(CDBError) {
        guard let file else { preconditionFailure("a mapped reader reads no file") }
        guard let start = unsafe start, count > 0 else { return }
        do throws(FileError) {
            var span = unsafe MutableRawSpan(_unsafeStart: start, byteCount: count)
            guard try file.read(into: &span, at: Int64(truncatingIfNeeded: position)) == count else {
                throw FileError(.truncated, "could not read \(count) bytes at \(position) of \(name): it was truncated")
            }
        } catch {
            throw CDBError(error)
        }
    }

    /// Returns the next record with the key; `nil` if there are no more.
    func nextPositioned(_ probe: inout CDBProbe, _ key: UnsafeRawBufferPointer) throws(CDBError) -> CDBRecord? {
        try unsafe nextPositioned(&probe, key, keeping: 0)?.record
    }

    /// Returns the first value of a key, which usually comes with the record.
    @usableFromInline
    func readValue(of key: RawSpan) throws(CDBError) -> [UInt8]? {
        try unsafe key.withUnsafeBytes { (key) throws(CDBError) in
            var probe = try probe(hash: unsafe dialect.hash(key))
            guard let (record, bytes) = try unsafe nextPositioned(&probe, key, keeping: Self.valueAtOnce) else { return nil }
            let start = Int(truncatingIfNeeded: record.valuePosition - record.position)
            guard record.valueCount <= UInt64(bytes.count - start) else { return try read(record.valueCount, at: record.valuePosition) }
            return Array(bytes[start..<start + Int(truncatingIfNeeded: record.valueCount)])
        }
    }

    /// Returns the next record with the key, and the part of it that was read: up to its key and `more` bytes.
    private func nextPositioned(
        _ probe: inout CDBProbe,
        _ key: UnsafeRawBufferPointer,
        keeping more: UInt64
    ) throws(CDBError) -> (record: CDBRecord, bytes: [UInt8])? {
        let pair = dialect.pairSize
        while probe.left != 0 {
            let count = min(probe.left, probe.count - probe.slot, Self.slotsAtOnce)
            let block = try read(count * pair, at: probe.position + probe.slot * pair)
            for index in 0..<Int(count) {
                let (hash, position) = unsafe block.withUnsafeBytes { unsafe dialect.pair($0, at: index * Int(pair)) }
                guard position != 0 else {
                    probe.left = 0
                    return nil
                }
                probe.left -= 1
                probe.slot = probe.slot + 1 == probe.count ? 0 : probe.slot + 1
                if hash == probe.hash, let found = unsafe try matchPositioned(position, key, keeping: more) { return found }
            }
        }
        return nil
    }

    private func matchPositioned(
        _ position: UInt64,
        _ key: UnsafeRawBufferPointer,
        keeping more: UInt64
    ) throws(CDBError) -> (record: CDBRecord, bytes: [UInt8])? {
        let pair = dialect.pairSize
        guard position >= dialect.headerSize, position <= dataEnd, dataEnd - position >= pair else {
            throw damage("a hash table refers to a record that is out of bounds", at: position)
        }
        let bytes = try read(min(pair + UInt64(key.count) + more, dataEnd - position), at: position)
        let record: CDBRecord? = try unsafe bytes.span.bytes.withUnsafeBytes { (bytes) throws(CDBError) in
            let (keyCount, valueCount) = unsafe dialect.pair(bytes, at: 0)
            guard keyCount == UInt64(key.count) else { return nil }
            let room = dataEnd - position - pair
            guard keyCount <= room, valueCount <= room - keyCount else {
                throw damage("a record extends past the end of the data", at: position)
            }
            guard unsafe bytesAreEqual(bytes.baseAddress! + Int(pair), key) else { return nil }
            return CDBRecord(position: position, keyPosition: position + pair, keyCount: keyCount, valueCount: valueCount)
        }
        return record.map { ($0, bytes) }
    }
}

/// Access to the file one part at a time, mostly forwards: memory if it is mapped, otherwise a buffer that is filled as needed.
struct CDBWindow {
    private let reader: CDBReader
    private let end: UInt64
    private var buffer: OwnedBytes?
    /// The position of the buffer in the file, and how much of it is filled.
    private var start: UInt64 = 0
    private var filled: UInt64 = 0

    /// Nothing at or after `end`, which is within the file, is read.
    init(_ reader: CDBReader, end: UInt64) {
        self.reader = reader
        self.end = end
    }

    /// Returns `count` bytes, which the caller knows to be before the end; valid until the next call, and as long as this window and its reader
    /// exist.
    @unsafe
    mutating func bytes(_ count: UInt64, at position: UInt64) throws(CDBError) -> UnsafeRawBufferPointer {
        if let base = unsafe reader.base {
            let start = unsafe base + Int(truncatingIfNeeded: position)
            return unsafe UnsafeRawBufferPointer(start: start, count: Int(truncatingIfNeeded: count))
        }
        if position < start || position - start > filled || filled - (position - start) < count {
            let wanted = max(count, min(end - position, 1 << 16))
            filled = 0
            let owned = if let buffer, UInt64(buffer.count) >= wanted { buffer } else { OwnedBytes(count: Int(truncatingIfNeeded: wanted)) }
            try reader.read(into: owned, Int(truncatingIfNeeded: wanted), at: position)
            buffer = owned
            start = position
            filled = wanted
        }
        guard let buffer else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
        let offset = Int(truncatingIfNeeded: position - start)
        return unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(buffer.start) + offset, count: Int(truncatingIfNeeded: count))
    }

    /// Returns the two numbers at `position`, which the caller knows to be before the end.
    mutating func pair(at position: UInt64) throws(CDBError) -> (UInt64, UInt64) {
        let dialect = reader.dialect
        return try unsafe dialect.pair(bytes(dialect.pairSize, at: position), at: 0)
    }

    /// Returns the record at `position`.
    ///
    /// - Throws: `corruption` if it is not before the end.
    mutating func record(at position: UInt64) throws(CDBError) -> CDBRecord {
        let pair = reader.dialect.pairSize
        guard position <= end, end - position >= pair else { throw reader.damage("a record is truncated", at: position) }
        let (keyCount, valueCount) = try self.pair(at: position)
        let room = end - position - pair
        guard keyCount <= room, valueCount <= room - keyCount else {
            throw reader.damage("a record extends past the end of the data", at: position)
        }
        return CDBRecord(position: position, keyPosition: position + pair, keyCount: keyCount, valueCount: valueCount)
    }
}
