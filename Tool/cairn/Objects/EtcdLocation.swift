import CairnEtcdGraph
import CairnToolKit

/// A store in a cluster of etcd: a URL as `EtcdEngine` takes it.
struct EtcdLocation: Sendable {
    let url: String
    let password: String?

    static func isURL(_ text: String) -> Bool { text.hasPrefix("etcd://") || text.hasPrefix("etcds://") }

    static func hasUser(_ text: String) -> Bool { text.drop { $0 != "/" }.dropFirst(2).prefix { !"/?".contains($0) }.contains("@") }

    /// Refuses a password in the URL, and shows nothing of such a text.
    init(_ text: String, password: String?) throws {
        let login = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "@" }
        // Without a user, what comes before the first @ is all of it, with the ports of hosts.
        guard !text.contains("@") || !login.contains(":") else {
            throw Failure(
                .usage,
                "The URL has a password, which others can see in the list of processes.",
                hint: "Use --password-file, or the environment variable CAIRN_PASSWORD."
            )
        }
        url = text
        self.password = password
    }

    /// What an engine there would refuse; that of a URL which cannot be right says so when it is opened.
    var limits: EngineLimits { (try? EtcdEngine.limits(url: url)) ?? EngineLimits() }

    func open(adding catalog: ObjectCatalog?, _ options: ObjectStoreOptions) throws(ObjectStoreError) -> ObjectStore {
        try ObjectStore(etcd: url, password: password, catalog: catalog ?? ObjectCatalog(classes: []), options: options)
    }

    func engine(createIfMissing: Bool) throws(EngineError) -> EtcdEngine {
        var options = EtcdEngineOptions()
        options.createIfMissing = createIfMissing
        options.password = password
        return try EtcdEngine(url: url, options: options)
    }
}
