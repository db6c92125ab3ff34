import CairnCDB
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
        // Another type is no error here.
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

    // MARK: Values from elsewhere

    @Test func whatWasImportedIsStoredTogether() throws {
        let now = Date()
        let old = MappedImport(entries: [
            MappedEntry(key: "a", value: .int(1)), MappedEntry(key: "b", value: .string("x"), expires: now + 1000),
            MappedEntry(key: "over", value: .bool(true), expires: now - 1),
            MappedEntry(key: "raw", value: .other(MappedValueType(rawValue: 200), [1])),
        ])
        try store.set(0, for: "a")
        #expect(try store.import(old, keepsExisting: true) == 2)
        #expect(try store.get("a") == 0)
        #expect(try store.import(old) == 3)
        #expect(try store.get("a") == 1 && store.get("b") == "x" && !store.contains("over") && store.valueType(of: "raw")?.rawValue == 200)
        let expiry = try #require(try store.expiry(of: "b"))
        #expect(abs(expiry.timeIntervalSince(now) - 1000) < 0.01)
        // One that cannot be stored, and so none.
        let large = MappedImport(entries: [
            MappedEntry(key: "c", value: .int(1)), MappedEntry(key: String(repeating: "k", count: 70_000), value: .int(2)),
        ])
        #expect(code { try store.import(large) } == .limitExceeded)
        #expect(try !store.contains("c"))
    }

    @Test func whatIsExportedIsImportedAgain() throws {
        for number in 0..<20 { try store.set(number, for: "key\(number)") }
        try store.set(Date(timeIntervalSince1970: 1_700_000_000), for: "date")
        try store.set([1.5, 2.5], for: "list", expiresAfter: .seconds(900))
        let json = directory.path("a.json"), cdb = directory.path("a.cdb")
        try MappedExport.json(store, to: json)
        let other = try MappedStore(path: directory.path("b.map"))
        #expect(try other.import(.json(path: json)) == 22)
        #expect(try Set(other.keys()) == Set(store.keys()) && other.get("date", as: Date.self) == store.get("date"))
        #expect(try other.get("list") == [1.5, 2.5] && other.expiry(of: "list") != nil)
        try MappedExport.cdb(store, to: cdb)
        #expect(try CDBReader(path: cdb).get("key3") == [2, 3])
    }
}

private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0
    func add() { lock.withLock { number += 1 } }
    var count: Int { lock.withLock { number } }
}
