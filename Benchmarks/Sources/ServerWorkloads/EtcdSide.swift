#if Etcd
import BenchKit
import Foundation
import RivalEtcd

/// A connection of bare libcurl to the gateway: requests of JSON that are put together as text, and answers of which only the values are looked at.
@safe final class GatewaySide: BareSide, @unchecked Sendable {
    private let connection: OpaquePointer
    private let prefix: String
    private let value = GatewaySide.base64(storedValue)

    init(_ address: String, _ prefix: String) throws {
        guard let connection = unsafe rival_etcd_open("http://\(address)") else { throw Disagreement("libcurl is out of memory") }
        unsafe self.connection = connection
        self.prefix = prefix
    }

    deinit { unsafe rival_etcd_close(connection) }

    func put(_ keys: [String]) throws {
        let puts = keys.map { #"{"request_put":{"key":"\#(key($0))","value":"\#(value)"}}"# }
        try post("/v3/kv/txn", #"{"success":[\#(puts.joined(separator: ","))]}"#, 0)
    }

    func get(_ keys: [String]) throws {
        let ranges = keys.map { #"{"request_range":{"key":"\#(key($0))"}}"# }
        try post("/v3/kv/txn", #"{"success":[\#(ranges.joined(separator: ","))]}"#, keys.count)
    }

    func scan(_ from: String, _ to: String, count: Int) throws {
        try post("/v3/kv/range", #"{"key":"\#(key(from))","range_end":"\#(key(to))"}"#, count)
    }

    /// The same puts with what the engine's commit has besides: comparisons of the keys, the name of the commit, and what it has written.
    func putLikeEngine(_ keys: [String], turn: Int, client: Int) throws {
        let compared = keys.map { #"{"key":"\#(key($0))","target":"MOD","result":"LESS","mod_revision":"9000000000000"}"# }
        let commits = key("c")
        var puts = [#"{"request_range":{"key":"\#(commits)","keys_only":true}}"#]
        puts += keys.map { #"{"request_put":{"key":"\#(key($0))","value":"\#(value)"}}"# }
        puts.append(#"{"request_put":{"key":"\#(key("t\(client)/\(turn % 1000)"))","value":""}}"#)
        puts.append(#"{"request_put":{"key":"\#(commits)","value":"\#(Self.base64(keys.joined(separator: " ")))"}}"#)
        try post("/v3/kv/txn", #"{"compare":[\#(compared.joined(separator: ","))],"success":[\#(puts.joined(separator: ","))]}"#, nil)
    }

    /// Reads one key, as the engine does to begin a view.
    func head() throws { try post("/v3/kv/range", #"{"key":"\#(key("c"))"}"#, nil) }

    func removeAll() throws { try post("/v3/kv/deleterange", #"{"key":"\#(key(""))","range_end":"\#(key("~"))"}"#, nil) }

    private func post(_ path: String, _ body: String, _ values: Int?) throws {
        let found = unsafe rival_etcd_post(connection, path, body, body.utf8.count, storedValue.utf8.count)
        guard found >= 0, values == nil || Int(found) == values else {
            throw Disagreement("etcd has \(found) values instead of \(values ?? 0)")
        }
    }

    private func key(_ key: String) -> String { Self.base64(prefix + key) }
    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
#endif
