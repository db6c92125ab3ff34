import CairnInspector
import CairnObjects
import CairnTestSupport
import CairnToolKit
import Foundation
import Testing

@Stored(name: "Song") final class InspectedSong {
    @Indexed var title: String
    var year: Int
    @Searchable var words: String = ""
    var cover: [UInt8] = []
    @Relationship(inverse: \InspectedAlbum.songs) var album: InspectedAlbum?
}

@Stored(name: "Album") final class InspectedAlbum {
    var name: String
    @Relationship var songs: ObjectList<InspectedSong>
}

/// Object stores.
@Suite struct ObjectsTests {
    private let directory: TemporaryDirectory
    private let store: ObjectStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try ObjectStore(path: directory.path("Music.store"), classes: [InspectedSong.self, InspectedAlbum.self])
        try store.write { context in
            let album = InspectedAlbum(name: "Best of")
            context.insert(album)
            for number in 1...120 {
                let song = InspectedSong(title: "Song \(number)", year: 1900 + number)
                song.words = number % 10 == 0 ? "walking on <b>sunshine</b>" : "rain"
                if number == 7 { song.cover = [0, 1, 2, 255] }
                if number == 8 { song.words = String(repeating: "é", count: 300) }
                context.insert(song)
                if number <= 3 { album.songs.append(song) }
            }
            try context.setNamed("favourite", to: album)
        }
    }

    @Test func theFirstQuestionSaysWhatThereIs() async throws {
        try await inspecting(.store(store), options: .init(name: "Music")) { (page) throws in
            let answer = try page.ask("store")
            #expect(answer.kind.string == "objects" && answer.name.string == "Music")
            let song = try #require(answer.classes.list.first { $0.name.string == "Song" })
            #expect(song.properties.list.compactMap(\.name.string) == ["title", "year", "words", "cover", "album"])
            #expect(song.properties[1].type.string == "int")
            #expect(song.properties[4].shape.string == "one" && song.properties[4].target.string == "Album")
            #expect(song.indexes[0].properties[0].string == "title" && song.indexes[0].complete.bool == true)
        }
    }

    @Test func objectsComeInPagesByRow() async throws {
        try await inspecting(.store(store)) { (page) throws in
            var rows: [String] = []
            var from = "1"
            while true {
                let answer = try page.ask("objects", ["class": "Song", "from": from, "limit": "50"])
                rows += answer.objects.list.compactMap(\.id.string)
                #expect(answer.objects.list.count <= 50 && answer.by.string == "from")
                guard let next = answer.next.int else { break }
                from = "\(next)"
            }
            #expect(rows.count == 120 && Set(rows).count == 120)
        }
    }

    @Test func valuesAreShownByTheirKinds() async throws {
        try await inspecting(.store(store)) { (page) throws in
            let songs = try page.ask("objects", ["class": "Song"]).objects
            func value(_ place: Int, _ name: String) -> JSON {
                songs[place].values.list.first { $0.name.string == name }?.value ?? JSON(nil)
            }
            #expect(value(0, "title").text.string == "Song 1" && value(0, "year").text.string == "1901")
            #expect(value(0, "album").objects[0].string != nil && value(0, "album").one.bool == true)
            #expect(value(5, "album").isNull)
            #expect(value(6, "cover").hex.string == "000102ff" && value(6, "cover").size.int == 4)
            // Long text is cut between characters; its size is there.
            #expect(value(7, "words").text.string == String(repeating: "é", count: 100) && value(7, "words").size.int == 600)
            let id = try #require(songs[7].id.string)
            let whole = try page.ask("object", ["id": id]).object.values.list.first { $0.name.string == "words" }
            #expect(whole?.value.text.string?.count == 300)
        }
    }

    @Test func queriesFindSortAndExplain() async throws {
        try await inspecting(.store(store)) { (page) throws in
            let query = ["class": "Song", "where": "year > 1990", "sort": "-year", "limit": "20"]
            let answer = try page.ask("objects", query)
            #expect(answer.objects[0].values[1].value.text.string == "2020")
            #expect(answer.objects.list.count == 20 && answer.by.string == "offset" && answer.next.int == 20)
            let rest = try page.ask("objects", ["class": "Song", "where": "year > 1990", "sort": "-year", "limit": "20", "offset": "20"])
            #expect(rest.objects.list.count == 10 && rest.next.isNull)
            #expect(try page.ask("count", ["class": "Song", "where": "year > 1990"]).count.int == 30)
            #expect(try page.ask("objects", ["class": "Song", "search": "sunshine"]).objects.list.count == 12)
            let plan = try page.ask("explain", ["class": "Song", "where": #"title = "Song 5""#])
            #expect(
                plan.access.string?.contains("title") == true && plan.examined.int == 1 && plan.more.bool == false && plan.filter.isNull
            )
            let wrong = try page.answer("objects", ["class": "Song", "where": "year >"])
            #expect(wrong.status == 409)
            #expect(try wrong.json.error.string?.isEmpty == false)
        }
    }

    @Test func relationshipsAreFollowedBothWays() async throws {
        try await inspecting(.store(store)) { (page) throws in
            let album = try page.ask("objects", ["class": "Album"]).objects[0]
            let songs = try #require(album.values.list.first { $0.name.string == "songs" }?.value)
            #expect(songs.count.int == 3 && songs.objects.list.count == 3)
            let song = try #require(songs.objects[1].string)
            let answer = try page.ask("object", ["id": song])
            #expect(
                answer.referrers.list.map { [$0["class"].string, $0.property.string, $0.id.string] } == [
                    ["Album", "songs", album.id.string]
                ]
            )
            #expect(answer["class"].string == "Song" && answer.referrer_count.int == 1)
        }
    }

    @Test func namesAndSizes() async throws {
        try await inspecting(.store(store)) { (page) throws in
            let names = try page.ask("names").names
            #expect(names[0].name.string == "favourite" && names[0].value.one.bool == true)
            #expect(try page.ask("names", ["after": "favourite"]).names.list.isEmpty)
            let size = try page.ask("size", ["class": "Song"])
            #expect(size.objects.int == 120 && size.indexes[0].count.int == 120 && (size.page_bytes.int ?? 0) > 1000)
        }
    }

    @Test func questionsThatHaveNoAnswer() async throws {
        try await inspecting(.store(store)) { (page) throws in
            #expect(try page.answer("objects", ["class": "None"]).status == 404)
            #expect(try page.answer("objects").status == 400)
            #expect(try page.answer("objects", ["class": "Song", "from": "-1"]).status == 400)
            #expect(try page.answer("object", ["id": "1"]).status == 400)
            #expect(try page.answer("object", ["id": "1/999"]).status == 404)
            #expect(try page.answer("object", ["id": "77/1"]).status == 404)
            #expect(try page.answer("entries").status == 404)
        }
    }

    @Test func commitsAreNews() async throws {
        try await inspecting(.store(store)) { [store] (page) throws in
            let client = try Client(port: page.port)
            client.send("GET /\(page.token)/events HTTP/1.1\r\nHost: \(page.host)\r\n\r\n".utf8)
            // The first sign of life says that the server listens.
            #expect(client.receive(until: ": alive").contains("text/event-stream"))
            try store.write { $0.insert(InspectedSong(title: "New", year: 2026)) }
            let event = client.receive(until: "}\n\n")
            let line = try #require(event.split(separator: "\n").first { $0.hasPrefix("data: ") })
            let news = JSON(try JSONTree(value: Array(line.dropFirst(6).utf8)))
            #expect(news.inserted_count.int == 1 && news.inserted.list.count == 1 && news.updated_count.int == 0)
        }
    }
}
