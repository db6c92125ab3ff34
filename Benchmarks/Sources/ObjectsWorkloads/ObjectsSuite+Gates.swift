public import BenchKit
import CairnObjects
import Foundation
import StoreEngines

extension ObjectsSuite {
    private static let count = 10_000
    /// Bytes of a song's fields.
    private static let song = Programs.title.utf8.count + 8

    public var gates: [Gate] {
        guard engine == .rocks else { return [] }
        return [
            Gate("objects/simple-fetch allocations", atMost: 2.95, because: "an object, its state and its place among those of the context")
            {
                let folder = try Folder.temporary()
                defer { folder.remove() }
                let path = folder.path("gate.store"), side = CairnSide()
                _ = try side.simpleInsert(at: path, songs: Self.count)
                return Double(try Count.allocations { _ = try side.simpleFetch(at: path) }) / Double(Self.count)
            }
        ]
            + MetadataGates.all + OpeningGates.all
            + Durability.allCases.flatMap { durability in
                Gate.calls(
                    "objects/save .\(durability)",
                    probe: "objects-save",
                    [durability.rawValue],
                    operations: Self.saves(durability),
                    bytes: Self.song,
                    limits: Gate.Calls(syncs: durability == .synced ? 1 : 0, all: durability == .synced ? 2.02 : 1.01),
                    because: "a save of one object is one write to the log; `.synced` waits for it once"
                )
            }
    }

    /// Disks take milliseconds.
    private static func saves(_ durability: Durability) -> Int { durability == .synced ? 200 : 2_000 }

    func probeOpening(_ name: String, _ arguments: [String]) throws -> Bool {
        guard name == "objects-open", arguments.count == 1 else { return false }
        try OpeningGates.probe(arguments)
        return true
    }

    func probeSaves(_ name: String, _ arguments: [String]) throws -> Bool {
        guard name == "objects-save", arguments.count == 2, let durability = Durability(rawValue: arguments[1]) else { return false }
        var options = ObjectStoreOptions()
        options.durability = durability
        let store = try ObjectStore(path: arguments[0], classes: [StoredSong.self, StoredPlaylist.self], options: options)
        let context = try store.makeContext()
        func save(_ seconds: Int) throws {
            context.insert(StoredSong(title: Programs.title, seconds: seconds))
            try context.save()
        }
        try save(0)
        Count.begin()
        for seconds in 1...Self.saves(durability) { try save(seconds) }
        Count.end()
        context.close()
        try store.close()
        return true
    }
}
