import CairnCDB
import CairnInspector
import CairnMapped
import CairnRocks
import CairnTestSupport
import CairnToolKit
import Foundation
import Testing

/// Keys of any length: the empty one, and those that no address has room for. Every one is on some page, and can be opened.
@Suite struct KeyTests {
    private let directory: TemporaryDirectory
    /// Two differ in their last byte alone; some have as many bytes as an address has room for, or one more or less, in characters of two.
    private static let keys =
        ["", "a", "é"] + ["", "1", "2"].map { String(repeating: "key ", count: 5000) + $0 }
        + [String(repeating: "ü", count: 256), "x" + String(repeating: "ü", count: 255), "y" + String(repeating: "ü", count: 256)]

    init() throws { directory = try TemporaryDirectory() }

    private static func value(_ key: String) -> String { "value of \(key.utf8.count) \(key.utf8.last ?? 0)" }

    /// Visits the pages with one entry each, and opens each entry; returns the values.
    private static func values(
        _ page: Running,
        _ fixed: [String: String],
        _ start: String,
        _ open: (JSON) throws -> JSON
    ) throws -> [String] {
        var values: [String] = []
        var from: [String: String] = [:]
        repeat {
            let answer = try page.ask("entries", fixed.merging(from) { $1 }.merging(["limit": "1"]) { $1 })
            let entry = try #require(answer.entries.list.first)
            #expect("\(answer)".utf8.count < 8000, "a list has a whole key")
            #expect(try open(entry).value.text.string == entry.value.text.string)
            values.append(try #require(entry.value.text.string))
            guard let next = answer.next.string ?? answer.next.int.map(String.init) else { break }
            from = [start: next]
            from["mark"] = answer.next_mark.string
        } while values.count < 100
        return values
    }

    private static func name(_ entry: JSON) throws -> [String: String] {
        var name = ["key": try #require(entry.id.string)]
        name["mark"] = entry.mark.string
        return name
    }

    @Test func keysOfDatabases() async throws {
        let database = try RocksDB(path: directory.path("keys.db"), options: DatabaseOptions(createIfMissing: true))
        for key in Self.keys { try database.put(Self.value(key), for: key) }
        try await inspecting(.database(database)) { (page) throws in
            let sorted = Self.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map(Self.value)
            for (reverse, values) in [("", sorted), ("1", sorted.reversed())] {
                let found = try Self.values(page, ["family": "default", "reverse": reverse], "from") { entry in
                    try page.ask("entry", try Self.name(entry).merging(["family": "default"]) { $1 })
                }
                #expect(found == values)
            }
            let entries = try page.ask("entries", ["family": "default"]).entries.list
            let long = try #require(entries.first { $0.value.text.string?.hasSuffix(" 50") == true })
            #expect(long.key.size.int == 20_001 && long.mark.string != nil && long.id.string?.utf8.count == 1024)
            try database.delete(String(repeating: "key ", count: 5000) + "2")
            let name = try Self.name(long)
            #expect(try page.answer("entry", ["family": "default", "key": name["key"]!, "mark": name["mark"]!]).status == 404)
            let gone = try page.answer("entries", ["family": "default", "from": name["key"]!, "mark": name["mark"]!])
            #expect(gone.status == 404 && gone.text.contains("no longer exists"))
        }
    }

    @Test func keysOfMappedStores() async throws {
        let store = try MappedStore(path: directory.path("keys.map"))
        for key in Self.keys { try store.set(Self.value(key), for: key) }
        try await inspecting(.mapped(store)) { (page) throws in
            let found = try Self.values(page, [:], "after") { entry in try page.ask("entry", try Self.name(entry)) }
            #expect(found == Self.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map(Self.value))
            #expect(try page.ask("entry", ["key": ""]).whole.string == "")
            #expect(try page.answer("entry", [:]).status == 400)
            #expect(try page.answer("entry", ["key": "key", "mark": "0"]).status == 404)
        }
    }

    @Test func keysOfConstantDatabases() async throws {
        let path = directory.path("keys.cdb")
        let writer = try CDBWriter(path: path)
        for key in Self.keys { try writer.put(Self.value(key), for: key) }
        try writer.finish()
        try await inspecting(.cdb(try CDBReader(path: path))) { (page) throws in
            let found = try Self.values(page, [:], "from") { entry in
                let values = try page.ask("entries", try Self.name(entry).merging(["hex": "1"]) { $1 }).entries.list
                try #require(values.count == 1)
                return values[0]
            }
            #expect(found == Self.keys.map(Self.value))
            #expect(try page.ask("entries", ["key": ""]).entries[0].value.text.string == Self.value(""))
        }
    }

    /// A key that is too long to edit can be looked at, and its entry says so.
    @Test func keysThatAreTooLongToEdit() async throws {
        let database = try RocksDB(path: directory.path("long.db"), options: DatabaseOptions(createIfMissing: true))
        for size in [65_536, 65_537, 2_000_000] { try database.put("value", for: [UInt8](repeating: 7, count: size)) }
        try await inspecting(.database(database)) { (page) throws in
            let entries = try page.ask("entries", ["family": "default"]).entries.list
            #expect(entries.map(\.key.size.int) == [65_536, 65_537, 2_000_000])
            let opened = try entries.map { try page.ask("entry", try Self.name($0).merging(["family": "default"]) { $1 }) }
            #expect(opened.map { $0.whole.string?.utf8.count } == [131_072, nil, nil])
            #expect(opened.map(\.key.size.int) == [65_536, 65_537, 2_000_000])
        }
    }
}
