import CairnCore
import CairnObjectsEncryption
import CairnSQLiteGraph

/// Several processes that save to one file of SQLite, and rebuild its indexes. Each has objects of its own, and some that it shares with the others.
final class SQLiteObjects: CrashSubjectShape {
    static let name = "objects-sqlite"
    static var writers: CrashWriters { .processes }
    static let roundCost = 4
    static let workload: CrashWorkload = {
        var workload = ObjectSubject.workload
        workload.maximumChanges = 12
        workload.visitsOneIn = 2
        workload.operationsInRound = 100
        return workload
    }()
    let right: ObjectSubject

    init(directory: String, cipher: (any ObjectCipher)?) throws {
        var options = ObjectStoreOptions()
        options.cipher = cipher
        let classes = ObjectSubject.classes + CrashHouse.classes
        right = try ObjectSubject(ObjectStore(sqlite: directory + "/store.sqlite", classes: classes, options: options))
    }

    convenience init(directory: String) throws { try self.init(directory: directory, cipher: nil) }

    func contents() throws -> CrashContents {
        var contents = try right.contents()
        let visits = try right.store.read { try CrashHouse.visits(in: $0) }
        contents["visits"] = Dictionary(
            uniqueKeysWithValues: visits.map { (CrashWorkload.prefix(writer: $0), CrashModel.sum(nil, UInt64($1))) }
        )
        return contents
    }
}

/// The same, encrypted.
final class SealedSQLiteObjects: CrashSubjectShape {
    static let name = "objects-sqlite-sealed"
    static var writers: CrashWriters { .processes }
    static let roundCost = 4
    let right: SQLiteObjects

    init(directory: String) throws {
        guard let cost = ScryptCost(stored: 4) else { preconditionFailure("no cost of 2^4 rounds") }
        right = try SQLiteObjects(directory: directory, cipher: ObjectEncryption(passphrase: "house", cost: cost))
    }
}
