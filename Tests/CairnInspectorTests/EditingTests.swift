import CairnCDB
import CairnInspector
import CairnMapped
import CairnObjects
import CairnRocks
import CairnTestSupport
import CairnToolKit
import Foundation
import Synchronization
import Testing

/// Changes through the page's requests.
@Suite struct EditingTests {
    private let directory: TemporaryDirectory
    private static let editable = Inspector.Options(isEditable: true)

    init() throws { directory = try TemporaryDirectory() }

    private func music() throws -> ObjectStore {
        let store = try ObjectStore(path: directory.path("Music.store"), classes: [InspectedSong.self, InspectedAlbum.self])
        try store.write { context in
            let album = InspectedAlbum(name: "Best of")
            context.insert(album)
            for number in 1...3 {
                let song = InspectedSong(title: "Song \(number)", year: 1900 + number)
                context.insert(song)
                album.songs.append(song)
            }
        }
        return store
    }

    private func titles(_ store: ObjectStore) throws -> [String] {
        try store.read { try $0.fetch(InspectedSong.self, sortedBy: [.ascending(\InspectedSong.title)]).map(\.title) }
    }

    @Test func objectsAreChangedAndChangedBack() async throws {
        let store = try music()
        try await inspecting(.store(store), options: Self.editable) { [store] (page) throws in
            #expect(try page.ask("store").editing.undo.isNull)
            let edit = #"{"set": {"object": "1/2", "property": "title", "text": "Rain"}}"#
            let preview = try page.change("preview", edit)
            let effect = preview.effects[0]
            #expect(effect.kind.string == "update" && effect.name.string == "Song 2" && effect.changes[0].name.string == "title")
            #expect(effect.changes[0].before.text.string == "Song 2" && effect.changes[0].after.text.string == "Rain")
            #expect(try titles(store) == ["Song 1", "Song 2", "Song 3"], "a preview changes nothing")
            #expect(try page.perform(edit).editing.undo.string == "set title of Song 2")
            #expect(try titles(store) == ["Rain", "Song 1", "Song 3"])
            // Its album has one song less.
            let deleted = try page.perform(#"{"delete": {"object": "1/1"}}"#).effects.list
            #expect(deleted.map { "\($0.kind.string ?? "") \($0.name.string ?? "")" } == ["delete Song 1", "update Album 1"])
            #expect(try titles(store) == ["Rain", "Song 3"])
            #expect(try page.ask("store").editing.undo.string == "delete Song 1")
            #expect(try page.change("undo").editing.redo.string == "delete Song 1")
            #expect(try page.change("undo").editing.undo.isNull)
            #expect(try titles(store) == ["Song 1", "Song 2", "Song 3"])
            _ = try page.change("redo")
            #expect(try titles(store) == ["Rain", "Song 1", "Song 3"])
        }
        #expect(try store.verify().isIntact)
    }

    @Test func objectsAreAdded() async throws {
        let store = try music()
        try await inspecting(.store(store), options: Self.editable) { [store] (page) throws in
            let fields = try page.ask("fields", ["class": "Song"]).fields.list
            #expect(fields.compactMap(\.name.string) == ["title", "year", "words", "cover", "album"])
            #expect(fields.map(\.required.bool) == [true, true, true, true, false])
            let values = #""title": "New", "year": "2000", "words": "", "cover": "00ff", "album": "2/1""#
            let made = try page.perform(#"{"insert": {"class": "Song", "values": {\#(values)}}}"#)
            let id = try #require(made.effects.list.first { $0.kind.string == "insert" }?.id.string)
            let text = try page.ask("fields", ["id": id]).fields.list.map { $0.text.string ?? "nothing" }
            #expect(text == ["New", "2000", "", "00ff", "2/1"])
            #expect(try store.read { try $0.fetch(InspectedAlbum.self).first?.songs.count } == 4)
        }
    }

    @Test func entriesOfMappedStoresAreChanged() async throws {
        let store = try MappedStore(path: directory.path("settings.map"))
        try store.set(5, for: "volume", expiresAfter: .seconds(3600))
        let expiry = try store.expiry(of: "volume")
        try await inspecting(.mapped(store), options: Self.editable) { [store] (page) throws in
            let edit = #"{"set": {"key": "volume", "type": "int", "text": "7"}}"#
            let change = try page.change("preview", edit).effects[0].changes[0]
            #expect(change.before.text.string?.hasSuffix("5") == true && change.after.text.string?.hasSuffix("7") == true)
            _ = try page.perform(edit)
            #expect(try store.get("volume", as: Int.self) == 7 && store.expiry(of: "volume") == expiry)
            _ = try page.perform(#"{"set": {"key": "name", "type": "string", "text": "é"}}"#)
            _ = try page.perform(#"{"delete": {"key": "volume"}}"#)
            #expect(try store.keys() == ["name"])
            for _ in 0..<3 { _ = try page.change("undo") }
            #expect(try store.get("volume", as: Int.self) == 5 && store.expiry(of: "volume") == expiry && store.count == 1)
            #expect(try page.changing("undo").status == 409)
            for _ in 0..<3 { _ = try page.change("redo") }
            #expect(try store.keys() == ["name"])
            // Another program has set it since.
            try store.set("other", for: "name")
            _ = try page.change("undo")
            #expect(try page.changing("undo").status == 409)
            #expect(try store.get("name", as: String.self) == "other")
            #expect(try page.changing("preview", #"{"set": {"key": "a", "type": "int", "text": "x"}}"#).status == 400)
        }
    }

    /// What has expired is not in the way of undoing what came before it.
    @Test func expiredValuesAreNotUndone() async throws {
        let now = Mutex(Date(timeIntervalSince1970: 1_000_000))
        var options = MappedStoreOptions()
        options.now = { now.withLock { $0 } }
        let store = try MappedStore(path: directory.path("settings.map"), options: options)
        try store.set(1, for: "kept")
        try store.set(5, for: "expiring", expiresAfter: .seconds(60))
        try await inspecting(.mapped(store), options: Self.editable) { [store] (page) throws in
            _ = try page.perform(#"{"set": {"key": "kept", "type": "int", "text": "2"}}"#)
            _ = try page.perform(#"{"set": {"key": "expiring", "type": "int", "text": "6"}}"#)
            now.withLock { $0 += 61 }
            let answer = try page.changing("undo")
            #expect(answer.status == 409 && answer.text.contains("'expiring' has expired"))
            #expect(try store.keys() == ["kept"])
            #expect(try page.change("undo").editing.undo.isNull)
            // Between a preview and its confirmation.
            try store.set(5, for: "expiring", expiresAfter: .seconds(60))
            let name = try #require(try page.change("preview", #"{"delete": {"key": "expiring"}}"#).edit.string)
            now.withLock { $0 += 61 }
            #expect(try page.changing("perform", #"{"edit": "\#(name)"}"#).text.contains("has expired in the meantime"))
            #expect(try store.get("kept", as: Int.self) == 1)
        }
    }

    /// The row of a new object is not known before.
    @Test func newObjectsAreShownWithoutARow() async throws {
        try await inspecting(.store(try music()), options: Self.editable) { (page) throws in
            let insert = #"{"insert": {"class": "Song", "values": {"title": "New", "year": "1", "words": "", "cover": ""}}}"#
            let new = try page.change("preview", insert).effects[0]
            #expect(new.name.string == "Song" && new.id.isNull)
            #expect(try page.perform(insert).effects[0].name.string?.hasPrefix("Song ") == true)
        }
    }

    @Test func entriesOfDatabasesAreChanged() async throws {
        let database = try RocksDB(path: directory.path("music.db"), options: DatabaseOptions(createIfMissing: true))
        let lengths = try database.table("lengths", key: String.self, value: Int.self, codec: .littleEndian)
        try lengths.put(298, for: "sunshine")
        try database.put([0, 255] as [UInt8], for: "bytes")
        try await inspecting(.database(database), options: Self.editable) { [database, lengths] (page) throws in
            _ = try page.perform(#"{"set": {"family": "lengths", "key": "sunshine", "value": "300"}}"#)
            _ = try page.perform(#"{"set": {"family": "lengths", "key": "rain", "value": "-1"}}"#)
            #expect(try lengths.get("sunshine") == 300 && lengths.get("rain") == -1)
            _ = try page.perform(#"{"set": {"family": "default", "key": "bytes", "value_hex": "fe"}}"#)
            _ = try page.perform(#"{"delete": {"family": "default", "id": "6279746573"}}"#)
            #expect(try database.get("bytes" as String) as [UInt8]? == nil)
            for _ in 0..<4 { _ = try page.change("undo") }
            #expect(
                try lengths.get("sunshine") == 298 && lengths.get("rain") == nil && database.get("bytes" as String) == [0, 255] as [UInt8]
            )
            #expect(try page.changing("preview", #"{"set": {"family": "lengths", "key": "rain", "value": "much"}}"#).status == 400)
            #expect(try page.changing("preview", #"{"delete": {"family": "none", "id": "00"}}"#).status == 404)
        }
    }

    @Test func whatWasShownIsDoneOrNothing() async throws {
        let store = try music()
        try await inspecting(.store(store), options: Self.editable) { [store] (page) throws in
            let edit = #"{"set": {"object": "1/2", "property": "title", "text": "Rain"}}"#
            let name = try #require(try page.change("preview", edit).edit.string)
            try store.write { try $0.fetch(InspectedSong.self, where: \InspectedSong.year == 1902).first?.title = "Sun" }
            #expect(try page.changing("perform", "{\"edit\": \"\(name)\"}").status == 409)
            #expect(try titles(store) == ["Song 1", "Song 3", "Sun"])
            // A new object may get another row than was shown.
            let values = #""title": "New", "year": "2000", "words": "", "cover": "", "album": "2/1""#
            let first = try #require(try page.change("preview", #"{"insert": {"class": "Song", "values": {\#(values)}}}"#).edit.string)
            _ = try page.perform(#"{"insert": {"class": "Song", "values": {"title": "Other", "year": "2001", "words": "", "cover": ""}}}"#)
            _ = try page.change("perform", "{\"edit\": \"\(first)\"}")
            #expect(try titles(store) == ["New", "Other", "Song 1", "Song 3", "Sun"])
        }
    }

    @Test func valuesAreEditedAsWhatTheyAre() async throws {
        let store = try MappedStore(path: directory.path("values.map"))
        try store.set(Data("cafe".utf8), for: "bytes")
        try store.set([1, 2], for: "list")
        try store.set("one\r\ntwo", for: "lines")
        try store.set(Double.nan, for: "number")
        try store.set("e\u{301}", for: "text")
        try await inspecting(.mapped(store), options: Self.editable) { [store] (page) throws in
            #expect(try page.ask("entry", ["key": "bytes"]).edit.string == "63616665")
            for key in ["list", "lines"] { #expect(try page.ask("entry", ["key": key]).edit.isNull, "\(key)") }
            _ = try page.perform(#"{"set": {"key": "number", "type": "double", "text": "1"}}"#)
            _ = try page.change("undo")
            #expect(try store.get("number", as: Double.self)?.isNaN == true)
            // The same text in other scalars.
            #expect(try page.perform(#"{"set": {"key": "text", "type": "string", "text": "\u00e9"}}"#).effects.list.count == 1)
        }
        let database = try RocksDB(path: directory.path("values.db"), options: DatabaseOptions(createIfMissing: true))
        try database.put("GET\r\n", for: "lines")
        try database.put("text", for: "text")
        var entity = Entity()
        entity.put("1", for: "a")
        entity.put("2", for: "b")
        try database.putEntity(entity, for: "entity")
        try await inspecting(.database(database), options: Self.editable) { (page) throws in
            #expect(try page.ask("entry", ["family": "default", "key": "6c696e6573"]).edit.hex.string == "4745540d0a")
            #expect(try page.ask("entry", ["family": "default", "key": "74657874"]).edit.text.string == "text")
            #expect(try page.changing("preview", #"{"delete": {"family": "default", "id": "656e74697479"}}"#).status == 409)
        }
    }

    // MARK: Refusals

    @Test func nothingIsChangedUnlessItIsAllowed() async throws {
        let store = try music()
        try await inspecting(.store(store)) { (page) throws in
            #expect(try page.ask("store").editing.isNull)
            #expect(try page.changing("preview", #"{"delete": {"object": "1/1"}}"#).status == 405)
        }
        #expect(try titles(store).count == 3)
    }

    @Test func changesComeFromThePageOnly() async throws {
        let store = try music()
        try await inspecting(.store(store), options: Self.editable) { (page) throws in
            let edit = #"{"delete": {"object": "1/1"}}"#
            let name = try #require(try page.change("preview", edit).edit.string)
            let body = "{\"edit\": \"\(name)\"}"
            func status(_ head: String, token: String? = nil, host: String? = nil, size: Int? = nil) throws -> Int {
                let path = "/\(token ?? page.token)/api/perform"
                let length = "Content-Length: \(size ?? body.utf8.count)\r\n"
                return try page.exchange(
                    "POST \(path) HTTP/1.1\r\nHost: \(host ?? page.host)\r\nConnection: close\r\n\(length)\(head)\r\n\(body)"
                ).status
            }
            let (origin, type) = ("Origin: http://\(page.host)\r\n", "Content-Type: application/json\r\n")
            #expect(try status(type) == 403, "without an origin")
            #expect(try status(type + "Origin: http://evil.example\r\n") == 403)
            #expect(try status(type + "Origin: null\r\n") == 403)
            #expect(try status(origin) == 415, "as a form of another page could")
            #expect(try status(origin + "Content-Type: text/plain\r\n") == 415)
            #expect(try status(origin + type + "Sec-Fetch-Site: cross-site\r\n") == 403)
            #expect(try status(origin + type, host: "evil.example") == 403)
            #expect(try status(origin + type, token: String(repeating: "0", count: 32)) == 404)
            #expect(try status(origin + type, size: 2 << 20) == 413)
            #expect(
                try page.exchange("POST /\(page.token)/api/perform HTTP/1.1\r\nHost: \(page.host)\r\n\(origin)\(type)\r\n").status == 411
            )
            #expect(try page.exchange("PUT /\(page.token)/api/perform HTTP/1.1\r\nHost: \(page.host)\r\n\r\n").status == 405)
            #expect(try page.get("/\(page.token)/api/perform").status == 404, "a GET changes nothing")
            for wrong in ["", "{", "[]", "{}", #"{"set": 1}"#, #"{"delete": {"object": "x"}}"#, #"{"drop": {}}"#] {
                #expect(try page.changing("preview", wrong).status == 400, "\(wrong)")
                #expect(try page.changing("perform", wrong).status == 400, "\(wrong)")
            }
            #expect(try page.changing("perform", #"{"edit": "99"}"#).status == 409)
            #expect(try page.changing("nothing", body).status == 404)
            // Nobody waits for the body of a client that is refused.
            let client = try Client(port: page.port)
            client.send("POST /x/api/perform HTTP/1.1\r\nHost: \(page.host)\r\n\(origin)\(type)Content-Length: 100\r\n\r\n".utf8)
            #expect(try Answer(client.receiveAll()).status == 404)
            let other = try page.exchange("PUT /\(page.token)/ HTTP/1.1\r\nHost: \(page.host)\r\n\r\n")
            #expect(other.headers["allow"] == "GET, POST")
            #expect(try page.ask("store").editing.undo.isNull)
            #expect(try status(origin + type) == 200)
            #expect(try status(origin + type) == 409, "once")
        }
        #expect(try titles(store).count == 2)
    }

    @Test func whatCannotBeChangedIsNotOffered() throws {
        func code(_ source: Inspector.Source) -> InspectorError.Code? {
            do throws(InspectorError) {
                _ = try Inspector(source, options: Self.editable)
                return nil
            } catch { return error.code }
        }
        let writer = try CDBWriter(path: directory.path("a.cdb"))
        try writer.finish()
        #expect(code(.cdb(try CDBReader(path: directory.path("a.cdb")))) == .invalidOption)
        let store = try music()
        try store.close()
        let readOnly = try ObjectStore(path: directory.path("Music.store"), classes: [], options: ObjectStoreOptions(readOnly: true))
        #expect(code(.store(readOnly)) == .invalidOption)
        try readOnly.close()
        #expect(code(.database(try RocksDB(path: directory.path("Music.store"), options: DatabaseOptions()))) == .invalidOption)
    }
}
