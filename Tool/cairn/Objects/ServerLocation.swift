import CairnPostgresGraph
import CairnToolKit

/// A store in a database of PostgreSQL: a URL as libpq takes it, and the name of the store after `#`.
struct ServerLocation: Sendable {
    let url: String
    let store: String
    let password: String?

    static func isURL(_ text: String) -> Bool { ["postgresql", "postgres"].contains(StoreLocation.scheme(of: text)) }

    /// Refuses a password in the URL, and shows nothing of such a text.
    init(_ text: String, password: String?) throws {
        let text = StoreLocation.normalized(text)
        guard !Self.hasPassword(text) else {
            throw Failure(
                .usage,
                "The URL has a password, which others can see in the process list.",
                hint: "Use --password-file, the environment variable CAIRN_PASSWORD or PGPASSWORD, or the file ~/.pgpass."
            )
        }
        self.password = password
        let mark = text.lastIndex(of: "#")
        url = String(text[..<(mark ?? text.endIndex)])
        store = mark.map { String(text[text.index(after: $0)...]) } ?? "cairn"
        // Another # would be part of what libpq takes for the name of the database.
        if let rule = PostgresEngine.objection(toName: url.contains("#") ? "#" : store) {
            throw Failure(.usage, "The text after '#' is not a valid store name: \(rule).")
        }
        do throws(EngineError) { try PostgresEngine.check(url: url) } catch {
            // A tool without libpq says so when it is opened.
            guard error.code == .invalidArgument else { return }
            if let name = PostgresEngine.unknownParameter(of: url) {
                throw Failure(.usage, "The URL has '\(name)', which is not a parameter of libpq.")
            }
            throw Failure(.usage, "The URL is invalid: \(Self.form).")
        }
    }

    private static let form =
        "the format is postgresql://user@host:5432/database#store, with special characters percent-encoded"

    /// The same for each URL of the store, as far as that can be known without the server.
    var place: [String] { PostgresEngine.place(url: url, store: store) }

    func checkCreation() throws(EngineError) {
        try PostgresEngine.checkCreation(url: url, store: store, options: options(createIfMissing: false))
    }

    /// Whether there is one, before the hosts or among the parameters.
    private static func hasPassword(_ text: String) -> Bool {
        let rest = text.drop { $0 != "/" }.dropFirst(2)
        // It may have characters that should be in codes.
        if let end = rest.lastIndex(of: "@"), rest[..<end].contains(":") { return true }
        guard let query = rest.firstIndex(of: "?") else { return false }
        return rest[query...].dropFirst().split(separator: "&").contains { parameter in
            let name = parameter.prefix { $0 != "=" }
            // libpq would decode a name with %.
            return ["password", "sslpassword"].contains(name) || name.contains("%")
        }
    }

    func open(adding catalog: ObjectCatalog?, _ options: ObjectStoreOptions) throws(ObjectStoreError) -> ObjectStore {
        let catalog = catalog ?? ObjectCatalog(classes: [])
        return try ObjectStore(postgres: url, store: store, password: password, catalog: catalog, options: options)
    }

    func engine(createIfMissing: Bool) throws(EngineError) -> PostgresEngine {
        try PostgresEngine(url: url, store: store, options: options(createIfMissing: createIfMissing))
    }

    private func options(createIfMissing: Bool) -> PostgresEngineOptions {
        var options = PostgresEngineOptions()
        options.createIfMissing = createIfMissing
        options.password = password
        return options
    }
}
