public import CairnCore

extension CDBWriter {
    /// What to do with a record whose key already exists.
    public enum PutMode: Sendable, CaseIterable {
        /// Adds the record without checking: a key may have any number of values, and lookups find the first.
        case add
        /// Leaves the record out: the first record of a key stays.
        case insert
        /// Removes all records with the same key and adds the record at the end. Costs a search for the key, and one pass over the file at
        /// the end, or as soon as half of the file is to be removed.
        case replace
        /// Adds the record like ``add``, but also checks whether the key exists.
        case warn
        /// Adds the record and fills the other records with its key with zeros: they stay in the file, under the empty key, and only iterations over
        /// all records see them. For files like those of `cdb -c -0`; ``replace`` is better in all respects.
        case zeroFill
    }

    /// Adds a record.
    ///
    /// - Returns: Whether the key already existed; `false`, without checking, in mode ``PutMode/add``.
    /// - Throws: ``CDBError``: `tooLarge` if the finished file would not fit the format; nothing is then written, and the writer can be finished
    ///   without the record. `noSpace` or `ioError`: the writer is cancelled. `closed`.
    /// - Complexity: Amortized O(bytes), in every mode; modes that check for the key read an existing key back from the file.
    @discardableResult @inlinable
    public func put(
        _ value: some ByteSource & ~Escapable,
        for key: some ByteSource & ~Escapable,
        _ mode: PutMode = .add
    ) throws(CDBError) -> Bool {
        try key.withBytes { (key) throws(CDBError) in
            try value.withBytes { (value) throws(CDBError) in try put(value: value, key: key, mode) }
        }
    }

    /// Returns whether a record with `key` was written.
    ///
    /// - Throws: ``CDBError``: `ioError` if the record cannot be read back, `closed`.
    /// - Complexity: O(1); for the first call, O(records).
    public func contains(_ key: some ByteSource & ~Escapable) throws(CDBError) -> Bool {
        _ = try openFile()
        return try key.withBytes { (key) throws(CDBError) in
            index.prepareToFind()
            return try latestRecord(with: key, hash(key)) != nil
        }
    }
}

extension CDBWriter {
    @usableFromInline
    func put(value: RawSpan, key: RawSpan, _ mode: PutMode) throws(CDBError) -> Bool {
        if file == nil { _ = try openFile() }
        let hash = hash(key)
        guard mode != .add else {
            try append(value: value, key: key, hash)
            return false
        }
        index.prepareToFind()
        guard let latest = try latestRecord(with: key, hash) else {
            try append(value: value, key: key, hash)
            return false
        }
        switch mode {
        case .add, .warn: try append(value: value, key: key, hash)
        case .insert: break
        case .replace:
            // The removed records make room.
            let old = try records(with: key, hash, from: latest)
            let freed = old.reduce(0) { $0 + $1.size + 2 * dialect.pairSize }
            try checkRoom(value: value, key: key, freed: freed)
            for record in old {
                index.remove(record.number, hash: hash)
                holes.append(CDBHole(position: record.position, count: record.size))
                holeBytes += record.size
            }
            try append(value: value, key: key, hash)
            if holeBytes > 1 << 20, holeBytes > position / 2 { try removeHoles() }
        case .zeroFill:
            try checkRoom(value: value, key: key, freed: 0)
            for record in try records(with: key, hash, from: latest) {
                try fillWithZeros(record)
                index.remove(record.number, hash: hash)
            }
            try append(value: value, key: key, hash)
        }
        return true
    }

    private func hash(_ key: RawSpan) -> UInt64 { unsafe key.withUnsafeBytes { unsafe dialect.hash($0) } }

    private func append(value: RawSpan, key: RawSpan, _ hash: UInt64) throws(CDBError) {
        try checkRoom(value: value, key: key, freed: 0)
        let size = Int(dialect.pairSize) + key.byteCount + value.byteCount
        // With holes, the record may fit only once they are removed.
        if holeBytes > 0, position + UInt64(size) > limit { try removeHoles() }
        if buffer.room < size { try flush() }
        let place = position
        if size <= buffer.room {
            buffer.appendPair(UInt64(key.byteCount), UInt64(value.byteCount), isWide: dialect.isWide)
            buffer.append(key)
            buffer.append(value)
        } else {
            let file = try openFile()
            buffer.appendPair(UInt64(key.byteCount), UInt64(value.byteCount), isWide: dialect.isWide)
            try flush()
            try endingOnFailure { () throws(FileError) in
                try file.write(key)
                try file.write(value)
            }
            flushedCount += UInt64(key.byteCount + value.byteCount)
        }
        index.append(hash: hash, position: place)
    }

    /// Throws unless the file could be finished with one more record, after `freed` bytes are removed.
    private func checkRoom(value: RawSpan, key: RawSpan, freed: UInt64) throws(CDBError) {
        let pair = dialect.pairSize
        let present = position - holeBytes + UInt64(index.liveCount) * 2 * pair - freed
        // No overflow: spans are shorter than the address space, and what is present is below the limit.
        let added = 3 * pair + UInt64(key.byteCount) + UInt64(value.byteCount)
        guard present <= limit, added <= limit - present else {
            throw CDBError(
                .tooLarge,
                "could not add a record of \(key.byteCount + value.byteCount) bytes to \(path): the file would exceed the "
                    + "\(ByteCount(bytes: Int64(clamping: limit))) limit of the layout '\(dialect.rawValue)'; "
                    + (dialect.isWide ? "write several files" : "write several files, or one in a wide dialect")
            )
        }
    }
}
