import CairnCDB
import CairnTestSupport
import Foundation
import Synchronization
import Testing

struct ConcurrencyTests {
    /// Runs `body` on threads of their own, each with its number, and waits.
    private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) async throws {
        let failures = await withTaskGroup(of: (any Error)?.self) { group in
            for number in 0..<count {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            do {
                                try body(number)
                                continuation.resume(returning: nil)
                            } catch {
                                continuation.resume(returning: error)
                            }
                        }
                    }
                }
            }
            return await group.reduce(into: [any Error]()) { if let error = $1 { $0.append(error) } }
        }
        if let first = failures.first { throw first }
    }

    @Test(arguments: [CDBReader.Access.mapped, .positioned]) func aReaderServesAllThreads(access: CDBReader.Access) async throws {
        let scene = try Scene()
        try scene.make((0..<2_000).map { ("key \($0)", "value \($0)") })
        let reader = try scene.reader("db.cdb", access)
        try await onThreads(4) { thread in
            for number in 0..<1_000 {
                let key = (number * 7 + thread * 311) % 2_000
                guard try reader.get("key \(key)", as: String.self) == "value \(key)" else { throw CDBError(.corruption, "wrong value") }
            }
            guard try reader.count() == 2_000 else { throw CDBError(.corruption, "wrong count") }
        }
    }

    /// Threads change keys of their own and read them back, while others save, revert nothing, walk and count.
    @Test func aStoreServesAllThreads() async throws {
        let scene = try Scene()
        var options = CDBStoreOptions.buffered
        options.durability = .none
        options.cacheLimit = .bytes(500)
        let store = try scene.store(options: options)
        let isDone = Atomic(0)
        try await onThreads(5) { thread in
            if thread == 4 {
                while isDone.load(ordering: .relaxed) < 4 {
                    try store.save()
                    let keys = try store.keys()
                    guard Set(keys).count == keys.count else { throw CDBError(.corruption, "a key came twice") }
                    _ = try store.count
                }
                return
            }
            defer { isDone.add(1, ordering: .relaxed) }
            for number in 0..<400 {
                let key = "\(thread)-\(number % 20)"
                if number % 7 == 6 {
                    try store.delete(key)
                    guard try store[key] == nil else { throw CDBError(.corruption, "a deleted key is there") }
                } else {
                    try store.put("\(number)", for: key)
                    guard try store[key] == "\(number)" else { throw CDBError(.corruption, "not what was put") }
                }
            }
        }
        let before = try store.pairTexts().sorted()
        try store.save()
        #expect(try store.pairTexts().sorted() == before)
        #expect(try scene.reader().pairTexts().sorted() == before)
        try scene.reader().verify()
    }

    /// What is changed while a save writes stays for the next, also when it takes back what is being written.
    @Test func changesDuringASaveStay() async throws {
        let scene = try Scene()
        try scene.make([("a", "old"), ("b", "old")])
        let lock = try FileLock(path: scene.path("db.cdb.lock"), .exclusive)
        let store = try scene.store()
        try store.put("saved", for: "a")
        try store.put("saved", for: "c")
        try store.delete("b")
        async let saved = store.saveInBackground()
        // It is known to have begun when a second save waits for it; the lock keeps it from going on.
        let disk = try Data(contentsOf: URL(filePath: scene.path()))
        for _ in 0..<1_000 { await Task.yield() }
        try store.put("old", for: "a")
        try store.put("old", for: "b")
        try store.delete("c")
        try store.put("new", for: "d")
        let meant = ["a=old", "b=old", "d=new"]
        #expect(try store.pairTexts() == meant && Data(contentsOf: URL(filePath: scene.path())) == disk)
        lock.release()
        _ = try await saved
        #expect(try store.pairTexts().sorted() == meant)
        try store.save()
        #expect(try scene.reader().pairTexts().sorted() == meant && store.pairTexts().sorted() == meant)
    }
}
