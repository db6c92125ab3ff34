package import CairnGraph
import CairnObjectsEncryption
package import CairnTestSupport
import Crypto
import Testing

/// Stores of one place, each with an engine of its own, as other processes and machines have; and what they must do on every engine that is shared.
package struct SharedStores: Sendable {
    package static let classes: [any StoredObject.Type] = [Singer.self, Song.self]

    private let make: @Sendable (ObjectStoreOptions) throws -> ObjectStore

    /// - Parameter make: Opens a store with ``classes``.
    package init(_ make: @escaping @Sendable (ObjectStoreOptions) throws -> ObjectStore) { self.make = make }

    package func open(_ change: (inout ObjectStoreOptions) -> Void = { _ in }) throws -> ObjectStore {
        var options = ObjectStoreOptions()
        change(&options)
        return try make(options)
    }

    private static func encryption() throws -> ObjectEncryption { try ObjectEncryption(key: SymmetricKey(size: .bits256)) }

    package static func insert(_ count: Int, into store: ObjectStore) throws {
        try store.write { context in
            let singer = Singer(name: "Katrina")
            context.insert(singer)
            for number in 0..<count { singer.songs.append(Song(title: "Song \(number) of sunshine, 日本\(number)", seconds: number)) }
        }
    }

    package func keepObjects(isEncrypted: Bool) throws {
        let encryption = try Self.encryption()
        var store = try open { if isEncrypted { $0.cipher = encryption } }
        try Self.insert(100, into: store)
        try store.close()
        store = try open { if isEncrypted { $0.cipher = encryption } }
        let context = try store.makeContext()
        #expect(try context.fetch(Song.self, where: \.seconds < 10, sortedBy: \.title).count == 10)
        #expect(try context.search(Song.self, \.title, "[[*77 of sun*]]").map(\.seconds) == [77])
        #expect(try context.search(Song.self, \.title, "[[*日本7*]]").count == 11)
        #expect(try context.fetch(Singer.self).first?.songs.map(\.seconds) == Array(0..<100))
        #expect(try store.verify().isIntact)
        let singer = try #require(try context.fetch(Singer.self).first)
        singer.songs.move(from: 99, to: 0)
        try context.save()
        let later = try store.makeContext()
        #expect(try later.fetch(Singer.self).first?.songs.first?.seconds == 99)
        try context.delete(singer)
        try context.save()
        #expect(try store.makeContext().fetch(Song.self).isEmpty)
        #expect(try store.verify().isIntact)
    }

    /// Each of two stores changes an object of its own, again and again.
    ///
    /// - Parameters:
    ///   - others: Opens one of the two.
    ///   - measure: Calls its parameter a few times, which changes an object through that store; the other store changes others, before and meanwhile.
    package func saveSideBySide(
        isEncrypted: Bool = false,
        behind others: SharedStores,
        _ measure: (_ save: () throws -> Void) throws -> Void
    ) throws {
        let encryption = try Self.encryption()
        let (one, two) = (
            try others.open { if isEncrypted { $0.cipher = encryption } }, try open { if isEncrypted { $0.cipher = encryption } }
        )
        try Self.insert(100, into: two)
        let ids = try two.read { try $0.fetchIDs(Song.self) }
        func addSecond(to index: Int, in store: ObjectStore, meanwhile: () throws -> Void = {}) throws {
            try store.write { context in
                let song = try #require(try context.object(ids[index], as: Song.self))
                song.seconds += 1
                try meanwhile()
            }
        }
        var saves = 0
        try measure {
            saves += 1
            // Before the view of the save, and after it.
            try addSecond(to: 50, in: two)
            try addSecond(to: 0, in: one) { try addSecond(to: 99, in: two) }
        }
        let seconds = try two.read { context in try [0, 50, 99].map { try context.object(ids[$0], as: Song.self)?.seconds } }
        #expect(seconds == [saves, 50 + saves, 99 + saves])
    }

    /// What waits in the background for a server that does not answer ends when its task is cancelled.
    ///
    /// - Parameter proxy: In front of the server; these stores have time-outs that are longer than the test may take.
    package func waitsEnd(behind proxy: Proxy) async throws {
        let store = try open()
        try Self.insert(3, into: store)
        let tasks: [@Sendable () async throws -> Void] = [
            { _ = try await store.readInBackground { try $0.fetch(Song.self).count } },
            { _ = try await store.writeInBackground { try $0.first(Song.self)?.seconds += 1 } },
        ]
        for task in tasks {
            proxy.fallSilent()
            let losses = proxy.losses
            let task = Task { try await task() }
            while proxy.losses == losses { await Task.yield() }
            task.cancel()
            await #expect { try await task.value } throws: { ($0 as? ObjectStoreError)?.code == .cancelled }
        }
        // A live query ends.
        let context = try store.makeContext()
        let losses = proxy.losses
        let counting = Task {
            var counts = try context.liveCount(Song.self).makeAsyncIterator()
            return try await counts.next()
        }
        while proxy.losses == losses { await Task.yield() }
        counting.cancel()
        #expect(try await counting.value == nil)
        // The store gives back its rows when it is released.
        proxy.fallSilent(false)
        proxy.cut()
        proxy.cut(false)
    }

    package func followOthers(isEncrypted: Bool) async throws {
        let encryption = try Self.encryption()
        let stores = try (0..<2).map { _ in try open { if isEncrypted { $0.cipher = encryption } } }
        let context = try stores[0].makeContext()
        var live = try context.live(Song.self, where: \.seconds < 5).makeAsyncIterator()
        #expect(try await live.next()?.objects.isEmpty == true)
        try Self.insert(20, into: stores[1])
        #expect(try await live.next()?.changes.inserted == [0, 1, 2, 3, 4])
        try stores[1].write { context in
            if let song = try context.first(Song.self, where: \.seconds == 3) { try context.delete(song) }
        }
        #expect(try await live.next()?.changes.removed == [3])
        context.close()
        for store in stores { try store.close() }
        #expect(try await live.next() == nil)
    }

    package func keepValuesUnique() throws {
        let (one, other) = (try open(), try open())
        try one.write { context in context.insert(Singer(name: "Katrina")) }
        #expect(throws: ObjectStoreError.self) { try other.write { context in context.insert(Singer(name: "Katrina")) } }
        try other.write { context in context.insert(Singer(name: "Waves")) }
        #expect(try one.makeContext().fetch(Singer.self).count == 2)
        #expect(try other.makeContext().fetch(Singer.self).count == 2)
    }

    package func undo() throws {
        let store = try open()
        let context = try store.makeContext()
        context.undo.isEnabled = true
        context.insert(Singer(name: "Katrina"))
        try context.save()
        let singer = try #require(try context.fetch(Singer.self).first)
        singer.name = "Waves"
        try context.save()
        try context.undo.undo()
        try context.save()
        #expect(try store.makeContext().fetch(Singer.self).map(\.name) == ["Katrina"])
    }

    /// Several threads save in each of three stores.
    ///
    /// - Parameter willSave: Called before each save, with its number.
    package func loseNothing(rounds: Int, willSave: @escaping @Sendable (Int) -> Void = { _ in }) async throws {
        let stores = try (0..<3).map { _ in try open() }
        try await onThreads(6) { number in
            for round in 0..<rounds {
                willSave(round)
                try stores[number % 3].write { context in context.insert(Song(title: "Song \(number) \(round)", seconds: number)) }
            }
        }
        let context = try stores[0].makeContext()
        #expect(try context.fetch(Song.self).count == 6 * rounds)
        for number in 0..<6 { #expect(try context.fetch(Song.self, where: \.seconds == number).count == rounds) }
        for store in stores { #expect(try store.verify().isIntact) }
    }

    /// Two stores save at random beside a model that knows what was saved.
    package func actAsModel(_ random: inout SeededGenerator) throws {
        let stores = try (0..<2).map { _ in try open() }
        var model: [String: [Int]] = [:]
        for round in 0..<40 {
            let name = "singer \(random.int(in: 0..<4))"
            let choice = random.int(in: 0..<5)
            let place = random.int(in: 0..<100)
            try stores[random.int(in: 0..<2)].write { context in
                guard let singer = try context.first(Singer.self, where: \.name == name) else {
                    let singer = Singer(name: name)
                    context.insert(singer)
                    singer.songs.append(Song(title: "song \(round)", seconds: round))
                    return
                }
                switch choice {
                case 0: try context.delete(singer)
                case 1 where !singer.songs.isEmpty: try context.delete(singer.songs[place % singer.songs.count])
                default: singer.songs.insert(Song(title: "song \(round)", seconds: round), at: place % (singer.songs.count + 1))
                }
            }
            if var songs = model[name] {
                switch choice {
                case 0: model[name] = nil
                case 1 where !songs.isEmpty:
                    songs.remove(at: place % songs.count)
                    model[name] = songs
                default:
                    songs.insert(round, at: place % (songs.count + 1))
                    model[name] = songs
                }
            } else {
                model[name] = [round]
            }
            // The one that has saved sees it, and so does a context of the other that is made now.
            for store in stores where random.oneIn(5) {
                let context = try store.makeContext()
                let found = try context.fetch(Singer.self).map { ($0.name, $0.songs.map(\.seconds)) }
                #expect(Dictionary(uniqueKeysWithValues: found) == model)
                context.close()
            }
        }
        for store in stores {
            #expect(try store.verify().isIntact)
            let context = try store.makeContext()
            let all = try context.search(Song.self, \.title, "[[song*]]").map(\.seconds)
            #expect(all.sorted() == model.values.joined().sorted())
            context.close()
            try store.close()
        }
    }
}
