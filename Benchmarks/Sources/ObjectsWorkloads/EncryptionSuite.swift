public import BenchKit
import CairnObjects
import CairnObjectsEncryption
import Crypto
import Foundation

@Stored final class IndexedSong {
    @Indexed var artist: String
    var title: String
    var seconds: Int
}

/// Encrypted object stores beside plain ones.
public struct EncryptionSuite: Suite {
    private static let artists = 10_000

    private let insert = Workload("encryption/insert", "insert objects, one commit", goals: [.ratio(1.25, to: "plain")])
    private let fetch = Workload("encryption/fetch", "fetch them, read their fields", goals: [.ratio(1.25, to: "plain")])
    private let insertIndexed = Workload("encryption/insert-indexed", "insert objects with an index", goals: [.ratio(1.25, to: "plain")])

    public init() {}

    public var workloads: [Workload] { [insert, fetch, insertIndexed] }

    public func run(_ harness: Harness) throws {
        guard workloads.contains(where: { harness.settings.isSelected($0.name) }) else { return }
        let isNull = harness.settings.isNull
        var encrypted = ObjectStoreOptions()
        encrypted.cipher = isNull ? nil : try ObjectEncryption(key: SymmetricKey(size: .bits256))
        let sides = [CairnSide(name: isNull ? "plain too" : "encrypted", options: encrypted), CairnSide(name: "plain")]
        let programs = Programs(songs: harness.settings.songs)
        var places: [String] = []
        func event(_ workload: Workload, _ run: @escaping (CairnSide, String) throws -> Sum) -> Event {
            var event = Event(workload) { turn in
                let sum = try run(sides[turn.side], places[turn.side])
                return Outcome(operations: 1, check: sum.check)
            }
            event.scale = .whole
            return event
        }
        let events = [
            event(insert) { try $0.simpleInsert(at: $1, songs: programs.songs) },
            event(fetch) { try $0.simpleFetch(at: $1) },
            event(insertIndexed) { try insertIndexed($0, at: $1 + "-indexed", songs: programs.songs) },
        ]
        var contest = Contest(sides: sides.map(\.name), rounds: harness.settings.rounds(3), events: events)
        contest.beginRound = { _ in places = try sides.map { _ in try harness.folder.makePlace() } }
        contest.beforeTurn = { sync() }
        contest.endRound = { _ in for place in places { harness.folder.removePlace(place) } }
        try harness.hold(contest)
    }

    private func insertIndexed(_ side: CairnSide, at path: String, songs: Int) throws -> Sum {
        var sum = Sum()
        let store = try ObjectStore(path: path, classes: [IndexedSong.self], options: side.options)
        try store.write { context in
            for seconds in 0..<songs {
                let song = IndexedSong(artist: "Artist \(seconds % Self.artists)", title: Programs.title, seconds: seconds)
                context.insert(song)
                sum.add(title: song.title, seconds: seconds)
            }
        }
        try store.close()
        return sum
    }
}
