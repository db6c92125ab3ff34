#if SQLite
import BenchKit
import Foundation
import GRDB

private struct AlbumRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "album"
    static let places = hasMany(PlaceRecord.self, using: ForeignKey(["album"]))
    static let tracks = hasMany(TrackRecord.self, through: places, using: PlaceRecord.track)

    var id: Int64
    var title: String
}

private struct LabelRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "label"
    static let tracks = hasMany(TrackRecord.self, using: ForeignKey(["label"]))

    var id: Int64
    var name: String
}

private struct TrackRecord: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "track"

    enum Columns {
        static let id = Column(CodingKeys.id)
        static let label = Column(CodingKeys.label)
    }

    var id: Int64?
    var number: Int
    var label: Int64?

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// A track's place in an album.
private struct PlaceRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "place"
    static let track = belongsTo(TrackRecord.self, using: ForeignKey(["track"]))

    enum Columns {
        static let album = Column(CodingKeys.album)
        static let position = Column(CodingKeys.position)
    }

    var album: Int64
    var position: Int
    var track: Int64
}

private struct FileRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "file"

    var id: Int64
    var name: String
}

private struct ContentsRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "contents"

    var id: Int64
    var bytes: Data
}

/// Records of GRDB, on a file that the C program made.
final class GRDBGrowth: GrowthSide {
    let name = "GRDB"
    private var opened: DatabaseQueue?

    private func queue() throws -> DatabaseQueue {
        guard let opened else { throw Disagreement("the file is not open") }
        return opened
    }

    func build(_ tracks: Int, at path: String) throws { try SQLiteGrowth().build(tracks, at: path) }

    func open(_ path: String) throws {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA secure_delete = OFF; PRAGMA cache_size = -65536") }
        opened = try DatabaseQueue(path: path, configuration: configuration)
    }

    func close() throws {
        try opened?.close()
        opened = nil
    }

    func append(_ number: Int) throws {
        try queue().write { db in
            guard let album = try AlbumRecord.fetchOne(db, key: 1) else { throw Disagreement("the album is missing") }
            var track = TrackRecord(number: number)
            try track.insert(db)
            let last = try album.request(for: AlbumRecord.places).select(max(PlaceRecord.Columns.position), as: Int.self).fetchOne(db)
            try PlaceRecord(album: album.id, position: (last ?? -1) + 1, track: track.id!).insert(db)
        }
    }

    func add(_ number: Int) throws {
        try queue().write { db in
            guard let label = try LabelRecord.fetchOne(db, key: 1) else { throw Disagreement("the label is missing") }
            var track = TrackRecord(number: number, label: label.id)
            try track.insert(db)
        }
    }

    func insert(_ number: Int) throws { try add(number) }

    func tail() throws -> [Int] {
        try queue().read { db in
            guard let album = try AlbumRecord.fetchOne(db, key: 1) else { return [] }
            let places = TableAlias()
            let tracks = TrackRecord.joining(
                required: TrackRecord.hasMany(PlaceRecord.self, using: ForeignKey(["track"])).aliased(places)
                    .filter(PlaceRecord.Columns.album == album.id)
            )
            return try tracks.order(places[PlaceRecord.Columns.position].desc).limit(50).fetchAll(db).map(\.number).reversed()
        }
    }

    func labelled() throws -> [Int] {
        try queue().read { db in
            guard let label = try LabelRecord.fetchOne(db, key: 1) else { return [] }
            return try label.request(for: LabelRecord.tracks).order(TrackRecord.Columns.id).limit(50).fetchAll(db).map(\.number)
        }
    }

    func count() throws -> Int {
        try queue().read { db in try LabelRecord.fetchOne(db, key: 1)?.request(for: LabelRecord.tracks).fetchCount(db) ?? 0 }
    }

    func contains(_ number: Int) throws -> Bool {
        try queue().read { db in
            guard let label = try LabelRecord.fetchOne(db, key: 1) else { return false }
            return try !label.request(for: LabelRecord.tracks).filter(key: number + 1).isEmpty(db)
        }
    }

    func delete(_ stop: () -> Void) throws -> Int {
        _ = try queue().write { db in try LabelRecord.deleteOne(db, key: 1) }
        stop()
        return try queue().read { db in try TrackRecord.filter(TrackRecord.Columns.label == nil).fetchCount(db) }
    }

    func attach(_ name: String, _ contents: [UInt8]) throws {
        try queue().write { db in
            try FileRecord(id: 1, name: name).insert(db)
            try ContentsRecord(id: 1, bytes: Data(contents)).insert(db)
        }
    }

    func rename(_ name: String) throws {
        try queue().write { db in
            guard var file = try FileRecord.fetchOne(db, key: 1) else { throw Disagreement("the file is missing") }
            try file.updateChanges(db) { $0.name = name }
        }
    }
}
#endif
