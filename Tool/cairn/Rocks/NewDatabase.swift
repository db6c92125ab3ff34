import CairnCore
import CairnRocks

/// The path of a database that a command creates, and removes again if it fails before anything is stored.
struct NewDatabase {
    private let path: String
    private let hasDirectory: Bool

    /// `nil` if there is a database, or files with names like those of RocksDB's, which begin with a digit or a capital letter: they would be removed too.
    init?(path: String) {
        let names = try? FileSystem.system.list(path)
        guard names?.contains(where: { $0.prefix(1).contains { $0.isNumber || $0.isUppercase } }) != true else { return nil }
        self.path = path
        hasDirectory = names != nil
    }

    /// Removes the database, and its directory unless that was there before. One in which anything was stored stays: another process may have created
    /// it before this one opened it.
    func remove(_ database: RocksDB) {
        let isEmpty = (try? database.latestSequenceNumber()) == 0
        try? database.close()
        if isEmpty { remove() }
    }

    /// Removes a database that is closed. What cannot be removed stays: the command has failed for another reason.
    func remove() {
        try? RocksDB.destroy(path: path)
        if hasDirectory { try? FileSystem.system.mkdir(path) }
    }
}
