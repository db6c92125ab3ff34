public import CairnCore

extension RocksReader {
    /// Throws ``RocksError/Code/notSupported``: this kind of reader cannot read entities.
    public func lendEntity(for key: RawSpan, options: ReadOptions?, to body: (borrowing Columns) -> Void) throws(RocksError) -> Bool {
        throw RocksError(.notSupported, "entities cannot be read through this kind of reader")
    }

    /// Returns the columns of `key`, or `nil` if the key is missing. A plain value reads as one unnamed column.
    ///
    /// RocksDB's `GetEntity`. Works on a database, a column family or a snapshot.
    ///
    /// - Throws: Same as ``get(_:options:)``; ``RocksError/Code/notSupported`` if the column family keeps its history, or if operands were merged
    ///   onto an entity (RocksDB before 8.0).
    public func entity(for key: some ByteSource & ~Escapable, options: ReadOptions? = nil) throws(RocksError) -> Entity? {
        var entity: Entity?
        _ = try key.withBytes { (key) throws(RocksError) in
            try lendEntity(for: key, options: options) { entity = Entity(copying: $0) }
        }
        return entity
    }

    /// Lends the columns of `key` to `body` without copying them and returns what `body` returns, or `nil` if the key is missing.
    ///
    /// The columns are valid until `body` returns and cannot escape it. The database cannot be closed until then.
    ///
    /// - Throws: Same as ``entity(for:options:)``, or what `body` throws.
    public func withEntity<Value>(
        for key: some ByteSource & ~Escapable,
        options: ReadOptions? = nil,
        _ body: (borrowing Columns) throws -> Value
    ) throws -> Value? {
        var outcome: Result<Value, any Error>?
        _ = try key.withBytes { (key) throws(RocksError) in
            try lendEntity(for: key, options: options) { columns in
                do { outcome = .success(try body(columns)) } catch { outcome = .failure(error) }
            }
        }
        return try outcome?.get()
    }
}

extension RocksStore {
    /// Same as ``RocksReader/lendEntity(for:options:to:)-(RawSpan,_,_)``.
    public func lendEntity(for key: RawSpan, options: ReadOptions?, to body: (borrowing Columns) -> Void) throws(RocksError) -> Bool {
        let family = columnFamily
        return try family.handle.lendEntity(for: key, options: family.prepared(options), to: body)
    }
}
