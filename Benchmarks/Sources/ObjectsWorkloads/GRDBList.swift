#if SQLite
import BenchKit
import GRDB

/// Records of GRDB, on a file that the C program made: positions are numbers, as in the other programs.
final class GRDBList: ListSide {
    let name = "GRDB"
    private var opened: DatabaseQueue?
    private var size = 0

    private func queue() throws -> DatabaseQueue {
        guard let opened else { throw Disagreement("the file is not open") }
        return opened
    }

    func make(_ path: String, _ size: Int) throws {
        self.size = size
        let list = SQLiteList()
        try list.make(path, size)
        try list.close()
        opened = try GRDBSide.open(path)
    }

    func append(_ song: Int) throws {
        try insert(song, at: size)
        size += 1
    }

    func insert(_ song: Int, at position: Int) throws {
        try queue().write { db in
            // A position is unique at every moment, so those that move are negative meanwhile.
            try db.execute(
                sql: "UPDATE entry SET position = -position - 1 WHERE playlist = 1 AND position >= ?",
                arguments: [position]
            )
            try db.execute(sql: "UPDATE entry SET position = -position WHERE playlist = 1 AND position < 0")
            try EntryRecord(playlist: 1, position: position, song: Int64(song + 1)).insert(db)
        }
    }

    func sum() throws -> Sum {
        var sum = Sum()
        let songs = try queue().read { db in
            try Int64.fetchAll(db, sql: "SELECT song FROM entry WHERE playlist = 1 ORDER BY position")
        }
        for (position, song) in songs.enumerated() {
            sum.count += 1
            sum.add(song: song - 1, at: position)
        }
        return sum
    }

    func close() throws {
        try opened?.close()
        opened = nil
    }
}
#endif
