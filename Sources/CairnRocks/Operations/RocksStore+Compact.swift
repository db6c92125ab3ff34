import CRocks
import CairnCore

extension RocksStore {
    /// Rewrites the files that hold keys of `range`, so that overwritten and deleted entries give up their space.
    ///
    /// Rarely needed: RocksDB compacts by itself. After deleting much, or before handing files out, it is. Readers and writers go on.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` for a level the column family does not have, ``RocksError/Code/ioError``,
    ///   ``RocksError/Code/corruption``.
    /// - Complexity: Reads and writes all files concerned. Blocks the calling thread meanwhile; `await compactInBackground` does not.
    public func compact(_ range: ScanRange = .all, options: CompactOptions = CompactOptions()) throws(RocksError) {
        try columnFamily.handle.compact(range, options: options, cancellation: nil)
    }

    /// As ``compact(_:options:)``, on a thread of its own. Cancelling the task ends the compaction with ``RocksError/Code/incomplete``; what
    /// was compacted until then stays.
    public func compactInBackground(_ range: ScanRange = .all, options: CompactOptions = CompactOptions()) async throws(RocksError) {
        let family = columnFamily.handle
        let cancellation = try Cancellation()
        let outcome = await withTaskCancellationHandler {
            await offPool { () throws(RocksError) in try family.compact(range, options: options, cancellation: cancellation) }
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
    fileprivate func compact(_ range: ScanRange, options: CompactOptions, cancellation: Cancellation?) throws(RocksError) {
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
