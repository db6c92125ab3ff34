import CairnObjects
import CairnTestSupport
import Observation
import Synchronization
import Testing

/// Two stores on one engine: what one of them saves becomes known in the other.
@Suite(.endsWhenItHangs) @MainActor struct FollowOthersTests {
    private let engine = MemoryEngine()

    private func store() throws -> ObjectStore { try ObjectStore(engine: engine, classes: musicClasses) }

    /// Waits until one of some values changes.
    private struct Changes {
        private let stream: AsyncStream<Void>

        init(_ values: () -> Void) {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            withObservationTracking(values) { continuation.yield() }
            self.stream = stream
        }

        func wait() async { for await _ in stream { break } }
    }

    @Test func objectsFollowTheCommitsOfOthers() async throws {
        let (one, two) = (try store(), try store())
        let context = try one.makeContext()
        defer { context.close() }
        let songs = ["a", "b", "c", "d"].map { Song($0) }
        let playlist = Playlist(title: "p")
        songs.forEach(context.insert)
        context.insert(playlist)
        try context.save()
        #expect(songs[0].playlists.isEmpty)
        func change(_ body: (ObjectContext, [Song]) throws -> Void) throws {
            try two.write { try body($0, $0.fetch(Song.self, sortedBy: \.title)) }
        }
        // Before it follows.
        try change { $1[0].title = "A" }
        #expect(songs[0].title == "a")
        var changes = Changes { _ = songs[0].title }
        let following = Task { try await context.follow() }
        await changes.wait()
        #expect(songs[0].title == "A")

        // Changed here too, deleted, and the other side of a relationship.
        songs[1].title = "mine"
        changes = Changes { _ = songs[0].playlists.count }
        try change { context, songs in
            (songs[1].title, songs[3].title) = ("theirs", "D")
            try context.delete(songs[2])
            try context.first(Playlist.self)?.songs.append(songs[0])
        }
        await changes.wait()
        #expect(songs[0].playlists.contains(playlist) && playlist.songs.map(\.title) == ["A"])
        #expect(songs[1].title == "mine" && songs[2].title == "c" && songs[3].title == "D")

        // Many at once.
        changes = Changes { _ = songs[3].seconds }
        try two.write { context in
            for number in 0..<200 { context.insert(Song("\(number)")) }
            try context.first(Song.self, where: \.title == "D")?.seconds = 7
        }
        await changes.wait()
        #expect(songs[3].seconds == 7)
        following.cancel()
        try await following.value
        try one.read { context in #expect(!context.hasChanges) }
        await #expect(throws: ObjectStoreError.self) { try await followInRead(one) }
    }

    private func followInRead(_ store: ObjectStore) async throws {
        let context = try store.read { $0 }
        try await context.follow()
    }

    @Test func observersLearnOfValuesThatAreReadAgain() throws {
        let (one, two) = (try store(), try store())
        let context = try one.makeContext()
        defer { context.close() }
        let song = Song("a")
        context.insert(song)
        try context.save()
        func changeOfTitle(_ body: () throws -> Void) rethrows -> Bool {
            let isNotified = Mutex(false)
            withObservationTracking {
                _ = song.title
            } onChange: {
                isNotified.withLock { $0 = true }
            }
            try body()
            return isNotified.withLock { $0 }
        }
        try two.write { try $0.first(Song.self)?.title = "b" }
        #expect(try changeOfTitle { _ = try context.fetch(Song.self) } && song.title == "b")
        #expect(try !changeOfTitle { _ = try context.fetch(Song.self) })
        try two.write { try $0.first(Song.self)?.title = "c" }
        #expect(changeOfTitle { context.refresh() } && song.title == "c")
        song.title = "mine"
        #expect(changeOfTitle { context.rollback() } && song.title == "c")
    }

    @Test func commitsOfOthersAreReported() async throws {
        let (one, two) = (try store(), try store())
        var commits = one.commits().makeAsyncIterator()
        let (small, large) = (Song("small"), Image(bytes: [UInt8](repeating: 1, count: 5000)))
        let context = try two.makeContext()
        context.insert(small)
        context.insert(large)
        try context.setNamed("first", to: small)
        try context.save()
        let ids = [try #require(small.objectID), try #require(large.objectID)]
        var commit = try #require(await commits.next())
        #expect(commit.isExternal && !commit.isEverything && commit.inserted == ids && commit.names == ["first"])
        #expect(commit.updated.isEmpty && commit.deleted.isEmpty)

        large.bytes.append(2)
        try context.delete(small)
        try context.save()
        commit = try #require(await commits.next())
        #expect(commit.isExternal && commit.updated == [ids[1]] && commit.deleted == [ids[0]] && commit.inserted.isEmpty)

        // Own saves are not reported twice.
        try one.write { $0.insert(Song("own")) }
        commit = try #require(await commits.next())
        #expect(!commit.isExternal && commit.inserted.count == 1)
        large.bytes.append(3)
        try context.save()
        commit = try #require(await commits.next())
        #expect(commit.isExternal && commit.updated == [ids[1]] && commit.inserted.isEmpty)

        context.close()
        // An object that others change as soon as it is inserted is inserted once.
        for _ in 0..<20 {
            let id = try one.write { context in
                let song = Song("own")
                context.insert(song)
                return try #require(song.objectID)
            }
            try two.write { try #require(try $0.object(id, as: Song.self)).title = "theirs" }
            commit = try #require(await commits.next())
            #expect(!commit.isExternal && commit.inserted == [id])
            commit = try #require(await commits.next())
            #expect(commit.isExternal && commit.updated == [id] && commit.inserted.isEmpty)
        }
        try one.close()
        #expect(await commits.next() == nil)
        try two.close()
    }

    /// What was inserted here and deleted by another store is in neither of the states that are compared.
    @Test func deletionsByOthersAreReportedAfterTheInsertion() async throws {
        let (one, two) = (try store(), try store())
        var (commits, seen, left) = (one.commits().makeAsyncIterator(), Set<ObjectID>(), 0)
        for number in 0..<100 {
            let context = try one.makeContext()
            for _ in 0..<3 { context.insert(Song("\(number)")) }
            try context.save()
            let ids = try context.fetch(Song.self, where: \.title == "\(number)").compactMap(\.objectID)
            context.close()
            // One at once, another perhaps before the first was looked at.
            try two.write { context in for id in ids.dropLast() { try context.object(id, as: Song.self).map(context.delete) } }
            left += 1
        }
        try two.write { $0.insert(Song("end")) }
        let end = try #require(try two.read { try $0.first(Song.self, where: \.title == "end")?.objectID })
        while let commit = await commits.next() {
            #expect(!commit.isEverything)
            seen.formUnion(commit.inserted)
            seen.subtract(commit.deleted)
            if seen.contains(end) { break }
        }
        #expect(seen.count == left + 1)
        try one.close()
        try two.close()
    }

    @Test(arguments: [0, 1, 2]) func closingAContextEndsWhatWaitsForCommits(_ kind: Int) async throws {
        let context = try store().makeContext()
        var live = try context.live(Song.self).makeAsyncIterator()
        var count = try context.liveCount(Song.self).makeAsyncIterator()
        _ = (try await live.next(), try await count.next())
        // Runs once this test waits.
        Task { context.close() }
        switch kind {
        case 0:
            let results = try await live.next()
            #expect(results == nil)
        case 1:
            let number = try await count.next()
            #expect(number == nil)
        default: try await context.follow()
        }
    }

    /// A server that cannot be reached for a moment.
    @Test(arguments: FlakyEngine.Call.allCases) func commitsOfOthersAreReportedAfterFailures(_ call: FlakyEngine.Call) async throws {
        let flaky = FlakyEngine(engine)
        let (one, two) = (try ObjectStore(engine: flaky, classes: musicClasses), try store())
        if call != .laterView { flaky.fail(call) }
        var commits = one.commits().makeAsyncIterator()
        if call == .next || call == .laterView {
            try two.write { $0.insert(Song("before")) }
            #expect(try #require(await commits.next()).inserted.count == 1)
        }
        // The rows were reserved before, so the next save is one commit, which no other follows.
        if call == .laterView { flaky.fail(call) }
        if call == .view {
            // Nothing is known of what was saved until it could be read.
            #expect(try #require(await commits.next()).isEverything)
        }
        try two.write { $0.insert(Song("after")) }
        let commit = try #require(await commits.next())
        #expect(commit.isExternal && !commit.isEverything && commit.inserted.count == 1)
        #expect(!flaky.willFail)
        try one.close()
        #expect(await commits.next() == nil)
    }

    @Test func aSaveWithAnUnknownOutcomeIsReportedIfItWasPerformed() async throws {
        let client = ClientEngine(ClientData(), isShared: true)
        let store = try ObjectStore(engine: client, classes: musicClasses)
        try store.write { $0.insert(Song("first")) }
        var commits = store.commits().makeAsyncIterator()
        let context = try store.makeContext()
        context.insert(Song("second"))
        client.lose(.replyAndConnection)
        #expect(throws: ObjectStoreError.self) { try context.save() }
        let commit = try #require(await commits.next())
        #expect(commit.isExternal && commit.inserted.count == 1)
        context.close()
        try store.close()
    }
}

/// An engine on which a call fails once.
final class FlakyEngine: StorageEngine {
    /// The last is a view that is made after a commit was seen.
    enum Call: CaseIterable { case view, changes, next, laterView }

    private let engine: MemoryEngine
    private let failing = Mutex<Call?>(nil)

    init(_ engine: MemoryEngine) { self.engine = engine }

    var limits: EngineLimits { engine.limits }
    var isReadOnly: Bool { false }
    var isShared: Bool { true }
    var latestVersion: EngineVersion { engine.latestVersion }
    var willFail: Bool { failing.withLock { $0 != nil } }

    func fail(_ call: Call) { failing.withLock { $0 = call } }

    private func check(_ call: Call) throws(EngineError) {
        let fails = failing.withLock { failing in
            guard failing == call else { return false }
            failing = nil
            return true
        }
        if fails { throw EngineError(.unavailable, "the server cannot be reached") }
    }

    func makeView() throws(EngineError) -> any EngineView {
        try check(.view)
        try check(.laterView)
        return try engine.makeView()
    }

    func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        try engine.commit(commit, durability: durability)
    }

    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges {
        try check(.changes)
        let start = version ?? latestVersion
        return EngineChanges(after: start) { [self] version throws(EngineError) in
            if version > start { try check(.next) }
            var iterator = try engine.changes(after: version).makeAsyncIterator()
            return try await iterator.next()
        }
    }

    func close() throws(EngineError) { try engine.close() }
}
