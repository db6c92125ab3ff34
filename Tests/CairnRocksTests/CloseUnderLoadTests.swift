import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// Closing waits for the reads of other threads, also for values lent to them, and never for its own.
struct CloseUnderLoadTests {
    @Test(.timeLimit(.minutes(1))) func readsOfOtherThreadsAreWaitedFor() throws {
        let scene = try Scene()
        for _ in 0..<20 {
            let db = try scene.open()
            try db.put("value", for: "key")
            let readers = DispatchGroup(), reading = DispatchSemaphore(value: 0)
            for _ in 0..<3 {
                readers.enter()
                Thread.detachNewThread {
                    var code: RocksError.Code?
                    var isFirst = true
                    while code == nil {
                        // A read within the lending of another, which must get through while closing waits.
                        code = CairnRocksTests.code {
                            try db.withValue(for: "key") { _ in
                                let again = try db.get("key", as: String.self)
                                #expect(again == "value")
                            }
                        }
                        if isFirst { reading.signal() }
                        isFirst = false
                    }
                    #expect(code == .closed)
                    readers.leave()
                }
            }
            for _ in 0..<3 { reading.wait() }
            #expect(code { try db.close() } == nil)
            readers.wait()
            #expect(db.isClosed)
        }
    }

    @Test func ownValuesAreNot() throws {
        let scene = try Scene(), db = try scene.open()
        try db.put("value", for: "key")
        _ = try db.withValue(for: "key") { value in
            #expect(failure { try db.close() }?.message.contains("1 lent value") == true)
            #expect(value.byteCount == 5)
        }
        try db.close()
    }

    /// What went past the log is written by closing; if it cannot be, closing says so.
    @Test func lostWritesAreReported() throws {
        let scene = try Scene()
        let db = try scene.open()
        try db.put("value", for: "key", options: .unlogged)
        try FileManager.default.removeItem(atPath: scene.path)
        #expect(code { try db.close() } == .ioError)
        #expect(db.isClosed)
    }
}
