// What the guide is made of, in its order.

/// What is known of whether an option can change while its store is open.
enum Change {
    /// Each comment says so, and `LiveOptionsTests.commentsTellTheTruth` tries it; objects cannot change (`LiveOptionRules.checkObjects`).
    case comments
    /// As the option that holds these.
    case heldBy(owner: String, property: String)
    /// The store keeps them in a constant of this file.
    case constant(file: String)
    /// They are used up by what is made with them.
    case fixed
    /// They are given with each call, or each time something is made.
    case perCall
    /// They are properties of something that is there.
    case live
    /// The object has methods to change some.
    case setters
}

struct Section {
    let type: String
    let intro: String
    var note = ""
    let change: Change
}

struct Chapter {
    let title: String
    let intro: String
    let sections: [Section]
}

let chapters = [
    Chapter(
        title: "CairnRocks",
        intro: """
            Every option of RocksDB's has a property here, and can be set by its name as well: `options["max_open_files"] = "500"`. `RocksDB.setOptions(_:)` changes options of an open
            database, `setColumnFamilyOptions(_:)` those of a column family and of its tables. Defaults are those of RocksDB 7.8, but for what says otherwise.
            [Tuning RocksDB](../../Sources/CairnRocks/CairnRocks.docc/Tuning.md) says which few matter.
            """,
        sections: [
            Section(type: "DatabaseOptions", intro: "A whole database: `RocksDB(path:options:…)`.", change: .comments),
            Section(
                type: "ColumnFamilyOptions",
                intro:
                    "A column family: `RocksDB(path:columnFamilyOptions:columnFamilies:)`, `createColumnFamily(_:options:)`, `table(…options:)`.",
                change: .comments
            ),
            Section(type: "TableOptions", intro: "Its files: `ColumnFamilyOptions.table`.", change: .comments),
            Section(type: "CompressionOptions", intro: "", change: .heldBy(owner: "ColumnFamilyOptions", property: "compressionOptions")),
            Section(
                type: "UniversalCompactionOptions",
                intro: "",
                change: .heldBy(owner: "ColumnFamilyOptions", property: "universalCompaction")
            ),
            Section(type: "FIFOCompactionOptions", intro: "", change: .heldBy(owner: "ColumnFamilyOptions", property: "fifoCompaction")),
            Section(type: "MetadataCacheOptions", intro: "", change: .heldBy(owner: "TableOptions", property: "metadataCacheOptions")),
            Section(
                type: "PlainTableOptions",
                intro: "`TableFormat.plain(_:)`.",
                change: .heldBy(owner: "ColumnFamilyOptions", property: "tableFormat")
            ),
            Section(type: "ReadOptions", intro: "A read; or the default of a database, or of a view of a column family.", change: .perCall),
            Section(
                type: "WriteOptions",
                intro: "A write; or the default of a database, or of a view of a column family.",
                change: .perCall
            ),
            Section(type: "TransactionDatabaseOptions", intro: "`RocksDB(path:mode: .transactions(…))`.", change: .fixed),
            Section(
                type: "OptimisticTransactionDatabaseOptions",
                intro: "`RocksDB(path:mode: .optimisticTransactions(…))`.",
                change: .fixed
            ),
            Section(type: "TransactionOptions", intro: "A transaction.", change: .perCall),
            Section(type: "CompactOptions", intro: "A compaction on request.", change: .perCall),
            Section(type: "IngestOptions", intro: "Taking in sorted files.", change: .perCall),
            Section(type: "BackupOptions", intro: "`BackupEngine(path:options:)`.", change: .fixed),
            Section(
                type: "DeletionTrigger",
                intro: "`ColumnFamilyOptions.compactsDeletions`.",
                change: .heldBy(owner: "ColumnFamilyOptions", property: "compactsDeletions")
            ),
            Section(
                type: "BlockCache",
                intro: "`TableOptions.blockCache`, `ColumnFamilyOptions.blobCache`, `DatabaseOptions.rowCache`.",
                change: .setters
            ),
            Section(type: "RateLimiter", intro: "`DatabaseOptions.rateLimiter`.", change: .setters),
            Section(type: "SSTFileManager", intro: "`DatabaseOptions.fileManager`.", change: .setters),
            Section(type: "WriteBufferManager", intro: "`DatabaseOptions.writeBufferManager`.", change: .setters),
        ]
    ),
    Chapter(
        title: "CairnCDB",
        intro: "",
        sections: [
            Section(type: "CDBReader", intro: "`CDBReader(path:access:dialect:)`.", change: .fixed),
            Section(type: "CDBWriter", intro: "`CDBWriter(path:dialect:durability:mode:)`.", change: .fixed),
            Section(
                type: "CDBStoreOptions",
                intro: "`CDBStore(path:…options:)`.",
                change: .constant(file: "CairnCDB/Store/Internal/CDBStoreCore.swift")
            ),
        ]
    ),
    Chapter(
        title: "CairnMapped",
        intro: "",
        sections: [
            Section(
                type: "MappedStoreOptions",
                intro: "`MappedStore(path:options:)`.",
                note: """
                    They are the program's, not the file's: each process that has the store open may have others. What is written itself can change while the store is
                    open: `rekey(to:progress:)`, `compact(progress:)`, `sync()`.
                    """,
                change: .constant(file: "CairnMapped/Store/MappedStore.swift")
            ),
            Section(
                type: "MappedStoreOptions.Compaction",
                intro: "`MappedStoreOptions.compaction`.",
                change: .heldBy(owner: "MappedStoreOptions", property: "compaction")
            ),
        ]
    ),
    Chapter(
        title: "CairnObjects",
        intro: "",
        sections: [
            Section(
                type: "ObjectStoreOptions",
                intro: "`ObjectStore(path:classes:options:)`.",
                change: .constant(file: "CairnGraph/Store/ObjectStore.swift")
            ),
            Section(
                type: "RocksEngineOptions",
                intro: "`ObjectStore(engine: RocksEngine(path:options:), classes:)`: how the store is kept in RocksDB.",
                change: .fixed
            ),
            Section(
                type: "SQLiteEngineOptions",
                intro: "`ObjectStore(engine: SQLiteEngine(path:options:), classes:)`: how the store is kept in a file of SQLite.",
                change: .fixed
            ),
            Section(
                type: "PostgresEngineOptions",
                intro: "`ObjectStore(engine: PostgresEngine(url:store:options:), classes:)`: how the store is reached in a database of PostgreSQL.",
                change: .fixed
            ),
            Section(
                type: "EtcdEngineOptions",
                intro: "`ObjectStore(engine: EtcdEngine(url:options:), classes:)`: how the store is reached in a cluster of etcd.",
                change: .fixed
            ),
            Section(
                type: "EtcdLimits",
                intro: "`EtcdEngineOptions.limits`: what the server allows.",
                change: .fixed
            ),
            Section(
                type: "ObjectContextOptions",
                intro: "`ObjectStore.makeContext(_:)`.",
                change: .constant(file: "CairnGraph/Context/ObjectContext.swift")
            ),
            Section(type: "ObjectUndo", intro: "`ObjectContext.undo`: set these at any time.", change: .live),
        ]
    ),
]

/// Types whose names end in `Options`, but that are not options.
let others: Set<String> = ["NamedOptions", "NestedOptions", "StoredOptions"]
