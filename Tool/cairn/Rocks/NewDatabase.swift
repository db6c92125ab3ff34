import CairnCore
import CairnRocks

/// The path of a database that a command creates, and removes again if it fails before anything is stored.
struct NewDatabase {
    private let path: String
    private let hasDirectory: Bool

    /// `nil` if there is a database.
    init?(path: String) {
        func exists(_ path: String) -> Bool { (try? FileSystem.system.stat(path)) != nil }
        guard !exists(FileSystem.join(path, "CURRENT")) else { return nil }
        self.path = path
        hasDirectory = exists(path)
    }

    /// Removes the database, and its directory unless that was there before.
    func remove(_ database: RocksDB) {
        try? database.close()
        remove()
    }

    /// Removes a database that is closed. What cannot be removed stays: the command has failed for another reason.
    func remove() {
        try? RocksDB.destroy(path: path)
        if hasDirectory { try? FileSystem.system.mkdir(path) }
    }
}
