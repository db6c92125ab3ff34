import CairnCore
import CairnRocksGraph

/// The changes of one operation, on their way into a context.
struct ObjectDraft {
    private let context: ObjectContext
    private var songs: [String: CrashSong] = [:]
    private var playlists: [String: CrashPlaylist] = [:]

    /// Looks up what the operation will touch, before anything is changed: queries would have to look through all changes.
    init(of operation: CrashOperation, in context: ObjectContext) throws {
        self.context = context
        if operation.changes.count > 1_000 {
            for song in try context.allObjects(CrashSong.self) { songs[song.code] = song }
            for playlist in try context.allObjects(CrashPlaylist.self) { playlists[playlist.code] = playlist }
        } else {
            for change in operation.changes { try find(change) }
        }
    }

    private mutating func find(_ change: CrashOperation.Change) throws {
        switch (change.space, change.action) {
        case ("songs", .put(let key, _)), ("songs", .delete(let key)):
            try findSong(KeyText.text(key))
        case ("playlists", .put(let key, let numbers)):
            try findPlaylist(KeyText.text(key))
            for number in numbers { try findSong(KeyText.text(Self.song(number, beside: key))) }
        case ("playlists", .move(let key, _, _)), ("playlists", .delete(let key)):
            try findPlaylist(KeyText.text(key))
        default: break
        }
    }

    private mutating func findSong(_ code: String) throws {
        if songs[code] == nil { songs[code] = try context.first(CrashSong.self, where: \CrashSong.code == code) }
    }

    private mutating func findPlaylist(_ code: String) throws {
        if playlists[code] == nil { playlists[code] = try context.first(CrashPlaylist.self, where: \CrashPlaylist.code == code) }
    }

    /// The key of the song that an entry of a playlist leads to: one of the same writer.
    static func song(_ number: UInt8, beside playlist: [UInt8]) -> [UInt8] {
        guard let writer = writer(of: playlist) else { return [] }
        return CrashWorkload.prefix(writer: writer) + Int(number).keyBytes
    }

    private static func writer(of key: [UInt8]) -> Int? {
        (0..<CrashProgress.maximumWriters).first { key.starts(with: CrashWorkload.prefix(writer: $0)) }
    }

    mutating func perform(_ change: CrashOperation.Change) throws {
        switch (change.space, change.action) {
        case ("songs", .put(let key, let value)): putSong(KeyText.text(key), value)
        case ("songs", .delete(let key)):
            if let song = songs.removeValue(forKey: KeyText.text(key)) { try context.delete(song) }
        case ("playlists", .put(let key, let numbers)): try putPlaylist(key, numbers)
        case ("playlists", .move(let key, let start, let end)):
            guard let entries = playlists[KeyText.text(key)]?.entries, !entries.isEmpty else { return }
            entries.move(from: start % entries.count, to: end % entries.count)
        case ("playlists", .delete(let key)):
            if let playlist = playlists.removeValue(forKey: KeyText.text(key)) { try context.delete(playlist) }
        case ("names", .put(let key, let value)): try context.setNamed(KeyText.text(key), to: value)
        case ("names", .add(let key, let amount)):
            let name = KeyText.text(key)
            try context.setNamed(name, to: CrashModel.sum(try context.named(name, as: [UInt8].self), amount))
        case ("names", .delete(let key)): try context.removeNamed(KeyText.text(key))
        case ("visits", .add(let key, _)):
            guard let writer = Self.writer(of: key) else { throw CrashDamage("\(key) belongs to no writer") }
            try CrashHouse.visit(by: writer, in: context)
        default: throw CrashDamage("an object store has no \(change.action) in \(change.space)")
        }
    }

    private mutating func putSong(_ code: String, _ content: [UInt8]) {
        if let song = songs[code] { return song.set(content) }
        let song = CrashSong(code: code, content: content)
        context.insert(song)
        songs[code] = song
    }

    /// Changes the entries that are there, adds those that are missing, and deletes the others.
    private mutating func putPlaylist(_ key: [UInt8], _ numbers: [UInt8]) throws {
        let code = KeyText.text(key)
        let playlist = playlists[code] ?? CrashPlaylist(code: code, numbers: [])
        if playlists.updateValue(playlist, forKey: code) == nil { context.insert(playlist) }
        playlist.numbers = numbers
        let entries = Array(playlist.entries)
        for entry in entries.dropFirst(numbers.count) { try context.delete(entry) }
        for (place, number) in numbers.enumerated() {
            let song = songs[KeyText.text(Self.song(number, beside: key))]
            if place < entries.count {
                entries[place].number = number
                entries[place].song = song
            } else {
                playlist.entries.append(CrashEntry(number: number, song: song))
            }
        }
    }
}

/// Keys as text.
enum KeyText {
    /// A character for each byte.
    static func text(_ bytes: [UInt8]) -> String {
        var text = ""
        for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        return text
    }

    static func bytes(_ text: some StringProtocol) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
}
