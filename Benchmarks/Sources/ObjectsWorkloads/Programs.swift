import BenchKit
import StoreEngines

/// The programs, in the order in which they run: those that read or change follow the one that makes their store.
enum Program: String, CaseIterable {
    case simpleInsert = "simple-insert"
    case simpleFetch = "simple-fetch"
    case complexInsert = "complex-insert"
    case complexFetch = "complex-fetch"
    case update

    func workload(_ engine: StoreEngine = .rocks) -> Workload {
        let (summary, goal, goalOnSQLite): (String, Double, Double) =
            switch self {
            case .simpleInsert: ("insert objects", 1, 1.2)
            case .simpleFetch: ("fetch them, read their fields", 1.5, 1.5)
            case .complexInsert: ("insert ordered lists of 100 objects", 0.8, 0.8)
            case .complexFetch: ("fetch the lists, and the first object of each", 0.7, 0.8)
            case .update: ("change each third object", 1, 1.2)
            }
        func goals(_ ratio: Double) -> [Goal] { [.ratio(ratio, to: "SQLite"), .ratio(0.5, to: "GRDB")] }
        return engine.workload(Workload("objects/\(rawValue)", summary, goals: goals(goal)), goals: goals(goalOnSQLite))
    }

    /// The largest memory of a process that runs it, of those that fetch.
    func memory(_ engine: StoreEngine) -> Workload? {
        guard self == .simpleFetch || self == .complexFetch else { return nil }
        return engine.workload(Workload("objects/\(rawValue)-memory", "peak memory of the fetch, in a process of its own"))
    }

    /// The files it leaves, of those that make a store.
    func files(_ engine: StoreEngine) -> Workload? {
        guard makesStore else { return nil }
        return engine.workload(Workload("objects/\(rawValue)-files", "bytes of the files"))
    }

    var makesStore: Bool { self == .simpleInsert || self == .complexInsert }

    /// Those with playlists run in a store of their own.
    var isComplex: Bool { self != .simpleInsert && self != .simpleFetch }
}

/// What the programs write, how much of it, and what is due.
struct Programs {
    static let title = "Test Song"
    static func title(of number: Int) -> String { "Test Song \(number)" }
    static let playlistTitle = "Test Playlist"
    static let newTitle = "New Song Title"

    /// Of the simple programs.
    var songs = 1_000_000
    /// Of the complex ones.
    var playlists = 1_000
    var songsEach = 100

    func run(_ program: Program, _ side: any Side, at path: String, loaded: () -> Void) throws -> Sum {
        switch program {
        case .simpleInsert: try side.simpleInsert(at: path, songs: songs)
        case .simpleFetch: try side.simpleFetch(at: path)
        case .complexInsert: try side.complexInsert(at: path, playlists: playlists, songsEach: songsEach)
        case .complexFetch: try side.complexFetch(at: path)
        case .update: try side.update(at: path, loaded: loaded)
        }
    }

    /// What a program must return.
    func due(_ program: Program) -> Sum {
        var sum = Sum()
        switch program {
        case .simpleInsert, .simpleFetch:
            for number in 0..<songs { sum.add(title: Self.title, seconds: number) }
        case .complexInsert:
            for number in 0..<playlists * songsEach { sum.add(title: Self.title(of: number), seconds: number) }
            addPlaylists(to: &sum)
        case .complexFetch:
            for playlist in 0..<playlists { sum.letters += UInt64(Self.title(of: playlist * songsEach).utf8.count) }
            addPlaylists(to: &sum)
        case .update:
            for number in stride(from: 0, to: playlists * songsEach, by: 3) { sum.add(title: Self.newTitle, seconds: number) }
        }
        return sum
    }

    /// What reading all songs after the update must return.
    var dueAfterUpdate: Sum {
        var sum = Sum()
        for number in 0..<playlists * songsEach {
            sum.add(title: number % 3 == 0 ? Self.newTitle : Self.title(of: number), seconds: number)
        }
        return sum
    }

    private func addPlaylists(to sum: inout Sum) {
        sum.count = UInt64(playlists * songsEach)
        sum.letters += UInt64(playlists * Self.playlistTitle.utf8.count)
        for number in 0..<playlists * songsEach { sum.add(song: Int64(number), at: number % songsEach) }
    }
}
