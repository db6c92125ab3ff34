#if SQLite
import BenchKit
import Foundation
import GRDB

/// SQLite through the records of GRDB: WAL, `synchronous` NORMAL, foreign keys; on a file that the C program made.
final class GRDBItems: ItemSide {
    let name = "GRDB"
    let isSQLite = true
    private var opened: DatabaseQueue?
    private(set) var arguments: [Argument] = []

    var queue: DatabaseQueue {
        get throws {
            guard let opened else { throw Disagreement("the file is not open") }
            return opened
        }
    }

    func build(_ items: Items, at path: String) throws { try SQLiteItems().build(items, at: path) }

    /// The C program makes the tables of a file that is new.
    func open(_ path: String) throws {
        if !FileManager.default.fileExists(atPath: path) {
            let tables = SQLiteItems()
            try tables.open(path)
            try tables.close()
        }
        var configuration = Configuration()
        configuration.journalMode = .wal  // with which GRDB sets synchronous NORMAL
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA secure_delete = OFF; PRAGMA cache_size = -65536") }
        opened = try DatabaseQueue(path: path, configuration: configuration)
    }

    func close() throws {
        try opened?.close()
        opened = nil
    }

    func prepare(_ row: Row, _ arguments: [Argument]) throws { self.arguments = arguments }
}
#endif
