import CairnHistoryKit
import CairnObjectsEncryption
import CairnSQLiteEngine
import CairnSQLiteGraph
import Foundation

/// The process of the histories: opens an object store at a path, and does its part.
struct ObjectPeer {
    private let store: ObjectStore

    init(path: String, isEncrypted: Bool) throws {
        var options = ObjectStoreOptions()
        if isEncrypted {
            guard let cost = ScryptCost(stored: 4) else { preconditionFailure("no cost of 2^4 rounds") }
            options.cipher = try ObjectEncryption(passphrase: "history", cost: cost)
        }
        var engineOptions = SQLiteEngineOptions()
        engineOptions.createIfMissing = false
        // Another process that holds the lock may get no processor for long.
        engineOptions.busyTimeout = .seconds(60)
        store = try ObjectStore(engine: SQLiteEngine(path: path, options: engineOptions), classes: ListAppends.classes, options: options)
    }

    /// `appends CLIENT COUNT SEED` is answered with the transactions, as JSON; `transfers CLIENT COUNT SEED` with how many were refused.
    func answer(_ words: [String]) throws -> String {
        guard words.count == 4, let client = Int(words[1]), let count = Int(words[2]), let seed = UInt64(words[3]) else { return "what?" }
        switch words[0] {
        case "appends":
            let history = try ListAppends.run(client: client, count: count, seed: seed, on: store)
            return String(decoding: try JSONEncoder().encode(history), as: UTF8.self)
        case "transfers": return "\(try PairTransfers.run(client: client, count: count, seed: seed, on: store))"
        default: return "what?"
        }
    }

    func close() throws { try store.close() }
}
