import CairnMapped
import CairnTestSupport
import Dispatch
import Foundation
import Testing

struct CompareTests {
    private let directory: TemporaryDirectory
    private let store: MappedStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try MappedStore(path: directory.path("a.map"))
    }

    @Test func aValueIsReplacedOnlyIfItIsTheExpectedOne() throws {
        #expect(try !store.set("new", for: "a", replacing: "old"))
        #expect(try store.set("first", for: "a", replacing: nil))
        #expect(try !store.set("second", for: "a", replacing: nil))
        #expect(try store.get("a") == "first")
        #expect(try store.set("second", for: "a", replacing: "first", expiresAfter: .seconds(100)))
        #expect(try store.get("a") == "second" && store.expiry(of: "a") != nil)
        #expect(try !store.set(nil, for: "a", replacing: "first"))
        #expect(try store.set(nil, for: "a", replacing: "second"))
        #expect(try !store.contains("a"))
        #expect(try store.set(nil as String?, for: "a", replacing: nil))
        // Another type is not an error here.
        try store.set(5 as Int8, for: "n")
        #expect(try !store.set("x", for: "n", replacing: "5"))
        #expect(try store.set(300 as Int64, for: "n", replacing: 5))
        #expect(try !store.set(Double.nan, for: "n", replacing: .nan))
        try store.set(Double.nan, for: "n")
        #expect(try store.set(0.0, for: "n", replacing: .nan) && !store.set(1.0, for: "n", replacing: -0.0))
        // Expired is as good as missing.
        try store.set(1, for: "e", expiresAfter: .seconds(-1))
        #expect(try !store.set(2, for: "e", replacing: 1) && store.set(2, for: "e", replacing: nil))
        try store.transaction { _ in #expect(code { try store.set(3, for: "e", replacing: 2) } == .busy) }
        try store.close()
        #expect(code { try store.set(3, for: "e", replacing: 2) } == .closed)
    }

    @Test func ofManyWhoTryOneSucceeds() throws {
        let winners = Counter()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for round in 0..<200 where (try? store.set(round + 1, for: "round", replacing: round == 0 ? nil : round)) == true {
                winners.add()
            }
        }
        #expect(try store.get("round", default: 0) == winners.count)
    }
}

private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0
    func add() { lock.withLock { number += 1 } }
    var count: Int { lock.withLock { number } }
}
