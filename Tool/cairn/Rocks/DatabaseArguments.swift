import ArgumentParser
import CairnCore
import CairnForms
import CairnRocks
import CairnToolKit

/// Which database, for commands that only read.
struct DatabaseArguments: ParsableArguments {
    @Argument(help: "The directory of the database.", completion: .directory)
    var path: String

    @Option(help: "The order of keys, to read a database whose comparator only its program has. A wrong order finds wrong entries.")
    var order: KeyOrder?

    /// Opens it without disturbing a program that has it open.
    func openForReading() throws -> RocksDB {
        try DatabaseOpener(path: path, order: order).open(.readOnly)
    }

    /// Where its write-ahead log is.
    func logDirectory() throws -> String { try DatabaseOpener(path: path).logDirectory() ?? path }
}

/// Which database, for commands that write.
struct WritableDatabaseArguments: ParsableArguments {
    @Argument(help: "The directory of the database.", completion: .directory)
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

    /// Calls `body` with the column family, open for writing; with `create` it and the database are created if missing; `nil`: the
    /// command cannot create them.
    func writing(create: Bool?, _ body: (ColumnFamily) throws -> Void) throws {
        let new = NewDatabase(path: database.path)
        let database = try database.openForWriting(create: create ?? false)
        do {
            try database.refuseObjectStore()
            try body(try database.family(named: columnFamily, create: create))
        } catch {
            new?.remove(database)
            throw error
        }
        try database.close()
    }
}

extension RocksDB {
    /// For commands that write entries: they would damage an object store.
    func refuseObjectStore() throws {
        guard isObjectStore else { return }
        throw Failure(
            .database,
            "'\(path)' is an object store; writing other entries to it would damage it.",
            hint: "Use 'cairn objects' to change it."
        )
    }

    /// The column family with that name, created if missing with `create`; `nil`: the command cannot create it.
    func family(named name: String, create: Bool? = nil) throws -> ColumnFamily {
        if create == true { return try columnFamily(name, createdWith: ColumnFamilyOptions()) }
        guard columnFamilyNames.contains(name) else {
            let remedy = create == nil ? "" : " --create creates it."
            throw Failure(
                .database,
                "'\(path)' has no column family '\(name)'.",
                hint: "It has: \(columnFamilyNames.joined(separator: ", ")).\(remedy)"
            )
        }
        return try columnFamily(name)
    }
}
