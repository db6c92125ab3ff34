import CairnEtcdGraph
import CairnToolKit

/// A store in a cluster of etcd: a URL as `EtcdEngine` takes it.
struct EtcdLocation: Sendable {
    let url: String
    let password: String?
    /// What an engine there would refuse.
    let limits: EngineLimits

    static func isURL(_ text: String) -> Bool { ["etcd", "etcds"].contains(StoreLocation.scheme(of: text)) }

    static func hasUser(_ text: String) -> Bool { text.drop { $0 != "/" }.dropFirst(2).prefix { !"/?".contains($0) }.contains("@") }

    /// Refuses a password in the URL, and shows nothing of such a text.
    init(_ text: String, password: String?) throws {
        let login = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "@" }
        // Without a user, what comes before the first @ is all of it, with the ports of hosts.
        guard !text.contains("@") || !login.contains(":") else {
            throw Failure(
                .usage,
                "The URL has a password, which others can see in the process list.",
                hint: "Use --password-file, or the environment variable CAIRN_PASSWORD."
            )
        }
        do throws(EngineError) { limits = try EtcdEngine.limits(url: text) } catch {
            guard error.code != .invalidArgument else { throw Failure(.usage, error.message.asSentence) }
            // A tool without libcurl says so when it is opened.
            limits = EngineLimits()
        }
        url = text
        self.password = password
    }

    /// The same for each URL of the store, as far as that can be known without the cluster.
    var place: [String] { (try? EtcdEngine.place(url: url)) ?? [url] }

    /// With which all its keys begin.
    var prefix: String { (place.first ?? "") + ":" }

    func open(adding catalog: ObjectCatalog?, _ options: ObjectStoreOptions) throws(ObjectStoreError) -> ObjectStore {
        try ObjectStore(etcd: url, password: password, catalog: catalog ?? ObjectCatalog(classes: []), options: options)
    }

    func engine(createIfMissing: Bool) throws(EngineError) -> EtcdEngine {
        try EtcdEngine(url: url, options: options(createIfMissing: createIfMissing))
    }

    func checkCreation() throws(EngineError) { try EtcdEngine.checkCreation(url: url, options: options(createIfMissing: false)) }

    private func options(createIfMissing: Bool) -> EtcdEngineOptions {
        var options = EtcdEngineOptions()
        options.createIfMissing = createIfMissing
        options.password = password
        return options
    }
}
