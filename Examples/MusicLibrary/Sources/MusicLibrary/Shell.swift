import CairnObjects

/// Does what a line says: a word, and what it is about; parts are separated by colons.
final class Shell {
    private let library: Library

    static let help = """
        import FILE            songs, a line each: path, artist, title, seconds, year, genre, with tabs between
        songs TEXT             artists that begin with it, titles that have it
        since ARTIST : YEAR    an artist's songs from a year on
        long SECONDS           songs that are longer
        explain TEXT           how 'songs' finds them
        rename SONG : TITLE    SONG is a part of its title
        delete SONG
        new PLAYLIST, add PLAYLIST : SONG, move PLAYLIST : FROM : TO
        show [PLAYLIST]        by default the favourite
        favourite PLAYLIST
        playlists, undo, redo, save, revert, quit
        """

    init(_ library: Library) { self.library = library }

    /// Returns `false` where it was the last line.
    func perform(_ line: String) async throws -> Bool {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = words.count > 1 ? words[1] : ""
        let parts = rest.split(separator: ":").map { $0.drop { $0 == " " } }.map { String($0.reversed().drop { $0 == " " }.reversed()) }
        switch (words.first ?? "", parts.count) {
        case ("", _): break
        case ("import", 1): print("songs read: \(try await library.importSongs(from: rest))")
        case ("songs", 1): show(try library.songs(rest))
        case ("since", 2): show(try library.songs(of: parts[0], from: try number(parts[1])))
        case ("long", 1): show(try library.songs(longerThan: try number(rest)))
        case ("explain", 1): print(try library.explanation(of: rest))
        case ("explain", 2): print(try library.explanation(of: parts[0], from: try number(parts[1])))
        case ("rename", 2): library.rename(try library.song(parts[0]), to: parts[1])
        case ("delete", 1): try library.remove(try library.song(rest))
        case ("new", 1): library.makePlaylist(rest)
        case ("add", 2): library.add(try library.song(parts[1]), to: try library.playlist(parts[0]))
        case ("move", 3): try library.move(try number(parts[1]), to: try number(parts[2]), in: try library.playlist(parts[0]))
        case ("favourite", 1): try library.setFavourite(try library.playlist(rest))
        case ("show", 0):
            guard let favourite = try library.favourite() else { throw LibraryError("No playlist is the favourite.") }
            show(favourite)
        case ("show", 1): show(try library.playlist(rest))
        case ("playlists", 0): for playlist in try library.playlists() { print("\(playlist.title): \(playlist.songs.count) songs") }
        case ("undo", 0): print("undone: \(try library.undo())")
        case ("redo", 0): print("redone: \(try library.redo())")
        case ("save", 0): try library.save()
        case ("revert", 0): library.revert()
        case ("quit", 0):
            try library.close()
            return false
        default: print(Self.help)
        }
        return true
    }

    private func number(_ text: String) throws -> Int {
        guard let number = Int(text) else { throw LibraryError("'\(text)' is not a number.") }
        return number
    }

    private func show(_ songs: [Song]) {
        for song in songs {
            let playlists = song.playlists.map(\.title).sorted()
            let year = song.year.map { ", \($0)" } ?? ""
            let places = playlists.isEmpty ? "" : " in \(playlists.joined(separator: ", "))"
            print("\(song.artist): \(song.title) (\(time(song.seconds))\(year))\(places)")
        }
    }

    private func show(_ playlist: Playlist) {
        print("\(playlist.title), \(time(playlist.seconds))")
        for (place, song) in playlist.songs.enumerated() { print("\(place + 1). \(song.artist): \(song.title)") }
    }

    private func time(_ seconds: Int) -> String { "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)" }
}
