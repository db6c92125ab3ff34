import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// exit() destroys what all databases of RocksDB share, whatever other threads do at that moment.
@Suite struct ProcessEndTests {
    let scene: Scene

    init() throws { scene = try Scene() }

    // Timer::~Timer, while another thread is about to join the timer's.
    @Test(arguments: 0..<Thorough.count(1, of: 5)) func `the process ends while other threads open and close databases`(round: Int) async {
        await #expect(processExitsWith: .success) { [path = scene.path as String] in
            try await keepOn(3) { thread in
                let db = try RocksDB(path: "\(path)\(thread)", options: .init(createIfMissing: true))
                try db.put("1", for: "a")
                try db.close()
            }
        }
    }

    @Test(arguments: 0..<Thorough.count(1, of: 5)) func `the process ends while other threads let go of databases`(round: Int) async {
        await #expect(processExitsWith: .success) { [path = scene.path as String] in
            try await keepOn(3) { thread in
                let db = try RocksDB(path: "\(path)\(thread)", options: .init(createIfMissing: true), mode: .transactions())
                try db.makeTransaction().put("1", for: "a")
            }
        }
    }

    @Test func `the process ends while other threads read and write`() async {
        await #expect(processExitsWith: .success) { [path = scene.path as String] in
            let db = try RocksDB(path: path, options: .init(createIfMissing: true))
            try await keepOn(3) { thread in
                for number in 0..<100 {
                    try db.put("\(number)", for: "\(thread) \(number)")
                    _ = try db.text("\(thread) \(number / 2)")
                }
                try db.flush()
            }
        }
    }

    @Test func `the process ends with a database open and a cursor held`() async {
        await #expect(processExitsWith: .success) { [path = scene.path as String] in
            let db = try RocksDB(path: path, options: .init(createIfMissing: true))
            try db.fill("a", "b")
            var cursor = try db.makeCursor()
            must(try cursor.next() != nil)
            exit(0)
        }
    }

    @Test func `the process ends within a callback`() async {
        await #expect(processExitsWith: .success) { [path = scene.path as String] in
            let ending = MergeOperator(name: "test.ending") { _, _, _ in exit(0) }
            let db = try RocksDB(path: path, options: .init(createIfMissing: true), columnFamilyOptions: .init(mergeOperator: ending))
            try db.merge("1", for: "a")
            _ = try db.text("a")
            exit(1)
        }
    }
}

/// Does something over and over on threads that nobody waits for; returns once each has done it twice.
private func keepOn(_ threads: Int, _ body: @escaping @Sendable (Int) throws -> Void) async throws {
    try await onThreads(threads) { thread in
        let begun = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            for round in 0... {
                if round == 2 { begun.signal() }
                // What it finds of the end is its own affair.
                try? body(thread)
            }
        }
        begun.wait()
    }
}
