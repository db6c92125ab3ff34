import CRocks
import CairnCore

extension RocksStore {
    /// Rewrites the files that hold keys of `range`, to reclaim the space of overwritten and deleted entries.
    ///
    /// Rarely needed, because RocksDB compacts by itself; useful after many deletions, or before distributing the files. Readers and writers
    /// continue.
    ///
    /// - Parameters:
    ///   - range: The keys. Default: all.
    ///   - options: How to compact.
    ///   - progress: Called by RocksDB's threads when a file has been written or a step is complete; it must be fast and must not use the database.
    ///     Available only for databases opened with ``DatabaseOptions/events``, the only way RocksDB reports progress. Other manual compactions of
    ///     the column family at the same time are counted too.
    /// - Throws: ``RocksError/Code/invalidArgument`` for a level the column family does not have, or for progress without events;
    ///   ``RocksError/Code/noSpace``, ``RocksError/Code/ioError``, ``RocksError/Code/corruption``.
    /// - Complexity: Reads and rewrites all files involved. Blocks the calling thread; `await compactInBackground` does not.
    public func compact(
        _ range: ScanRange = .all,
        options: CompactOptions = CompactOptions(),
        progress: (@Sendable (CompactionProgress) -> Void)? = nil
    ) throws(RocksError) {
        try columnFamily.handle.compact(range, options: options, progress: progress, cancellation: nil)
    }

    /// Same as ``compact(_:options:progress:)``, on a separate thread. Cancelling the task ends the compaction with
    /// ``RocksError/Code/incomplete``; files that were already compacted stay compacted.
    public func compactInBackground(
        _ range: ScanRange = .all,
        options: CompactOptions = CompactOptions(),
        progress: (@Sendable (CompactionProgress) -> Void)? = nil
    ) async throws(RocksError) {
        let family = columnFamily.handle
        let cancellation = try Cancellation()
        let outcome = await withTaskCancellationHandler {
            await offPool { () throws(RocksError) in
                try family.compact(range, options: options, progress: progress, cancellation: cancellation)
            }
        } onCancel: {
            cancellation.cancel()
        }
        try outcome.get()
    }

    /// Returns approximately how many bytes the keys from `start`, inclusive, to `end`, exclusive, take in files, after compression.
    ///
    /// - Parameters:
    ///   - start: The first key.
    ///   - end: The end of the range, which is excluded.
    ///   - includesMemtables: Whether to include data that is still in memory.
    public func approximateSize(
        from start: some ByteSource & ~Escapable,
        to end: some ByteSource & ~Escapable,
        includesMemtables: Bool = true
    ) throws(RocksError) -> ByteCount {
        let family = columnFamily.handle
        var size: UInt64 = 0
        let status = start.withBytes { start in
            end.withBytes { end in
                unsafe start.withShimBytes { start in
                    unsafe end.withShimBytes { end in unsafe crk_approximate_size(family.pointer, start, end, includesMemtables, &size) }
                }
            }
        }
        try status.check(family.attempt("measuring a range of"))
        return ByteCount(bytes: Int64(clamping: size))
    }
}

extension ColumnFamilyHandle {
    fileprivate func compact(
        _ range: ScanRange,
        options: CompactOptions,
        progress: (@Sendable (CompactionProgress) -> Void)?,
        cancellation: Cancellation?
    ) throws(RocksError) {
        if let progress {
            guard let events = database.events else {
                throw RocksError(
                    .invalidArgument,
                    attempt("compacting") + ": only a database that was opened with events reports its progress"
                )
            }
            let meter = CompactionMeter(columnFamily: name, progress)
            return try events.observed(by: { meter.add($0) }) { () throws(RocksError) in
                try compact(range, options: options, progress: nil, cancellation: cancellation)
            }
        }
        var bounds = range
        if let keys = range.keys ?? range.prefix.map({ KeyRange(prefix: $0) }) {
            // Only in bytewise order are the keys of a byte range contiguous; in other orders everything is compacted.
            let isBytewise = (self.options.comparator ?? .bytewise) === KeyComparator.bytewise && self.options.settings["comparator"] == nil
            bounds = isBytewise ? .keys(keys) : .all
        }
        var shimOptions = options.shimOptions
        try unsafe bounds.withShimRange { unsafe crk_compact(pointer, &shimOptions, $0, cancellation?.pointer) }.check(
            attempt("compacting")
        )
    }
}
