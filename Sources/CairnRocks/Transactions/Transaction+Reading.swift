import CRocks
public import CairnCore

extension Transaction: RocksReader {
    public func lendValue(for key: RawSpan, options: ReadOptions?, to body: (RawSpan) -> Void) throws(RocksError) -> Bool {
        try lend(key, lock: CRK_NO_LOCK, validates: false, options: options, to: body)
    }

    public func lendValues(for keys: KeyList, options: ReadOptions?, to body: (Int, RawSpan?) -> Void) throws(RocksError) {
        let family = columnFamily.handle
        let options = columnFamily.prepared(options)
        defer { extendLifetime(options) }
        unsafe try lendMany(keys, attempt: family.attempt("reading \(keys.count) keys in a transaction from"), to: body) {
            keys,
            found,
            values in
            unsafe crk_transaction_multi_get(
                handle.pointer,
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

    /// Makes a cursor over the database with the transaction's writes on top.
    ///
    /// It sees everything that the transaction writes while the cursor is in use, but only what others committed before the cursor was
    /// created. Moving it after the transaction is over throws ``RocksError/Code/closed``. Does not work with ``ReadOptions/tailing`` or
    /// ``ReadOptions/prefixSameAsStart``.
    public func makeCursor(_ range: ScanRange, options: ReadOptions?) throws(RocksError) -> Cursor {
        let options = columnFamily.prepared(options)
        return try unsafe Cursor(family: columnFamily.handle, options: options, range: range) { range, cursor in
            unsafe crk_transaction_cursor(handle.pointer, columnFamily.handle.pointer, options.pointer, range, &cursor)
        }
    }

    public func keyMayExist(_ key: some ByteSource & ~Escapable, options: ReadOptions?) throws(RocksError) -> Bool {
        let options = columnFamily.prepared(options)
        defer { extendLifetime(options) }
        let family = columnFamily.handle
        return try unsafe askForKey(key, attempt: family.attempt("looking for a key in a transaction in")) { key, mayExist in
            unsafe crk_transaction_key_may_exist(handle.pointer, family.pointer, options.pointer, key, &mayExist)
        }
    }

    func lend(
        _ key: RawSpan,
        lock: crk_lock,
        validates: Bool,
        options: ReadOptions?,
        to body: (RawSpan) -> Void
    ) throws(RocksError) -> Bool {
        let family = columnFamily.handle
        let options = columnFamily.prepared(options)
        defer { extendLifetime(options) }
        return try unsafe lendOne(key, attempt: family.attempt("reading in a transaction from"), to: body) { key, value, bytes in
            unsafe crk_transaction_get(handle.pointer, family.pointer, options.pointer, key, lock, validates, value, &bytes)
        }
    }
}

extension Transaction {
    /// Which other transactions may lock the same key.
    public enum Lock: Sendable {
        /// None. The default.
        case exclusive
        /// Those that also request a shared lock. The lock becomes exclusive before writing. Not available with
        /// ``TransactionDatabaseOptions/maximumLocks``.
        case shared

        var shimLock: crk_lock { self == .exclusive ? CRK_EXCLUSIVE_LOCK : CRK_SHARED_LOCK }
    }

    /// Returns the value for `key`, or `nil` if the key is missing, and protects the key until the transaction ends: nobody else can write
    /// to it or, with optimistic transactions, the commit throws if anyone has.
    ///
    /// With locking transactions, this takes a lock on the key, whether or not it exists; with optimistic ones, the commit checks the key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - lock: Which other transactions may lock the key too. Optimistic transactions lock nothing.
    ///   - validates: Whether to also check that nobody has written to the key since the transaction's snapshot. Required for a shared lock.
    ///   - options: How to read.
    /// - Throws: ``RocksError/Code/timedOut`` with ``RocksError/Subcode/lockTimeout``; ``RocksError/Code/busy`` if another writer has changed the key
    ///   since the snapshot, on a deadlock, or if too many locks are held; ``RocksError/Code/tryAgain`` if conflicts can no longer be detected.
    public func getForUpdate(
        _ key: some ByteSource & ~Escapable,
        lock: Lock = .exclusive,
        validates: Bool = true,
        options: ReadOptions? = nil
    ) throws(RocksError) -> [UInt8]? {
        var value: [UInt8]?
        _ = try key.withBytes { (key) throws(RocksError) in
            try lend(key, lock: lock.shimLock, validates: validates, options: options) { value = [UInt8](copying: $0) }
        }
        return value
    }

    /// Same as ``getForUpdate(_:lock:validates:options:)``, with the value as a `String`, `Data` or other `ByteResult`.
    ///
    /// - Throws: Also ``RocksError/Code/codec``, if the value cannot be converted.
    public func getForUpdate<Value: ByteResult>(
        _ key: some ByteSource & ~Escapable,
        as type: Value.Type = Value.self,
        lock: Lock = .exclusive,
        validates: Bool = true,
        options: ReadOptions? = nil
    ) throws(RocksError) -> Value? {
        var value: Result<Value, CodecError>?
        _ = try key.withBytes { (key) throws(RocksError) in
            try lend(key, lock: lock.shimLock, validates: validates, options: options) { bytes in
                value = Result { () throws(CodecError) in try Value(copying: bytes) }
            }
        }
        do { return try value?.get() } catch { throw RocksError.codec("reading a value as \(type)", error) }
    }

    /// Locks `key` without reading it; otherwise same as ``getForUpdate(_:lock:validates:options:)``.
    public func lock(_ key: some ByteSource & ~Escapable, _ lock: Lock = .exclusive, validates: Bool = true) throws(RocksError) {
        let family = columnFamily
        let status = key.withBytes { key in
            unsafe key.withShimBytes { key in
                unsafe crk_transaction_lock(
                    handle.pointer,
                    family.handle.pointer,
                    family.readHandle.pointer,
                    key,
                    lock.shimLock,
                    validates
                )
            }
        }
        try status.check(family.handle.attempt("locking a key of"))
    }

    /// Undoes one ``getForUpdate(_:lock:validates:options:)`` or ``lock(_:_:validates:)`` of `key`. Once all of them are undone, others may write to
    /// the key. Has no effect if the transaction has since written to the key or set a save point. RocksDB's `UndoGetForUpdate`.
    public func unlock(_ key: some ByteSource & ~Escapable) throws(RocksError) {
        let status = key.withBytes { key in
            unsafe key.withShimBytes { unsafe crk_transaction_unlock(handle.pointer, columnFamily.handle.pointer, $0) }
        }
        try status.check(columnFamily.handle.attempt("unlocking a key of"))
    }
}
