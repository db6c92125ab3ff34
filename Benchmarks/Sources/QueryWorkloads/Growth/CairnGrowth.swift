import BenchKit
import CairnObjects
import Foundation
import StoreEngines

@Stored final class Album {
    var title: String
    @Relationship(inverse: \Track.albums) var tracks: ObjectList<Track>
}

@Stored final class Label {
    var name: String
    @Relationship(inverse: \Track.label) var tracks: ObjectSet<Track>
}

@Stored final class Track {
    var number: Int
    @Relationship var label: Label?
    @Relationship var albums: ObjectSet<Album>
}

@Stored final class Attachment {
    var name: String
    var contents: Data
}

/// The subject.
final class CairnGrowth: GrowthSide {
    let engine: StoreEngine
    var name: String { engine.sideName }
    private var opened: Opened?

    private struct Opened {
        let store: ObjectStore
        var album: ObjectID?
        var label: ObjectID?
        var file: ObjectID?
        /// The first of the tracks that were there from the beginning.
        var tracks: [ObjectID] = []
    }

    init(_ engine: StoreEngine = .rocks) { self.engine = engine }

    private func state() throws -> Opened {
        guard let opened else { throw Disagreement("the store is not open") }
        return opened
    }

    /// An object of a context by its ID.
    private func find<Object: StoredObject>(_ id: ObjectID?, _ context: ObjectContext, as type: Object.Type = Object.self) throws -> Object
    {
        guard let id, let object = try context.object(id, as: type) else { throw Disagreement("an object is missing") }
        return object
    }

    func build(_ tracks: Int, at path: String) throws {
        try open(path)
        try state().store.write { context in
            let album = Album(title: "Album"), label = Label(name: "Label")
            context.insert(album)
            context.insert(label)
            let tracks = (0..<tracks).map { Track(number: $0, label: label) }
            for track in tracks { context.insert(track) }
            album.tracks.append(contentsOf: tracks)
        }
        try close()
    }

    func open(_ path: String) throws {
        let store = try engine.open(path, [Album.self, Label.self, Track.self, Attachment.self])
        var opened = Opened(store: store)
        try store.read { context in
            opened.album = try context.fetchIDs(Album.self, limit: 1).first
            opened.label = try context.fetchIDs(Label.self, limit: 1).first
            opened.tracks = try context.fetchIDs(Track.self, limit: 1_000)
        }
        self.opened = opened
    }

    func close() throws {
        try opened?.store.close()
        opened = nil
    }

    func append(_ number: Int) throws {
        let state = try state()
        try state.store.write { context in try find(state.album, context, as: Album.self).tracks.append(Track(number: number)) }
    }

    func add(_ number: Int) throws {
        let state = try state()
        try state.store.write { context in try context.insert(Track(number: number, label: find(state.label, context))) }
    }

    func insert(_ number: Int) throws {
        let state = try state()
        _ = try state.store.write { context in try find(state.label, context, as: Label.self).tracks.insert(Track(number: number)) }
    }

    func tail() throws -> [Int] {
        let state = try state()
        return try state.store.read { context in try find(state.album, context, as: Album.self).tracks.suffix(50).map(\.number) }
    }

    func labelled() throws -> [Int] {
        let state = try state()
        return try state.store.read { context in
            let label: Label = try find(state.label, context)
            return try context.fetch(Track.self, where: #Predicate { $0.label == label }, limit: 50).map(\.number)
        }
    }

    func count() throws -> Int {
        let state = try state()
        return try state.store.read { context in try find(state.label, context, as: Label.self).tracks.count }
    }

    func contains(_ number: Int) throws -> Bool {
        let state = try state()
        return try state.store.read { context in
            try find(state.label, context, as: Label.self).tracks.contains(find(state.tracks[number], context))
        }
    }

    func delete(_ stop: () -> Void) throws -> Int {
        let state = try state()
        try state.store.write { context in try context.delete(find(state.label, context, as: Label.self)) }
        stop()
        return try state.store.read { try $0.count(Track.self, where: .isNil(\.label)) }
    }

    func attach(_ name: String, _ contents: [UInt8]) throws {
        let store = try state().store
        try store.write { $0.insert(Attachment(name: name, contents: Data(contents))) }
        let file = try store.read { try $0.fetchIDs(Attachment.self).first }
        opened?.file = file
    }

    func rename(_ name: String) throws {
        let state = try state()
        try state.store.write { context in try find(state.file, context, as: Attachment.self).name = name }
    }
}
