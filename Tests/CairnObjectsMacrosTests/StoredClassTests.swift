import CairnObjects
import Foundation
import Testing

struct StoredClassTests {
    @Test func theInitialiserTakesWhatHasNoDefault() {
        let song = Song(artist: "Katrina", title: "Walking on Sunshine")
        #expect(song.artist == "Katrina" && song.title == "Walking on Sunshine" && song.seconds == 0 && song.released == nil)
        #expect(song.genre == .none && song.tags == [] && song.place == nil && song.volume == 11 && song.album == nil && song.plays == 0)
        let other = Song(
            artist: "a",
            title: "b",
            seconds: 3,
            released: 1983,
            code: "c",
            genre: .jazz,
            tags: ["d"],
            place: Place(),
            volume: nil,
            album: nil
        )
        #expect(other.seconds == 3 && other.released == 1983 && other.code == "c" && other.genre == .jazz && other.tags == ["d"])
        #expect(other.place == Place() && other.volume == nil)
        #expect(Album(title: "Live").edition == 1)
    }

    @Test func initialisersOfTheClassLeaveOutWhatTheyMay() {
        let chosen = Chosen(a: 1)
        #expect(chosen.a == 1 && chosen.b == "b" && chosen.c == nil && chosen.songs.isEmpty && chosen.d == 4)
        let song = Song(artist: "a", title: "b")
        let all = Chosen(all: 2, song)
        #expect(all.a == 2 && all.b == "all" && all.c == 2 && all.d == 5)
        #expect(all.songs.count == 1 && all.songs[0] === song)
        #expect(Chosen().a == 7)
        #expect(OnlyConvenience(text: "abc").a == 3 && OnlyConvenience(a: 4).a == 4)
    }

    @Test func valuesAreChangedInPlaceAndAnew() {
        let song = Song(artist: "a", title: "b")
        song.title = "c"
        song.seconds += 5
        song.tags.append("d")
        song.volume = nil
        song.released = 3
        song.released? += 1
        #expect(song.title == "c" && song.seconds == 5 && song.tags == ["d"] && song.volume == nil && song.released == 4)
        let album = Album(title: "a")
        album.reprint()
        #expect(album.edition == 2)
    }

    @Test func anArrayIsAppendedToWithoutACopy() {
        let song = Song(artist: "a", title: "b")
        var places: Set<UInt> = []
        for number in 0..<10_000 {
            song.tags.append("\(number)")
            let place = unsafe song.tags.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
            places.insert(place)
        }
        #expect(song.tags.count == 10_000)
        // The array moves whenever it doubles.
        #expect(places.count < 40)
    }

    @Test func everyKindOfValueComesBackFromItsRecord() throws {
        let everything = Everything(
            bool: true,
            small: 200,
            int: -5,
            double: 0.1,
            string: "Grüße",
            bytes: [0, 255],
            data: Data([1]),
            date: Date(timeIntervalSince1970: 1.5),
            uuid: UUID(),
            url: try #require(URL(string: "https://example.org/a")),
            decimal: try #require(Decimal(string: "1.10")),
            genre: .rock,
            genres: [.none, .jazz],
            names: ["a": [1, 2]],
            perhaps: [1, nil],
            place: Place(room: 3),
            places: [Place(), Place(room: 9, shelf: "z")]
        )
        let copy = try object(Everything.self, from: record(of: everything))
        #expect(copy.bool && copy.small == 200 && copy.int == -5 && copy.double == 0.1 && copy.string == "Grüße")
        #expect(copy.bytes == [0, 255] && copy.data == Data([1]) && copy.date == everything.date && copy.uuid == everything.uuid)
        #expect(copy.url == everything.url && copy.decimal == everything.decimal && copy.genre == .rock && copy.genres == [.none, .jazz])
        #expect(copy.names == ["a": [1, 2]] && copy.perhaps == [1, nil] && copy.place == Place(room: 3))
        #expect(copy.places == [Place(), Place(room: 9, shelf: "z")])
        #expect(try record(of: copy) == record(of: everything))
    }

    @Test func optionalsComeBackAsTheyWere() throws {
        let song = Song(artist: "a", title: "b")
        var copy = try object(Song.self, from: record(of: song))
        #expect(copy.released == nil && copy.code == nil && copy.place == nil && copy.volume == 11)
        song.volume = nil
        song.released = 1
        song.code = "c"
        copy = try object(Song.self, from: record(of: song))
        #expect(copy.volume == nil && copy.released == 1 && copy.code == "c")
    }

    @Test func fieldsThatARecordLacksReadAsDefaultsOrBlanks() throws {
        let song = try object(Song.self, from: [])
        #expect(
            song.artist == "" && song.seconds == 0 && song.genre == .none && song.volume == 11 && song.released == nil && song.tags == []
        )
        #expect(try object(Album.self, from: []).songs.isEmpty)
        #expect { try object(Everything.self, from: []) } throws: { ($0 as? RecordError)?.code == .missingField }
    }

    @Test func anObjectWithoutValuesReadsAsDefaultsAndBlanks() {
        let song = Song(_$fault: ())
        song._$clear()
        #expect(song.artist == "" && song.title == "" && song.seconds == 0 && song.genre == .none && song.volume == 11)
        #expect(song.tags == [] && song.album == nil)
        song.tags.append("a")
        song.artist += "b"
        #expect(song.tags == ["a"] && song.artist == "b")
    }

    @Test func aHandCodedClassWritesWhatItsMethodsSay() throws {
        let object = ByHand(name: "a", number: 3)
        var writer = RecordWriter()
        writer.write(3)
        writer.write("a")
        let bytes = try writer.bytes
        #expect(try record(of: object).starts(with: bytes))
        let copy = try CairnObjectsMacrosTests.object(ByHand.self, from: bytes)
        #expect(copy.name == "a" && copy.number == 3 && !copy.hasUnsavedChanges)
        #expect(throws: RecordError.self) { try CairnObjectsMacrosTests.object(ByHand.self, from: []) }
    }

    @Test func namesThatNeedCareAreKept() throws {
        let object = Nest.Class(class: "a", in: 3)
        #expect(object.class == "a" && object.in == 3 && object.`two words` == 2)
        object.value = 1
        object.newValue = 2
        object.index = 3
        object.encoder = 9
        let copy = try CairnObjectsMacrosTests.object(Nest.Class.self, from: record(of: object))
        #expect(copy.class == "a" && copy.value == 1 && copy.newValue == 2 && copy.index == 3 && copy.encoder == 9)
        #expect(Nest.Class.objectSchema.name == "Class")
        #expect(Nest.Class.objectSchema.properties.map(\.name).prefix(3) == ["class", "in", "two words"])
    }

    @Test func aProgramMayHaveTypesOfTheSameNames() throws {
        let note = Namesakes.Note(title: "a", next: Namesakes.Note(title: "b"))
        note.others.append(note)
        #expect(note.next?.title == "b" && note.others.count == 1)
        #expect(try CairnObjectsMacrosTests.object(Namesakes.Note.self, from: record(of: Namesakes.Note(title: "c"))).title == "c")
    }

    @Test func relationshipsHoldObjectsOfNoContext() {
        let one = Album(title: "one")
        let other = Album(title: "other")
        one.friends.insert(other)
        one.byLanguage["en"] = other
        let song = Song(artist: "a", title: "b")
        one.$songs.append(song)
        one.$songs.append(song)
        #expect(one.friends.contains(other) && one.byLanguage["en"] === other && one.songs.count == 2 && one.songs[1] === song)
        one.songs = []
        #expect(one.$songs.isEmpty)
        song.album = one
        #expect(song.album === one)
        song.album = nil
        #expect(song.album == nil)
    }
}
