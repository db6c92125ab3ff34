import CairnCDB
import CairnCore
import CairnTestSupport
import Foundation
import Synchronization
import Testing

struct ConcurrencyTests {
    @Test(arguments: [CDBReader.Access.mapped, .positioned]) func aReaderServesAllThreads(access: CDBReader.Access) async throws {
        let scene = try Scene()
        try scene.make((0..<2_000).map { ("key \($0)", "value \($0)") })
        let reader = try scene.reader("db.cdb", access)
        try await onThreads(4) { thread in
            for number in 0..<1_000 {
                let key = (number * 7 + thread * 311) % 2_000
                guard try reader.get("key \(key)", as: String.self) == "value \(key)" else { throw CDBError(.corruption, "wrong value") }
            }
            guard try reader.count == 2_000 else { throw CDBError(.corruption, "wrong count") }
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
    @Test func changesDuringASaveStay() throws {
        let scene = try Scene()
        try scene.make([("a", "old"), ("b", "old")])
        let calls = Interposer()
        let store = try scene.store(through: calls)
        try store.put("saved", for: "a")
        try store.put("saved", for: "c")
        try store.delete("b")
        // The save has taken the changes when it asks for the lock, and written nothing.
        calls.before(.lock) {
            try store.put("old", for: "a")
            try store.put("old", for: "b")
            try store.delete("c")
            try store.put("new", for: "d")
        }
        try store.save()
        #expect(try scene.reader().pairTexts() == ["a=saved", "c=saved"])
        #expect(try store.pairTexts().sorted() == ["a=old", "b=old", "d=new"] && store.hasChanges)
        try store.save()
        #expect(try scene.reader().pairTexts() == ["a=old", "b=old", "d=new"] && store.pairTexts() == ["a=old", "b=old", "d=new"])
    }

    /// The same, with the save that closing begins: none is lost, and none is refused without a word.
    @Test func changesDuringTheClosingAreSaved() throws {
        let scene = try Scene()
        let calls = Interposer()
        let store = try scene.store(through: calls)
        try store.put("1", for: "a")
        calls.before(.fsync) {
            try store.put("2", for: "b")
            calls.before(.fsync) { try store.delete("a") }
        }
        try store.close()
        #expect(try scene.reader().pairTexts() == ["b=2"])
        #expect(code { try store.put("3", for: "c") } == .closed)
        try store.close()
    }

    /// The same, with a save that fails: a value that was put back meanwhile is not a change.
    @Test func changesDuringASaveThatFails() throws {
        let scene = try Scene()
        try scene.make([("a", "old")])
        let calls = Interposer()
        let store = try scene.store(through: calls)
        try store.put("new", for: "a")
        calls.before(.lock) {
            try store.put("old", for: "a")
            try scene.make([("a", "theirs")])
        }
        #expect(code { try store.save() } == .conflict)
        #expect(try !store.hasChanges && store["a"] == "old")
    }
}

/// The real system calls, with something to be done before the next of some kind.
final class Interposer: SystemCallObserver {
    private let next = Mutex<(kind: SystemCall.Kind, body: @Sendable () throws -> Void)?>(nil)
    private let disk: FaultInjectingFileSystem?

    init(over disk: FaultInjectingFileSystem? = nil) { self.disk = disk }

    func before(_ kind: SystemCall.Kind, _ body: @escaping @Sendable () throws -> Void) { next.withLock { $0 = (kind, body) } }

    func intercept(_ call: SystemCall, perform: (Int) -> Int) -> Int {
        let body = next.withLock { next in
            guard next?.kind == call.kind else { return nil as (@Sendable () throws -> Void)? }
            defer { next = nil }
            return next?.body
        }
        do { try body?() } catch { Issue.record(error) }
        return disk?.intercept(call, perform: perform) ?? perform(call.count ?? 0)
    }
}
