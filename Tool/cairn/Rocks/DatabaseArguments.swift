import ArgumentParser
import CairnToolKit
import CairnCore
import CairnRocks

/// Which database, for commands that only read.
struct DatabaseArguments: ParsableArguments {
    @Argument(help: "The database's directory.", completion: .directory)
    var path: String

    @Option(help: "The order of keys, for reading where only another program has it; a wrong one finds wrong entries.")
    var order: KeyOrder?

    /// Opens it so that a program that has it open is not disturbed.
    func openForReading() throws -> RocksDB {
        try DatabaseOpener(path: path, order: order).open(.readOnly)
    }

    /// Where its write-ahead log is.
    func logDirectory() throws -> String { try DatabaseOpener(path: path).logDirectory() ?? path }

}

/// Which database, for commands that write.
struct WritableDatabaseArguments: ParsableArguments {
    @Argument(help: "The database's directory.", completion: .directory)
    var path: String

    /// Opens it for writing; it must exist unless `create`. With `keepsLog` the write-ahead log stays as it is.
    func openForWriting(create: Bool, keepsLog: Bool = false, events: DatabaseEvents? = nil) throws -> RocksDB {
        try DatabaseOpener(path: path).open(.readWrite, create: create, keepsLog: keepsLog, events: events)
    }
}

/// Which column family of which database, for commands that only read.
struct StoreArguments: ParsableArguments {
    @OptionGroup var database: DatabaseArguments

    @Option(name: [.customLong("column-family"), .customShort("c")], help: ArgumentHelp("The column family.", valueName: "name"))
    var columnFamily = "default"

    /// Calls `body` with the column family, open for reading.
    func reading(_ body: (ColumnFamily) throws -> Void) throws {
        let database = try database.openForReading()
        let family = try database.family(named: columnFamily)
        try family.reading { try body(family) }
        try database.close()
    }
}

/// Which column family of which database, for commands that write.
struct WritableStoreArguments: ParsableArguments {
    @OptionGroup var database: WritableDatabaseArguments

    @Option(name: [.customLong("column-family"), .customShort("c")], help: ArgumentHelp("The column family.", valueName: "name"))
    var columnFamily = "default"

    /// Calls `body` with the column family, open for writing; with `create` it and the database are made if missing; `nil`: the
    /// command makes none.
    func writing(create: Bool?, _ body: (ColumnFamily) throws -> Void) throws {
        let database = try database.openForWriting(create: create ?? false)
        try database.refuseObjectStore()
        try body(try database.family(named: columnFamily, create: create))
        try database.close()
    }
}

extension RocksDB {
    /// By what docs/formats/object-store.md says of the header, which is not encrypted.
    var isObjectStore: Bool {
        let header: String? = try? get([0, 0] as [UInt8])
        return header?.contains(#""kind":"cairn objects""#) == true
    }

    /// How an object store is encrypted; `nil` where it is not, or the database is none.
    var objectStoreCipher: String? { isObjectStore ? try? get([0, 4] as [UInt8]) : nil }

    /// For commands that write entries: those of others would be damage in an object store.
    func refuseObjectStore() throws {
        guard isObjectStore else { return }
        throw Failure(
            .database,
            "'\(path)' is an object store: entries that are not its own would damage it.",
            hint: "'cairn objects' works with it."
        )
    }

    /// The column family of that name, made with `create`; `nil`: the command makes none.
    func family(named name: String, create: Bool? = nil) throws -> ColumnFamily {
        if create == true { return try columnFamily(name, createdWith: ColumnFamilyOptions()) }
        guard columnFamilyNames.contains(name) else {
            let remedy = create == nil ? "" : " --create makes it."
            throw Failure(
                .database,
                "'\(path)' has no column family '\(name)'.",
                hint: "It has: \(columnFamilyNames.joined(separator: ", ")).\(remedy)"
            )
        }
        return try columnFamily(name)
    }
}
