import StoreEngines

/// A store, and the programs as its users would write them. Each call is a whole program: it opens the store at `path`, which for the inserts is a
/// place where nothing is yet in a folder of the side's own, works, and closes it, so that everything is in its files.
protocol Side: Sendable {
    /// As it is called on the command line and in the tables.
    var name: String { get }

    /// Songs of `Programs.title`, with the seconds 0, 1, 2 …, in one commit.
    func simpleInsert(at path: String, songs: Int) throws -> Sum
    /// All songs, in memory at once; then all their fields are read. Also of a store of `complexInsert`.
    func simpleFetch(at path: String) throws -> Sum
    /// Songs of `Programs.title(of:)`, then playlists of so many consecutive songs each, in one commit.
    func complexInsert(at path: String, playlists: Int, songsEach: Int) throws -> Sum
    /// All playlists with their songs' identities in order, in memory at once; then the title of the first song of each.
    func complexFetch(at path: String) throws -> Sum
    /// Loads all songs, then calls `loaded`; gives the first and each third after it the title `Programs.newTitle`, in one commit.
    func update(at path: String, loaded: () -> Void) throws -> Sum
}

/// What was read or written: by it the sides are compared with what is due.
struct Sum: Equatable, CustomStringConvertible {
    /// Songs, or places in playlists.
    var count: UInt64 = 0
    /// Of all songs.
    var seconds: UInt64 = 0
    /// Bytes of all titles, of songs and of playlists.
    var letters: UInt64 = 0
    /// For each place in a playlist its position, from 1, times the number of the song, from 0.
    var order: UInt64 = 0

    mutating func add(title: String, seconds: Int) {
        count += 1
        self.seconds &+= UInt64(bitPattern: Int64(seconds))
        letters += UInt64(title.utf8.count)
    }

    /// A song at a position of a playlist, both from 0. Wrong numbers make a wrong sum, never a trap.
    mutating func add(song number: Int64, at position: Int) { order &+= UInt64(position + 1) &* UInt64(bitPattern: number) }

    var check: [UInt64] { [count, seconds, letters, order] }

    var description: String { "\(count) things, \(seconds) seconds, \(letters) letters, order \(order)" }
}

/// The sides that are measured, the subject first.
enum Sides {
    static func all(_ engine: StoreEngine = .rocks, isNull: Bool) -> [any Side] {
        #if SQLite
        [isNull ? SQLiteSide(name: "SQLite too") : CairnSide(engine: engine), SQLiteSide(), GRDBSide()]
        #else
        [CairnSide(engine: engine)]
        #endif
    }

    static func named(_ name: String) -> (any Side)? {
        (all(isNull: false) + all(.sqlite, isNull: false) + all(isNull: true)).first { $0.name == name }
    }
}
