import CairnMapped
import CairnRocks
import Foundation

/// What the service keeps, in one directory. Any number of processes share sessions and cached responses; one writes keys, and others follow it.
struct Stores: Sendable {
    let keys: RocksDB
    let sessions: MappedStore
    let responses: MappedStore

    init(directory: String, isWorker: Bool) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let keys = "\(directory)/keys.db"
        if isWorker {
            // A secondary instance needs a directory for its text log.
            self.keys = try RocksDB(path: keys, mode: .secondary(path: NSTemporaryDirectory() + "/KeyValueService-\(getpid())"))
        } else {
            self.keys = try RocksDB(path: keys, options: DatabaseOptions(createIfMissing: true))
        }
        // Buffered: changes survive the death of this process. With `.synced`, a power cut too, for the price of a sync.
        sessions = try MappedStore(path: "\(directory)/sessions.map")
        responses = try MappedStore(path: "\(directory)/responses.map")
    }

    /// Whether changes can be made: throws what stands in their way.
    func check() throws {
        try sessions.set(true, for: "health")
        _ = try responses.count
        _ = try keys.get("health")
        guard try keys.defaultColumnFamily.property(.backgroundErrors) == 0 else { throw Unhealthy() }
    }

    func close() throws {
        try sessions.close()
        try responses.close()
        try keys.close()
        if case .secondary(let path) = keys.mode { try FileManager.default.removeItem(atPath: path) }
    }

    struct Unhealthy: Error, CustomStringConvertible {
        let description = "the database could not write what it has in memory"
    }
}
