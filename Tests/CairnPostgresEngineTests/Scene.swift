import CairnPostgresEngine
import CairnPostgresKit
import CairnTestSupport
import Testing

/// A store of the server, and what the tests do with it all the time.
struct Scene {
    let server: Server
    let store = Server.newName()

    init() throws { server = try #require(Server.shared) }

    func open(_ change: (inout PostgresEngineOptions) -> Void = { _ in }) throws(EngineError) -> PostgresEngine {
        var options = PostgresEngineOptions()
        change(&options)
        return try PostgresEngine(url: server.url, store: store, options: options)
    }

    /// For the checks of engines, whose stores have names of their own.
    func open(_ name: String, _ url: String? = nil) throws(EngineError) -> PostgresEngine {
        try PostgresEngine(url: url ?? server.url, store: name == "store" ? store : "\(store)_other")
    }

    func sql(_ statements: String) throws -> String { try server.sql("SET search_path = \(store); " + statements) }

    /// Makes everything until now older than the retention, and cleans up.
    func age() throws { try Self.age(store, on: server) }

    static func age(_ store: String, on server: Server) throws {
        try server.sql("UPDATE \(store).commits SET at = at - interval '1 day'; SELECT \(store).clean_1(100000)")
    }
}
