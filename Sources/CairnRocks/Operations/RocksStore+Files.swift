import CRocks
public import CairnCore

extension RocksStore {
    /// Deletes the sorted files whose keys all lie within one of the given ranges, immediately and without a log entry: the fastest way to free a lot
    /// of space. Other keys in the ranges, in memory or in files that extend beyond the range, remain; delete them with
    /// ``RocksWriter/deleteRange(from:to:)``.
    ///
    /// Existing snapshots and cursors may or may not see the keys.
    ///
    /// - Parameter ranges: The ranges, each from its start, inclusive, to its end, exclusive.
    /// - Throws: ``RocksError/Code/invalidArgument`` if the end of a range comes before its start; ``RocksError/Code/readOnly``.
    public func deleteFiles(in ranges: [(start: some ByteSource, end: some ByteSource)]) throws(RocksError) {
        let family = columnFamily.handle
        let keys = ranges.flatMap { range in
            [range.start.withBytes { [UInt8](copying: $0) }, range.end.withBytes { [UInt8](copying: $0) }]
        }
        let status = unsafe withShimBytes(keys) { keys in
            let starts = unsafe stride(from: 0, to: keys.count, by: 2).map { unsafe keys[$0] }
            let ends = unsafe stride(from: 1, to: keys.count, by: 2).map { unsafe keys[$0] }
            return unsafe crk_delete_files(family.pointer, starts.count, starts, ends)
        }
        try status.check(family.attempt("deleting files of"))
    }

    /// Compacts only the given files into one level.
    ///
    /// - Parameters:
    ///   - names: Names of files from ``metadata()``.
    ///   - level: The level to write to.
    /// - Returns: The paths of the new files.
    /// - Throws: ``RocksError/Code/invalidArgument`` if there is no such file or level, ``RocksError/Code/aborted`` if the files are already being
    ///   compacted, or must be compacted together with others.
    @discardableResult
    public func compactFiles(_ names: [String], to level: Int) throws(RocksError) -> [String] {
        for name in names { try checkForZeroByte(in: name, "file name") }
        let family = columnFamily.handle
        let (status, made) = unsafe Collector<String>.collect { collector in
            unsafe withCStrings(names) { names in
                unsafe crk_compact_files(family.pointer, names.count, names, Int32(clamping: level), nil, collector) {
                    unsafe Collector<String>.add($1.text, to: $0)
                }
            }
        }
        try status.check(family.attempt("compacting files of"))
        return made
    }

    /// Marks the files that hold keys of `range`, to be compacted when there is time. Experimental in RocksDB.
    public func suggestCompaction(_ range: ScanRange = .all) throws(RocksError) {
        let family = columnFamily.handle
        let low = range.isReversed ? range.end : range.start, high = range.isReversed ? range.start : range.end
        let status = unsafe withShimBytes([low ?? [], high ?? []]) { keys in
            unsafe crk_suggest_compaction(family.pointer, keys[0], keys[1], low != nil, high != nil)
        }
        try status.check(family.attempt("suggesting to compact"))
    }

    /// Moves the files of level 0 to `level` unchanged. Experimental in RocksDB.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` if there is no such level, if files overlap, or if the levels in between are not empty.
    public func promoteLevelZero(to level: Int) throws(RocksError) {
        let family = columnFamily.handle
        try unsafe crk_promote_level_zero(family.pointer, Int32(clamping: level)).check(family.attempt("promoting files of"))
    }

    /// Returns approximately how many entries with keys from `start`, inclusive, to `end`, exclusive, are in memory, and how many bytes they take.
    public func memtableEstimate(
        from start: some ByteSource & ~Escapable,
        to end: some ByteSource & ~Escapable
    ) throws(RocksError) -> (count: Int, size: ByteCount) {
        let family = columnFamily.handle
        var count: UInt64 = 0
        var size: UInt64 = 0
        let keys = [start.withBytes { [UInt8](copying: $0) }, end.withBytes { [UInt8](copying: $0) }]
        let status = unsafe withShimBytes(keys) { unsafe crk_memtable_estimate(family.pointer, $0[0], $0[1], &count, &size) }
        try status.check(family.attempt("measuring memory of"))
        return (Int(clamping: count), ByteCount(bytes: Int64(clamping: size)))
    }
}

/// Passes all `keys` to `body` in the shim's form.
private func withShimBytes(_ keys: [[UInt8]], _ body: ([crk_bytes]) -> crk_status) -> crk_status {
    let buffer = keys.flatMap { $0 }
    return unsafe buffer.withUnsafeBytes { bytes in
        var offset = 0
        return unsafe body(
            keys.map { key in
                defer { offset += key.count }
                return unsafe crk_bytes(data: bytes.baseAddress.map { unsafe $0 + offset }, size: key.count)
            }
        )
    }
}
