public import CairnCore

extension RocksWriter {
    /// Throws ``RocksError/Code/notSupported``: this kind of writer cannot write entities.
    public func write(_ entity: Entity, key: RawSpan) throws(RocksError) {
        throw RocksError(.notSupported, "entities cannot be written through this kind of writer")
    }

    /// Stores the columns of `entity` for `key`, replacing any existing value; RocksDB's `PutEntity`.
    ///
    /// - Throws: Same as ``RocksWriter/put(_:for:)``; ``RocksError/Code/notSupported`` if the column family keeps its history, or if it has a merge
    ///   operator and RocksDB is older than 8.0: a merge onto an entity would make the database permanently unusable. For the same reason, never give
    ///   a merge operator to a column family that holds entities. Also `notSupported` if the database was opened for transactions with locks, because
    ///   RocksDB takes no locks for entities.
    public func putEntity(_ entity: Entity, for key: some ByteSource & ~Escapable) throws(RocksError) {
        try key.withBytes { (key) throws(RocksError) in try write(entity, key: key) }
    }
}

extension RocksStore {
    /// Same as ``RocksWriter/write(_:key:)``.
    public func write(_ entity: Entity, key: RawSpan) throws(RocksError) {
        try columnFamily.handle.write(entity, key: key, options: columnFamily.writeOptions)
    }

    /// Same as ``RocksWriter/putEntity(_:for:)``, with options for this call.
    public func putEntity(_ entity: Entity, for key: some ByteSource & ~Escapable, options: WriteOptions) throws(RocksError) {
        try key.withBytes { (key) throws(RocksError) in try columnFamily.handle.write(entity, key: key, options: options) }
    }
}

extension WriteBatch {
    /// Same as ``RocksWriter/write(_:key:)``, but writing the batch throws any error.
    public func write(_ entity: Entity, key: RawSpan) {
        let family = columnFamily?.handle
        defer { extendLifetime(family) }
        unsafe storage.add(entity, family: family?.pointer, key: key) { family?.attempt("adding to a batch for") ?? "adding to a batch" }
    }

    /// Same as ``RocksWriter/putEntity(_:for:)``. The batch must know its column family (``RocksStore/makeBatch(reserved:)``, `in(_:)`).
    public func putEntity(_ entity: Entity, for key: some ByteSource & ~Escapable) {
        key.withBytes { write(entity, key: $0) }
    }
}
