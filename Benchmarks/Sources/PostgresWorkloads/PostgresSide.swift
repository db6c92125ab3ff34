import BenchKit
import CairnCore
import CairnPostgresEngine
import RivalPostgres

/// A client: an engine, or a connection of bare libpq.
protocol PostgresSide: Sendable {
    /// Puts a value under each key, in one commit.
    func put(_ keys: [String]) throws
    func get(_ keys: [String]) throws
    /// Reads the keys from one up to, but not including, another.
    func scan(_ from: String, _ to: String, count: Int) throws
}

/// What both sides store under each key: letters, so that text needs no escapes.
private let value = String(repeating: "v", count: 500)

struct EngineSide: PostgresSide {
    let engine: PostgresEngine

    func put(_ keys: [String]) throws {
        var commit = EngineCommit()
        for key in keys { commit.put(value, for: key) }
        try engine.commit(commit, durability: .buffered)
    }

    func get(_ keys: [String]) throws {
        guard try engine.makeView().multiGet(KeyList(keys)).allSatisfy({ $0?.count == value.utf8.count }) else {
            throw Disagreement("the engine has not what was put")
        }
    }

    func scan(_ from: String, _ to: String, count: Int) throws {
        let range = KeyRange(lowerBound: Array(from.utf8), upperBound: Array(to.utf8))
        guard try engine.makeView().entries(range).count == count else { throw Disagreement("the engine has not what was put") }
    }
}

@safe final class LibpqSide: PostgresSide, @unchecked Sendable {
    private let connection: OpaquePointer

    init(_ url: String, _ table: String) throws {
        guard let connection = unsafe rival_postgres_open(url, table) else { throw Disagreement("libpq cannot use BENCH_POSTGRES") }
        unsafe self.connection = connection
    }

    deinit { unsafe rival_postgres_close(connection) }

    func put(_ keys: [String]) throws {
        let values = Array(repeating: value, count: keys.count)
        try check(unsafe rival_postgres_put(connection, Self.array(keys), Self.array(values)), keys.count)
    }

    func get(_ keys: [String]) throws { try check(unsafe rival_postgres_get(connection, Self.array(keys)), keys.count) }

    func scan(_ from: String, _ to: String, count: Int) throws { try check(unsafe rival_postgres_scan(connection, from, to), count) }

    func run(_ sql: String) throws { try check(unsafe rival_postgres_run(connection, sql), 0) }

    private func check(_ count: Int32, _ expected: Int) throws {
        guard Int(count) == expected else { throw Disagreement("libpq has \(count) rows instead of \(expected)") }
    }

    private static func array(_ texts: [String]) -> String { "{\(texts.joined(separator: ","))}" }
}
