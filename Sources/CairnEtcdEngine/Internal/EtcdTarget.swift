import CCurl
import CairnCore
import CairnEngine

/// The endpoints and the prefix of a store: `etcd://user@host:port,host:port/prefix?name=value`, with `etcds` for TLS.
struct EtcdTarget: Sendable {
    static let defaultPrefix = "cairn"

    /// The base URLs of the gateway.
    let endpoints: [String]
    let layout: EtcdLayout
    let user: String?
    let password: String?
    let options: EtcdEngineOptions
    /// The store for messages: its prefix, the hosts and their ports; without user and password.
    let description: String

    /// - Throws: `EngineError.invalidArgument` for what cannot be right, `EngineError.notSupported` without libcurl.
    init(url: String, options: EtcdEngineOptions, needsPassword: Bool = true) throws(EngineError) {
        let schemes = [("etcd://", "http://"), ("etcds://", "https://")]
        // As RFC 3986 says of all URLs.
        let url = url.prefix { $0 != ":" }.lowercased() + url.drop { $0 != ":" }
        guard let (scheme, address) = schemes.first(where: { url.hasPrefix($0.0) }) else { throw Self.invalid }
        let whole = url.dropFirst(scheme.count)
        let rest = whole.prefix { $0 != "?" }
        let options = try Self.options(options, whole[rest.endIndex...].dropFirst())
        let place = rest.prefix { $0 != "/" }
        let hosts = place[(place.lastIndex(of: "@").map { place.index(after: $0) } ?? place.startIndex)...]
        let login = place[..<hosts.startIndex].dropLast()
        guard let endpoints = Self.endpoints(hosts, address) else { throw Self.invalid }
        self.endpoints = endpoints
        let prefix = rest[place.endIndex...].dropFirst()
        layout = EtcdLayout(prefix: prefix.isEmpty ? Self.defaultPrefix : String(prefix))
        guard layout.isValid else {
            throw EngineError(
                .invalidArgument,
                "the prefix of a store in etcd must be 1 to 128 characters from a-z, A-Z, 0-9, _, -, . and /, with at least one character before and after each /"
            )
        }
        let colon = login.firstIndex(of: ":")
        let name = String(login[..<(colon ?? login.endIndex)])
        user = options.user ?? (name.isEmpty ? nil : name)
        password = options.password ?? colon.map { String(login[login.index(after: $0)...]) }
        self.options = options
        description = "'\(layout.prefix)' on \(endpoints.map { $0.dropFirst(address.count) }.joined(separator: ","))"
        guard !needsPassword || (user == nil) == (password == nil) else { throw refusal("give a user and a password, or neither") }
        try check(options)
    }

    /// Adds what follows the question mark of a URL.
    private static func options(_ options: EtcdEngineOptions, _ parameters: Substring) throws(EngineError) -> EtcdEngineOptions {
        var options = options
        for parameter in parameters.split(separator: "&") {
            let name = parameter.prefix { $0 != "=" }
            let value = String(parameter[name.endIndex...].dropFirst())
            switch (name, Int(value)) {
            case ("max-txn-ops", let number?): options.limits.operations = number
            case ("max-request-bytes", let number?): options.limits.requestBytes = number
            case ("cacert", _) where !value.isEmpty: options.certificateAuthority = value
            case ("cert", _) where !value.isEmpty: options.clientCertificate = value
            case ("key", _) where !value.isEmpty: options.clientKey = value
            default: throw EngineError(.invalidArgument, refusal(of: name, in: parameters))
            }
        }
        return options
    }

    private static func refusal(of name: Substring, in parameters: Substring) -> String {
        let names = ["max-txn-ops", "max-request-bytes", "cacert", "cert", "key"]
        if names.contains(String(name)) { return "the parameter \(name) of the URL has no value, or is not a number" }
        // With @, these may be the end of a password.
        let isName = !parameters.contains("@") && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        let what = isName && !name.isEmpty ? "the parameter '\(name)' of the URL" : "a parameter of the URL"
        return "\(what) is unknown; the parameters are \(names.dropLast().joined(separator: ", ")) and key"
    }

    private func check(_ options: EtcdEngineOptions) throws(EngineError) {
        guard options.connections > 0 else { throw refusal("connections is \(options.connections); at least 1 is needed") }
        guard options.limits.operations > 8, options.limits.requestBytes >= 256 << 10 else {
            throw refusal("limits are too low: at least 9 operations and 256 KiB are needed")
        }
        guard cairn_has_curl() == 1 else {
            throw EngineError(
                .notSupported,
                "opening \(description): the program was built without libcurl; install its headers, and rebuild it"
            )
        }
    }

    private func refusal(_ reason: String) -> EngineError { EngineError(.invalidArgument, "opening \(description): \(reason)") }

    /// Without the text, which may have a password.
    private static var invalid: EngineError {
        EngineError(.invalidArgument, "the URL is invalid; the format is etcd://host:2379,host:2379/prefix, or etcds:// for TLS")
    }

    private static func endpoints(_ hosts: Substring, _ scheme: String) -> [String]? {
        let allowed = "-._:[]"
        var endpoints: [String] = []
        for host in hosts.split(separator: ",", omittingEmptySubsequences: false) {
            guard !host.isEmpty, host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || allowed.contains($0)) }) else { return nil }
            // The colons of an address in brackets are part of it.
            let name = host[(host.lastIndex(of: "]") ?? host.startIndex)...]
            if let colon = name.firstIndex(of: ":") {
                guard UInt16(name[name.index(after: colon)...]) != nil else { return nil }
                endpoints.append(scheme + host)
            } else {
                endpoints.append("\(scheme)\(host):2379")
            }
        }
        return endpoints
    }
}
