import CairnObjects
import Foundation

/// A store of songs and playlists, and a context to work in. Use a library from one thread at a time; its store may be shared.
final class Library {
    let store: ObjectStore
    private let context: ObjectContext

    init(path: String) throws {
        store = try ObjectStore(path: path, classes: [Song.self, Playlist.self])
        context = try store.makeContext()
        context.undo.isEnabled = true
    }

    /// Fails where there are changes to be saved.
    func close() throws {
        if context.hasChanges { throw LibraryError("There are changes that were not saved: 'save' or 'revert' them.") }
        context.close()
        try store.close()
    }

    var hasChanges: Bool { context.hasChanges }
    func save() throws { try context.save() }
    func revert() { context.rollback() }

    // MARK: Songs

    /// Reads a file of songs in a context of its own, off the threads that tasks share: a line for each, with path, artist, title, seconds,
    /// year and genre between tabs. Songs that are there already are changed. All of it is one save.
    ///
    /// - Returns: How many songs the file has.
    func importSongs(from file: String) async throws -> Int {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { throw LibraryError("\(file) cannot be read.") }
        let lines = text.split(separator: "\n")
        return try await store.writeInBackground { context in
            for (number, line) in lines.enumerated() {
                let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                guard fields.count == 6, let seconds = Int(fields[3]) else {
                    throw LibraryError("\(file), line \(number + 1): six fields with tabs between are expected, the fourth a number.")
                }
                // What is assigned is saved: only what is different is.
                try context.upsert(\Song.path, fields[0], make: { Song(path: fields[0]) }) { song in
                    if song.artist != fields[1] { song.artist = fields[1] }
                    if song.title != fields[2] { song.title = fields[2] }
                    if song.seconds != seconds { song.seconds = seconds }
                    if song.year != Int(fields[4]) { song.year = Int(fields[4]) }
                    if song.genre != Genre(rawValue: fields[5]) { song.genre = Genre(rawValue: fields[5]) }
                }
            }
            return lines.count
        }
    }

    /// Songs whose artist begins with a text, or whose title has it.
    private func matching(_ text: String) -> ObjectCondition<Song> {
        .hasPrefix(\.artist, text) || .contains(\.title, text, ignoringCase: true)
    }

    func songs(_ text: String) throws -> [Song] {
        try context.fetch(Song.self, where: matching(text), sortedBy: Self.byYear)
    }

    /// An artist's songs from a year on: both are in one index.
    func songs(of artist: String, from year: Int) throws -> [Song] {
        try context.fetch(Song.self, where: Self.by(artist, from: year), sortedBy: Self.byYear)
    }

    private static func by(_ artist: String, from year: Int) -> ObjectCondition<Song> { \.artist == artist && \.year >= year }
    private static var byYear: [ObjectSort<Song>] { [.ascending(\.artist), .ascending(\.year)] }

    func explanation(of text: String) throws -> String { "\(try context.explain(Song.self, where: matching(text)))" }

    func explanation(of artist: String, from year: Int) throws -> String {
        "\(try context.explain(Song.self, where: Self.by(artist, from: year), sortedBy: Self.byYear))"
    }

    /// Songs that are longer, by Foundation's predicate.
    func songs(longerThan seconds: Int) throws -> [Song] {
        try context.fetch(where: #Predicate<Song> { $0.seconds > seconds }, sortedBy: [.descending(\.seconds)])
    }

    /// The one song with these words in its title.
    func song(_ words: String) throws -> Song {
        let found = try context.fetch(Song.self, where: .contains(\.title, words, ignoringCase: true), limit: 2)
        guard let song = found.first else { throw LibraryError("No title has '\(words)'.") }
        guard found.count == 1 else { throw LibraryError("More than one title has '\(words)'.") }
        return song
    }

    func rename(_ song: Song, to title: String) { context.undo.group("Rename") { song.title = title } }

    /// Takes a song away; it leaves all playlists.
    func remove(_ song: Song) throws { try context.undo.group("Delete") { try context.delete(song) } }

    // MARK: Playlists

    func playlists() throws -> [Playlist] { try context.fetch(Playlist.self, sortedBy: \.title) }

    func playlist(_ title: String) throws -> Playlist {
        guard let playlist = try context.first(Playlist.self, where: \.title == title) else {
            throw LibraryError("There is no playlist '\(title)'.")
        }
        return playlist
    }

    func makePlaylist(_ title: String) { context.undo.group("New Playlist") { context.insert(Playlist(title: title)) } }

    func add(_ song: Song, to playlist: Playlist) { context.undo.group("Add Song") { playlist.songs.append(song) } }

    /// Places count from 1.
    func move(_ from: Int, to: Int, in playlist: Playlist) throws {
        let places = 1...max(playlist.songs.count, 1)
        guard !playlist.songs.isEmpty, places.contains(from), places.contains(to) else {
            throw LibraryError("'\(playlist.title)' has \(playlist.songs.count) songs.")
        }
        context.undo.group("Move Song") { playlist.songs.move(from: from - 1, to: to - 1) }
    }

    // MARK: A name

    /// The playlist that is meant where none is given, kept under a name in the store.
    func favourite() throws -> Playlist? { try context.named("favourite", as: Playlist.self) }
    func setFavourite(_ playlist: Playlist) throws { try context.setNamed("favourite", to: playlist) }

    // MARK: Undo

    /// Takes the last group of changes back, saved or not; returns its name.
    func undo() throws -> String {
        guard context.undo.canUndo else { throw LibraryError("There is nothing to undo.") }
        let name = context.undo.undoName ?? "Change"
        try context.undo.undo()
        return name
    }

    func redo() throws -> String {
        guard context.undo.canRedo else { throw LibraryError("There is nothing to redo.") }
        let name = context.undo.redoName ?? "Change"
        try context.undo.redo()
        return name
    }
}

/// What a person did wrong.
struct LibraryError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
