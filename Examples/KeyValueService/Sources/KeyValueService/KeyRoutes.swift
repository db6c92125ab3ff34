import CairnRocks
import Hummingbird
import NIOPosix

/// Keys and their values.
///
///     GET, PUT, DELETE  /keys/KEY                           a value, byte for byte
///     GET               /range?prefix=|from=&to=&limit=     entries in the order of their keys, at most 1,000
///     GET               /listing?prefix=                    all entries, as they are at one instant
///
/// Keys are any bytes, percent-encoded. An entry is a line: key, tab, value, both percent-encoded. RocksDB may block, so it is called on NIO's threads
/// for that. A worker reads only: one process writes to a database.
struct KeyRoutes: Sendable {
    let database: RocksDB
    let isWorker: Bool

    private static let largestKey = 1024
    private static let largestValue = 1 << 20
    private static let largestPage = 1000

    func add(to router: Router<BasicRequestContext>) {
        router.get("/keys/**") { request, _ in
            let key = try key(request)
            guard let value: [UInt8] = try await reading({ try $0.get(key) }) else {
                throw HTTPError(.notFound, message: "there is no such key")
            }
            return answer(value, "application/octet-stream")
        }
        router.put("/keys/**") { request, _ in
            let key = try key(request)
            let value = Array(buffer: try await request.body.collect(upTo: Self.largestValue))
            try await writing { try $0.put(value, for: key) }
            return HTTPResponse.Status.noContent
        }
        router.delete("/keys/**") { request, _ in
            let key = try key(request)
            try await writing { try $0.delete(key) }
            return HTTPResponse.Status.noContent
        }
        router.get("/range", use: range)
        router.get("/listing", use: listing)
    }

    // MARK: Several keys

    private func range(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let query = try Query(request)
        let limit = query.text("limit").map { Int($0) ?? 0 } ?? 100
        guard (1...Self.largestPage).contains(limit) else { throw HTTPError(.badRequest, message: "limit is a number from 1 to 1000") }
        let text = try await reading { database in
            var text: [UInt8] = []
            var count = 0
            // A cursor sees the database as it was when it was made. A page of large values ends early.
            var cursor = try database.makeCursor(query.keys())
            while count < limit, text.count < 4 << 20, let entry = try cursor.next() {
                PercentCoding.appendLine(entry.key, entry.value, to: &text)
                count += 1
            }
            return text
        }
        return answer(text, "text/plain")
    }

    /// Everything, while others write: read from a snapshot, and sent in pieces.
    private func listing(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        guard !isWorker else { throw HTTPError(.notImplemented, message: "a worker has no snapshots") }
        let range = try Query(request).keys()
        let snapshot = try database.makeSnapshot()
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain"],
            body: ResponseBody { writer in
                defer { snapshot.close() }
                var next: [UInt8]?
                repeat {
                    let start = next
                    let piece = try await NIOThreadPool.singleton.runIfActive { try Self.piece(snapshot, range, from: start) }
                    try await writer.write(ByteBuffer(bytes: piece.text))
                    next = piece.next
                } while next != nil
                try await writer.finish(nil)
            }
        )
    }

    /// Entries of a range from a key on, about 64 KiB, and the key of the next one.
    private static func piece(_ snapshot: Snapshot, _ range: ScanRange, from start: [UInt8]?) throws -> (text: [UInt8], next: [UInt8]?) {
        var (text, last): ([UInt8], [UInt8]?) = ([], nil)
        var cursor = try snapshot.makeCursor(range)
        if let start, let entry = try cursor.seek(to: start) { PercentCoding.appendLine(entry.key, entry.value, to: &text) }
        while let entry = try cursor.next() {
            PercentCoding.appendLine(entry.key, entry.value, to: &text)
            guard text.count >= 1 << 16 else { continue }
            last = [UInt8](copying: entry.key)
            break
        }
        // The least key after the last one.
        return (text, last.map { $0 + [0] })
    }

    // MARK: Calls

    private func reading<Value: Sendable>(_ body: @escaping @Sendable (RocksDB) throws -> Value) async throws -> Value {
        try await call {
            if isWorker { try database.catchUp() }
            return try body(database)
        }
    }

    private func writing(_ body: @escaping @Sendable (RocksDB) throws -> Void) async throws {
        guard !isWorker else { throw HTTPError(.forbidden, message: "a worker only reads keys") }
        try await call { try body(database) }
    }

    private func call<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        do { return try await NIOThreadPool.singleton.runIfActive(body) } catch let error as RocksError {
            // What happened goes to the log; clients do not need to know paths.
            log("a call of the database failed: \(error)")
            let isFull = error.code == .noSpace
            throw HTTPError(isFull ? .init(code: 507) : .internalServerError, message: isFull ? "the disk is full" : "the database failed")
        }
    }

    private func key(_ request: Request) throws -> [UInt8] {
        guard let key = PercentCoding.decode(request.uri.path.dropFirst("/keys/".count)), !key.isEmpty else {
            throw HTTPError(.badRequest, message: "the key is not percent-encoded, or empty")
        }
        guard key.count <= Self.largestKey else { throw HTTPError(.uriTooLong, message: "keys have at most 1024 bytes") }
        return key
    }

    private func answer(_ bytes: [UInt8], _ type: String) -> Response {
        Response(status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

/// The query of a request, in which names and values are percent-encoded bytes.
private struct Query: Sendable {
    private var values: [String: [UInt8]] = [:]

    init(_ request: Request) throws {
        for pair in (request.uri.query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let value = PercentCoding.decode(parts.count > 1 ? parts[1] : "") else {
                throw HTTPError(.badRequest, message: "\(parts[0]) is not percent-encoded")
            }
            values[String(parts[0])] = value
        }
    }

    func text(_ name: String) -> String? { values[name].map { String(decoding: $0, as: UTF8.self) } }

    /// The range of keys that is asked for.
    func keys() throws -> ScanRange {
        switch (values["prefix"], values["from"], values["to"]) {
        case (nil, nil, nil): .all
        case (let prefix?, nil, nil): .prefix(prefix)
        case (nil, let from?, let to?): .from(from, to: to)
        case (nil, let from?, nil): .from(from)
        case (nil, nil, let to?): .to(to)
        default: throw HTTPError(.badRequest, message: "prefix excludes from and to")
        }
    }
}
