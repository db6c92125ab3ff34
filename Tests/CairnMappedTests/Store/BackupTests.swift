import CairnMapped
import CairnMappedImport
import CairnTestSupport
import Dispatch
import Foundation
import Synchronization
import Testing

struct BackupTests {
    // Lives as long as the test.
    private let directory: TemporaryDirectory
    private let store: MappedStore
    private var backup: String { directory.path("backup.map") }

    init() throws {
        directory = try TemporaryDirectory()
        store = try MappedStore(path: directory.path("a.map"), options: MappedStoreOptions(), fileSystem: .quick)
    }

    private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }

    @Test func aBackupIsAStoreOfItsOwnWithoutWaste() throws {
        for number in 0..<300 { try store.set(number, for: "key\(number % 100)") }
        try store.set("soon", for: "expiring", expiresAfter: .seconds(500))
        try store.set("over", for: "expired", expiresAfter: .seconds(-1))
        try store.remove("key5")
        let made = try store.backup(to: backup)
        #expect(made.count == 100 && made.damagedCount == 0)
        #expect(try files() == ["a.map", "backup.map"])
        let size = try FileManager.default.attributesOfItem(atPath: backup)[.size] as? Int64
        #expect(made.size.bytes == size)
        #expect(try made.size < store.fileSize)
        try store.set(1, for: "later")
        let copy = try MappedStore(path: backup)
        #expect(copy.openReport.isClean && !copy.openReport.wasRebuilt)
        #expect(try copy.count == 100 && copy.get("key7") == 207 && copy.expiry(of: "expiring") == store.expiry(of: "expiring"))
        #expect(try copy.get("key5", as: Int.self) == nil && copy.get("later", as: Int.self) == nil && copy.verify().isIntact)
        try copy.set(2, for: "key7")
        #expect(try store.get("key7") == 207)
    }

    @Test func aBackupTakesThePlaceOfAnOlderOneAlone() throws {
        try store.set(1, for: "a")
        try store.backup(to: backup)
        try store.set(2, for: "a")
        try store.backup(to: backup)
        let opened = try MappedStore(path: backup)
        #expect(try opened.get("a") == 2)
        #expect(code { try store.backup(to: backup) } == .busy)
        #expect(code { try store.backup(to: store.path) } == .busy)
        try opened.close()
        try Data("a letter".utf8).write(to: URL(fileURLWithPath: directory.path("letter")))
        #expect(code { try store.backup(to: directory.path("letter")) } == .foreignFile)
        #expect(FileManager.default.contents(atPath: directory.path("letter")) == Data("a letter".utf8))
        #expect(code { try store.backup(to: directory.path("no/where.map")) } == .notFound)
        #expect(try files() == ["a.map", "backup.map", "letter"])
        let reading = try MappedStore(path: store.path, options: readOnly)
        #expect(try reading.backup(to: backup).count == 1)
        try store.close()
        #expect(code { try store.backup(to: backup) } == .closed)
    }

    private var readOnly: MappedStoreOptions {
        var options = MappedStoreOptions()
        options.readOnly = true
        return options
    }

    @Test func damageIsLeftOutOfABackup() throws {
        let directory = directory
        try store.set("a value that will be damaged", for: "a")
        try store.set(2, for: "b")
        let path = store.path
        var bytes = try #require(FileManager.default.contents(atPath: path))
        let place = try #require(bytes.range(of: Data("will be".utf8)))
        bytes[place.lowerBound] ^= 1
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try handle.seek(toOffset: UInt64(place.lowerBound))
        try handle.write(contentsOf: [bytes[place.lowerBound]])
        let made = try store.backup(to: backup)
        #expect(made.count == 1 && made.damagedCount == 1)
        #expect(try MappedStore(path: backup).verify().isIntact)
        // What is damaged is not restored from.
        let other = try MappedStore(path: directory.path("other.map"))
        try other.set("safe", for: "a")
        #expect(code { try other.restore(from: path) } == .corruption)
        #expect(try other.get("a") == "safe")
    }

    @Test func restoringReplacesEverythingForEverybody() throws {
        try store.set(1, for: "a")
        try store.set("text", for: "b", expiresAfter: .seconds(300))
        try store.backup(to: backup)
        let other = try MappedStore(path: store.path), reading = try MappedStore(path: store.path, options: readOnly)
        try other.set(2, for: "a")
        try other.set(3, for: "c")
        try store.restore(from: backup)
        for store in [store, other, reading] {
            #expect(try store.keys() == ["a", "b"] && store.get("a") == 1 && store.get("b") == "text" && store.expiry(of: "b") != nil)
        }
        try other.set(4, for: "d")
        #expect(try store.get("d") == 4 && store.verify().isIntact)
        #expect(code { try reading.restore(from: backup) } == .readOnly)
        #expect(code { try store.restore(from: directory.path("missing")) } == .notFound)
        try Data("a letter".utf8).write(to: URL(fileURLWithPath: directory.path("letter")))
        #expect(code { try store.restore(from: directory.path("letter")) } == .foreignFile)
        #expect(try store.count == 3)
        #expect(try files() == ["a.map", "backup.map", "letter"])
    }

    /// What others write meanwhile is in the backup as of one instant.
    @Test func aBackupIsOfOneInstant() throws {
        for number in 0..<200 { try store.set(0, for: "key\(number)") }
        let writing = Thread { [store] in
            for round in 1...20 {
                try? store.transaction { changes in
                    for number in 0..<200 { try changes.set(round, for: "key\(number)") }
                }
            }
        }
        writing.start()
        repeat {
            try store.backup(to: backup)
            let copy = try MappedStore(path: backup, options: readOnly)
            var values: Set<Int> = []
            for number in 0..<200 { values.insert(try copy.get("key\(number)", default: -1)) }
            #expect(values.count == 1, "\(values)")
        } while !writing.isFinished
        try store.backup(to: backup)
        #expect(try MappedStore(path: backup).get("key0") == 20)
    }

    // MARK: In the background

    @Test func longWorkInTheBackground() async throws {
        for number in 0..<3000 { try store.set(number, for: "key\(number)") }
        let parts = Parts()
        #expect(try await store.backupInBackground(to: backup) { parts.add($0) }.count == 3000)
        #expect(try await store.verifyInBackground { parts.add($0) }.intactCount == 3000)
        try await store.compactInBackground { parts.add($0) }
        try store.removeAll()
        try await store.restoreInBackground(from: backup) { parts.add($0) }
        #expect(try store.count == 3000)
        let old = MappedImport(entries: (2500..<5500).map { MappedEntry(key: "key\($0)", value: .string("imported")) })
        #expect(try await store.importInBackground(old, keepsExisting: true) { parts.add($0) } == 2500)
        #expect(try store.count == 5500 && store.get("key2500") == 2500 && store.get("key5499") == "imported")
        let all = parts.all
        #expect(all.allSatisfy { (0...1).contains($0) } && all.count { $0 == 1 } == 5 && all.count { $0 == 0 } == 5)
    }

    /// Cancelled in the middle of the import, which is one change.
    @Test func anImportThatIsCancelledChangesNothing() async throws {
        let old = MappedImport(entries: (0..<5000).map { MappedEntry(key: "key\($0)", value: .int(1)) })
        let (store, handle, isKnown) = (store, TaskHandle(), DispatchSemaphore(value: 0))
        let task = Task {
            try await store.importInBackground(old) { part in if part == 0 { isKnown.wait() } else { handle.cancel() } }
        }
        handle.set(task)
        isKnown.signal()
        await #expect { try await task.value } throws: { ($0 as? MappedStoreError)?.code == .cancelled }
        #expect(try store.isEmpty)
        #expect(try store.import(old) == 5000)
    }

    @Test func cancelledWorkChangesNothing() async throws {
        for number in 0..<3000 { try store.set(number, for: "key\(number)") }
        try store.backup(to: backup)
        try store.remove("key0")
        let store = store, backup = backup
        let works: [@Sendable () async throws -> Void] = [
            { try await store.backupInBackground(to: backup) }, { _ = try await store.verifyInBackground() },
            { try await store.compactInBackground() },
            { try await store.restoreInBackground(from: backup) },
            { try await store.importInBackground(MappedImport(entries: [MappedEntry(key: "key0", value: .int(0))])) },
        ]
        for work in works {
            let task = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                try await work()
            }
            await #expect { try await task.value } throws: { ($0 as? MappedStoreError)?.code == .cancelled }
        }
        #expect(try store.count == 2999 && MappedStore(path: backup, options: readOnly).count == 3000)
        #expect(try files() == ["a.map", "backup.map"])
    }
}

/// A task to be cancelled by what it runs.
private final class TaskHandle: Sendable {
    private let task = Mutex<Task<Int, any Error>?>(nil)
    func set(_ task: Task<Int, any Error>) { self.task.withLock { $0 = task } }
    func cancel() { task.withLock { $0?.cancel() } }
}

/// The progress that a closure was passed.
private final class Parts: @unchecked Sendable {
    private let lock = NSLock()
    private var parts: [Double] = []
    func add(_ part: Double) { lock.withLock { parts.append(part) } }
    var all: [Double] { lock.withLock { parts } }
}
