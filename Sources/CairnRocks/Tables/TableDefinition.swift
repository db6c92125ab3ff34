public import CairnCore

/// The declaration of a column family: its name and options. ``TableDefinition`` adds the types of keys and values.
public protocol ColumnFamilyDefinition: Sendable {
    /// The name of the column family.
    var name: String { get }
    /// The options to open or create it with.
    var options: ColumnFamilyOptions { get }
}

/// The declaration of a table, used to open the database, to create the table if it is missing, and to access it.
///
/// ```swift
/// let add = MergeOperator(name: "example.add", keys: .ordered, values: .littleEndian) { (_: String, sum: Int?, n: Int) in (sum ?? 0) + n }
/// let plays = TableDefinition("plays", key: String.self, value: Int.self, codec: .littleEndian, options: .init(mergeOperator: add))
///
/// let db = try RocksDB(path: "music.db", tables: [plays])
/// try db.table(plays).merge(1, for: "katrina")
/// ```
///
/// A column family needs its comparator and its merge operator each time the database is opened, so a table with options belongs in `tables:` of
/// ``RocksDB/init(path:tables:options:columnFamilyOptions:columnFamilies:mode:readOptions:writeOptions:)``.
///
/// ## What the tool knows
/// A database that is open for writing records the types of its tables' keys and values in the file `cairn-tables.json` in its directory, so that
/// `cairn rocks get music.db -c plays katrina` can encode the key and print the value as a number. If a column family is declared more than once, the
/// first declaration after opening counts. The tool treats data of custom codecs as bytes. A database with its own ``Environment`` has no such file,
/// since the file would not be encrypted. Checkpoints get a copy of the file. Backups do not: a restored database gets it when the program opens its
/// tables. Failing to write the file is not an error.
public struct TableDefinition<Key, Value>: ColumnFamilyDefinition {
    public let name: String
    /// How keys become bytes.
    public let keys: KeyCodec<Key>
    /// How values become bytes.
    public let values: ValueCodec<Key, Value>
    public let options: ColumnFamilyOptions

    /// Declares a table with keys and values encoded by the given codecs.
    public init(_ name: String, keys: KeyCodec<Key>, values: ValueCodec<Key, Value>, options: ColumnFamilyOptions = ColumnFamilyOptions()) {
        self.name = name
        self.keys = keys
        self.values = values
        self.options = options
    }
}

/// Definitions that know the types of their tables.
private protocol TypedDefinition {
    var types: TableTypes { get }
}

extension TableDefinition: TypedDefinition {
    fileprivate var types: TableTypes { TableTypes(keys, values) }
}

extension TableDefinition where Key: KeyCodable & SendableMetatype {
    /// Declares a table.
    ///
    /// - Parameters:
    ///   - name: The name of the column family.
    ///   - key: The type of the keys, which sort as they do in Swift; see `KeyCodable`.
    ///   - value: The type of the values.
    ///   - codec: How values become bytes.
    ///   - options: The options of the column family.
    public init(
        _ name: String,
        key: Key.Type = Key.self,
        value: Value.Type = Value.self,
        codec: ValueCodec<Key, Value>,
        options: ColumnFamilyOptions = ColumnFamilyOptions()
    ) {
        self.init(name, keys: .ordered, values: codec, options: options)
    }
}

extension RocksDB {
    /// Opens the database at `path`, and creates what is missing: the database itself by default, and always the column families of
    /// `tables`.
    ///
    /// ```swift
    /// let db = try RocksDB(path: "music.db", tables: [songs, plays])
    /// ```
    ///
    /// In modes that cannot write, nothing is created.
    ///
    /// - Parameters:
    ///   - path: The database's directory.
    ///   - tables: The tables that the program uses; others are opened with `columnFamilyOptions`.
    ///   - options: Database-wide options.
    ///   - columnFamilyOptions: Options of `default` and of every column family that neither `tables` nor `columnFamilies` lists.
    ///   - columnFamilies: Options of further column families, by name.
    ///   - mode: How to open it: for writing, or as a view.
    ///   - readOptions: Default options for reads.
    ///   - writeOptions: Default options for writes.
    /// - Throws: ``RocksError/Code/invalidArgument`` if a column family is declared twice; ``RocksError/Code/columnFamilyNotFound`` if one is missing
    ///   and `mode` cannot create it; otherwise same as
    ///   ``init(path:options:columnFamilyOptions:columnFamilies:mode:readOptions:writeOptions:)``.
    public convenience init(
        path: String,
        tables: [any ColumnFamilyDefinition],
        options: DatabaseOptions = DatabaseOptions(createIfMissing: true),
        columnFamilyOptions: ColumnFamilyOptions = ColumnFamilyOptions(),
        columnFamilies: [String: ColumnFamilyOptions] = [:],
        mode: OpenMode = .readWrite,
        readOptions: ReadOptions = ReadOptions(),
        writeOptions: WriteOptions = WriteOptions()
    ) throws(RocksError) {
        var declared = columnFamilies
        for table in tables {
            guard declared.updateValue(table.options, forKey: table.name) == nil else {
                throw RocksError(.invalidArgument, "the column family '\(table.name)' is declared twice; declare it once")
            }
        }
        try self.init(
            path: path,
            options: options,
            columnFamilyOptions: columnFamilyOptions,
            columnFamilies: declared,
            creating: mode.canWrite ? Set(tables.map(\.name)) : [],
            mode: mode,
            readOptions: readOptions,
            writeOptions: writeOptions,
            backup: nil
        )
        let typed = tables.compactMap { table in (table as? any TypedDefinition).map { (name: table.name, types: $0.types) } }
        if !typed.isEmpty { handle.tableTypes?.declare(typed) }
    }

    /// Returns the table that `definition` declares. If the definition has no options, its column family is created if it does not exist. A table
    /// with options must be declared in `tables:` when the database is opened: if it were created here, it could not be used after the database is
    /// reopened.
    ///
    /// - Throws: ``RocksError/Code/columnFamilyNotFound`` if the column family does not exist, and the definition has options or the database
    ///   cannot be written; ``RocksError/Code/invalidArgument`` if it was opened with other options.
    public func table<Key, Value>(_ definition: TableDefinition<Key, Value>) throws(RocksError) -> Table<Key, Value> {
        guard definition.options.difference(from: ColumnFamilyOptions()) != nil else {
            return try table(definition.name, keys: definition.keys, values: definition.values)
        }
        guard let family = openFamily(definition.name) else {
            throw RocksError(
                .columnFamilyNotFound,
                "'\(path)' has no column family '\(definition.name)'; declare the table in `tables:` when opening the database, which needs its "
                    + "options each time"
            )
        }
        return try checked(family, definition.options).table(keys: definition.keys, values: definition.values)
    }
}

extension RocksDB.OpenMode {
    /// Whether column families can be created.
    var canWrite: Bool {
        switch self {
        case .readOnly, .secondary: false
        case .readWrite, .transactions, .optimisticTransactions, .trimmingHistory: true
        }
    }
}
