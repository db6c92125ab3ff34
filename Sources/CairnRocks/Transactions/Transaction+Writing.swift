import CRocks
public import CairnCore

/// With locking transactions, the first write to a key takes a lock on it and waits for others' locks; optimistic transactions never wait. All
/// methods throw ``RocksError/Code/timedOut`` and ``RocksError/Code/busy`` like ``getForUpdate(_:lock:validates:options:)``,
/// ``RocksError/Code/closed`` once the transaction is over, ``RocksError/Code/invalidArgument`` once it is prepared, and
/// ``RocksError/Code/notSupported`` for `deleteRange`, which transactions do not support.
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

    /// The same transaction, with writes that do not check whether others have written to the key since the snapshot. Locking transactions still lock
    /// the key. RocksDB's `PutUntracked` and related methods.
    public var untracked: UntrackedWriter { UntrackedWriter(transaction: self) }

    /// A transaction whose writes do not check for conflicts; see ``Transaction/untracked``.
    public struct UntrackedWriter: RocksWriter {
        let transaction: Transaction

        public func write(_ operation: WriteOperation, key: RawSpan, value: RawSpan) throws(RocksError) {
            try transaction.write(operation, untracked: true, key: key, value: value)
        }
    }

    /// Adds bytes that go only to the write-ahead log, for code that reads the log.
    public func putLogData(_ blob: some ByteSource & ~Escapable) throws(RocksError) {
        let status = blob.withBytes { blob in unsafe blob.withShimBytes { unsafe crk_transaction_put_log_data(handle.pointer, $0) } }
        try status.check(handle.attempt("adding log data to"))
    }

    /// Sets whether the transaction itself can read its writes from now on; without that, writes cost less. Reading a key written without indexing
    /// returns either its new value or the old one. RocksDB's `DisableIndexing`.
    public func setIndexing(_ isOn: Bool) throws(RocksError) {
        try unsafe crk_transaction_set_indexing(handle.pointer, isOn).check(handle.attempt("setting the indexing of"))
    }
}

extension Transaction {
    /// Marks the current state, for ``rollbackToSavePoint()``. Save points nest.
    public func setSavePoint() throws(RocksError) {
        try unsafe crk_transaction_set_save_point(handle.pointer).check(handle.attempt("setting a save point of"))
    }

    /// Discards what was written and locked since the last save point, and removes the save point.
    ///
    /// - Throws: ``RocksError/Code/notFound`` if there is no save point.
    public func rollbackToSavePoint() throws(RocksError) {
        try unsafe checkSavePoint(crk_transaction_rollback_to_save_point(handle.pointer), "rolling back to")
    }

    /// Removes the last save point and keeps what was written since.
    ///
    /// - Throws: ``RocksError/Code/notFound`` if there is no save point.
    public func popSavePoint() throws(RocksError) {
        try unsafe checkSavePoint(crk_transaction_pop_save_point(handle.pointer), "removing")
    }

    private func checkSavePoint(_ status: crk_status, _ verb: String) throws(RocksError) {
        let isMissing = status.code == UInt8(CRK_NOT_FOUND.rawValue)
        try status.check(handle.attempt("\(verb) the last save point of") + (isMissing ? ": there is no save point" : ""))
    }

    /// Makes the transaction's snapshot now, replacing any earlier one. If others write to a key from now on, before the transaction first
    /// writes to it or locks it, that write or lock throws (with optimistic transactions, the commit does). With
    /// ``TransactionOptions/readsSnapshot``, reads see the snapshot.
    public func setSnapshot() throws(RocksError) { try setSnapshot(CRK_SNAPSHOT_NOW) }

    /// Same as ``setSnapshot()``, but takes effect before the next write or lock.
    public func setSnapshotOnNextOperation() throws(RocksError) { try setSnapshot(CRK_SNAPSHOT_NEXT) }

    /// Releases the snapshot, or cancels a pending one.
    public func clearSnapshot() throws(RocksError) { try setSnapshot(CRK_NO_SNAPSHOT) }

    private func setSnapshot(_ time: crk_snapshot_time) throws(RocksError) {
        try unsafe crk_transaction_set_snapshot(handle.pointer, time).check(handle.attempt("setting the snapshot of"))
    }
}
