import CairnCore
import CairnSQLiteGraph

/// Several processes that save to one file of SQLite, and rebuild its indexes.
final class SQLiteObjects: CrashSubjectShape {
    static let name = "objects-sqlite"
    static var writers: CrashWriters { .processes }
    static let roundCost = 4
    let right: ObjectSubject

    init(directory: String) throws {
        right = try ObjectSubject(ObjectStore(sqlite: directory + "/store.sqlite", classes: ObjectSubject.classes))
    }
}
