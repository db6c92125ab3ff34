#if Postgres || Etcd
import BenchKit
import CairnCore
import CairnEngine

/// A client: an engine, or a connection of a bare client.
protocol ServerSide: Sendable {
    /// Puts a value under each key, in one commit.
    func put(_ keys: [String]) throws
    /// The same with a view, and a commit that depends on the keys, which nobody else has changed.
    func save(_ keys: [String], turn: Int, client: Int) throws
    func get(_ keys: [String]) throws
    /// Reads the keys from one up to, but not including, another.
    func scan(_ from: String, _ to: String, count: Int) throws
}

/// A connection of a bare client.
protocol BareSide: ServerSide {
    /// Asks one thing, as the engine does to begin a view.
    func head() throws
    /// The same puts with what the engine's commit has besides.
    func putLikeEngine(_ keys: [String], turn: Int, client: Int) throws
}

extension BareSide {
    func save(_ keys: [String], turn: Int, client: Int) throws {
        try head()
        try putLikeEngine(keys, turn: turn, client: client)
    }
}

/// What both sides store under each key: letters, so that text needs no escapes.
let storedValue = String(repeating: "v", count: 500)

struct EngineSide: ServerSide {
    let engine: any StorageEngine

    func put(_ keys: [String]) throws {
        var commit = EngineCommit()
        for key in keys { commit.put(storedValue, for: key) }
        try engine.commit(commit, durability: .buffered)
    }

    func save(_ keys: [String], turn: Int, client: Int) throws {
        let view = try engine.makeView()
        var commit = EngineCommit()
        for key in keys {
            commit.read(key, in: view)
            commit.put(storedValue, for: key)
        }
        try engine.commit(commit, durability: .buffered)
    }

    func get(_ keys: [String]) throws {
        guard try engine.makeView().multiGet(KeyList(keys)).allSatisfy({ $0?.count == storedValue.utf8.count }) else {
            throw Disagreement("the engine has not what was put")
        }
    }

    func scan(_ from: String, _ to: String, count: Int) throws {
        let range = KeyRange(lowerBound: Array(from.utf8), upperBound: Array(to.utf8))
        guard try engine.makeView().entries(range).count == count else { throw Disagreement("the engine has not what was put") }
    }
}
#endif
