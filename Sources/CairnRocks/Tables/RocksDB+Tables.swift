public import CairnCore

extension RocksDB {
    /// The typed table in the column family `name`, which is made if it does not exist.
    ///
    /// - Parameters:
    ///   - name: The column family.
    ///   - key: The type of the keys; they sort as they do in Swift, see `KeyCodable`.
    ///   - value: The type of the values.
    ///   - codec: How values become bytes.
    ///   - options: Options of the column family, when it is made. A table with a merge operator or comparator must be named in
    ///     `columnFamilies:` when the database is opened again.
    /// - Throws: ``RocksError/Code/invalidArgument`` if the column family was opened with other options than those given, unless none are;
    ///   ``RocksError/Code/columnFamilyNotFound`` on a read-only database that lacks it.
    public func table<Key: KeyCodable & SendableMetatype, Value>(
        _ name: String,
        key: Key.Type = Key.self,
        value: Value.Type = Value.self,
        codec: ValueCodec<Key, Value>,
        options: ColumnFamilyOptions = ColumnFamilyOptions()
    ) throws(RocksError) -> Table<Key, Value> {
        try table(name, keys: .ordered, values: codec, options: options)
    }

    /// As ``table(_:key:value:codec:options:)``, with keys encoded by a codec of their own.
    public func table<Key, Value>(
        _ name: String,
        keys: KeyCodec<Key>,
        values: ValueCodec<Key, Value>,
        options: ColumnFamilyOptions = ColumnFamilyOptions()
    ) throws(RocksError) -> Table<Key, Value> {
        let family = mode == .readOnly ? try checked(columnFamily(name), options) : try columnFamily(name, createdWith: options)
        return family.table(keys: keys, values: values)
    }
}

extension RocksStore {
    /// This column family, of a database the default one, as a typed table.
    public func table<Key: KeyCodable & SendableMetatype, Value>(
        key: Key.Type = Key.self,
        value: Value.Type = Value.self,
        codec: ValueCodec<Key, Value>
    ) -> Table<Key, Value> {
        table(keys: .ordered, values: codec)
    }

    /// As ``table(key:value:codec:)``, with keys encoded by a codec of their own.
    public func table<Key, Value>(keys: KeyCodec<Key>, values: ValueCodec<Key, Value>) -> Table<Key, Value> {
        Table(space: columnFamily, name: columnFamily.name, keys: keys, values: values)
    }
}

extension Snapshot {
    /// `table` as it was at the snapshot's moment.
    public func `in`<Key, Value>(_ table: Table<Key, Value>) -> TableView<Snapshot, Key, Value> {
        table.moved(to: self.in(table.space))
    }
}

extension WriteBatch {
    /// The same batch, with typed operations going to `table`.
    public func `in`<Key, Value>(_ table: Table<Key, Value>) -> TableView<WriteBatch, Key, Value> {
        table.moved(to: self.in(table.space))
    }
}
