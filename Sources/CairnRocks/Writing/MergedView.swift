import CRocks
public import CairnCore

/// A view of a database or snapshot as if an ``IndexedWriteBatch`` had been written to it.
///
/// Has all methods of ``RocksReader``, and always shows the batch in its current state. Like the batch, it belongs to one thread at a time.
public struct MergedView: RocksReader {
    let batch: IndexedWriteBatch
    let columnFamily: ColumnFamily
    let readHandle: ReadOptionsHandle
    let snapshot: SnapshotHandle?

    /// Returns the same view of another column family.
    public func `in`(_ columnFamily: ColumnFamily) -> MergedView {
        MergedView(
            batch: batch,
            columnFamily: columnFamily,
            readHandle: snapshot == nil ? columnFamily.readHandle : readHandle,
            snapshot: snapshot
        )
    }

    /// Returns the same view of a typed table.
    public func `in`<Key, Value>(_ table: Table<Key, Value>) -> TableView<MergedView, Key, Value> {
        table.moved(to: self.in(table.space))
    }

    public func lendValue(for key: RawSpan, options: ReadOptions?, to body: (RawSpan) -> Void) throws(RocksError) -> Bool {
        let options = prepared(options)
        defer { extendLifetime(options) }
        let family = columnFamily.handle
        return try unsafe lendOne(key, attempt: family.attempt("reading through an indexed batch from"), to: body) { key, value, bytes in
            unsafe crk_indexed_batch_get(batch.handle.pointer, family.pointer, options.pointer, key, value, &bytes)
        }
    }

    public func lendValues(for keys: KeyList, options: ReadOptions?, to body: (Int, RawSpan?) -> Void) throws(RocksError) {
        let family = columnFamily.handle
        let options = prepared(options)
        defer { extendLifetime(options) }
        unsafe try lendMany(keys, attempt: family.attempt("reading \(keys.count) keys through an indexed batch from"), to: body) {
            keys,
            found,
            values in
            unsafe crk_indexed_batch_multi_get(
                batch.handle.pointer,
                family.pointer,
                options.pointer,
                keys.count,
                keys.baseAddress,
                keys.isSorted,
                found,
                &values
            )
        }
    }

    /// Makes a cursor over the database with the batch on top. It sees everything that is added to the batch while the cursor is in use,
    /// but only what was written to the database before the cursor was created. Does not work with ``ReadOptions/tailing`` or
    /// ``ReadOptions/prefixSameAsStart``.
    ///
    /// - Throws: ``RocksError/Code/notSupported`` for a batch that does not overwrite.
    public func makeCursor(_ range: ScanRange, options: ReadOptions?) throws(RocksError) -> Cursor {
        let options = prepared(options)
        return try unsafe Cursor(family: columnFamily.handle, options: options, range: range) { range, cursor in
            unsafe crk_indexed_batch_cursor(batch.handle.pointer, columnFamily.handle.pointer, options.pointer, range, &cursor)
        }
    }

    public func keyMayExist(_ key: some ByteSource & ~Escapable, options: ReadOptions?) throws(RocksError) -> Bool {
        let options = prepared(options)
        defer { extendLifetime(options) }
        let family = columnFamily.handle
        return try unsafe askForKey(key, attempt: family.attempt("looking for a key through an indexed batch in")) { key, mayExist in
            unsafe crk_indexed_batch_key_may_exist(batch.handle.pointer, family.pointer, options.pointer, key, &mayExist)
        }
    }

    private func prepared(_ options: ReadOptions?) -> ReadOptionsHandle {
        guard let options else { return readHandle }
        return ReadOptionsHandle(options, snapshot: snapshot)
    }
}

extension IndexedWriteBatch {
    /// Returns a view of `store`, a database or column family of the batch's database, as if the batch had been written.
    public func over(_ store: some RocksStore) -> MergedView {
        let family = store.columnFamily
        return MergedView(batch: self, columnFamily: family, readHandle: family.readHandle, snapshot: nil)
    }

    /// Returns a view of `snapshot` as if the batch had been written at that moment.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` for a snapshot of another database.
    public func over(_ snapshot: Snapshot) throws(RocksError) -> MergedView {
        guard snapshot.handle.database === handle.database else {
            throw RocksError(
                .invalidArgument,
                "combining a batch of '\(handle.database.path)' with a snapshot of another database, '\(snapshot.handle.database.path)'"
            )
        }
        return MergedView(
            batch: self,
            columnFamily: snapshot.columnFamily,
            readHandle: snapshot.readHandle,
            snapshot: snapshot.handle
        )
    }

    /// Returns a view of the typed table as if the batch had been written.
    public func over<Key, Value>(_ table: Table<Key, Value>) -> TableView<MergedView, Key, Value> {
        table.moved(to: over(table.space))
    }
}
