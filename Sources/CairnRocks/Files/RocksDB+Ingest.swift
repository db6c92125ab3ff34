import CRocks
import CairnCore

extension RocksStore {
    /// Ingests sorted files into this column family, all or none, without rewriting their entries.
    ///
    /// Transactions do not detect ingested keys: ingesting takes no locks, and commits do not check for them.
    ///
    /// - Parameters:
    ///   - paths: Finished files of ``SSTFileWriter``, each listed once. Where files overlap, later ones win.
    ///   - options: How to ingest them.
    /// - Throws: ``RocksError/Code/invalidArgument`` if a file has a different order, holds merge operands while the column family has no merge
    ///   operator, or violates `options`; ``RocksError/Code/corruption`` if a file is damaged or was not written by ``SSTFileWriter``;
    ///   ``RocksError/Code/notFound``, ``RocksError/Code/noSpace``, ``RocksError/Code/ioError``, ``RocksError/Code/readOnly``;
    ///   ``RocksError/Code/notSupported`` on a database that is not in the default environment, and for files with range deletions if there is a
    ///   ``DatabaseOptions/rowCache``. If it throws, the files are unchanged.
    /// - Complexity: Copies or links the files. Writers wait briefly. Blocks the calling thread.
    public func ingest(_ paths: [String], options: IngestOptions = IngestOptions()) throws(RocksError) {
        try columnFamily.handle.database.ingest([(columnFamily, paths)], options: options)
    }

    /// Same as ``ingest(_:options:)``, on a separate thread. It cannot be cancelled.
    public func ingestInBackground(_ paths: [String], options: IngestOptions = IngestOptions()) async throws(RocksError) {
        let family = columnFamily
        try await offPool { () throws(RocksError) in try family.ingest(paths, options: options) }.get()
    }
}

extension RocksDB {
    /// Ingests sorted files into several column families of this database, all or none; otherwise same as ``RocksStore/ingest(_:options:)``.
    ///
    /// - Throws: Also ``RocksError/Code/invalidArgument`` if a column family is listed twice or belongs to another database.
    public func ingest(
        _ files: [(columnFamily: ColumnFamily, paths: [String])],
        options: IngestOptions = IngestOptions()
    ) throws(RocksError) {
        try handle.ingest(files, options: options)
    }
}

extension DatabaseHandle {
    fileprivate func ingest(
        _ files: [(columnFamily: ColumnFamily, paths: [String])],
        options: IngestOptions
    ) throws(RocksError) {
        let paths = files.flatMap(\.paths)
        for path in paths { try checkForZeroByte(in: path, "path") }
        var shimOptions = options.shimOptions
        let status = unsafe withCStrings(paths) { lent in
            unsafe lent.withUnsafeBufferPointer { lent in
                var start = 0
                let groups: [crk_ingest_group] = unsafe files.map { family, paths in
                    defer { start += paths.count }
                    return unsafe crk_ingest_group(
                        family: family.handle.pointer,
                        count: paths.count,
                        paths: lent.baseAddress.map { unsafe $0 + start }
                    )
                }
                return unsafe crk_ingest(pointer, &shimOptions, groups.count, groups)
            }
        }
        extendLifetime(files.map(\.columnFamily))
        try status.checkPath("ingesting \(paths.count == 1 ? "'\(paths[0])'" : "\(paths.count) files") into '\(path)'")
    }
}
