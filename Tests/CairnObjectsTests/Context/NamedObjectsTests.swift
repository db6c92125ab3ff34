import CairnObjects
import CairnTestSupport
import Foundation
import Testing

@Suite struct NamedObjectsTests {
    private let store: ObjectStore
    private let context: ObjectContext

    init() throws {
        store = try ObjectStore(engine: MemoryEngine(), classes: musicClasses)
        context = try store.makeContext()
    }

    @Test func setsHaveNames() throws {
        let songs = ["a", "b", "c"].map { Song($0) }
        try context.setNamed("starred", to: Set(songs + songs))
        try context.setNamed("none", to: Set<Song>())
        try context.save()
        let titles = try store.read { try $0.named("starred", as: Set<Song>.self)?.map(\.title).sorted() }
        #expect(titles == ["a", "b", "c"])
        #expect(try context.named("starred") == Set(songs))
        #expect(try context.named("none", as: Set<Song>.self)?.isEmpty == true)
        #expect(try context.named("other", as: Set<Song>.self) == nil)
        try context.delete(songs[1])
        try context.save()
        #expect(try context.named("starred", as: Set<Song>.self) == [songs[0], songs[2]])
        // The same form as a list, in the order of the rows, which are assigned in no order here.
        let inOrder = try #require(try context.named("starred", as: [Song].self)).compactMap(\.objectID)
        #expect(inOrder == [songs[0], songs[2]].compactMap(\.objectID).sorted())
        #expect(try store.verify().isIntact)
    }

    @Test func mismatchesSayOnceWhatTheNameHas() throws {
        try context.setNamed("number", to: 700)
        try context.save()
        let error = #expect(throws: ObjectStoreError.self) { try context.named("number", as: String.self) }
        let text = "\(try #require(error))"
        #expect(text.components(separatedBy: "but found").count == 2 && !text.contains("property"), "\(text)")
    }

    @Test func namesReadAsAnotherTypeAreMismatches() throws {
        try context.setNamed("text", to: "seven")
        try context.setNamed("number", to: 700)
        try context.setNamed("song", to: Song("a"))
        try context.setNamed("songs", to: [Song("b")])
        try context.save()
        #expect(code { try context.named("text", as: Int.self) } == .typeMismatch)
        #expect(code { try context.named("number", as: UInt8.self) } == .typeMismatch)
        let album = #expect(throws: ObjectStoreError.self) { try context.named("song", as: Album.self) }
        #expect(album?.code == .typeMismatch && album?.message == "a named value of the store is not of type 'Album'")
        #expect(code { try context.named("song", as: String.self) } == .typeMismatch)
        #expect(code { try context.named("text", as: Song.self) } == .typeMismatch)
        #expect(code { try context.named("songs", as: Set<Album>.self) } == .typeMismatch)
        #expect(code { try context.named("songs", as: [String: Song].self) } == .typeMismatch)
    }
}
