#if Postgres
import BenchKit
import RivalPostgres

/// A connection of bare libpq to a database in which the engine has a store of that name.
@safe final class LibpqSide: BareSide, @unchecked Sendable {
    private let connection: OpaquePointer

    init(_ url: String, _ table: String) throws {
        guard let connection = unsafe rival_postgres_open(url, table) else { throw Disagreement("libpq cannot use BENCH_POSTGRES") }
        unsafe self.connection = connection
    }

    deinit { unsafe rival_postgres_close(connection) }

    func put(_ keys: [String]) throws {
        let values = Array(repeating: storedValue, count: keys.count)
        try check(unsafe rival_postgres_put(connection, Self.array(keys), Self.array(values)), keys.count)
    }

    /// Calls the function of the engine's store, which compares the keys before it puts them.
    func putLikeEngine(_ keys: [String], turn: Int, client: Int) throws {
        let values = Array(repeating: storedValue, count: keys.count)
        try check(unsafe rival_postgres_commit(connection, Self.array(keys), Self.array(values)), 1)
    }

    func head() throws { try check(unsafe rival_postgres_head(connection), 1) }

    func get(_ keys: [String]) throws { try check(unsafe rival_postgres_get(connection, Self.array(keys)), keys.count) }

    func scan(_ from: String, _ to: String, count: Int) throws { try check(unsafe rival_postgres_scan(connection, from, to), count) }

    func run(_ sql: String) throws { try check(unsafe rival_postgres_run(connection, sql), 0) }

    private func check(_ count: Int32, _ expected: Int) throws {
        guard Int(count) == expected else { throw Disagreement("libpq has \(count) rows instead of \(expected)") }
    }

    private static func array(_ texts: [String]) -> String { "{\(texts.joined(separator: ","))}" }
}
#endif
