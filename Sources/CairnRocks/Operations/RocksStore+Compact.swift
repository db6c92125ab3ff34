import CRocks
import CairnCore

extension RocksStore {
    /// Rewrites the files that hold keys of `range`, so that overwritten and deleted entries give up their space.
    ///
    /// Rarely needed: RocksDB compacts by itself. After deleting much, or before handing files out, it is. Readers and writers go on.
    ///
    /// - Parameters:
    ///   - range: The keys. Default: all.
    ///   - options: How.
    ///   - progress: Called when a file is written or a step complete, by RocksDB's threads; it must be fast and must not use the database. Only for
    ///     databases that were opened with ``DatabaseOptions/events``, since RocksDB tells nobody else. Other compactions of the column family
    ///     on request, at the same time, are counted too.
    /// - Throws: ``RocksError/Code/invalidArgument`` for a level the column family does not have, or progress without events;
    ///   ``RocksError/Code/ioError``, ``RocksError/Code/corruption``.
    /// - Complexity: Reads and writes all files concerned. Blocks the calling thread meanwhile; `await compactInBackground` does not.
    public func compact(
        _ range: ScanRange = .all,
        options: CompactOptions = CompactOptions(),
        progress: (@Sendable (CompactionProgress) -> Void)? = nil
    ) throws(RocksError) {
        try columnFamily.handle.compact(range, options: options, progress: progress, cancellation: nil)
    }

    /// As ``compact(_:options:progress:)``, on a thread of its own. Cancelling the task ends the compaction with ``RocksError/Code/incomplete``; what
    /// was compacted until then stays.
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

    /// About how many bytes the keys from `start`, inclusive, to `end`, exclusive, take in files, after compression.
    ///
    /// - Parameters:
    ///   - start: The first key.
    ///   - end: The key behind the last.
    ///   - includesMemtables: Whether what is still in memory is counted as well.
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
                    attempt("compacting") + ": only a database that was opened with events tells its progress"
                )
            }
            let meter = CompactionMeter(columnFamily: name, progress)
            return try events.observed(by: { meter.add($0) }) { () throws(RocksError) in
                try compact(range, options: options, progress: nil, cancellation: cancellation)
            }
        }
        var bounds = range
        if let keys = range.keys ?? range.prefix.map({ KeyRange(prefix: $0) }) {
            // Only where keys sort bytewise do those of a byte range stand together; elsewhere everything is compacted.
            let isBytewise = (self.options.comparator ?? .bytewise) === Comparator.bytewise && self.options.settings["comparator"] == nil
            bounds = isBytewise ? .keys(keys) : .all
        }
        var shimOptions = options.shimOptions
        try unsafe bounds.withShimRange { unsafe crk_compact(pointer, &shimOptions, $0, cancellation?.pointer) }.check(
            attempt("compacting")
        )
    }
}
