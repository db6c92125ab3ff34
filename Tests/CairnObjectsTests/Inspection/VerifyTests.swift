import CairnCore
import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// A store in memory, to be damaged by way of its engine.
struct DamageScene {
    let engine = MemoryEngine()

    /// Three songs (rows 1 to 3) on an album (row 1) with a large cover (row 1), two of them in a playlist (row 1), and a name.
    init() throws {
        try store().write { context in
            let songs = (1...3).map { Song(artist: "artist \($0)", title: "title \($0)", seconds: $0) }
            songs.forEach(context.insert)
            let album = Album(code: "A", title: "album")
            album.songs.append(contentsOf: songs)
            album.cover = Image(bytes: [UInt8](repeating: 7, count: 5000))
            context.insert(album)
            let playlist = Playlist(title: "list")
            playlist.songs.append(contentsOf: [songs[1], songs[0], songs[1]])
            context.insert(playlist)
            try context.setNamed("favourite", to: songs[2])
        }
    }

    func store(_ classes: [any StoredObject.Type] = musicClasses) throws -> ObjectStore {
        try ObjectStore(engine: engine, classes: classes)
    }

    func entries(_ prefix: [UInt8] = []) throws -> [(key: [UInt8], value: [UInt8])] {
        try engine.makeView().entries(KeyRange(prefix: prefix))
    }

    func commit(_ body: (inout EngineCommit) throws -> Void) throws {
        var commit = EngineCommit()
        try body(&commit)
        try engine.commit(commit)
    }

    /// What `verify` finds: kinds, classes, rows and properties.
    func found(_ classes: [any StoredObject.Type] = musicClasses) throws -> [String] {
        try store(classes).verify().problems.map { problem in
            "\(problem.kind) \(problem.className ?? "-") \(problem.object.map { "\($0.row)" } ?? "-") \(problem.property ?? "-")"
        }
    }

    static let songPage: [UInt8] = [1, 0, 1, 0, 0, 0, 0, 0, 0]
}

struct VerifyTests {
    /// A record that no longer fits into its page is stored apart from it, one that fits again is not: nothing stays behind.
    @Test(arguments: [100, 0]) func aRecordThatBecomesShortIsStoredOnce(size: Int) throws {
        let scene = try DamageScene()
        #expect(try scene.entries([2]).count == 1)
        try scene.store().write { context in
            try #require(try context.allObjects(Image.self).first).bytes = [UInt8](repeating: 1, count: size)
        }
        #expect(try scene.entries([2]).map(\.key) == [])
        #expect(try scene.store().verify().isIntact)
        #expect(try scene.store().read { try $0.allObjects(Image.self).map(\.bytes) } == [[UInt8](repeating: 1, count: size)])
        try scene.store().write { context in
            try #require(try context.allObjects(Image.self).first).bytes = [UInt8](repeating: 2, count: 9_000)
        }
        #expect(try scene.entries([2]).count == 1)
        try scene.store().write { context in try context.delete(#require(try context.allObjects(Image.self).first)) }
        #expect(try scene.entries([2]).isEmpty && scene.store().verify().isIntact)
    }

    @Test func aStoreThatIsWholeIsFoundWhole() throws {
        let scene = try DamageScene()
        let report = try scene.store().verify()
        #expect(report.isIntact && report.problems.isEmpty && report.problemCounts.isEmpty, "\(report)")
        #expect(report.classes.map(\.name) == ["Song", "Album", "Playlist", "Image", "Shelf"])
        #expect(report.classes.map(\.objectCount) == [3, 1, 1, 1, 0] && report.classes.allSatisfy { $0.isKnown && $0.damagedCount == 0 })
        #expect(report.classes.map(\.indexEntryCount) == [3, 1, 0, 0, 0])
        #expect(report.referenceCount == 3 + 1 + 2 + 3 && report.nameCount == 1 && report.namesOfNothing.isEmpty)
        let without = try scene.store([]).verify()
        #expect(without.isIntact && without.classes.map(\.objectCount) == [3, 1, 1, 1, 0] && without.classes.allSatisfy { !$0.isKnown })
        #expect(without.referenceCount == report.referenceCount && without.classes.map(\.indexEntryCount) == [3, 1, 0, 0, 0])
    }

    @Test func aPageThatIsDamagedIsNamedAndTheOthersAreRead() throws {
        let scene = try DamageScene()
        let pages = try scene.entries([1, 0, 1])
        #expect(pages.map(\.key) == [DamageScene.songPage])
        for (offset, rows) in [(0, [1]), (5, [1])] {
            try scene.commit { commit in
                var page = pages[0].value
                page[offset] = 0x7F
                commit.put(page, for: DamageScene.songPage)
            }
            let store = try scene.store()
            let report = try store.verify()
            let damage = report.problems.filter { $0.kind == .damagedPage }
            #expect(damage.map { $0.object?.row } == [0] && damage[0].className == "Song", "\(report.problems) \(rows)")
            // Nobody knows that the songs are gone: nothing is said of those that lead to them.
            #expect(report.problemCounts[.danglingReference] == nil && report.problemCounts[.surplusIndexEntry] == nil)
            try store.read { context in
                let (albums, images) = (try context.allObjects(Album.self), try context.allObjects(Image.self))
                #expect(albums.map(\.title) == ["album"] && images.map(\.bytes.count) == [5000])
                #expect(code { try context.allObjects(Song.self) } == .corruption)
            }
        }
    }

    @Test func aRecordThatIsDamagedIsNamedAndTheOthersAreRead() throws {
        let scene = try DamageScene()
        try scene.commit { commit in
            var page = try scene.entries([1, 0, 1])[0].value
            // The text "artist 2" becomes no text.
            let place = try #require(page.firstRange(of: Array("artist 2".utf8)))
            page[place.lowerBound] = 0xFF
            commit.put(page, for: DamageScene.songPage)
        }
        #expect(try scene.found() == ["damagedRecord Song 2 artist"])
        #expect(try scene.found([]) == ["damagedRecord Song 2 artist"])
        let store = try scene.store()
        let report = try store.verify()
        #expect(report.classes[0].objectCount == 2 && report.classes[0].damagedCount == 1)
        #expect(report.problems[0].reason.contains("Song 2, property artist, cannot be read"), "\(report.problems[0].reason)")
        try store.read { context in
            let (first, third) = (try context.object(ObjectID("1/1")!, as: Song.self), try context.object(ObjectID("1/3")!, as: Song.self))
            #expect(first?.title == "title 1" && third?.album?.title == "album")
            #expect(code { try context.object(ObjectID("1/2")!, as: Song.self) } == .corruption)
        }
    }

    @Test func rowsThatVanishedAreNamedWhereSomethingLeadsToThem() throws {
        let scene = try DamageScene()
        try scene.commit { $0.delete(DamageScene.songPage) }
        let found = try scene.found()
        let dangling = found.filter { $0.hasPrefix("dangling") }
        #expect(
            dangling == Array(repeating: "danglingReference Album 1 songs", count: 3)
                + Array(repeating: "danglingReference Playlist 1 songs", count: 2)
        )
        #expect(found.filter { $0.hasPrefix("surplusBack") }.count == 3 && found.filter { $0.hasPrefix("surplusIndex") }.count == 3)
        #expect(found.count == 11, "\(found)")
        let report = try scene.store().verify()
        #expect(report.namesOfNothing == ["favourite"])
        #expect(
            report.problems[0].reason == "Album 1.songs refers to Song 1, which does not exist"
                && report.problems[0].target == ObjectID("1/1")
        )
        #expect(try scene.store().read { try $0.allObjects(Playlist.self)[0].title } == "list")
    }

    @Test func notesOfReferencesAreComparedWithThem() throws {
        let scene = try DamageScene()
        let notes = try scene.entries([5])
        #expect(notes.count == 9)
        // Playlist 1 leads twice to Song 2.
        let twice = try #require(notes.first { $0.value == [2] }).key
        for (change, expected) in [
            ({ $0.delete(twice) }, "missingBackReference Playlist 1 songs"),
            ({ $0.put([1] as [UInt8], for: twice) }, "missingBackReference Playlist 1 songs"),
        ] as [((inout EngineCommit) -> Void, String)] {
            try scene.commit { change(&$0) }
            #expect(try scene.found() == [expected])
            #expect(try scene.store().repair().problemCounts == [.missingBackReference: 1])
            #expect(try scene.found() == [] && scene.entries([5]).map(\.value) == notes.map(\.value))
        }
        try scene.commit { commit in
            var surplus = twice
            surplus[18] = 9
            commit.put([1] as [UInt8], for: surplus)
            surplus[18] = 1
            surplus[12] = 1
            commit.put([1] as [UInt8], for: surplus)
        }
        #expect(try scene.found([]) == ["surplusBackReference Playlist 1 title", "surplusBackReference Playlist 9 songs"])
        try scene.store().repair()
        #expect(try scene.found() == [] && scene.entries([5]).map(\.key) == notes.map(\.key))
    }

    @Test func indexesAreComparedWithObjects() throws {
        let scene = try DamageScene()
        let entries = try scene.entries([3])
        #expect(entries.count == 4)
        let (song, album) = (entries[0].key, entries[3].key)
        try scene.commit { $0.delete(song) }
        #expect(try scene.found() == ["missingIndexEntry Song 1 artist"])
        #expect(try scene.found([]) == [])
        try scene.store().repair()
        #expect(try scene.found() == [])
        try scene.commit { commit in
            var surplus = song
            surplus[song.count - 1] = 2
            commit.put([] as [UInt8], for: surplus)
            commit.put([0, 1, 0, 0, 0, 0, 0, 1] as [UInt8], for: album)
        }
        #expect(
            Set(try scene.found()) == [
                "missingIndexEntry Album 1 code", "surplusIndexEntry Song 2 artist", "surplusIndexEntry Album 1 code",
            ]
        )
        try scene.store().repair()
        #expect(try scene.found() == [])
        let kept = try scene.entries([3])
        #expect(kept.map(\.key) == entries.map(\.key) && kept.map(\.value) == entries.map(\.value))
    }

    @Test func bothSidesOfARelationshipAreCompared() throws {
        let scene = try DamageScene()
        // Song 3 leads to its album no more: the field goes, and its note.
        try scene.commit { commit in
            let page = try scene.entries([1, 0, 1])[0].value
            #expect(page[1] == 0b1110)
            let sizes = page[5...7].map(Int.init)
            let record = Array(page[(8 + sizes[0] + sizes[1])...])
            // The reference to Album 1: tag of field 5, class 2, row 1.
            let place = try #require(record.firstRange(of: [5 << 3 | 6, 2, 1]))
            let shorter = Array(record[..<place.lowerBound] + record[place.upperBound...])
            commit.put(
                Array(page[..<7]) + [UInt8(shorter.count)] + page[8..<(8 + sizes[0] + sizes[1])] + shorter,
                for: DamageScene.songPage
            )
            commit.delete([5, 0, 2, 0, 0, 0, 0, 0, 1, 0, 1, 0, 5, 0, 0, 0, 0, 0, 3] as [UInt8])
        }
        #expect(try scene.found() == ["inverseOutOfStep Album 1 songs"])
        #expect(try scene.found([]) == ["inverseOutOfStep Album 1 songs"])
        let report = try scene.store().verify()
        #expect(report.problems[0].reason == "Album 1.songs refers to Song 3, whose album does not refer back")
    }

    @Test func largeRecordsAndRowsAreCompared() throws {
        let scene = try DamageScene()
        let large: [UInt8] = [2, 0, 4, 0, 0, 0, 0, 0, 1]
        let record = try #require(try scene.entries([2]).first)
        #expect(record.key == large)
        try scene.commit { $0.put("left over", for: [2, 0, 4, 0, 0, 0, 0, 0, 9] as [UInt8]) }
        #expect(try scene.found() == ["looseLargeRecord Image 9 -"])
        try scene.store().repair()
        #expect(try scene.found() == [] && scene.entries([2]).count == 1)
        try scene.commit { $0.delete(large) }
        #expect(try scene.found() == ["damagedRecord Image 1 -"])
        try scene.commit { $0.put(record.value, for: large) }
        try scene.commit { $0.put([0, 0, 0, 0, 0, 0, 0, 2] as [UInt8], for: [0, 2, 0, 1] as [UInt8]) }
        #expect(try scene.found() == ["rowBeyondLast Song 3 -"])
        let store = try scene.store()
        try store.repair()
        #expect(try scene.found() == [])
        try store.write { $0.insert(Song("new")) }
        #expect(try store.read { try $0.count(Song.self) } == 4)
        #expect(try scene.store().verify().isIntact)
    }

    @Test func whatTheFormatDoesNotExplainIsTold() throws {
        let scene = try DamageScene()
        let keys: [[UInt8]] = [
            [0, 0, 1], [0, 3], [0, 1, 0, 9], [1, 0, 9, 0, 0, 0, 0, 0, 0], [1, 0, 0, 1], [3, 0, 9, 0, 0], [4, 1], [5, 1], [7], [0xFF, 0xFF],
        ]
        try scene.commit { commit in for key in keys { commit.put("x", for: key) } }
        try scene.commit { $0.put([0xFF] as [UInt8], for: [6, 0x61] as [UInt8]) }
        let report = try scene.store().verify()
        #expect(report.problemCounts == [.unknownKey: keys.count, .damagedName: 1], "\(report.problems)")
        for key in keys {
            let digits = key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(report.problems.contains { $0.reason.hasSuffix("not part of the format: \(digits)") }, "\(digits)")
        }
    }

    @Test func entriesOfFormerIndexesGoWhenTheStoreIsOpened() throws {
        let scene = try DamageScene()
        _ = try scene.store([PlainSong.self])
        let report = try scene.store([]).verify()
        #expect(report.isIntact && report.formerIndexEntryCount == 0, "\(report)")
    }

    @Test func manyProblemsAreCountedAndTheFirstAreListed() throws {
        let engine = MemoryEngine()
        let store = try ObjectStore(engine: engine, classes: musicClasses)
        try store.write { context in for number in 0..<1500 { context.insert(Song("\(number)")) } }
        var commit = EngineCommit()
        commit.deleteRange(KeyRange(prefix: [3] as [UInt8]))
        try engine.commit(commit)
        let report = try store.verify()
        #expect(report.problemCounts == [.missingIndexEntry: 1500] && report.problems.count == ObjectStoreVerification.listedCount)
        try store.repair()
        #expect(try store.verify().isIntact)
    }

    /// What the engine cannot read is reported, and what follows it is read.
    @Test func blocksThatCannotBeReadAreNamedAndTheOthersAreVerified() throws {
        let engine = TornEngine()
        try ObjectStore(engine: engine, classes: musicClasses).write { context in
            for number in 0..<100 { context.insert(Song(artist: "a", title: "\(number)", seconds: number)) }
            context.insert(Image(bytes: [UInt8](repeating: 1, count: 3000)))
            try context.setNamed("name", to: 1)
        }
        // Rows 32 to 63, the large record, and the name.
        let keys: [[UInt8]] = [[1, 0, 1, 0, 0, 0, 0, 0, 1], [2, 0, 4, 0, 0, 0, 0, 0, 1], [6] + Array("name".utf8)]
        keys.forEach(engine.tear)
        let store = try ObjectStore(engine: engine, classes: musicClasses)
        let report = try store.verify()
        #expect(report.classes[0].objectCount == 68, "\(report)")
        #expect(report.problemCounts[.damagedPage] == 1 && report.problemCounts[.damagedRecord] == 1, "\(report.problemCounts)")
        let page = try #require(report.problems.first { $0.kind == .damagedPage })
        #expect(page.className == "Song" && page.object == ObjectID("1/32") && page.reason.contains("Song 32 to 63"), "\(page.reason)")
        #expect(report.problems.contains { $0.kind == .damagedRecord && $0.className == "Image" && $0.object == ObjectID("4/1") })
        #expect(report.problems.contains { $0.kind == .unreadable && $0.reason.contains("the names") })
        #expect(report.problemCounts[.surplusIndexEntry] == nil && report.problemCounts[.danglingReference] == nil)
        #expect(try store.read { try $0.object(ObjectID("1/64")!, as: Song.self)?.title } == "63")
    }

    /// An inspection continues behind what the engine cannot read, as verification does.
    @Test func whatIsBehindUnreadableBlocksIsFound() throws {
        let engine = TornEngine()
        try ObjectStore(engine: engine, classes: musicClasses).write { context in
            for number in 0..<200 { context.insert(Song(artist: "a", title: "\(number)", seconds: number)) }
            for name in ["a", "b", "c", "d", "e"] { try context.setNamed(name, to: 1) }
        }
        // Rows 32 to 95 and 192 to 200, which is the last page, and two names.
        for page in [1, 2, 6] as [UInt8] { engine.tear([1, 0, 1, 0, 0, 0, 0, 0, page]) }
        for name in ["b", "d"] { engine.tear([6] + Array(name.utf8)) }
        let store = try ObjectStore(engine: engine, classes: [])
        let song = try #require(store.catalog["Song"])
        try store.inspect { inspector in
            var (rows, failures): ([UInt64], [ObjectStoreError]) = ([], [])
            func note(_ result: Result<ObjectDump, ObjectStoreError>) -> Bool {
                switch result {
                case .success(let object): rows.append(object.id.row)
                case .failure(let error): failures.append(error)
                }
                return true
            }
            let readable = Array(1...31) + Array(96...191) as [UInt64]
            try inspector.forEach(song, note)
            #expect(rows == readable, "\(rows)")
            #expect(failures.map(\.object) == ["1/32", "1/64", "1/192"].map { ObjectID($0) }, "\(failures)")
            #expect(failures.allSatisfy { $0.code == .corruption })
            (rows, failures) = ([], [])
            try inspector.forEach(song, from: 70, note)
            #expect(rows == Array(96...191) && failures.count == 2, "\(rows) \(failures)")
            (rows, failures) = ([], [])
            try inspector.find(StoreInspector.Query(where: "seconds < 1000"), in: song, note)
            #expect(rows == readable && failures.count == 3, "\(rows) \(failures)")
            // What ends the enumeration, ends it there too.
            (rows, failures) = ([], [])
            try inspector.forEach(song) { result in
                _ = note(result)
                return failures.isEmpty
            }
            #expect(rows == Array(1...31) && failures.count == 1)
            #expect(throws: CancellationError.self) { try inspector.forEach(song, from: 64) { _ in throw CancellationError() } }
            var names: [String] = []
            try inspector.forEachName { result in
                names.append((try? result.get().name) ?? "-")
                return true
            }
            #expect(names == ["a", "-", "e"])
        }
    }

    @Test func itIsDoneInTheBackgroundToo() async throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: musicClasses)
        try store.write { context in for number in 0..<100 { context.insert(Song("\(number)")) } }
        let parts = Parts()
        let report = try await store.verifyInBackground { parts.append($0) }
        #expect(report.isIntact && report.classes[0].objectCount == 100)
        #expect(parts.all.first == 0 && parts.all.last == 1 && parts.all == parts.all.sorted())
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await store.verifyInBackground()
        }
        let outcome = await task.result
        #expect(throws: ObjectStoreError.self) { try outcome.get() }
        #expect(try await store.repairInBackground().isIntact)
        try store.close()
        #expect(code { try store.verify() } == .closed)
    }

    @Test func aStoreThatIsReadOnlyIsNotRepaired() throws {
        let scene = try Scene()
        try scene.store().write { $0.insert(Song("a")) }
        let store = try scene.store { $0.readOnly = true }
        #expect(try store.verify().isIntact)
        #expect(code { try store.repair() } == .readOnly)
    }
}

@Stored(name: "Song") final class PlainSong {
    var artist: String
    var title: String
}

private final class Parts: @unchecked Sendable {
    private let lock = NSLock()
    private var parts: [Double] = []
    var all: [Double] { lock.withLock { parts } }
    func append(_ part: Double) { lock.withLock { parts.append(part) } }
}
