import CairnEtcdEngine
import CairnEtcdKit
import CairnTestSupport
import Testing

/// A store of the server, and what the tests do with it all the time.
struct Scene {
    let server: EtcdServer
    let prefix = EtcdServer.newPrefix()

    init(_ server: EtcdServer? = EtcdServer.shared) throws { self.server = try #require(server) }

    static var options: EtcdEngineOptions {
        var options = EtcdEngineOptions()
        options.limits.operations = EtcdServer.operations
        return options
    }

    func open(_ change: (inout EtcdEngineOptions) -> Void = { _ in }) throws(EngineError) -> EtcdEngine {
        var options = Self.options
        change(&options)
        return try EtcdEngine(url: server.url(prefix), options: options)
    }

    func proxy(countingCommitsIn sent: Tally) throws -> Proxy {
        try Proxy(to: .port(server.port)) { bytes in
            if bytes.contains("\"compare\":".utf8) { sent.add() }
            return false
        }
    }

    /// For the checks of engines, whose stores have names of their own.
    func open(_ name: String, _ proxy: Proxy? = nil) throws(EngineError) -> EtcdEngine {
        let prefix = name == "store" ? prefix : "\(prefix)/other"
        return try EtcdEngine(url: proxy?.etcdURL(prefix) ?? server.url(prefix), options: Self.options)
    }
}
