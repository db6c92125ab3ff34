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

    // MARK: Changes by others

    private func number(in context: ObjectContext) throws -> Int? { try context.named("number", as: Int.self) }

    private func number() throws -> Int? { try store.read(number) }

    /// Two stores on one engine, as two processes have them.
    @Test func changesOfOthersAreNotLost() throws {
        let engine = MemoryEngine()
        let stores = try (0..<2).map { _ in try ObjectStore(engine: engine, classes: musicClasses) }
        let contexts = try stores.map { try $0.makeContext() }
        for context in contexts { #expect(try number(in: context) == nil) }
        try contexts[0].setNamed("number", to: 1)
        try contexts[0].save()
        try contexts[1].setNamed("number", to: 2)
        let error = #expect(throws: ObjectStoreError.self) { try contexts[1].save() }
        #expect(error?.code == .conflict && error?.userData == "the name \"number\"", "\(error.map(String.init(describing:)) ?? "")")
        #expect(error?.message.contains("number") == false)
        contexts[1].rollback()
        try contexts[1].setNamed("number", to: try #require(try number(in: contexts[1])) + 1)
        try contexts[1].save()
        // It knows what it has saved itself.
        try contexts[1].setNamed("number", to: 3)
        try contexts[1].save()
        #expect(try stores[0].read(number) == 3)
        try contexts[0].removeNamed("number")
        #expect(code { try contexts[0].save() } == .conflict)
        #expect(try stores[0].read(number) == 3)
    }

    @Test func listsOfOthersAreNotLost() throws {
        let other = try store.makeContext()
        for context in [context, other] {
            try context.setNamed("songs", to: try context.named("songs", as: [Song].self) ?? [] + [Song("a")])
        }
        try context.save()
        #expect(code { try other.save() } == .conflict)
        #expect(try store.read { try $0.named("songs", as: [Song].self)?.count } == 1)
        #expect(try store.read { try $0.count(Song.self) } == 1)
    }

    @Test func namesThatWereNotReadAreReplaced() throws {
        let other = try store.makeContext()
        try other.setNamed("number", to: 1)
        try other.save()
        try context.setNamed("number", to: 2)
        try context.save()
        #expect(try number() == 2)
        // A refresh forgets what was read.
        #expect(try number(in: other) == 2)
        try context.setNamed("number", to: 3)
        try context.save()
        other.refresh()
        try other.setNamed("number", to: 4)
        try other.save()
        #expect(try number() == 4)
    }

    /// Unless it is kept because of an unsaved change, a refresh forgets what was read.
    @Test func aRefreshKeepsWhatUnsavedChangesDependOn() throws {
        #expect(try number(in: context) == nil)
        try context.setNamed("number", to: 1)
        try store.write { try $0.setNamed("number", to: 7) }
        context.refresh()
        #expect(code { try context.save() } == .conflict)
    }

    /// Both others and this context set the same value.
    @Test func theSameValueIsNoConflict() throws {
        #expect(try number(in: context) == nil)
        try context.setNamed("number", to: 7)
        try store.write { try $0.setNamed("number", to: 7) }
        try context.save()
        #expect(try number() == 7)
    }

    @Test(arguments: [(ConflictPolicy.keepMine, 2), (.merge, 2), (.keepTheirs, 1)])
    func policiesDecide(policy: ConflictPolicy, expected: Int) throws {
        let context = try store.makeContext(ObjectContextOptions(conflictPolicy: policy))
        #expect(try number(in: context) == nil)
        try store.write { try $0.setNamed("number", to: 1) }
        try context.setNamed("number", to: 2)
        context.insert(Song("saved in any case"))
        try context.save()
        #expect(try number() == expected)
        #expect(try number(in: context) == expected)
        // It has read what is there now.
        try context.setNamed("number", to: 3)
        try context.save()
        #expect(try number() == 3)
        #expect(try store.read { try $0.count(Song.self) } == 1)
    }

    /// `write { }` runs again instead.
    @Test func writesCountWhatOthersAdd() async throws {
        try await onThreads(4) { [store] _ in
            for _ in 0..<50 {
                // More than the others can commit.
                try store.write(attempts: 200) { try $0.setNamed("number", to: ($0.named("number", as: Int.self) ?? 0) + 1) }
            }
        }
        #expect(try number() == 200)
    }
}
