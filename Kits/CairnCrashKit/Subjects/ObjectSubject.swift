import CairnCore
import CairnRocksGraph
import Foundation

/// An object store with unique values, indexes, relationships in both directions, an order that changes, and names. Its indexes are rebuilt
/// now and then.
package final class ObjectSubject: CrashSubject {
    package static let name = "objects"
    package static let workload: CrashWorkload = {
        var workload = CrashWorkload(spaces: [
            .init("songs", .bytes(0..<2_000)), .init("playlists", .sequences(0..<10)), .init("names", .counters),
        ])
        workload.keys = 150
        workload.maximumChanges = 50
        workload.deletesRanges = false
        return workload
    }()

    let store: ObjectStore

    package convenience init(directory: String) throws {
        try self.init(ObjectStore(path: directory, classes: Self.classes))
    }

    /// With a cipher, or none.
    convenience init(directory: String, cipher: (any ObjectCipher)?) throws {
        var options = ObjectStoreOptions()
        options.cipher = cipher
        try self.init(ObjectStore(path: directory, classes: Self.classes, options: options))
    }

    /// With relationships of more objects in chunks, and values of more bytes in parts.
    convenience init(directory: String, longestChunk: Int) throws {
        var options = ObjectStoreOptions()
        options.longestChunk = longestChunk
        options.longestValue = (longestChunk, longestChunk)
        try self.init(ObjectStore(path: directory, classes: Self.classes, options: options))
    }

    /// With sorted files instead of the log for commits of so many writes.
    convenience init(directory: String, largeCommitCount: Int) throws {
        var options = RocksEngineOptions()
        options.largeCommitCount = largeCommitCount
        try self.init(ObjectStore(engine: RocksEngine(path: directory, options: options), classes: Self.classes))
    }

    /// Finishes indexes whose building was ended by a kill.
    init(_ store: ObjectStore) throws {
        self.store = store
        try store.buildIndexes()
    }

    static var classes: [any StoredObject.Type] { [CrashSong.self, CrashPlaylist.self, CrashEntry.self] }

    package func commit(_ operation: CrashOperation, midway: () -> Void) throws {
        // Processes on few processors disturb each other often.
        try store.write(attempts: 10_000) { try Self.perform(operation, midway: midway, in: $0) }
    }

    static func perform(_ operation: CrashOperation, midway: () -> Void, in context: ObjectContext) throws {
        var draft = try ObjectDraft(of: operation, in: context)
        for (index, change) in operation.changes.enumerated() {
            if index == operation.changes.count / 2 { midway() }
            try draft.perform(change)
        }
    }

    package func tidy(waits: Bool) throws {
        if waits { try store.rebuildIndexes() } else { Thread.detachNewThread { [store] in try? store.rebuildIndexes() } }
    }

    package func close() throws { try store.close() }

    // MARK: Reading

    package func contents() throws -> CrashContents {
        let verification = try store.verify()
        guard verification.isIntact else {
            let problems = verification.problems.prefix(3).map(\.reason).joined(separator: "; ")
            throw CrashDamage("verification finds \(verification.problemCounts): \(problems)")
        }
        return try store.read { context in
            ["songs": try songs(in: context), "playlists": try playlists(in: context), "names": try names(in: context)]
        }
    }

    /// The songs, read one after the other, by their unique values, and by an index.
    private func songs(in context: ObjectContext) throws -> [[UInt8]: [UInt8]] {
        var contents: [[UInt8]: [UInt8]] = [:]
        let songs = try context.allObjects(CrashSong.self)
        for song in songs {
            guard contents.updateValue(song.content, forKey: KeyText.bytes(song.code)) == nil else {
                throw CrashDamage("song \(song.code) is there twice")
            }
            guard song.size == song.content.count, song.first == song.content.first ?? 0 else {
                throw CrashDamage("song \(song.code) has a size or a first byte that is not its content's")
            }
            guard try context.first(CrashSong.self, where: \CrashSong.code == song.code) === song else {
                throw CrashDamage("song \(song.code) is not found by its code")
            }
        }
        let sizes = try context.fetch(CrashSong.self, sortedBy: \.size).map(\.size)
        guard sizes == songs.map(\.size).sorted() else { throw CrashDamage("the index over sizes gives other songs than there are") }
        return contents
    }

    private func playlists(in context: ObjectContext) throws -> [[UInt8]: [UInt8]] {
        var contents: [[UInt8]: [UInt8]] = [:]
        var count = 0
        for playlist in try context.allObjects(CrashPlaylist.self) {
            let key = KeyText.bytes(playlist.code)
            let entries = try playlist.entries.load()
            count += entries.count
            guard contents.updateValue(entries.map(\.number), forKey: key) == nil else {
                throw CrashDamage("playlist \(playlist.code) is there twice")
            }
            guard playlist.numbers.sorted() == entries.map(\.number).sorted(), context.faultErrors.isEmpty else {
                throw CrashDamage("playlist \(playlist.code) has other numbers than its entries")
            }
            for entry in entries {
                guard entry.playlist === playlist else { throw CrashDamage("an entry of playlist \(playlist.code) leads to another") }
                guard let song = entry.song else { continue }
                guard song.code == KeyText.text(ObjectDraft.song(entry.number, beside: key)), song.entries.contains(entry) else {
                    throw CrashDamage("entry \(entry.number) of playlist \(playlist.code) leads to song \(song.code)")
                }
            }
        }
        let all = try context.count(CrashEntry.self)
        guard all == count else { throw CrashDamage("of \(all) entries \(count) are in playlists") }
        return contents
    }

    private func names(in context: ObjectContext) throws -> [[UInt8]: [UInt8]] {
        var contents: [[UInt8]: [UInt8]] = [:]
        for name in try context.names() { contents[KeyText.bytes(name)] = try context.named(name, as: [UInt8].self) }
        return contents
    }
}
