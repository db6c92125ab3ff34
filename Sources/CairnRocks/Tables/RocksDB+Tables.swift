public import CairnCore

extension RocksDB {
    /// Returns the typed table in the column family `name`, which is created with default options if it does not exist. For a table with options,
    /// such as a merge operator, use a ``TableDefinition``.
    ///
    /// A database that is open for writing records the types for the tool `cairn`; see ``TableDefinition``.
    ///
    /// - Parameters:
    ///   - name: The name of the column family.
    ///   - key: The type of the keys, which sort as they do in Swift; see `KeyCodable`.
    ///   - value: The type of the values.
    ///   - codec: How values become bytes.
    /// - Throws: ``RocksError/Code/columnFamilyNotFound`` on a read-only database that lacks it; otherwise same as
    ///   ``createColumnFamily(_:options:)``.
    public func table<Key: KeyCodable & SendableMetatype, Value>(
        _ name: String,
        key: Key.Type = Key.self,
        value: Value.Type = Value.self,
        codec: ValueCodec<Key, Value>
    ) throws(RocksError) -> Table<Key, Value> {
        try table(name, keys: .ordered, values: codec)
    }

    /// Same as ``table(_:key:value:codec:)``, with keys encoded by a custom codec.
    public func table<Key, Value>(
        _ name: String,
        keys: KeyCodec<Key>,
        values: ValueCodec<Key, Value>
    ) throws(RocksError) -> Table<Key, Value> {
        let family = try mode == .readOnly ? columnFamily(name) : columnFamily(name, createdWith: ColumnFamilyOptions())
        return family.table(keys: keys, values: values)
    }
}

extension RocksStore {
    /// Returns this column family, or a database's default one, as a typed table.
    public func table<Key: KeyCodable & SendableMetatype, Value>(
        key: Key.Type = Key.self,
        value: Value.Type = Value.self,
        codec: ValueCodec<Key, Value>
    ) -> Table<Key, Value> {
        table(keys: .ordered, values: codec)
    }

    /// Same as ``table(key:value:codec:)``, with keys encoded by a custom codec.
    public func table<Key, Value>(keys: KeyCodec<Key>, values: ValueCodec<Key, Value>) -> Table<Key, Value> {
        let family = columnFamily
        family.handle.database.remember(family.name, keys, values)
        return Table(space: family, name: family.name, keys: keys, values: values)
    }
}

extension Snapshot {
    /// Returns `table` as of the snapshot's moment.
    public func `in`<Key, Value>(_ table: Table<Key, Value>) -> TableView<Snapshot, Key, Value> {
        table.moved(to: self.in(table.space))
    }
}

extension WriteBatch {
    /// Returns the same batch, with typed operations directed to `table`.
    public func `in`<Key, Value>(_ table: Table<Key, Value>) -> TableView<WriteBatch, Key, Value> {
        table.moved(to: self.in(table.space))
    }
}
