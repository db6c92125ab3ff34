import CairnObjects
import CairnTestSupport
import Testing

/// What two contexts do at once leads nobody to what is gone.
struct IntegrityTests {
    private let store: ObjectStore
    private let mine: ObjectContext
    private let theirs: ObjectContext

    init() throws {
        store = try ObjectStore(engine: MemoryEngine(), classes: musicClasses)
        mine = try store.makeContext()
        theirs = try store.makeContext()
    }

    private func scene() throws -> (song: ObjectID, list: ObjectID) {
        let (song, list) = (Song("a"), Playlist(title: "list"))
        mine.insert(song)
        mine.insert(list)
        try mine.save()
        return (try #require(song.objectID), try #require(list.objectID))
    }

    @Test func whatAnotherContextDeletedIsNotLedTo() throws {
        let (song, list) = try scene()
        let playlist = try #require(try mine.object(list, as: Playlist.self))
        try playlist.songs.append(#require(try mine.object(song, as: Song.self)))
        try theirs.delete(#require(try theirs.object(song, as: Song.self)))
        try theirs.save()
        let error = #expect(throws: ObjectStoreError.self) { try mine.save() }
        #expect(error?.code == .conflict && error?.object == song)
        #expect(error?.message.contains("Playlist 1") == true && error?.message.contains("Song 1") == true, "\(error?.message ?? "")")
        playlist.songs.removeAll()
        try mine.save()
        #expect(try store.verify().isIntact)
    }

    @Test(arguments: [ConflictPolicy.fail, .keepMine, .keepTheirs, .merge])
    func whatAnotherContextHadLeadToADeletedObjectLeadsThereNoMore(_ policy: ConflictPolicy) throws {
        let (song, list) = try scene()
        var options = ObjectContextOptions()
        options.conflictPolicy = policy
        let deleting = try store.makeContext(options)
        // In memory, and older than what comes.
        let stale = try #require(try deleting.object(list, as: Playlist.self))
        try deleting.delete(#require(try deleting.object(song, as: Song.self)))
        try #require(try theirs.object(list, as: Playlist.self)).songs.append(#require(try theirs.object(song, as: Song.self)))
        try theirs.save()
        try deleting.save()
        #expect(stale.songs.isEmpty)
        #expect(try store.verify().isIntact)
        #expect(try store.read { (context) throws in try context.count(Song.self) } == 0)
    }

    @Test func whatIsDeletedInTheSameSaveIsNotLedTo() throws {
        let (song, list) = try scene()
        var options = ObjectContextOptions()
        options.conflictPolicy = .merge
        let merging = try store.makeContext(options)
        let playlist = try #require(try merging.object(list, as: Playlist.self))
        playlist.title = "mine"
        try merging.delete(#require(try merging.object(song, as: Song.self)))
        // The list has changes of its own, and theirs would be merged into them.
        try #require(try theirs.object(list, as: Playlist.self)).songs.append(#require(try theirs.object(song, as: Song.self)))
        try theirs.save()
        #expect(code { try merging.save() } == .conflict)
        merging.rollback()
        #expect(try store.verify().isIntact)
    }
}

@Stored private final class Leaf {
    var text: String = ""
}

@Stored private final class Branch {
    var year: Int = 0
    @Relationship var leaves: ObjectList<Leaf>
    @Relationship var best: Leaf?
}

/// Objects of a class without relationships and indexes, which need not be read to be deleted.
struct LeafIntegrityTests {
    private let store: ObjectStore

    init() throws {
        store = try ObjectStore(engine: MemoryEngine(), classes: [Leaf.self, Branch.self])
        try store.write { context in
            let branch = Branch()
            context.insert(branch)
            for number in 0..<4 { branch.leaves.append(Leaf(text: "\(number)")) }
        }
    }

    @Test func objectsThatWereNotReadAreDeleted() throws {
        let mine = try store.makeContext()
        let branch = try #require(try mine.first(Branch.self))
        let unread = branch.leaves[0], deletedByOthers = branch.leaves[1]
        #expect(unread.isFault && deletedByOthers.isFault)
        try mine.delete(unread)
        try mine.delete(deletedByOthers)
        try store.write { context in
            let leaves = try #require(try context.first(Branch.self)).leaves
            leaves[0].text = "changed"
            try context.delete(leaves[1])
        }
        // The branch was changed by both.
        #expect(code { try mine.save() } == .conflict)
        mine.rollback()
        for leaf in branch.leaves { try mine.delete(leaf) }
        try mine.save()
        try store.read { context throws in
            #expect(try context.count(Leaf.self) == 0 && context.first(Branch.self)?.leaves.isEmpty == true)
        }
        #expect(try store.verify().isIntact)
    }

    @Test(arguments: [false, true]) func undoingRestoresWhatWasNotRead(saves: Bool) throws {
        let mine = try store.makeContext()
        mine.undo.isEnabled = true
        let branch = try #require(try mine.first(Branch.self)), leaf = branch.leaves[1]
        #expect(leaf.isFault)
        try mine.delete(leaf)
        if saves { try mine.save() }
        try mine.undo.undo()
        try mine.save()
        let texts = try store.read { context throws in try #require(try context.first(Branch.self)).leaves.map(\.text) }
        #expect(texts == ["0", "1", "2", "3"])
    }

    /// What others did to an object that was not read here is not a conflict; to one that was read, it is.
    @Test func onlyWhatWasReadIsInConflict() throws {
        for reads in [false, true] {
            let mine = try store.makeContext()
            let id = try #require(try mine.fetchIDs(Leaf.self, limit: 1).first)
            let leaf = try #require(try mine.object(id, as: Leaf.self))
            if reads { _ = leaf.text }
            let isRead = !leaf.isFault
            try mine.delete(leaf)
            try store.write { context in try #require(try context.object(id, as: Leaf.self)).text += "+" }
            #expect(code { try mine.save() } == (isRead ? .conflict : nil))
            mine.close()
        }
        #expect(try store.verify().isIntact)
    }

    /// The policy drops the change to the object that is gone, but not the reference to it.
    @Test(arguments: [ConflictPolicy.merge, .keepTheirs]) func changedObjectsThatAreGoneAreNotLedTo(_ policy: ConflictPolicy) throws {
        var options = ObjectContextOptions()
        options.conflictPolicy = policy
        let mine = try store.makeContext(options)
        let leaf = try #require(try mine.first(Leaf.self)), branch = Branch(year: 2)
        leaf.text = "mine"
        branch.best = leaf
        mine.insert(branch)
        try store.write { context in try context.delete(#require(try context.first(Leaf.self))) }
        let error = #expect(throws: ObjectStoreError.self) { try mine.save() }
        #expect(error?.code == .conflict && error?.message.contains("refers to Leaf") == true, "\(String(describing: error))")
        branch.best = nil
        try mine.save()
        #expect(try store.verify().isIntact)
    }
}

protocol Readable: AnyObject { var pages: Int { get } }
protocol Audible: AnyObject { var minutes: Int { get } }

/// The same store as two programs declare it.
private enum Former {
    @Stored final class Shelf {
        @Relationship var things: ObjectList<any Readable>
        @Relationship var best: (any Readable)?
        @Relationship var byName: ObjectDictionary<String, Book>
    }
    @Stored final class Book: Readable { var pages: Int }
    @Stored final class Paper: Readable { var pages: Int }
}

private enum Later {
    @Stored final class Shelf {
        @Relationship var things: ObjectList<any Audible>
        @Relationship var best: (any Audible)?
        @Relationship var byName: ObjectDictionary<Int, Book>
    }
    @Stored final class Book { var pages: Int }
    @Stored final class Paper: Audible {
        var pages: Int
        var minutes: Int { pages * 2 }
    }
}

/// Records that say what the classes do not allow.
struct ReferenceRuleTests {
    private let engine = MemoryEngine()

    private func write(_ body: (Former.Shelf) -> Void) throws {
        let store = try ObjectStore(engine: engine, classes: [Former.Shelf.self, Former.Book.self, Former.Paper.self])
        try store.write { context in
            let shelf = Former.Shelf()
            context.insert(shelf)
            body(shelf)
        }
    }

    private func laterError() throws -> ObjectStoreError? {
        let store = try ObjectStore(engine: engine, classes: [Later.Shelf.self, Later.Book.self, Later.Paper.self])
        return try store.read { context in
            #expect(throws: ObjectStoreError.self) { try context.object(ObjectID("1/1")!, as: Later.Shelf.self) }
        }
    }

    @Test func anObjectOfAClassThatAPropertyDoesNotAllowIsDamage() throws {
        try write { $0.things.append(Former.Book(pages: 1)) }
        let error = try laterError()
        #expect(error?.code == .corruption && error?.message.contains("Shelf 1, property things") == true, "\(String(describing: error))")
    }

    @Test func soIsOneThatAPropertyLeadsTo() throws {
        try write { $0.best = Former.Book(pages: 1) }
        let error = try laterError()
        #expect(error?.code == .corruption && error?.message.contains("Shelf 1, property best") == true, "\(String(describing: error))")
    }

    @Test func soIsAKeyOfAnotherType() throws {
        try write { $0.byName["a"] = Former.Book(pages: 1) }
        let error = try laterError()
        #expect(error?.code == .corruption && error?.message.contains("property byName") == true, "\(String(describing: error))")
    }

    @Test func whatIsAllowedByBothIsRead() throws {
        try write { $0.things.append(Former.Paper(pages: 3)) }
        let store = try ObjectStore(engine: engine, classes: [Later.Shelf.self, Later.Book.self, Later.Paper.self])
        let minutes = try store.read { (context) throws in try context.allObjects(Later.Shelf.self)[0].things.map(\.minutes) }
        #expect(minutes == [6])
    }

    @Test func anObjectOfAClassThatIsNotHereIsNamed() throws {
        try write { $0.things.append(Former.Paper(pages: 3)) }
        let store = try ObjectStore(engine: engine, classes: [Former.Shelf.self, Former.Book.self])
        try store.read { context in
            let error = #expect(throws: ObjectStoreError.self) { try context.allObjects(Former.Shelf.self) }
            #expect(
                error?.code == .unknownClass && error?.message.contains("Shelf 1, property things") == true,
                "\(String(describing: error))"
            )
        }
    }

    @Test func aListOfAnotherClassIsDamage() throws {
        let scene = try DamageScene()
        let (key, value) = try #require(try scene.entries([1, 0, 3]).first)
        var page = value
        // The class, how many, and the rows 2, 1, 2.
        let place = try #require(page.firstRange(of: [1, 6, 4, 1, 2]))
        page[place.lowerBound] = 2
        try scene.commit { $0.put(page, for: key) }
        try scene.store().read { context in
            let error = #expect(throws: ObjectStoreError.self) { try context.allObjects(Playlist.self) }
            #expect(
                error?.code == .corruption && error?.message.contains("Playlist 1, property songs") == true,
                "\(String(describing: error))"
            )
        }
    }
}
