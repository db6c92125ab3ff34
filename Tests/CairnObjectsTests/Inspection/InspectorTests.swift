import CairnCore
import CairnObjects
import Foundation
import Testing

struct InspectorTests {
    private let scene: DamageScene

    init() throws { scene = try DamageScene() }

    @Test func theCatalogTellsClassesWithoutThem() throws {
        let catalog = try scene.store([]).catalog
        #expect(
            catalog.classes.map(\.name) == ["Song", "Album", "Playlist", "Image", "Shelf"]
                && catalog.classes.map(\.number) == [1, 2, 3, 4, 5]
        )
        let song = try #require(catalog["Song"])
        #expect(song.properties.map(\.name) == ["artist", "title", "seconds", "rating", "album", "playlists"])
        #expect(song.properties.map(\.type) == [.string, .string, .integer(bits: 64, isSigned: true), .optional(.double), nil, nil])
        let album = try #require(song.properties[4].relationship), playlists = try #require(song.properties[5].relationship)
        #expect(album.shape == .one && album.target == "Album" && album.inverse == "songs" && !album.isDerived)
        #expect(playlists.shape == .set && playlists.target == "Playlist" && playlists.inverse == "songs" && playlists.isDerived)
        #expect(song.indexes.map(\.properties) == [["artist"]] && catalog["Album"]?.indexes.map(\.isUnique) == [true])
        #expect(catalog["Shelf"]?.properties[1].relationship?.deleteRule == "deny")
        let written = try JSONEncoder().encode(catalog)
        #expect(try JSONDecoder().decode(ObjectCatalog.self, from: written) == catalog)
    }

    @Test func objectsAreReadWithoutTheirClasses() throws {
        let store = try scene.store([])
        try store.inspect { inspector in
            let song = try #require(store.catalog["Song"])
            var dumps: [ObjectDump] = []
            try inspector.forEach(song) { result in
                dumps.append(try result.get())
                return true
            }
            #expect(dumps.map(\.id.description) == ["1/1", "1/2", "1/3"] && dumps.allSatisfy { $0.className == "Song" && $0.version == 1 })
            #expect(dumps[1]["title"] == .value(.text("title 2")) && dumps[1]["seconds"] == .value(.signed(2)))
            #expect(dumps[1]["album"] == .one(ObjectID("2/1")) && dumps[1]["playlists"] == nil)
            let album = try inspector.object(ObjectID("2/1")!), playlist = try inspector.object(ObjectID("3/1")!)
            #expect(album?["songs"] == .many([ObjectID("1/1")!, ObjectID("1/2")!, ObjectID("1/3")!]))
            #expect(playlist?["songs"] == .many([ObjectID("1/2")!, ObjectID("1/1")!, ObjectID("1/2")!]))
            let cover = try inspector.object(ObjectID("4/1")!), nothing = try inspector.object(ObjectID("4/2")!)
            #expect(cover?["bytes"] == .value(.bytes([UInt8](repeating: 7, count: 5000))) && nothing == nil)
            let counts = try store.catalog.classes.map { try inspector.count($0) }
            #expect(counts == [3, 1, 1, 1, 0])
            #expect(code { try inspector.object(ObjectID("9/1")!) } == .unknownClass)
            let referrers = try inspector.referrers(to: ObjectID("1/2")!)
            #expect(
                referrers.map { "\($0.className) \($0.object.row) \($0.property) \($0.count)" } == [
                    "Album 1 songs 1", "Playlist 1 songs 2",
                ]
            )
        }
    }

    @Test func enumerationsBeginAndEndWhereTheyShould() throws {
        let engine = MemoryEngine()
        try ObjectStore(engine: engine, classes: musicClasses).write { context in
            for number in 0..<5000 { context.insert(Song("\(number)")) }
        }
        let store = try ObjectStore(engine: engine, classes: [])
        let song = try #require(store.catalog["Song"])
        func rows(from row: UInt64, _ limit: Int) throws -> [UInt64] {
            var rows: [UInt64] = []
            try store.inspect { inspector in
                try inspector.forEach(song, from: row) { result in
                    rows.append(try result.get().id.row)
                    return rows.count < limit
                }
            }
            return rows
        }
        #expect(try rows(from: 1, .max) == Array(1...5000))
        #expect(try rows(from: 4090, 3) == [4090, 4091, 4092])
        #expect(try rows(from: 5001, 3) == [] && rows(from: .max, 3) == [])
    }

    @Test func namesAreRead() throws {
        let store = try scene.store()
        try store.write { context in
            try context.setNamed("by letter", to: ["a": try context.allObjects(Song.self)[0]])
            try context.setNamed("launches", to: 7)
        }
        var names: [String: ObjectDump.Value] = [:]
        try store.inspect { inspector in
            try inspector.forEachName { result in
                let name = try result.get()
                names[name.name] = name.value
                return true
            }
        }
        let entry = ObjectDump.Entry(key: [.string("a")], object: ObjectID("1/1")!)
        #expect(names == ["by letter": .keyed([entry]), "favourite": .one(ObjectID("1/3")), "launches": .value(.varint(14))])
    }

    @Test func sizesAreThoseOfTheEntries() throws {
        let store = try scene.store([])
        func bytes(_ prefix: [UInt8]) throws -> Int64 { try scene.entries(prefix).reduce(0) { $0 + Int64($1.key.count + $1.value.count) } }
        try store.inspect { inspector in
            let sizes = try store.catalog.classes.map { try inspector.size($0) }
            let expected = (try bytes([1, 0, 1]), try bytes([2, 0, 4]), try bytes([3, 0, 1, 0, 1]), try bytes([5]), try bytes([6]))
            #expect(sizes.map(\.objectCount) == [3, 1, 1, 1, 0] && sizes.map(\.pageCount) == [1, 1, 1, 1, 0])
            #expect(sizes[0].pageBytes.bytes == expected.0 && sizes[0].averageBytes == Double(expected.0) / 3 && sizes[4].averageBytes == 0)
            #expect(sizes[3].largeCount == 1 && sizes[3].largeBytes.bytes == expected.1)
            #expect(sizes[0].indexes.map(\.count) == [3] && sizes[0].indexes[0].bytes.bytes == expected.2)
            let (notes, names) = (try inspector.backReferenceSize(), try inspector.nameSize())
            #expect(notes.count == 9 && notes.bytes.bytes == expected.3 && names.count == 1 && names.bytes.bytes == expected.4)
        }
    }
}

struct ImporterTests {
    private let catalog = ObjectCatalog(classes: [
        ObjectCatalog.Class(
            number: 5,
            name: "Thing",
            properties: [
                ObjectCatalog.Property(name: "title", typeText: "string"),
                ObjectCatalog.Property(name: "next", typeText: "", relationship: ObjectCatalog.Relationship(shape: .one, target: "Thing")),
            ],
            indexes: [ObjectCatalog.Index(number: 1, properties: ["title"], isUnique: true)]
        )
    ])

    private func thing(_ row: UInt64, _ title: String?, next: UInt64? = nil) -> ObjectDump {
        var fields = title.map { [ObjectDump.Field(name: "title", value: .value(.text($0)))] } ?? []
        fields.append(ObjectDump.Field(name: "next", value: .one(next.flatMap { ObjectID("5/\($0)") })))
        return ObjectDump(id: ObjectID("5/\(row)")!, className: "Thing", version: 1, fields: fields)
    }

    private func importer(_ store: ObjectStore) throws -> ObjectImporter {
        let importer = try ObjectImporter(store)
        try importer.add(catalog.classes[0])
        return importer
    }

    @Test func aCycleIsImportedAndReadByItsClass() throws {
        let engine = MemoryEngine()
        let first = try importer(ObjectStore(engine: engine, catalog: catalog))
        try first.add(thing(2, "two", next: 3))
        try first.add(thing(3, "three", next: 2))
        let result = try first.finish()
        #expect(result.objectCount == 2 && result.nameCount == 0 && result.incompleteIndexes.isEmpty)
        let second = try importer(ObjectStore(engine: engine, catalog: catalog))
        try second.add(thing(1, "one", next: 1))
        #expect(try second.finish().objectCount == 1)
        let store = try ObjectStore(engine: engine, classes: [ImportedThing.self])
        #expect(try store.verify().isIntact)
        try store.write { context in
            let things = try context.allObjects(ImportedThing.self)
            #expect(things.map(\.title) == ["two", "three", "one"] && things.map { $0.next?.title } == ["three", "two", "one"])
            #expect(things.map { $0.objectID?.row } == [2, 3, 33])
            context.insert(ImportedThing(title: "four"))
            #expect(things.count == 3)
        }
        #expect(try store.verify().isIntact)
        try store.write { $0.insert(ImportedThing(title: "five")) }
        #expect(code { try store.write { $0.insert(ImportedThing(title: "three")) } } == .notUnique)
    }

    @Test func whatDoesNotFitIsRefusedAndNothingIsStored() throws {
        let engine = MemoryEngine()
        let store = try ObjectStore(engine: engine, catalog: catalog)
        let before = try engine.makeView().entries().map(\.value)
        func refusal(_ body: (ObjectImporter) throws -> Void) throws -> ObjectStoreError.Code? {
            let importer = try importer(store)
            return code {
                try body(importer)
                return try importer.finish()
            }
        }
        #expect(try refusal { try $0.add(thing(1, "a", next: 2)) } == .objectNotFound)
        #expect(try refusal { for _ in 0..<2 { try $0.add(thing(1, "a")) } } == .notUnique)
        #expect(try refusal { for row: UInt64 in 1...2 { try $0.add(thing(row, "a")) } } == .notUnique)
        var wrong = thing(1, "a")
        wrong.fields[0].value = .value(.signed(1))
        #expect(try refusal { try $0.add(wrong) } == .schemaMismatch)
        wrong.fields[0] = ObjectDump.Field(name: "titel", value: .value(.text("a")))
        #expect(try refusal { try $0.add(wrong) } == .schemaMismatch)
        wrong = thing(1, "a")
        wrong.version = 2
        #expect(try refusal { try $0.add(wrong) } == .unsupportedVersion)
        #expect(try refusal { try $0.add(ObjectDump(id: ObjectID("6/1")!, className: "Thing", version: 1, fields: [])) } == .unknownClass)
        #expect(try refusal { try $0.add(StoreInspector.Name(name: "a", value: .one(ObjectID("5/1")))) } == nil)
        #expect(try engine.makeView().entries().map(\.value).count == before.count + 1)
        var other = catalog.classes[0]
        other.properties[0].typeText = "int64"
        #expect(code { try ObjectImporter(store).add(other) } == .schemaMismatch)
        other.name = "Other"
        #expect(code { try ObjectImporter(store).add(other) } == .unknownClass)
    }

    @Test func whoeverSavesMeanwhileIsNotOverwritten() throws {
        let engine = MemoryEngine()
        let slow = try importer(ObjectStore(engine: engine, catalog: catalog))
        try slow.add(thing(1, "a"))
        try ObjectStore(engine: engine, classes: [ImportedThing.self]).write { $0.insert(ImportedThing(title: "b")) }
        #expect(code { try slow.finish() } == .busy)
        #expect(
            try ObjectStore(engine: engine, classes: [ImportedThing.self]).read { try $0.allObjects(ImportedThing.self).map(\.title) } == [
                "b"
            ]
        )
    }

    @Test func indexesWithoutAllValuesAreNotComplete() throws {
        let engine = MemoryEngine()
        let importer = try importer(ObjectStore(engine: engine, catalog: catalog))
        try importer.add(thing(1, "a"))
        try importer.add(thing(2, nil))
        #expect(try importer.finish().incompleteIndexes == ["Thing.title"])
        let store = try ObjectStore(engine: engine, catalog: catalog)
        #expect(store.catalog.classes[0].indexes.map(\.isComplete) == [false])
        #expect(try store.verify().isIntact)
    }

    /// In the store that they were imported through, whose program has the class.
    @Test func indexesWithoutAllValuesAreNotUsed() throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: [ImportedThing.self])
        let importer = try importer(store)
        try importer.add(thing(1, nil))
        try importer.add(thing(2, "a"))
        _ = try importer.finish()
        #expect(store.incompleteIndexes == ["Thing (title)"])
        #expect(try store.read { try $0.fetch(ImportedThing.self, where: \.title == "a").map(\.title) } == ["a"])
        try store.buildIndexes()
        #expect(try store.incompleteIndexes.isEmpty && store.read { try $0.count(ImportedThing.self, where: \.title == "a") } == 1)
    }

    @Test func catalogsThatMakeNoSenseAreRefused() throws {
        for change in [
            { $0.name = "" }, { $0.properties[0].typeText = "strange" }, { $0.properties[1].name = "title" },
            { $0.indexes[0].properties = ["x"] },
            { $0.indexes[0].properties = [] },
        ] as [(inout ObjectCatalog.Class) -> Void] {
            var catalog = catalog
            change(&catalog.classes[0])
            #expect(code { try ObjectStore(engine: MemoryEngine(), catalog: catalog) } == .schemaMismatch)
        }
    }
}

@Stored(name: "Thing") final class ImportedThing {
    @Unique var title: String
    @Relationship var next: ImportedThing?
}
