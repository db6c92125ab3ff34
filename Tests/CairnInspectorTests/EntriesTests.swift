import CairnCDB
import CairnInspector
import CairnMapped
import CairnRocks
import CairnTestSupport
import CairnToolKit
import Foundation
import Synchronization
import Testing

/// RocksDB databases, mapped stores and constant databases.
@Suite struct EntriesTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    // MARK: RocksDB

    private func database() throws -> RocksDB {
        let database = try RocksDB(path: directory.path("music.db"), options: DatabaseOptions(createIfMissing: true))
        for number in 0..<130 { try database.put("value \(number)", for: String(format: "key %03d", number)) }
        try database.put([0, 255] as [UInt8], for: [1, 2] as [UInt8])
        try database.flush([database.defaultColumnFamily])
        let lengths = try database.table("lengths", key: String.self, value: Int.self, codec: .littleEndian)
        try lengths.put(298, for: "Waterloo")
        return database
    }

    @Test func columnFamiliesWithTheirTypes() async throws {
        try await inspecting(.database(try database())) { (page) throws in
            let store = try page.ask("store")
            #expect(store.kind.string == "rocks" && store.families.list.map(\.name.string) == ["default", "lengths"])
            #expect(store.families[0].key.isNull && store.families[1].key.string == "string")
            let entry = try page.ask("entries", ["family": "lengths"]).entries[0]
            #expect(entry.elements[0].text.string == "Waterloo" && entry.value.text.string == "298")
            #expect(try page.ask("entries", ["family": "lengths", "prefix": "Wat"]).entries.list.count == 1)
            #expect(try page.ask("entries", ["family": "lengths", "prefix": "X"]).entries.list.isEmpty)
            #expect(try page.answer("entries", ["family": "none"]).status == 404)
        }
    }

    @Test func entriesComeInPagesByKeyInBothDirections() async throws {
        try await inspecting(.database(try database())) { (page) throws in
            for reverse in ["", "1"] {
                var keys: [String] = []
                var from = ""
                repeat {
                    let fields = ["family": "default", "limit": "50", "reverse": reverse, "prefix": "key ", "from": from]
                    let answer =
                        try from.isEmpty
                        ? page.ask("entries", ["family": "default", "limit": "50", "reverse": reverse, "prefix": "key "])
                        : page.ask("entries", fields)
                    keys += answer.entries.list.compactMap(\.key.text.string)
                    from = answer.next.string ?? ""
                } while !from.isEmpty
                #expect(keys.count == 130 && keys == (reverse.isEmpty ? keys.sorted() : keys.sorted().reversed()))
            }
            let bytes = try page.ask("entries", ["family": "default", "limit": "0"]).entries[0]
            #expect(bytes.key.hex.string == "0102" && bytes.value.hex.string == "00ff" && bytes.id.string == "0102")
            #expect(try page.ask("entry", ["family": "default", "key": "0102"]).bytes.int == 2)
            #expect(try page.answer("entry", ["family": "default", "key": "0103"]).status == 404)
            #expect(try page.answer("entry", ["family": "default", "key": "xy"]).status == 400)
            #expect(try page.ask("entries", ["family": "default", "seek": "key 128"]).entries.list.count == 2)
        }
    }

    @Test func levelsPropertiesAndFigures() async throws {
        try await inspecting(.database(try database())) { (page) throws in
            let levels = try page.ask("levels", ["family": "default"])
            let level = try #require(levels.levels.list.first { $0.count.int == 1 })
            #expect(level.files[0].entries.int == 131 && level.files[0].last.text.string == "key 129")
            #expect(level.bytes.int == level.files[0].bytes.int && (level.bytes.int ?? 0) > 0)
            let properties = try page.ask("properties", ["family": "default"]).properties.list
            #expect(properties.first { $0.name.string == "rocksdb.estimate-num-keys" }?.value.string == "131")
            let figures = try page.ask("figures")
            #expect(figures.files.int == 1 && figures.sequence.int == 132)
        }
    }

    @Test func writesAreNews() async throws {
        let database = try database()
        try await inspecting(.database(database)) { (page) throws in
            let client = try Client(port: page.port)
            client.send("GET /\(page.token)/events HTTP/1.1\r\nHost: \(page.host)\r\n\r\n".utf8)
            #expect(client.receive(until: ": alive").contains("200 OK"))
            try database.put("b", for: "a")
            #expect(client.receive(until: "}\n\n").contains(#"data: {"sequence":133}"#))
        }
    }

    /// A reader of a database sees it as it was; opened again, it sees what another has written.
    @Test func readersAreOpenedAgain() async throws {
        let database = try database()
        let path = database.path
        let open: @Sendable () throws -> Inspector.Source = { .database(try RocksDB(path: path, mode: .readOnly)) }
        try await inspecting(try open(), options: .init(reopening: .init(path: path, open))) { (page) throws in
            #expect(try page.ask("store").sequence.int == 132)
            let client = try Client(port: page.port)
            client.send("GET /\(page.token)/events HTTP/1.1\r\nHost: \(page.host)\r\n\r\n".utf8)
            #expect(client.receive(until: ": alive").contains("200 OK"))
            try database.put("new", for: "a new key")
            #expect(client.receive(until: "}\n\n").contains(#"data: {"everything":true}"#))
            #expect(try page.ask("entries", ["family": "default", "prefix": "a new"]).entries.list.count == 1)
            // What a question has noticed is news, too.
            try database.put("newer", for: "a newer key")
            #expect(try page.ask("store").sequence.int == 134)
            #expect(client.receive(until: #"{"everything":true}"#).contains(#"data: {"everything":true}"#))
        }
    }

    // MARK: Mapped stores

    /// A store follows what is written to its file, but not that another file takes its place.
    @Test func replacedFilesAreOpenedAndMissingOnesReported() async throws {
        let path = directory.path("settings.map"), other = directory.path("other.map")
        let store = try MappedStore(path: path)
        try store.set("old", for: "a")
        let open: @Sendable () throws -> Inspector.Source = {
            .mapped(try MappedStore(path: path, options: MappedStoreOptions(readOnly: true, createIfMissing: false)))
        }
        try await inspecting(try open(), options: .init(reopening: .init(path: path, open))) { (page) throws in
            func value() throws -> String? { try page.ask("entries").entries[0].value.text.string }
            #expect(try page.ask("store").count.int == 1)
            let client = try Client(port: page.port)
            client.send("GET /\(page.token)/events HTTP/1.1\r\nHost: \(page.host)\r\n\r\n".utf8)
            #expect(client.receive(until: ": alive").contains("200 OK"))
            try store.set("new", for: "a")
            #expect(client.receive(until: "}\n\n").contains(#"{"keys":["a"]"#))
            #expect(try value()?.contains("new") == true)

            try MappedStore(path: other).set("another's", for: "a")
            try FileManager.default.moveItem(atPath: path, toPath: directory.path("former.map"))
            try FileManager.default.moveItem(atPath: other, toPath: path)
            #expect(client.receive(until: "}\n\n").contains(#"{"everything":true}"#))
            #expect(try value()?.contains("another's") == true)
            try MappedStore(path: path).set("later", for: "a")
            #expect(client.receive(until: "}\n\n").contains(#"{"keys":["a"]"#))

            try FileManager.default.removeItem(atPath: path)
            #expect(client.receive(until: "}\n\n").contains(#"{"everything":true}"#))
            #expect(try page.answer("entries").text.contains("no longer exists"))
            try FileManager.default.moveItem(atPath: directory.path("former.map"), toPath: path)
            #expect(client.receive(until: "}\n\n").contains(#"{"everything":true}"#))
            #expect(try value()?.contains("new") == true)
        }
    }

    /// Swift's strings take "é" and "e" with an accent for equal.
    @Test func keysThatLookTheSameAreAllOnSomePage() async throws {
        let store = try MappedStore(path: directory.path("settings.map"))
        let keys = ["be\u{301}", "b\u{E9}", "b", "c"]
        for key in keys { try store.set(1, for: key) }
        try await inspecting(.mapped(store)) { (page) throws in
            var (found, next): ([[UInt8]], String?) = ([], nil)
            repeat {
                let answer = try page.ask("entries", next.map { ["limit": "1", "after": $0] } ?? ["limit": "1"])
                found += answer.entries.list.compactMap { $0.key.text.string.map { Array($0.utf8) } }
                next = answer.next.string
            } while next != nil && found.count < 10
            #expect(found == keys.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
        }
    }

    @Test func aStoreThatCannotBeOpenedAgainSaysWhy() async throws {
        let path = directory.path("settings.map")
        let store = try MappedStore(path: path)
        let isBroken = Atomic(false)
        let open: @Sendable () throws -> Inspector.Source = {
            if isBroken.load(ordering: .relaxed) { throw Failure(.database, "'it' is another kind of file.") }
            return .mapped(store)
        }
        try await inspecting(.mapped(store), options: .init(reopening: .init(path: path, open))) { (page) throws in
            let client = try Client(port: page.port)
            client.send("GET /\(page.token)/events HTTP/1.1\r\nHost: \(page.host)\r\n\r\n".utf8)
            #expect(client.receive(until: ": alive").contains("200 OK"))
            isBroken.store(true, ordering: .relaxed)
            try FileManager.default.removeItem(atPath: path)
            try Data("text".utf8).write(to: URL(fileURLWithPath: path))
            while try page.answer("store").status == 200 { #expect(client.receive(until: "}\n\n").contains("everything")) }
            #expect(try page.answer("entries").json.error.string == "'it' is another kind of file.")
        }
    }

    @Test func mappedStores() async throws {
        let store = try MappedStore(path: directory.path("settings.map"))
        for number in 0..<60 { try store.set(number, for: String(format: "number %02d", number)) }
        try store.set("text\u{202E}<script>", for: "zz", expiresAfter: .seconds(3600))
        try store.set([0, 255] as [UInt8], for: "bytes")
        try await inspecting(.mapped(store)) { (page) throws in
            let overview = try page.ask("store")
            #expect(overview.kind.string == "mapped" && overview.count.int == 62 && overview.opened_clean.bool == true)
            let first = try page.ask("entries")
            #expect(
                first.entries[0].key.text.string == "bytes" && first.entries[0].value.hex.string == "00ff"
                    && first.entries[0].type.string == "bytes"
            )
            let next = try #require(first.next.string)
            let second = try page.ask("entries", ["after": next])
            #expect(second.entries.list.count == 12 && second.next.isNull)
            let last = try #require(second.entries.list.last)
            #expect(last.expires.string != nil && last.type.string == "string")
            #expect(try page.ask("entries", ["contains": "number 1"]).found.int == 10)
            #expect(try page.ask("entry", ["key": "number 07"]).value.text.string == "7")
            #expect(try page.answer("entry", ["key": "none"]).status == 404)
            #expect(try page.ask("types").types[0].count.int == 60)
            #expect(try page.ask("verify").intact.bool == true)
        }
    }

    @Test func damageOfMappedStores() async throws {
        let path = directory.path("damaged.map")
        do {
            let store = try MappedStore(path: path)
            try store.set("something that can be found", for: "damaged")
            try store.set("intact", for: "other")
            try store.close()
        }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let range = try #require(bytes.range(of: Data("can be".utf8)))
        bytes[range.lowerBound] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        let store = try MappedStore(path: path, options: MappedStoreOptions(readOnly: true))
        try await inspecting(.mapped(store)) { (page) throws in
            let check = try page.ask("verify")
            #expect(check.intact.bool == false && check.damaged_keys.list.map(\.text.string) == ["damaged"] && check.intact_count.int == 1)
            let answer = try page.ask("entries")
            #expect(answer.damaged.int == 1 && answer.unreadable.int == 0 && answer.count.int == 2)
            let entries = answer.entries
            #expect(entries[0].fault.string != nil && entries[1].value.text.string == "intact")
            #expect(try page.ask("types").damaged.bool == true)
        }
    }

    @Test func changesOfMappedStoresAreNews() async throws {
        let store = try MappedStore(path: directory.path("news.map"))
        try await inspecting(.mapped(store)) { (page) throws in
            let client = try Client(port: page.port)
            client.send("GET /\(page.token)/events HTTP/1.1\r\nHost: \(page.host)\r\n\r\n".utf8)
            #expect(client.receive(until: ": alive").contains("200 OK"))
            try store.set(1, for: "launches")
            #expect(client.receive(until: "}\n\n").contains(#"data: {"keys":["launches"],"everything":false}"#))
        }
    }

    // MARK: Constant databases

    @Test func constantDatabases() async throws {
        let path = directory.path("music.cdb")
        let writer = try CDBWriter(path: path)
        for number in 0..<70 { try writer.put("value \(number)", for: "key \(number % 60)") }
        try writer.finish()
        // A record that is longer than the file: nothing behind it can be counted, and what is before it is shown.
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        bytes[2_048 + 3] = 0x7F
        let damaged = directory.path("damaged.cdb")
        try Data(bytes).write(to: URL(fileURLWithPath: damaged))
        try await inspecting(.cdb(try CDBReader(path: damaged))) { [bytes] (page) throws in
            let store = try page.ask("store")
            #expect(store.kind.string == "cdb" && store.count.isNull && store.bytes.int == bytes.count)
            #expect(try page.ask("verify").intact.bool == false)
        }
        try await inspecting(.cdb(try CDBReader(path: path))) { (page) throws in
            let store = try page.ask("store")
            #expect(store.kind.string == "cdb" && store.count.int == 70 && store.layout.string == "standard")
            let first = try page.ask("entries")
            #expect(first.entries.list.count == 50 && first.next.int == 50 && first.entries[0].key.text.string == "key 0")
            let second = try page.ask("entries", ["from": "50"])
            #expect(second.entries.list.count == 20 && second.next.isNull && second.entries[19].value.text.string == "value 69")
            let values = try page.ask("entries", ["key": "key 3"]).entries.list
            #expect(values.map(\.value.text.string) == ["value 3", "value 63"])
            #expect(try page.ask("entries", ["key": "6b65792033", "hex": "1"]).entries.list.count == 2)
            let statistics = try page.ask("statistics")
            #expect(statistics.records.int == 70 && statistics.distances.list.compactMap(\.int).reduce(0, +) == 70)
            #expect(statistics.table_slots.total.int == 140)
            #expect(try page.ask("verify").intact.bool == true)
        }
    }
}
