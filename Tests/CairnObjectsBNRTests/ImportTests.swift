import CairnObjects
import CairnObjectsBNR
import CairnTestSupport
import Foundation
import Testing

@Suite struct ImportTests {
    /// Directories that the real Tokyo Cabinet wrote, in both byte orders: versions, references, names.
    @Test(arguments: ["Music.bnr", "Debian.bnr"]) func golden(name: String) throws {
        let store = try makeStore([OldSong.self, OldPlaylist.self])
        let importer = try BNRImporter(path: Golden.path(name), layout: Layouts.music)
        let checked = try importer.check(for: store.catalog)
        let report = try importer.importObjects(into: store)
        #expect(report == checked)
        #expect(report.isWhole && report.objectCount == 28 && report.nameCount == 3)
        #expect(report.classes.map(\.claimedCount) == [26, 2])
        #expect(report.classes[0].versions == [0: 21, 1: 5])
        // Song 5, which was deleted; a playlist among songs, twice.
        #expect(report.lostReferenceCount == 2)
        #expect(report.lostReferences.contains("Playlist 2.songs refers to Song 5, which does not exist"))
        #expect(report.lostReferences.contains("Playlist 2.all refers to Playlist 3, but can refer only to Song"))
        #expect(try store.verify().isIntact)

        try store.read { context in
            let songs = try context.allObjects(OldSong.self)
            #expect(songs.map { $0.objectID?.row ?? 0 } == (2...32).filter { ![5, 6, 7, 20, 29].contains($0) }.map(UInt64.init))
            let two = try #require(songs.first)
            #expect(two.title == "Song 2" && two.seconds == 20 && two.rating == nil && two.added == nil && two.cover == nil)
            let four = try #require(try context.fetch(OldSong.self, where: \.title == "A song with a longer title, number 4").first)
            #expect(four.seconds == 40 && four.rating == 0.5 && four.cover == [0xCA, 0xFE])
            #expect(four.added == Date(timeIntervalSinceReferenceDate: 315_532_800))
            let blank = try #require(songs.first { $0.objectID?.row == 31 })
            #expect(blank.title == "" && blank.rating == 0 && blank.added == nil && blank.cover == nil)

            let lists = try context.allObjects(OldPlaylist.self)
            #expect(lists.map(\.title) == ["Été", ""])
            #expect(lists[0].songs.map { $0.objectID?.row } == [4, 2, 4])
            #expect(lists[0].favourite?.objectID?.row == 8 && lists[0].latest?.objectID?.row == 9)
            #expect(lists[0].all.map { $0.objectID?.row } == [10])
            #expect(lists[1].songs.isEmpty && lists[1].favourite == nil && lists[1].latest == nil)

            let favourite = try context.named("favourite", as: OldSong.self)
            let (plays, size) = (try context.named("count:plays", as: Int.self), try context.named("Größe", as: [UInt8].self))
            #expect(favourite === four && plays == 12345 && size == [1, 2])
        }
    }

    /// The store can be used after an import: rows that were assigned are not assigned again, and new objects leave the imported ones in
    /// their page intact.
    @Test func theStoreCanBeUsedAfterwards() throws {
        let store = try makeStore([OldSong.self, OldPlaylist.self])
        let report = try BNRImporter(path: Golden.path("Music.bnr"), layout: Layouts.music).importObjects(into: store)
        try store.write { context in
            let song = OldSong(title: "New")
            context.insert(song)
            // The old store had given out 40 rows.
            #expect(song.objectID?.row == 41)
        }
        let count = try store.read { context in try context.count(OldSong.self) }
        #expect(count == report.classes[0].objectCount + 1)
        #expect(try store.verify().isIntact)
    }

    /// As many objects as fill pages: the next insertion does not take the place of those on the last.
    @Test func aPageThatIsNotFull() throws {
        let old = try OldStore([
            "Song": OldClass(1, Dictionary(uniqueKeysWithValues: (2...100).map { ($0, OldBuffer().string("\($0)").uint32($0)) }))
        ])
        let store = try makeStore([OldSong.self])
        _ = try BNRImporter(path: old.path, layout: BNRLayout(classes: [Layouts.song])).importObjects(into: store)
        try store.write { context in context.insert(OldSong(title: "New")) }
        let count = try store.read { context in try context.count(OldSong.self) }
        #expect(count == 100)
        #expect(try store.verify().isIntact)
    }

    /// A class that has objects: those that come get rows behind them, and references follow.
    @Test func intoAStoreWithObjects() throws {
        let store = try makeStore([OldSong.self, OldPlaylist.self])
        try store.write { context in for index in 0..<3 { context.insert(OldSong(title: "Own \(index)")) } }
        _ = try BNRImporter(path: Golden.path("Music.bnr"), layout: Layouts.music).importObjects(into: store)
        try store.read { context in
            let count = try context.count(OldSong.self)
            #expect(count == 29)
            let list = try #require(try context.allObjects(OldPlaylist.self).first)
            #expect(list.objectID?.row == 2)
            #expect(list.songs.map(\.title) == ["A song with a longer title, number 4", "Song 2", "A song with a longer title, number 4"])
            #expect(list.songs[0].objectID?.row == 36)
        }
        #expect(try store.verify().isIntact)
    }

    /// Without Swift classes: the layout makes the catalog, and a program opens the store with its classes later.
    @Test func byCatalog() throws {
        let engine = MemoryEngine()
        var store = try ObjectStore(engine: engine, catalog: Layouts.music.catalog())
        let report = try BNRImporter(path: Golden.path("Music.bnr"), layout: Layouts.music).importObjects(into: store)
        // The list of anything may lead to a playlist here.
        #expect(report.lostReferenceCount == 1)
        #expect(try store.verify().isIntact)
        let id = try #require(ObjectID("2/2"))
        let list = try store.inspect { inspector in try inspector.object(id) }
        #expect(list?["all"] == .many([ObjectID("1/10"), ObjectID("2/3")].compactMap { $0 }))
        try store.close()
        var song = Layouts.song
        song.storedName = "Track"
        #expect(
            try BNRLayout(classes: [song]).catalog()["Track"]?.properties.map(\.typeText) == [
                "string", "int64", "optional(double)", "optional(date)", "optional(bytes)",
            ]
        )
        store = try ObjectStore(engine: MemoryEngine(), catalog: BNRLayout(classes: [song]).catalog())
        #expect(store.catalog.classes.map(\.name) == ["Track"])
    }

    /// The same content by closures: by version, and with a value that is made.
    @Test func closures() throws {
        let song = BNRClassLayout("Song") { buffer in
            var values: [String: BNRValue] = ["title": .text(try buffer.readString())]
            values["seconds"] = .stored(.signed(Int128(try buffer.readUInt32()) * 2))
            guard let version = buffer.version, version >= 1 else { return values }
            values["rating"] = .double(try buffer.readFloat64())
            values["added"] = .date(try buffer.readDate())
            values["cover"] = .bytes(try buffer.readData())
            return values
        }
        let playlist = BNRClassLayout("Playlist", ignoresRest: true) { buffer in
            ["title": .text(try buffer.readString()), "songs": .objects(try buffer.readArray(ofClass: "Song"))]
        }
        let store = try makeStore([OldSong.self, OldPlaylist.self])
        let report = try BNRImporter(path: Golden.path("Music.bnr"), layout: BNRLayout(classes: [song, playlist])).importObjects(
            into: store
        )
        #expect(report.objectCount == 28 && report.isWhole)
        try store.read { context in
            let (songs, lists) = (try context.allObjects(OldSong.self), try context.allObjects(OldPlaylist.self))
            #expect(songs.map(\.seconds).prefix(3) == [40, 60, 80] && lists[0].songs.count == 3)
        }
        #expect(throws: BNRError.self) { _ = try BNRLayout(classes: [song]).catalog() }
    }

    /// Stores from before there were versions, and salts.
    @Test func withoutVersions() throws {
        var songs = OldClass(1, [2: OldBuffer(version: nil).string("One").uint32(1), 3: OldBuffer(version: nil).string("Two").uint32(2)])
        songs.salt = nil
        let old = try OldStore(["Song": songs])
        var song = Layouts.song
        song.content = .fields([BNRField(.string, "title"), BNRField(.uint32, "seconds")])
        let store = try makeStore([OldSong.self])
        let report = try BNRImporter(path: old.path, layout: BNRLayout(isVersioned: false, classes: [song]), passphrase: "any")
            .importObjects(into: store)
        #expect(report.objectCount == 2 && report.classes[0].versions.isEmpty)
        let titles = try store.read { context in try context.allObjects(OldSong.self).map(\.title) }
        #expect(titles == ["One", "Two"])
        // The first byte of the size of the title is taken for the version.
        #expect(throws: BNRError.self) {
            _ = try BNRImporter(path: old.path, layout: BNRLayout(classes: [song])).importObjects(into: store)
        }
    }

    /// BNRPersistence made the file of a class as soon as it looked for objects.
    @Test func aClassWithoutObjects() throws {
        let old = try OldStore(["Playlist": OldClass(1, [2: OldBuffer().string("List").array([])])])
        try old.write("Song", HashFileWriter().file().bytes)
        let playlist = BNRClassLayout("Playlist", fields: [BNRField(.string, "title"), BNRField(.array(of: "Song"), "songs")])
        let store = try makeStore([OldSong.self, OldPlaylist.self])
        let layout = BNRLayout(classes: [Layouts.song, playlist])
        for passphrase in [nil, "any"] {
            let report = try BNRImporter(path: old.path, layout: layout, passphrase: passphrase).check(for: store.catalog)
            #expect(report.isWhole && report.objectCount == 1 && report.classes[0].claimedCount == 0)
        }
    }

    /// Numbers of classes come from the layout if row 1 does not have them, and are useless if two classes have the same one.
    @Test(arguments: [nil, 7] as [UInt8?]) func numbersOfClasses(number: UInt8?) throws {
        let references = OldClass(1, [2: OldBuffer().string("List").anyArray([(7, 2), (1, 2)])])
        let old = try OldStore(["Playlist": references, "Song": OldClass(number == nil ? 1 : 3, [2: OldBuffer().string("One").uint32(1)])])
        var song = Layouts.song
        song.number = number
        let playlist = BNRClassLayout("Playlist", fields: [BNRField(.string, "title"), BNRField(.anyArray, "songs")])
        let store = try makeStore([OldSong.self, OldPlaylist.self])
        let report = try BNRImporter(path: old.path, layout: BNRLayout(classes: [song, playlist])).importObjects(into: store)
        let songs = try store.read { context in try context.allObjects(OldPlaylist.self)[0].songs.map(\.title) }
        #expect(songs == (number == nil ? [] : ["One"]))
        let own = "Playlist 2.songs refers to Playlist 2, but can refer only to Song"
        let lost = [7, 1].map { "Playlist 2.songs refers to row 2 of class number \($0), which does not identify a class in the layout" }
        #expect(report.lostReferences == (number == nil ? lost : [own]))
    }

    @Test func nothingIsStoredWhereSomethingIsDamaged() throws {
        let old = try OldStore([
            "Song": OldClass(
                1,
                [2: OldBuffer().string("One").uint32(1), 3: OldBuffer().string("Two"), 4: OldBuffer().string("x").uint32(2).uint8(0)]
            )
        ])
        let store = try makeStore([OldSong.self])
        let importer = try BNRImporter(path: old.path, layout: BNRLayout(classes: [Layouts.song]))
        do throws(BNRError) {
            _ = try importer.importObjects(into: store)
            Issue.record("damaged objects were imported")
        } catch {
            #expect(error.code == .corruption)
            #expect(
                error.message.hasPrefix(
                    "1 of 3 objects and 0 of 0 names can be read, so nothing was stored; the first problem: Song 3 cannot be read: expected a UInt32 of 4 bytes at byte 7, but only 0 are left"
                )
            )
        }
        let before = try store.read { context in try context.count(OldSong.self) }
        #expect(before == 0)
        let report = try importer.importObjects(into: store, salvaging: true)
        #expect(report.objectCount == 1 && report.failedCount == 2 && !report.isWhole)
        #expect(report.failures[1] == "Song 4 cannot be read: 1 bytes follow the last field")
        let titles = try store.read { context in try context.allObjects(OldSong.self).map(\.title) }
        #expect(titles == ["One"])
        #expect("\(report)" == "Song: 1 of 3 objects, 2 cannot be read")
    }
}
