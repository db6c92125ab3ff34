import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// Closing waits for the reads of other threads, also for values lent to them, and never for its own.
struct CloseUnderLoadTests {
    @Test(.timeLimit(.minutes(60))) func readsOfOtherThreadsAreWaitedFor() throws {
        let scene = try Scene()
        for _ in 0..<Thorough.count(5, of: 20) {
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

    @Test(.timeLimit(.minutes(60))) func scansOfOtherThreadsAreWaitedFor() throws {
        let scene = try Scene()
        for round in 0..<Thorough.count(5, of: 20) {
            let db = try scene.open()
            if round == 0 { for number in 0..<5_000 { try db.put("value", for: "key \(number)") } }
            let scanners = DispatchGroup(), scanning = DispatchSemaphore(value: 0)
            for index in 0..<3 {
                scanners.enter()
                Thread.detachNewThread {
                    var code: RocksError.Code?
                    var isFirst = true
                    while code == nil {
                        code = CairnRocksTests.code {
                            let count =
                                switch index {
                                case 0: try db.count()
                                case 1: try db.keys().count
                                default: try db.entries().count
                                }
                            #expect(count == 5_000)
                        }
                        if isFirst { scanning.signal() }
                        isFirst = false
                    }
                    #expect(code == .closed)
                    scanners.leave()
                }
            }
            for _ in 0..<3 { scanning.wait() }
            // Refused only in the instant between making a scan's cursor and counting it as a call.
            while code({ try db.close() }) == .busy {}
            scanners.wait()
            #expect(db.isClosed)
        }
    }

    /// A closure that has a value waits for another thread, which must not wait for the close that waits for the closure.
    @Test func threadsThatTheHolderOfAValueWaitsForGetThrough() throws {
        let scene = try Scene(), db = try scene.open()
        try db.put("value", for: "key")
        let lent = DispatchSemaphore(value: 0), isOver = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = try? db.withValue(for: "key") { _ in
                let isRead = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    // Until a read is held up by the close.
                    for number in 0..<1_000_000 {
                        let begin = ContinuousClock.now
                        #expect((try? db.get("key", as: String.self)) == "value")
                        if number == 0 { lent.signal() }
                        if begin.duration(to: .now) > .milliseconds(20) { break }
                    }
                    isRead.signal()
                }
                isRead.wait()
            }
            isOver.signal()
        }
        lent.wait()
        try db.close()
        isOver.wait()
        #expect(db.isClosed)
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
