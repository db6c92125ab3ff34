import CRocks
import CairnCore

extension RocksStore {
    /// Takes sorted files into this column family, all or none, without writing their entries anew.
    ///
    /// - Parameters:
    ///   - paths: Finished files of ``SSTFileWriter``, each named once. Where they overlap, later ones win.
    ///   - options: How.
    /// - Throws: ``RocksError/Code/invalidArgument`` if a file has another order, holds merge operands without a merge operator here, or a rule
    ///   of `options` is broken; ``RocksError/Code/corruption`` if a file is damaged or not one of ``SSTFileWriter``;
    ///   ``RocksError/Code/ioError``; ``RocksError/Code/notSupported`` on a database that is read-only or not in the default environment, and
    ///   for files with deletions of ranges where there is a ``DatabaseOptions/rowCache``. The files stay as they were then.
    /// - Complexity: Copies or links the files. Writers wait a moment. Blocks the calling thread.
    public func ingest(_ paths: [String], options: IngestOptions = IngestOptions()) throws(RocksError) {
        try columnFamily.handle.database.ingest([(columnFamily, paths)], options: options)
    }

    /// As ``ingest(_:options:)``, on a thread of its own. It cannot be cancelled.
    public func ingestInBackground(_ paths: [String], options: IngestOptions = IngestOptions()) async throws(RocksError) {
        let family = columnFamily
        try await offPool { () throws(RocksError) in try family.ingest(paths, options: options) }.get()
    }
}

extension RocksDB {
    /// Takes sorted files into several column families of this database, all or none; else as ``RocksStore/ingest(_:options:)``.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` too, if a column family is named twice or belongs to another database.
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
        try status.check("taking \(paths.count == 1 ? "'\(paths[0])'" : "\(paths.count) files") into '\(path)'")
    }
}
