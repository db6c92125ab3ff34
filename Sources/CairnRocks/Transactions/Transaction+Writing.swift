import CRocks
public import CairnCore

/// Where a database locks, the first write to a key takes a lock on it and waits for others' locks; an optimistic transaction waits for
/// nothing. All verbs throw ``RocksError/Code/timedOut`` and ``RocksError/Code/busy`` as ``getForUpdate(_:lock:validates:options:)``,
/// ``RocksError/Code/closed`` once the transaction is over, ``RocksError/Code/invalidArgument`` once it is prepared, and
/// ``RocksError/Code/notSupported`` for `deleteRange`, which transactions do not have.
extension Transaction: RocksWriter {
    public func write(_ operation: WriteOperation, key: RawSpan, value: RawSpan) throws(RocksError) {
        try write(operation, untracked: false, key: key, value: value)
    }

    fileprivate func write(_ operation: WriteOperation, untracked: Bool, key: RawSpan, value: RawSpan) throws(RocksError) {
        let status = unsafe key.withShimBytes { key in
            unsafe value.withShimBytes { value in
                unsafe crk_transaction_write(
                    handle.pointer,
                    columnFamily.handle.pointer,
                    operation.shimOperation,
                    untracked,
                    key,
                    value
                )
            }
        }
        guard status.isOK else { throw status.error(columnFamily.handle.attempt("writing in a transaction to"), code: nil) }
    }

    /// The same transaction, with writes that do not ask whether others wrote to the key since the snapshot; a database that locks locks the
    /// key all the same. RocksDB's `PutUntracked` and its kin.
    public var untracked: UntrackedWriter { UntrackedWriter(transaction: self) }

    /// A transaction whose writes look for no conflicts; see ``Transaction/untracked``.
    public struct UntrackedWriter: RocksWriter {
        let transaction: Transaction

        public func write(_ operation: WriteOperation, key: RawSpan, value: RawSpan) throws(RocksError) {
            try transaction.write(operation, untracked: true, key: key, value: value)
        }
    }

    /// Adds bytes that go to the write-ahead log only, for those who read it.
    public func putLogData(_ blob: some ByteSource & ~Escapable) throws(RocksError) {
        let status = blob.withBytes { blob in unsafe blob.withShimBytes { unsafe crk_transaction_put_log_data(handle.pointer, $0) } }
        try status.check(handle.attempt("adding log data to"))
    }

    /// Sets whether writes from now on can be read by the transaction itself; those that are only written cost less without. Reading a key
    /// written meanwhile gives its new value or the old one. RocksDB's `DisableIndexing`.
    public func setIndexing(_ isOn: Bool) throws(RocksError) {
        try unsafe crk_transaction_set_indexing(handle.pointer, isOn).check(handle.attempt("setting the indexing of"))
    }
}

extension Transaction {
    /// Marks the present state, for ``rollbackToSavePoint()``. Save points nest.
    public func setSavePoint() throws(RocksError) {
        try unsafe crk_transaction_set_save_point(handle.pointer).check(handle.attempt("setting a save point of"))
    }

    /// Forgets what was written and locked since the last save point, and the save point.
    ///
    /// - Throws: ``RocksError/Code/notFound`` if there is no save point.
    public func rollbackToSavePoint() throws(RocksError) {
        try unsafe crk_transaction_rollback_to_save_point(handle.pointer)
            .check(handle.attempt("going back to the last save point, if there is one, of"))
    }

    /// Forgets the last save point and keeps what was written since.
    ///
    /// - Throws: ``RocksError/Code/notFound`` if there is no save point.
    public func popSavePoint() throws(RocksError) {
        try unsafe crk_transaction_pop_save_point(handle.pointer).check(
            handle.attempt("forgetting the last save point, if there is one, of")
        )
    }

    /// Makes the transaction's snapshot, in place of the one it had: from now on nobody else may write to the keys that it writes to or
    /// locks for the first time afterwards. With ``TransactionOptions/readsSnapshot`` reads see it.
    public func setSnapshot() throws(RocksError) { try setSnapshot(CRK_SNAPSHOT_NOW) }

    /// As ``setSnapshot()``, but before the next write or lock.
    public func setSnapshotOnNextOperation() throws(RocksError) { try setSnapshot(CRK_SNAPSHOT_NEXT) }

    /// Gives up the snapshot, made or to be made.
    public func clearSnapshot() throws(RocksError) { try setSnapshot(CRK_NO_SNAPSHOT) }

    private func setSnapshot(_ time: crk_snapshot_time) throws(RocksError) {
        try unsafe crk_transaction_set_snapshot(handle.pointer, time).check(handle.attempt("setting the snapshot of"))
    }
}
