import CairnCDB
import CairnMapped
import CairnMappedImport
import CairnTestSupport
import Foundation
import Testing

/// Values from elsewhere in a store, and back.
struct ImportIntoStoreTests {
    private let directory: TemporaryDirectory
    private let store: MappedStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try MappedStore(path: directory.path("a.map"))
    }

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
        #expect(importCode { try store.import(large) } == .tooLarge)
        #expect(try !store.contains("c"))
    }

    @Test func expiryDatesOutOfRange() throws {
        let dates = ["long ago": -1e16, "before": -.infinity, "unknown": .nan, "far": 1e30, "never": .infinity]
        let entries = dates.map { MappedEntry(key: $0.key, value: .int(1), expires: Date(timeIntervalSince1970: $0.value)) }
        #expect(try store.import(MappedImport(entries: entries)) == 2)
        #expect(try Set(store.keys()) == ["far", "never"])
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

    @Test func anExportSaysWhatItLeavesOut() throws {
        try store.set("will be damaged", for: "a")
        try store.set("stays", for: "b")
        try store.close()
        let path = directory.path("a.map"), json = directory.path("a.json"), cdb = directory.path("a.cdb")
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[try #require(bytes.range(of: Data("be damaged".utf8))).lowerBound] ^= 1
        try bytes.write(to: URL(filePath: path))
        let damaged = try MappedStore(path: path)
        #expect(try MappedExport.json(damaged, to: json).damagedKeys == ["a"])
        #expect(try MappedExport.cdb(damaged, to: cdb).damagedKeys == ["a"])
        #expect(try MappedImport.json(path: json).entries.map(\.key) == ["b"])
        #expect(try CDBReader(path: cdb).count == 1)
    }
}
