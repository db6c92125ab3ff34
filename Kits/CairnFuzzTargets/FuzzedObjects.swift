import CairnGraph

/// The classes and objects of the stores that are damaged: every kind of property, relationship, index and name.
enum FuzzedObjects {
    typealias Answering = (() throws -> Void) throws -> Void

    static var classes: [any StoredObject.Type] { [FuzzedSong.self, FuzzedAlbum.self, FuzzedShelf.self] }

    static func fill(_ store: ObjectStore) throws {
        try store.write { context in
            let albums = ["one", "two", "three"].map {
                FuzzedAlbum(code: $0, cover: [UInt8](repeating: 7, count: $0 == "two" ? 2_000 : 20))
            }
            for (number, album) in albums.enumerated() {
                for place in 0..<3 { album.songs.append(FuzzedSong(title: "song \(number) \(place)", seconds: 100 * place)) }
                album.songs.append(album.songs[0])
                context.insert(album)
            }
            let shelf = FuzzedShelf(name: "shelf", sizes: ["a": [1, nil]])
            for album in albums {
                shelf.albums.insert(album)
                shelf.byCode[album.code] = album
            }
            context.insert(shelf)
            try context.setNamed("shelf", to: shelf)
            try context.setNamed("first", to: albums)
            try context.setNamed("codes", to: ["x": albums[0]])
            try context.setNamed("count", to: 3)
        }
    }

    static func read(_ context: ObjectContext, _ answering: Answering) throws {
        try answering { for album in try context.allObjects(FuzzedAlbum.self) { _ = try album.songs.load() } }
        try context.forEach(FuzzedSong.self) { song in
            _ = (song.album?.code, song.title, song.next?.seconds)
            return true
        }
        try answering { for shelf in try context.allObjects(FuzzedShelf.self) { look(shelf) } }
        try answering { _ = try context.count(FuzzedSong.self) }
        try answering { _ = try context.fetch(FuzzedSong.self, where: \FuzzedSong.seconds >= 100, sortedBy: [.descending(\.title)]) }
        try answering { _ = try context.first(FuzzedAlbum.self, where: \FuzzedAlbum.code == "two")?.cover }
        try answering { _ = try context.fetchIDs(FuzzedSong.self, sortedBy: \.seconds, limit: 3) }
        for name in try context.names() {
            try answering { _ = try context.named(name, as: FuzzedShelf.self)?.name }
            try answering { _ = try context.named(name, as: [FuzzedAlbum].self)?.map(\.code) }
            try answering { _ = try context.named(name, as: [String: FuzzedAlbum].self)?.count }
            try answering { _ = try context.named(name, as: Int.self) }
        }
    }

    private static func look(_ shelf: FuzzedShelf) {
        for album in shelf.albums { _ = album.songs.map(\.title) }
        for (code, album) in shelf.byCode { _ = (code, album.cover) }
        _ = shelf.sizes
    }

    /// Each change is saved by itself; those that meet damage are refused.
    static func change(_ store: ObjectStore, _ answering: Answering) throws {
        try answering { try store.write { $0.insert(FuzzedSong(title: "new", seconds: 1)) } }
        try answering { try store.write { for song in try $0.allObjects(FuzzedSong.self).prefix(4) { song.seconds += 1 } } }
        try answering { try store.upsert(\FuzzedAlbum.code, "one", make: { FuzzedAlbum(code: "one") }) { $0.cover = [] } }
        try answering {
            try store.write {
                for album in try $0.allObjects(FuzzedAlbum.self) where album.songs.count > 1 { album.songs.move(from: 0, to: 1) }
            }
        }
        try answering {
            try store.write { context in
                context.undo.isEnabled = true
                for song in try context.allObjects(FuzzedSong.self).suffix(2) { try context.delete(song) }
                try context.undo.undo()
                try context.undo.redo()
            }
        }
        try answering {
            try store.write { if let album = try $0.first(FuzzedAlbum.self, where: \FuzzedAlbum.code == "three") { try $0.delete(album) } }
        }
        try answering { try store.write { try $0.removeNamed("shelf") } }
    }
}
