public import CairnTestSupport

extension Certificates {
    /// Of a server of etcd that asks clients for their certificates.
    public var arguments: [String] {
        let files = [("cert-file", "server.pem"), ("key-file", "server.key"), ("trusted-ca-file", "ca.pem")]
        return files.map { "--\($0)=\(path($1))" } + ["--client-cert-auth"]
    }
}
