public import CairnTestSupport
import Foundation

extension Proxy {
    /// A proxy in front of a server of PostgreSQL.
    ///
    /// - Parameter directory: Where the server has its socket.
    public convenience init(to directory: String) throws {
        // The name of the prepared statement.
        let name = Data([0] + "commit".utf8 + [0])
        try self.init(to: .socket(path: directory + "/.s.PGSQL.5432")) { Data($0).range(of: name) != nil }
    }

    public var url: String { "postgresql://postgres@127.0.0.1:\(port)/postgres" }
}
