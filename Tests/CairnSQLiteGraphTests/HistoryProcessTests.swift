import CairnHistoryKit
import CairnObjectsEncryption
import CairnSQLiteGraph
import CairnTestSupport
import Foundation
import Testing

/// What eight processes do at once in one file, and whether it could have happened one after the other.
@Suite(.timeLimit(.minutes(60))) struct HistoryProcessTests {
    private static let processes = 8
    private let directory: TemporaryDirectory
    private var path: String { directory.path("store") }

    init() throws { directory = try TemporaryDirectory() }

    /// The cipher is that of the peers.
    private func open(isEncrypted: Bool) throws -> ObjectStore {
        var options = ObjectStoreOptions()
        if isEncrypted { options.cipher = try ObjectEncryption(passphrase: "history", cost: try #require(ScryptCost(stored: 4))) }
        return try ObjectStore(sqlite: path, classes: ListAppends.classes, options: options)
    }

    /// Has each process do its part of `work` when all have opened the store, and returns their answers.
    private func answers(_ work: String, count: Int, seed: UInt64, isEncrypted: Bool) throws -> [String] {
        let peers = try (0..<Self.processes).map { _ in
            try ChildProcess("cairn-sqlite-peer", [path, isEncrypted ? "--sealed-objects" : "--objects"])
        }
        for peer in peers { try #require(peer.readLine() == "open") }
        for (client, peer) in peers.enumerated() { try peer.writeLine("\(work) \(client) \(count) \(seed)") }
        return try peers.map { peer in
            let answer = try #require(peer.readLine())
            try peer.closeInput()
            #expect(try peer.waitForEnd() == .exited(0), "\(answer)")
            return answer
        }
    }

    @Test(arguments: [false, true]) func `list appends are serializable`(isEncrypted: Bool) async throws {
        try await withSeeds("list appends of processes, \(isEncrypted ? "encrypted" : "plain")", count: 1) { generator in
            let store = try open(isEncrypted: isEncrypted)
            try ListAppends.prepare(store)
            let count = Thorough.count(30, of: 600)
            let history = try answers("appends", count: count, seed: generator.next(), isEncrypted: isEncrypted).flatMap {
                try JSONDecoder().decode([ListAppends.Transaction].self, from: Data($0.utf8))
            }
            #expect(history.count == Self.processes * count)
            try ListAppends.check(history, ListAppends.lists(in: store))
            #expect(try store.verify().isIntact)
            try store.close()
        }
    }

    @Test(arguments: [false, true]) func `sums of pairs never become negative`(isEncrypted: Bool) async throws {
        try await withSeeds("bank transfers of processes, \(isEncrypted ? "encrypted" : "plain")", count: 1) { generator in
            let store = try open(isEncrypted: isEncrypted)
            try PairTransfers.prepare(store)
            let count = Thorough.count(40, of: 800)
            let refused = try answers("transfers", count: count, seed: generator.next(), isEncrypted: isEncrypted).map {
                try #require(Int($0), "\($0)")
            }
            #expect(refused.reduce(0, +) > 0, "no limit was reached")
            #expect(try store.verify().isIntact)
            try store.close()
        }
    }
}
