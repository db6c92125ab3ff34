import CairnObjects
import CairnObjectsBNR
import CairnTestSupport
import Testing

/// A small directory, damaged in every way: nothing traps, everything reported as read is stored, and the rest is reported missing.
@Suite struct DirectoryDamageTests {
    private static let songs = OldClass(
        2,
        version: 1,
        [
            2: OldBuffer().string("One").uint32(1), 3: OldBuffer(version: 1).string("Two").uint32(2).float64(2).date(nil).data([1, 2, 3]),
            4: OldBuffer().string("A title of some length").uint32(4), 5: OldBuffer().string("Four").uint32(5),
            7: OldBuffer().string("").uint32(0),
        ]
    )
    private static let lists = OldClass(
        1,
        [
            2: OldBuffer().string("List").array([2, 4, 3, 2]).uint32(5).anyReference(2, 7).anyArray([(2, 3), (1, 3)]),
            3: OldBuffer().string("").array([]).uint32(0).anyReference(0, 0).anyArray([]),
        ]
    )
    private static let files = ["Song", "Playlist", "NamedBuffers"]

    private struct Sample {
        let sound: OldStore
        let bytes: [String: [UInt8]]

        init() throws {
            let names = ["favourite": OldBuffer(version: nil).uint32(3), "count:a": OldBuffer(version: nil).uint32(9)]
            let blocks = names.sorted { $0.key < $1.key }.map {
                HashFileWriter.Block.record(key: Array($0.key.utf8), value: $0.value.bytes)
            }
            func small(_ writer: HashFileWriter) -> [UInt8] {
                var writer = writer
                (writer.bucketCount, writer.poolPower) = (2, 0)
                return writer.file().bytes
            }
            bytes = [
                "Song": small(try songs.writer()), "Playlist": small(try lists.writer()), "NamedBuffers": small(HashFileWriter(blocks)),
            ]
            sound = try OldStore()
        }

        func write(_ changed: [String: [UInt8]] = [:]) throws {
            for (name, bytes) in bytes { try sound.write(name, changed[name] ?? bytes) }
        }
    }

    /// What is in a store: titles by rows, and how many objects there are at all.
    private static func titles(_ store: ObjectStore) throws -> (songs: [UInt64: String], count: Int) {
        try store.read { context in
            let songs = try context.allObjects(OldSong.self)
            let titles = Dictionary(songs.map { ($0.objectID?.row ?? 0, $0.title) }, uniquingKeysWith: { first, _ in first })
            return (titles, songs.count + (try context.count(OldPlaylist.self)))
        }
    }

    private static func check(_ sample: Sample, _ where: @autoclosure () -> String, imports: Bool) throws {
        let store = try makeStore([OldSong.self, OldPlaylist.self])
        let importer = try BNRImporter(path: sample.sound.path, layout: Layouts.music)
        let report = try importer.check(for: store.catalog)
        #expect(report.nameCount == 2 || !report.isWhole, "\(`where`()): a lost name is not reported")
        guard imports else { return }
        #expect(try importer.importObjects(into: store, salvaging: true) == report, "\(`where`())")
        let (titles, count) = try Self.titles(store)
        #expect(count == report.objectCount, "\(`where`()): \(count) objects, and \(report.objectCount) are reported")
        #expect(try store.verify().isIntact, "\(`where`())")
        let expected: [UInt64: String] = [2: "One", 3: "Two", 4: "A title of some length", 5: "Four", 7: ""]
        let others = expected.count { titles[$0.key] != $0.value }
        #expect(others <= 1 || !report.isWhole, "\(`where`()): \(others) songs are not as they were, and no damage is reported")
        #expect(count == 7 || !report.isWhole, "\(`where`()): a loss is not reported")
    }

    /// A byte of every place changed: by one bit, or to its opposite.
    @Test(arguments: files) func everyByte(name: String) throws {
        let sample = try Sample()
        let sound = try #require(sample.bytes[name])
        try sample.write()
        var generator = SeededGenerator(seed: .random(in: 0...UInt64.max))
        for offset in Thorough.sample(100, of: sound.indices, using: &generator) {
            var bytes = sound
            let change = offset % 9 == 8 ? 0xFF : UInt8(1 << (offset % 9))
            bytes[offset] ^= change
            try sample.sound.write(name, bytes)
            try Self.check(sample, "byte \(offset) of \(name), change \(change)", imports: offset % 3 == 0)
        }
    }

    @Test(arguments: files) func everyLength(name: String) throws {
        let sample = try Sample()
        let sound = try #require(sample.bytes[name])
        try sample.write()
        var generator = SeededGenerator(seed: .random(in: 0...UInt64.max))
        for length in Thorough.sample(60, of: 0..<sound.count, using: &generator) {
            try sample.sound.write(name, Array(sound.prefix(length)))
            try Self.check(sample, "\(length) bytes of \(name)", imports: length % 3 == 0)
        }
    }

    /// Without its magic number, a file is still the one that the layout means.
    @Test(arguments: files, [[], [0x55]] as [[UInt8]]) func filesThatDoNotBeginAsTheyShouldAreDamaged(name: String, start: [UInt8]) throws {
        let sample = try Sample()
        let bytes = try #require(sample.bytes[name])
        try sample.write([name: start.isEmpty ? [] : start + bytes.dropFirst()])
        let store = try makeStore([OldSong.self, OldPlaylist.self])
        let importer = try BNRImporter(path: sample.sound.path, layout: Layouts.music)
        let error = #expect(throws: BNRError.self) { try importer.importObjects(into: store) }
        #expect(
            error?.code == .corruption
                && error?.message.contains("\(name) cannot be read: the file is not a Tokyo Cabinet database") == true
        )
        let report = try importer.importObjects(into: store, salvaging: true)
        #expect(report.objectCount == ["Song": 2, "Playlist": 5, "NamedBuffers": 7][name])
        #expect(report.nameDamage.count == (name == "NamedBuffers" ? 1 : 0) && !report.isWhole)
    }

    @Test func namesMayBeMissingOnlyIfTheLayoutHasNone() throws {
        let sample = try Sample()
        try sample.write()
        try sample.sound.remove("NamedBuffers")
        let store = try makeStore([OldSong.self, OldPlaylist.self])
        let importer = try BNRImporter(path: sample.sound.path, layout: Layouts.music)
        #expect(#expect(throws: BNRError.self) { try importer.importObjects(into: store) }?.code == .corruption)
        let report = try importer.check(for: store.catalog)
        #expect(report.nameDamage == ["the layout has names, but the directory has no file NamedBuffers"])
        var layout = Layouts.music
        layout.names = []
        #expect(try BNRImporter(path: sample.sound.path, layout: layout).importObjects(into: store).isWhole)
    }

    /// What the tests above begin with is whole.
    @Test func sound() throws {
        let sample = try Sample()
        try sample.write()
        let store = try makeStore([OldSong.self, OldPlaylist.self])
        let report = try BNRImporter(path: sample.sound.path, layout: Layouts.music).importObjects(into: store)
        #expect(report.isWhole && report.objectCount == 7 && report.nameCount == 2)
        // A playlist among the songs.
        #expect(report.lostReferenceCount == 1)
    }
}
