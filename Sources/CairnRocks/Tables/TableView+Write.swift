public import CairnCore

extension TableView where Space: RocksWriter {
    /// Stores `value` for `key`, replacing any existing value. See ``RocksWriter/put(_:for:)``.
    @inlinable
    public func put(_ value: Value, for key: Key) throws(RocksError) { try write(.put, value, for: key) }

    /// Merges `operand` into the value of `key` with the column family's ``MergeOperator``. See ``RocksWriter/merge(_:for:)``.
    @inlinable
    public func merge(_ operand: Value, for key: Key) throws(RocksError) { try write(.merge, operand, for: key) }

    /// Same as ``merge(_:for:)``, for operands that are not values: their bytes go to the merge operator unchanged.
    @inlinable
    public func merge(bytes operand: some ByteSource & ~Escapable, for key: Key) throws(RocksError) {
        try operand.withBytes { (operand) throws(RocksError) in
            try withKey(key) { (key) throws(RocksError) in try space.write(.merge, key: key, value: operand) }
        }
    }

    /// Removes `key`. Removing a missing key succeeds.
    @inlinable
    public func delete(_ key: Key) throws(RocksError) {
        try withKey(key) { (key) throws(RocksError) in try space.write(.delete, key: key, value: RawSpan()) }
    }

    /// Removes a `key` that was put exactly once since it was last removed. See ``RocksWriter/singleDelete(_:)``.
    @inlinable
    public func singleDelete(_ key: Key) throws(RocksError) {
        try withKey(key) { (key) throws(RocksError) in try space.write(.singleDelete, key: key, value: RawSpan()) }
    }

    /// Removes all keys from `start`, inclusive, to `end`, exclusive, in the order of the encoded keys.
    @inlinable
    public func deleteRange(from start: Key, to end: Key) throws(RocksError) {
        try withKey(start) { (start) throws(RocksError) in
            try withKey(end) { (end) throws(RocksError) in try space.write(.deleteRange, key: start, value: end) }
        }
    }

    @inlinable
    func write(_ operation: WriteOperation, _ value: Value, for key: Key) throws(RocksError) {
        try withKey(key) { (bytes) throws(RocksError) in
            try withValue(value, for: key) { (value) throws(RocksError) in try space.write(operation, key: bytes, value: value) }
        }
    }
}

extension TableView where Space == ColumnFamily {
    /// Returns the same table with other defaults; `nil` keeps the current ones. See ``ColumnFamily/with(readOptions:writeOptions:)``.
    public func with(readOptions: ReadOptions? = nil, writeOptions: WriteOptions? = nil) -> Self {
        moved(to: space.with(readOptions: readOptions, writeOptions: writeOptions))
    }
}

extension TableView where Space: RocksStore {
    /// Same as ``put(_:for:)``, with options for this call.
    @inlinable
    public func put(_ value: Value, for key: Key, options: WriteOptions) throws(RocksError) {
        try write(.put, value, for: key, options: options)
    }

    /// Same as ``merge(_:for:)``, with options for this call.
    @inlinable
    public func merge(_ operand: Value, for key: Key, options: WriteOptions) throws(RocksError) {
        try write(.merge, operand, for: key, options: options)
    }

    /// Same as ``merge(bytes:for:)``, with options for this call.
    @inlinable
    public func merge(bytes operand: some ByteSource & ~Escapable, for key: Key, options: WriteOptions) throws(RocksError) {
        try operand.withBytes { (operand) throws(RocksError) in
            try withKey(key) { (key) throws(RocksError) in try space.write(.merge, key: key, value: operand, options: options) }
        }
    }

    /// Same as ``delete(_:)``, with options for this call.
    @inlinable
    public func delete(_ key: Key, options: WriteOptions) throws(RocksError) {
        try withKey(key) { (key) throws(RocksError) in try space.write(.delete, key: key, value: RawSpan(), options: options) }
    }

    /// Same as ``singleDelete(_:)``, with options for this call.
    @inlinable
    public func singleDelete(_ key: Key, options: WriteOptions) throws(RocksError) {
        try withKey(key) { (key) throws(RocksError) in try space.write(.singleDelete, key: key, value: RawSpan(), options: options) }
    }

    /// Same as ``deleteRange(from:to:)``, with options for this call.
    @inlinable
    public func deleteRange(from start: Key, to end: Key, options: WriteOptions) throws(RocksError) {
        try withKey(start) { (start) throws(RocksError) in
            try withKey(end) { (end) throws(RocksError) in try space.write(.deleteRange, key: start, value: end, options: options) }
        }
    }

    @inlinable
    func write(_ operation: WriteOperation, _ value: Value, for key: Key, options: WriteOptions) throws(RocksError) {
        try withKey(key) { (bytes) throws(RocksError) in
            try withValue(value, for: key) { (value) throws(RocksError) in
                try space.write(operation, key: bytes, value: value, options: options)
            }
        }
    }
}
