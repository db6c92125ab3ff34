import CPostgres
import CairnCore
import CairnEngine

/// The server and the database of a store, as libpq finds them.
struct PostgresTarget: Sendable {
    let url: String
    let schema: PostgresSchema
    let options: PostgresEngineOptions
    /// The store for messages: its name, the database, the hosts and their ports; without user and password.
    let description: String

    /// - Throws: `EngineError.invalidArgument` for a URL or name that cannot be right.
    init(url: String, store: String, options: PostgresEngineOptions) throws(EngineError) {
        schema = PostgresSchema(store: store, server: options.server)
        guard schema.isValid else { throw schema.invalid }
        guard options.connections > 0 else {
            throw EngineError(.invalidArgument, "opening '\(store)': connections is \(options.connections); at least 1 is needed")
        }
        guard cairn_has_libpq() == 1 else {
            throw EngineError(
                .notSupported,
                "opening '\(store)': the program was built without libpq; install libpq-dev, and rebuild it"
            )
        }
        // libpq looks at the numbers later, and quotes them too.
        guard let parts = Self.parts(of: url), Self.hasPortNumbers(parts), !Self.hasStrayAt(url) else {
            // Without libpq's reason, which quotes the text.
            let reason =
                Self.unknownParameter(of: url).map { "the URL has '\($0)', which is not a parameter of libpq; check how it is spelled" }
                ?? "the URL is invalid; the format is postgresql://user@host:5432/database, with special characters percent-encoded"
            throw EngineError(.invalidArgument, "opening '\(store)': \(reason)")
        }
        self.url = url
        self.options = options
        let place = Self.hosts(parts).map { " on \($0)" } ?? ""
        description = "'\(store)'" + (parts["dbname"].map { " in database \($0)" } ?? "") + place
    }

    /// The parameters of a URL; `nil` if it is not one.
    static func parts(of url: String) -> [String: String]? {
        var message: UnsafeMutablePointer<CChar>?
        let found = unsafe PQconninfoParse(url, &message)
        defer {
            unsafe PQfreemem(message)
            unsafe PQconninfoFree(found)
        }
        return unsafe found == nil ? nil : parts(found)
    }

    /// The hosts with their ports, such as `db1:5432,db2:5432`; `nil` if the URL leaves them to libpq.
    private static func hosts(_ parts: [String: String]) -> String? {
        guard let hosts = (parts["host"] ?? parts["hostaddr"])?.split(separator: ",", omittingEmptySubsequences: false) else { return nil }
        let ports = parts["port", default: ""].split(separator: ",", omittingEmptySubsequences: false)
        let places = hosts.indices.map { index in
            let host = hosts[index].contains(":") ? "[\(hosts[index])]" : String(hosts[index])
            // One port is that of all hosts.
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            return port.isEmpty ? host : "\(host):\(port)"
        }
        return places.joined(separator: ",")
    }

    /// What follows the scheme of a URL; `nil` for a list of keywords and values.
    private static func address(of url: String) -> Substring? {
        ["postgresql://", "postgres://"].first { url.hasPrefix($0) }.map { url.dropFirst($0.count) }
    }

    /// Whether an @ is left where libpq looks for hosts and the database: it ends a password that is not percent-encoded, of which they may be a part.
    private static func hasStrayAt(_ url: String) -> Bool {
        guard var place = address(of: url) else { return false }
        // libpq ends user and password at the first @, unless a slash comes before it; a ? may be a part of them.
        if let end = place.firstIndex(where: { $0 == "@" || $0 == "/" }), place[end] == "@" { place = place[place.index(after: end)...] }
        return place.prefix { $0 != "?" }.contains("@")
    }

    private static func hasPortNumbers(_ parts: [String: String]) -> Bool {
        parts["port", default: ""].split(separator: ",").allSatisfy { UInt16($0) != nil }
    }

    /// The first parameter of a URL that libpq does not know; `nil` if there is none, or its name may be a part of a password.
    static func unknownParameter(of url: String) -> String? {
        guard address(of: url) != nil else { return nil }
        // What comes before an @ may be a part of a password.
        let place = url[(url.lastIndex(of: "@").map { url.index(after: $0) } ?? url.startIndex)...]
        guard let mark = place.firstIndex(of: "?"), let parts = parts(of: String(url[..<mark])), hasPortNumbers(parts) else { return nil }
        let list = unsafe PQconninfoParse("", nil)
        defer { unsafe PQconninfoFree(list) }
        let known = unsafe names(list)
        for parameter in place[place.index(after: mark)...].split(separator: "&") {
            let name = String(parameter.prefix { $0 != "=" })
            // A password that is not percent-encoded may have an &, and more behind it.
            guard !name.contains("password") else { return nil }
            // libpq takes this for sslmode.
            guard !known.contains(name), parameter != "ssl=true" else { continue }
            let isName = !name.isEmpty && name.allSatisfy { $0.isASCII && $0.isLetter || $0 == "_" }
            return isName && !url[..<mark].contains(name) ? name : nil
        }
        return nil
    }

    /// The names in a list of libpq's.
    private static func names(_ list: UnsafeMutablePointer<PQconninfoOption>?) -> Set<String> {
        guard var part = unsafe list else { return [] }
        var names: Set<String> = []
        while let keyword = unsafe part.pointee.keyword {
            names.insert(unsafe String(cString: keyword))
            unsafe part += 1
        }
        return names
    }

    /// The parameters in a list of libpq's that have values.
    static func parts(_ list: UnsafeMutablePointer<PQconninfoOption>?) -> [String: String] {
        guard var part = unsafe list else { return [:] }
        var parts: [String: String] = [:]
        while let keyword = unsafe part.pointee.keyword {
            if let value = unsafe part.pointee.val { parts[unsafe String(cString: keyword)] = unsafe String(cString: value) }
            unsafe part += 1
        }
        return parts
    }

    /// The longest time that a setting can have, in milliseconds, with room for a little more.
    private static let longest = Int(Int32.max) - 20_000
    private var statementTimeout: Int { options.statementTimeout.timeoutMilliseconds(atMost: Self.longest) }

    /// The parameters for libpq: the last of several values counts.
    var keywords: [(key: String, value: String)] {
        let connectTimeout = max(2, options.connectTimeout.timeoutMilliseconds(atMost: Self.longest) / 1000)
        let keywords = [
            ("connect_timeout", "\(connectTimeout)"),
            ("application_name", "Cairn"),
            // Detects a host that disappears.
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "\(statementTimeout + 10_000)"),
            ("dbname", url),
        ]
        return keywords + (options.password.map { [("password", $0)] } ?? [])
    }

    /// The settings of each session.
    var preparation: String {
        var settings = [
            "statement_timeout = \(statementTimeout)", "default_transaction_isolation = 'read committed'",
        ]
        if options.server.hasPlannerSettings {
            // Each statement reads few rows through an index, and must not read whole tables where there are no statistics yet.
            settings += ["plan_cache_mode = force_generic_plan", "jit = off"]
            settings += ["seqscan", "bitmapscan", "sort", "hashjoin", "mergejoin", "material", "memoize"].map { "enable_\($0) = off" }
        }
        return settings.map { "SET \($0);" }.joined()
    }
}
