import CairnCDB
import CairnCore
import CairnTestSupport
import Foundation
import Synchronization
import Testing

/// Two stores, or a store and another program, with one file.
struct ConflictTests {
    @Test func aFileReplacedMeanwhileIsAConflict() throws {
        let scene = try Scene()
        try scene.make([("a", "1"), ("b", "2")])
        let mine = try scene.store()
        let theirs = try scene.store()
        try theirs.put("theirs", for: "a")
        try theirs.save()
        try mine.put("mine", for: "b")
        let error = try #require(failure { try mine.save() })
        #expect(error.code == .conflict && error.message.contains(scene.path()))
        #expect(try mine.hasChanges && mine["b"] == "mine" && mine["a"] == "1")
        #expect(try scene.reader().pairTexts() == ["a=theirs", "b=2"])
        #expect(try mine.save(onConflict: .merge))
        #expect(try scene.reader().pairTexts() == ["a=theirs", "b=mine"] && mine.pairTexts() == ["a=theirs", "b=mine"])
        // Nothing is left to be resolved.
        try mine.put("3", for: "c")
        try mine.save()
    }

    /// The lock keeps stores apart, but not other programs: what they put in place while a save writes is not lost either.
    @Test func aFileThatComesDuringASave() throws {
        let scene = try Scene()
        try scene.make([("a", "1")])
        let calls = Interposer()
        let store = try scene.store(through: calls)
        try store.put("mine", for: "b")
        calls.before(.fsync) { try scene.make([("a", "theirs")]) }
        #expect(code { try store.save() } == .conflict)
        #expect(try scene.reader().pairTexts() == ["a=theirs"] && scene.names() == ["db.cdb"])
        #expect(try store.pairTexts() == ["a=1", "b=mine"] && store.hasChanges)
        calls.before(.fsync) { try scene.make([("a", "theirs"), ("c", "theirs")]) }
        try store.save(onConflict: .merge)
        #expect(try scene.reader().pairTexts() == ["a=theirs", "c=theirs", "b=mine"] && scene.names() == ["db.cdb"])
        #expect(try store.pairTexts() == ["a=theirs", "c=theirs", "b=mine"] && !store.hasChanges)
    }

    /// Whatever caused the save, decoded values come from the file that is there now.
    @Test func autosavesMergeForReadersToo() throws {
        let scene = try Scene()
        try scene.make([("a", "1"), ("b", "1")])
        var options = CDBStoreOptions.buffered
        options.onConflict = .merge
        let scheduler = ManualScheduler()
        let store = try scene.store(through: Interposer(), options: options, scheduler: scheduler)
        #expect(try store["a"] == "1" && store["b"] == "1")
        try scene.make([("a", "theirs"), ("b", "1")])
        try store.put("mine", for: "b")
        try store.saveSoon()
        scheduler.pass()
        #expect(try store["a"] == "theirs" && store["b"] == "mine")
    }

    @Test func mergingByOption() throws {
        let scene = try Scene()
        var options = CDBStoreOptions.buffered
        options.onConflict = .merge
        let first = try scene.store(options: options)
        let second = try scene.store(options: options)
        for number in 0..<10 {
            try first.put("first", for: "f\(number)")
            try second.put("second", for: "s\(number)")
            try first.save()
            try second.save()
        }
        #expect(try first.revert() == () && first.count == 20 && first.pairTexts() == second.pairTexts())
    }

    @Test func mergingKeepsWhatTheChangesMean() throws {
        let scene = try Scene()
        try scene.make([("kept", "1"), ("deleted", "2"), ("both", "3")])
        let mine = try scene.store()
        try scene.make([("new", "x"), ("both", "theirs"), ("kept", "1"), ("same", "y")])
        try mine.delete("deleted")
        try mine.put("mine", for: "both")
        try mine.put("y", for: "same")
        try mine.put("z", for: "added")
        try mine.reload()
        #expect(try mine.pairTexts() == ["new=x", "both=mine", "kept=1", "same=y", "added=z"])
        #expect(try mine.changedKeys() == ["both", "added"])
        try mine.save()
        #expect(try scene.reader().pairTexts() == ["new=x", "both=mine", "kept=1", "same=y", "added=z"])
    }

    @Test func removingAllRemovesWhatOthersAdded() throws {
        let scene = try Scene()
        try scene.make([("a", "1")])
        let store = try scene.store()
        try scene.make([("a", "1"), ("b", "2")])
        try store.removeAll()
        try store.put("3", for: "c")
        #expect(code { try store.save() } == .conflict)
        try store.save(onConflict: .merge)
        #expect(try scene.reader().pairTexts() == ["c=3"])
    }

    @Test func aFileThatCameOrWentIsAConflict() throws {
        let scene = try Scene()
        let early = try scene.store()
        try scene.make([("a", "1")])
        try early.put("2", for: "b")
        #expect(code { try early.save() } == .conflict)
        try early.save(onConflict: .merge)
        #expect(try early.pairTexts() == ["a=1", "b=2"])
        try FileManager.default.removeItem(atPath: scene.path())
        try early.put("3", for: "c")
        #expect(code { try early.save() } == .conflict)
        try early.save(onConflict: .merge)
        #expect(try scene.reader().pairTexts() == ["c=3"])
    }

    @Test func revertTakesTheFileAsItIs() throws {
        let scene = try Scene()
        try scene.make([("a", "1")])
        let store = try scene.store()
        #expect(try store["a"] == "1")
        try scene.make([("a", "2")])
        #expect(try store["a"] == "1")
        try store.put("3", for: "a")
        try store.revert()
        #expect(try store["a"] == "2" && !store.hasChanges)
    }

    @Test func savesWaitForTheLock() async throws {
        let scene = try Scene()
        let lock = try FileLock(path: scene.path("db.cdb.lock"), .exclusive)
        let calls = Interposer()
        let store = try scene.store(through: calls)
        try store.put("1", for: "a")
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        calls.before(.lock) { ask.finish() }
        async let saved = store.saveInBackground()
        for await _ in asked {}
        // Everything behind the lock comes after its release.
        #expect(!scene.exists())
        lock.release()
        #expect(try await saved)
        #expect(scene.exists())
    }

    /// From before it looks at the file until its own is in place, a save keeps out all others.
    @Test(arguments: [SystemCall.Kind.stat, .pwrite, .fsync, .rename]) func savesKeepOthersOut(call: SystemCall.Kind) throws {
        let scene = try Scene()
        try scene.make([("a", "1")])
        let calls = Interposer()
        var options = CDBStoreOptions.buffered
        options.durability = .synced
        let store = try scene.store(through: calls, options: options)
        try store.put("2", for: "a")
        let found = Mutex<[FileError.Code?]>([])
        // The mode of the file is looked up before.
        calls.before(call == .stat ? .lock : call) {
            if call == .stat { return calls.before(.stat) { found.withLock { $0 += Self.lockCodes(scene) } } }
            found.withLock { $0 += Self.lockCodes(scene) }
        }
        try store.save()
        #expect(found.withLock { $0 } == [.locked, .locked])
        #expect(Self.lockCodes(scene) == [nil, nil])
    }

    private static func lockCodes(_ scene: Scene) -> [FileError.Code?] {
        [FileLock.Mode.shared, .exclusive].map { mode in
            do throws(FileError) {
                try FileLock(path: scene.path("db.cdb.lock"), mode).release()
                return nil
            } catch { return error.code }
        }
    }

    /// Stores of many threads, merging: nothing that was saved is lost.
    @Test func manyStoresOfOneFile() async throws {
        let scene = try Scene()
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    #expect(throws: Never.self) {
                        let store = try scene.store()
                        for number in 0..<15 {
                            try store.put("\(number)", for: "\(writer)-\(number)")
                            try store.save(onConflict: .merge)
                        }
                    }
                }
            }
        }
        #expect(try scene.store().count == 60)
        try scene.reader().verify()
    }
}
