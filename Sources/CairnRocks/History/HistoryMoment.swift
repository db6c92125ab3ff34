import CRocks
public import CairnCore

/// A column family with history, at one time: reads see the newest versions up to that time, and writes are made at that time.
///
/// ```swift
/// try prices.at(2023).put("9.99", for: "apple")
/// try prices.at(2024).put("8.49", for: "apple")
/// try prices.at(2023).get("apple")        // 9.99
/// ```
///
/// The methods are those of ``RocksReader`` and ``RocksWriter``; only puts and deletes can be written. You choose what a time means (seconds, a
/// version). Time moves forward: a write throws ``RocksError/Code/invalidArgument`` if the column family was already written to at a later time,
/// because RocksDB aborts the process if versions are written out of order. Writes at the same time replace each other. For the same reason nothing
/// can be written at `UInt64.max`, the time of ``RocksStore/latest``: that throws ``RocksError/Code/invalidArgument``, too.
///
/// Safe to use from any thread; writes that advance the time take turns. Reading costs as much as without history.
public struct HistoryMoment: Sendable {
    let columnFamily: ColumnFamily
    /// The time.
    public let time: UInt64
    let readHandle: ReadOptionsHandle
    let snapshot: SnapshotHandle?

    init(_ columnFamily: ColumnFamily, time: UInt64, snapshot: SnapshotHandle?) {
        self.columnFamily = columnFamily
        self.time = time
        self.snapshot = snapshot
        readHandle = ReadOptionsHandle(columnFamily.readOptions, snapshot: snapshot, time: time)
    }

    private func prepared(_ options: ReadOptions?) throws(RocksError) -> ReadOptionsHandle {
        guard let options else { return readHandle }
        guard !options.tailing else {
            throw RocksError(.invalidArgument, "a tailing cursor follows later writes, which a time in the past does not show")
        }
        return ReadOptionsHandle(options, snapshot: snapshot, time: time)
    }

    /// Returns the column family, or throws if it belongs to a different database than the snapshot.
    private func family() throws(RocksError) -> ColumnFamilyHandle {
        let family = columnFamily.handle
        guard snapshot == nil || snapshot?.database === family.database else {
            throw RocksError(.invalidArgument, family.attempt("reading from") + ": the snapshot belongs to another database")
        }
        return family
    }
}

extension HistoryMoment: RocksReader {
    public func lendValue(for key: RawSpan, options: ReadOptions?, to body: (RawSpan) -> Void) throws(RocksError) -> Bool {
        try family().lendValue(for: key, options: prepared(options), to: body)
    }

    public func lendValues(for keys: KeyList, options: ReadOptions?, to body: (Int, RawSpan?) -> Void) throws(RocksError) {
        try family().lendValues(for: keys, options: prepared(options), to: body)
    }

    public func makeCursor(_ range: ScanRange, options: ReadOptions?) throws(RocksError) -> Cursor {
        try Cursor(family: family(), options: prepared(options), range: range)
    }

    public func keyMayExist(_ key: some ByteSource & ~Escapable, options: ReadOptions?) throws(RocksError) -> Bool {
        try key.withBytes { (key) throws(RocksError) in try family().keyMayExist(key, options: prepared(options)) }
    }

    /// One version of a key.
    public struct Version: Sendable, Hashable {
        /// The time it was written; zero if a compaction has processed it since that time was forgotten.
        public let time: UInt64
        /// The value; `nil` if the key was deleted.
        public let value: [UInt8]?
    }

    /// Returns the versions of `key` up to this time, newest first. Of writes at the same time, only the last is included.
    ///
    /// - Throws: Same as ``RocksReader/get(_:options:)``.
    /// - Complexity: O(versions); each is copied.
    public func versions(of key: some ByteSource & ~Escapable) throws(RocksError) -> [Version] {
        let family = try family()
        let (status, versions) = key.withBytes { key in
            unsafe key.withShimBytes { key in
                unsafe Collector<Version>.collect { context in
                    unsafe crk_history(family.pointer, readHandle.pointer, key, context) { context, time, deleted, value in
                        let value = unsafe deleted ? nil : [UInt8](copying: value.span)
                        unsafe Collector<Version>.add(Version(time: time, value: value), to: context)
                    }
                }
            }
        }
        try status.check(family.attempt("reading the history of a key in"))
        return versions
    }
}

extension HistoryMoment: RocksWriter {
    public func write(_ operation: WriteOperation, key: RawSpan, value: RawSpan) throws(RocksError) {
        guard snapshot == nil else { throw RocksError(.notSupported, "a snapshot cannot be written to") }
        let family = columnFamily.handle
        var shimOptions = columnFamily.shimWriteOptions
        let status = unsafe key.withShimBytes { key in
            unsafe value.withShimBytes { value in
                unsafe crk_write_at(family.pointer, &shimOptions, operation.shimOperation, key, value, time)
            }
        }
        try status.check(family.attempt("writing to"))
    }
}
