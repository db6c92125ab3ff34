import CairnRocks
import CairnTestSupport
import Dispatch
import Foundation
import Testing

/// A thread of Foundation releases its closure after RocksDB has freed what it keeps for the thread. What is used in that moment must work as elsewhere.
@Suite struct ThreadEndTests {
    /// Runs a thread that holds the last reference to what `make` returns, and waits until that is gone.
    private static func release(_ make: @escaping @Sendable () throws -> any Sendable) {
        let isGone = DispatchSemaphore(value: 0)
        final class Signal: Sendable {
            let semaphore: DispatchSemaphore
            init(_ semaphore: DispatchSemaphore) { self.semaphore = semaphore }
            deinit { semaphore.signal() }
        }
        final class Last: @unchecked Sendable {
            var held: (any Sendable)?
            let signal: Signal
            init(_ signal: Signal) { self.signal = signal }
            deinit { held = nil }
        }
        do {
            let last = Last(Signal(isGone))
            let thread = Thread { last.held = try! make() }
            thread.start()
        }
        isGone.wait()
    }

    /// Uses a database when it is released.
    private final class User: Sendable {
        let db: RocksDB
        init(_ path: String) throws {
            db = try RocksDB(path: path, options: .init(createIfMissing: true), mode: .transactions())
            try db.put("1", for: "a")
        }
        deinit { try! use() }

        private func check(_ holds: Bool) { precondition(holds) }

        private func use() throws {
            try db.put("2", for: "b")
            try db.flush()
            try db.put("3", for: "c")
            try db.withTransaction { transaction in
                try check(transaction.getForUpdate("a", as: String.self) == "1")
                try transaction.put("4", for: "d")
            }
            let snapshot = try db.makeSnapshot()
            try check(snapshot.get("d", as: String.self) == "4")
            snapshot.close()
            // Given back without being ended.
            let left = try db.makeTransaction()
            try left.put("5", for: "e")
            var cursor = try db.makeCursor()
            try check(cursor.next() != nil)
            try check(db.withValue(for: "b") { $0.byteCount } == 1)
            try check(db.keys(as: String.self) == ["a", "b", "c", "d"])
        }
    }

    @Test func aDatabaseIsUsedAndClosed() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        await #expect(processExitsWith: .success) { [path = path as String] in
            // What is destroyed first is what was used first in the process.
            _ = try User(path)
            for round in 0..<20 { Self.release { try User("\(path)\(round % 3)") } }
        }
        let db = try RocksDB(path: path + "0", mode: .readOnly)
        #expect(try db.keys(as: String.self) == ["a", "b", "c", "d"])
    }

    /// It was opened elsewhere, so what RocksDB keeps for the thread is not its own.
    @Test func aDatabaseIsOnlyReleased() async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .success) { [path = directory.path("db") as String] in
            _ = try User(path + "first")
            for _ in 0..<20 {
                Self.release {
                    let db = try RocksDB(path: path, options: .init(createIfMissing: true))
                    try db.put("1", for: "a")
                    return db
                }
            }
        }
    }
}
