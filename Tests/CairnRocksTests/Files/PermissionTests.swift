import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Synchronization
import Testing

/// Who may enter the directories of a database and of its copies.
struct PermissionTests {
    private let scene = try! Scene()

    private func path(_ name: String) -> String { scene.directory.path(name) }
    private func mode(_ name: String) throws -> UInt32 { try FileSystem.system.stat(path(name)).mode }

    /// A database whose directory has these permissions.
    private func database(_ mode: UInt32?) throws -> RocksDB {
        var options = DatabaseOptions(createIfMissing: true)
        options.directoryMode = mode
        options.walDirectory = path("log")
        let db = try scene.open(options: options)
        try db.put("1", for: "a")
        return db
    }

    @Test func aNewDatabaseHasTheModeOfItsOptions() throws {
        let db = try database(0o700)
        #expect(try mode("db") == 0o700 && mode("log") == 0o700)
        try db.close()
        // The option is for new databases.
        try database(0o750).close()
        #expect(try mode("db") == 0o700)
    }

    @Test func byDefaultItIsThatOfRocksDB() throws {
        try database(nil).close()
        #expect(try mode("db") == 0o755 && mode("log") == 0o755)
    }

    /// The mask of the process, 022, does not count.
    @Test(arguments: [0o700, 0o770] as [UInt32]) func copiesHaveTheModeOfTheDatabase(wanted: UInt32) throws {
        let db = try database(wanted)
        #expect(try mode("db") == wanted)
        try db.makeCheckpoint(at: path("checkpoint"))
        try db.exportColumnFamily("default", to: path("export"))
        let backups = try BackupEngine(path: path("backups"))
        // Nobody knows yet what will be in it.
        #expect(try mode("backups") == 0o700)
        try backups.createBackup(of: db)
        try backups.restore(to: path("restored"), walPath: path("restored.log"))
        for name in ["checkpoint", "export", "backups", "restored", "restored.log"] { #expect(try mode(name) == wanted, "\(name)") }
        // Nothing else stays behind.
        let names = ["backups", "checkpoint", "db", "export", "log", "restored", "restored.log"]
        #expect(try FileSystem.system.list(scene.directory.path) == names)
        let copy = try RocksDB(path: path("checkpoint"), mode: .readOnly)
        #expect(try copy.text("a") == "1")
    }

    /// The files are readable by everybody: nobody may find them before the copy is in its place.
    @Test func aCopyIsNobodyElsesWhileItIsMade() async throws {
        let db = try database(0o700)
        for number in 0..<200 { try db.put(String(repeating: "v", count: 1000), for: "\(number)") }
        let seen = Mutex<[String: UInt32]>([:])
        let isDone = Atomic(false)
        try await onThreads(2) { thread in
            guard thread == 0 else {
                while !isDone.load(ordering: .relaxed) {
                    // Those that are being made.
                    for name in (try? FileSystem.system.list(scene.directory.path)) ?? [] where name.hasPrefix("checkpoint.") {
                        // A directory gets its mode while it is empty.
                        guard let files = try? FileSystem.system.list(path(name)), !files.isEmpty, let mode = try? mode(name) else {
                            continue
                        }
                        seen.withLock { $0[name, default: 0] |= mode }
                    }
                }
                return
            }
            defer { isDone.store(true, ordering: .relaxed) }
            // Usually the other thread sees most of them.
            for number in 0..<1_000 where number < 20 || seen.withLock({ $0.count < 3 }) {
                try db.makeCheckpoint(at: path("checkpoint"))
                try FileManager.default.removeItem(atPath: path("checkpoint"))
            }
        }
        let modes = seen.withLock { $0 }
        #expect(modes.count >= 3)
        #expect(modes.filter { $1 != 0o700 } == [:])
    }

    @Test func directoriesThatExistKeepTheirMode() throws {
        let db = try database(0o700)
        for name in ["backups", "restored"] { try FileSystem.system.makeDirectory(path(name), mode: 0o755) }
        let backups = try BackupEngine(path: path("backups"))
        try backups.createBackup(of: db)
        try backups.restore(to: path("restored"))
        #expect(try mode("backups") == 0o755 && mode("restored") == 0o755)
    }

    @Test func aRestoreThatFailsLeavesNoDirectory() throws {
        let backups = try BackupEngine(path: path("backups"))
        #expect(code { try backups.restore(7, to: path("restored")) } == .notFound)
        #expect(!FileManager.default.fileExists(atPath: path("restored")))
    }
}
