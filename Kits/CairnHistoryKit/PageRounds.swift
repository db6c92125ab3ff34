import CairnCore
public import CairnEngine

/// Rounds of commits that each give all of some keys the same value: a view that sees several values sees no state that ever was.
///
/// The keys are such as pages of objects have, which engines keep in memory once they were read twice.
public enum PageRounds {
    public static let keys = (0..<40).map { [1, 0, 1, 0, 0, 0, 0, 0, UInt8($0)] as [UInt8] }

    /// Gives all keys the value of a round.
    public static func write(_ round: UInt8, to engine: any StorageEngine) throws {
        var commit = EngineCommit()
        for key in keys { commit.put([UInt8](repeating: round, count: 100), for: key) }
        try engine.commit(commit, durability: .buffered)
    }

    /// The rounds that a view sees, reading each key twice; 0 for a key without a value.
    public static func read(_ view: any EngineView) throws -> Set<UInt8> {
        var found: Set<UInt8> = []
        for key in keys { found.formUnion(try view.get(key) ?? [0]) }
        for value in try view.multiGet(KeyList(keys)) { found.formUnion(value ?? [0]) }
        return found
    }

    /// Makes views until one sees the last round, while others write rounds in order. Returns what the first wrong view saw, if there was one.
    public static func follow(_ engine: any StorageEngine, until last: UInt8) throws -> Set<UInt8>? {
        var seen: UInt8 = 0
        while seen < last {
            let view = try engine.makeView()
            for _ in 0..<3 {
                let found = try read(view)
                guard found.count == 1, let round = found.first, round >= seen else { return found }
                seen = round
            }
        }
        return nil
    }
}
