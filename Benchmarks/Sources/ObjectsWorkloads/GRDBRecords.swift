#if SQLite
import GRDB

/// The records, as GRDB's documentation recommends: Codable structs whose ids the database makes.
struct SongRecord: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "song"

    var id: Int64?
    var title: String
    var seconds: Int

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct PlaylistRecord: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "playlist"
    /// The songs in order.
    static let entries = hasMany(EntryRecord.self).order(Column("position"))

    var id: Int64?
    var title: String

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    /// The songs of this one, in order.
    var songs: QueryInterfaceRequest<Int64> { request(for: Self.entries).select(Column("song"), as: Int64.self) }
}

/// A song's place in a playlist.
struct EntryRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "entry"

    var playlist: Int64
    var position: Int
    var song: Int64
}

/// Makes the same tables as the C program.
func makeTables(_ db: Database) throws {
    try db.create(table: "song", options: .ifNotExists) { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("title", .text).notNull()
        table.column("seconds", .integer).notNull()
    }
    try db.create(table: "playlist", options: .ifNotExists) { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("title", .text).notNull()
    }
    try db.create(table: "entry", options: [.ifNotExists, .withoutRowID]) { table in
        table.primaryKey {
            table.column("playlist", .integer).references("playlist", onDelete: .cascade)
            table.column("position", .integer)
        }
        table.column("song", .integer).notNull().references("song", onDelete: .cascade)
    }
    try db.create(index: "entry_song", on: "entry", columns: ["song"], options: .ifNotExists)
}
#endif
