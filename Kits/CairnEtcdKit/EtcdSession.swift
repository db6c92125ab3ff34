import CCurl
import Foundation

/// Requests to a server of etcd, without the engine.
@safe public final class EtcdSession {
    public struct NoAnswer: Error {}

    private let connection: UnsafeMutablePointer<cairn_http>
    private let received = Received()
    private let beginning: String

    private final class Received { var bytes: [UInt8] = [] }

    private static let curl: Void = cairn_http_start()

    public init(port: UInt16) {
        Self.curl
        beginning = "http://127.0.0.1:\(port)"
        // `nil` only where there is no memory.
        unsafe connection = cairn_http_create(
            1000,
            nil,
            nil,
            nil,
            { bytes, size, count, context in
                guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
                let received = unsafe Unmanaged<Received>.fromOpaque(context).takeUnretainedValue()
                unsafe received.bytes.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: size * count))
                return size * count
            },
            Unmanaged.passUnretained(received).toOpaque()
        )!
    }

    deinit { unsafe cairn_http_free(connection) }

    /// Returns the answer, whatever it is.
    @discardableResult
    public func post(_ path: String, _ body: String, token: String? = nil) throws -> [String: Any] {
        let answer = try send(path, Array(body.utf8), token: token)
        return try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any] ?? [:]
    }

    /// Returns the HTTP status and the bytes of the answer.
    func send(_ path: String, _ body: [UInt8], token: String? = nil) throws -> (status: Int, bytes: [UInt8]) {
        received.bytes = []
        let authorization = token.map { "Authorization: \($0)" }
        unsafe body.withUnsafeBytes { body in
            unsafe cairn_http_prepare(connection, beginning + path, authorization, body.baseAddress, body.count, 60_000)
        }
        unsafe cairn_http_begin(connection)
        defer { unsafe cairn_http_end(connection) }
        var code: Int32 = -1
        while code < 0 { code = unsafe cairn_http_step(connection, 60_000) }
        guard code == 0 else { throw NoAnswer() }
        return (unsafe cairn_http_status(connection), received.bytes)
    }

    /// The member that leads, and the one that answers.
    public func leader() throws -> (leader: String, member: String) {
        let status = try post("/v3/maintenance/status", "{}")
        let header = status["header"] as? [String: Any]
        return (status["leader"] as? String ?? "", header?["member_id"] as? String ?? "")
    }

    public func revision() throws -> UInt64 {
        let header = try range("a", end: nil)["header"] as? [String: Any]
        return UInt64(header?["revision"] as? String ?? "") ?? 0
    }

    /// Forgets all revisions but the last.
    public func compact() throws { try post("/v3/kv/compaction", "{\"revision\":\"\(revision())\",\"physical\":true}") }

    public func put(_ key: String, _ value: [UInt8]) throws {
        try post("/v3/kv/put", "{\"key\":\"\(Self.base64(Array(key.utf8)))\",\"value\":\"\(Self.base64(value))\"}")
    }

    /// Deletes all keys that begin so.
    public func delete(prefix: String) throws {
        let end = Array(prefix.utf8.dropLast()) + [prefix.utf8.last! + 1]
        try post("/v3/kv/deleterange", "{\"key\":\"\(Self.base64(Array(prefix.utf8)))\",\"range_end\":\"\(Self.base64(end))\"}")
    }

    /// The number of keys that begin so.
    public func count(prefix: String) throws -> Int {
        let end = Array(prefix.utf8.dropLast()) + [prefix.utf8.last! + 1]
        return Int(try range(prefix, end: end)["count"] as? String ?? "") ?? 0
    }

    private func range(_ key: String, end: [UInt8]?) throws -> [String: Any] {
        let end = end.map { ",\"range_end\":\"\(Self.base64($0))\"" } ?? ""
        return try post("/v3/kv/range", "{\"key\":\"\(Self.base64(Array(key.utf8)))\"\(end),\"count_only\":true}")
    }

    public func value(_ key: String) throws -> [UInt8]? {
        let reply = try post("/v3/kv/range", "{\"key\":\"\(Self.base64(Array(key.utf8)))\"}")
        let value = (reply["kvs"] as? [[String: Any]])?.first?["value"] as? String
        return value.flatMap { Data(base64Encoded: $0) }.map { [UInt8]($0) }
    }

    public static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
