import CairnRocks

/// What the service does: which request reads or writes what.
///
///     GET, PUT, DELETE  /keys/KEY                           a value, byte for byte
///     GET               /range?prefix=|from=&to=&limit=     entries in the order of their keys, at most 1,000
///     GET               /listing?prefix=                    all entries, as they are at one instant
///     GET               /health, /statistics
///
/// Keys are any bytes, percent-encoded. An entry is a line: key, tab, value, both percent-encoded. A database is safe from all threads, so that
/// each connection calls it on its own thread.
struct Routes: Sendable {
    let database: RocksDB

    static let largestKey = 1024
    private static let largestPage = 1000

    func answer(_ request: Request) -> Response {
        do {
            switch request.path {
            case let path where path.hasPrefix("/keys/"): return try key(request, PercentCoding.decode(path.dropFirst(6)))
            case "/range": return try reading(request) { try range(request) }
            case "/listing": return try reading(request) { try listing(request) }
            case "/health": return try reading(request) { try health() }
            case "/statistics": return try reading(request) { try statistics() }
            default: throw Refusal(.notFound, "there is nothing at this path")
            }
        } catch let refusal as Refusal {
            return Response(refusal)
        } catch {
            // What happened goes to the log; clients do not need to know paths.
            log("\(request.method) failed: \(error)")
            let isFull = (error as? RocksError)?.code == .noSpace
            return Response(Refusal(isFull ? .insufficientStorage : .internalError, isFull ? "the disk is full" : "the database failed"))
        }
    }

    private func reading(_ request: Request, _ body: () throws -> Response) throws -> Response {
        guard request.method == "GET" else { throw Refusal(.methodNotAllowed, "only GET is possible here", allow: "GET") }
        return try body()
    }

    // MARK: Single keys

    private func key(_ request: Request, _ key: [UInt8]?) throws -> Response {
        guard let key, !key.isEmpty else { throw Refusal(.badRequest, "the key is not percent-encoded, or empty") }
        guard key.count <= Self.largestKey else { throw Refusal(.uriTooLong, "keys have at most \(Self.largestKey) bytes") }
        switch request.method {
        case "GET":
            guard let value = try database.get(key) else { throw Refusal(.notFound, "there is no such key") }
            return Response(.ok, value, type: "application/octet-stream")
        case "PUT":
            // Buffered: it survives the death of this process. With `.synced`, a power cut too, for the price of a sync.
            try database.put(request.body, for: key)
            return Response(.noContent)
        case "DELETE":
            try database.delete(key)
            return Response(.noContent)
        default: throw Refusal(.methodNotAllowed, "GET, PUT and DELETE are possible here", allow: "GET, PUT, DELETE")
        }
    }

    // MARK: Several keys

    private func range(_ request: Request) throws -> Response {
        let limit = request.query["limit"].map { Int($0) ?? 0 } ?? 100
        guard (1...Self.largestPage).contains(limit) else { throw Refusal(.badRequest, "limit is a number from 1 to \(Self.largestPage)") }
        var text: [UInt8] = []
        var count = 0
        // A cursor sees the database as it was when it was made. A page of large values ends early.
        var cursor = try database.makeCursor(try keys(request))
        while count < limit, text.count < 4 << 20, let entry = try cursor.next() {
            PercentCoding.appendLine(entry.key, entry.value, to: &text)
            count += 1
        }
        return Response(.ok, text, type: "text/plain")
    }

    /// Everything, while others write: read from a snapshot, and sent in pieces.
    private func listing(_ request: Request) throws -> Response {
        let range = try keys(request)
        return Response(.ok, type: "text/plain") { [database] send in
            try database.withSnapshot { snapshot in
                var piece: [UInt8] = []
                try snapshot.forEach(range) { key, value in
                    PercentCoding.appendLine(key, value, to: &piece)
                    guard piece.count >= 1 << 16 else { return }
                    try send(piece)
                    piece.removeAll(keepingCapacity: true)
                }
                try send(piece)
            }
        }
    }

    private func keys(_ request: Request) throws -> ScanRange {
        func bytes(_ name: String) throws -> [UInt8]? {
            guard let text = request.query[name] else { return nil }
            guard let bytes = PercentCoding.decode(text) else { throw Refusal(.badRequest, "\(name) is not percent-encoded") }
            return bytes
        }
        switch (try bytes("prefix"), try bytes("from"), try bytes("to")) {
        case (nil, nil, nil): return .all
        case (let prefix?, nil, nil): return .prefix(prefix)
        case (nil, let from?, let to?): return .from(from, to: to)
        case (nil, let from?, nil): return .from(from)
        case (nil, nil, let to?): return .to(to)
        default: throw Refusal(.badRequest, "prefix excludes from and to")
        }
    }

    // MARK: How it is

    /// Whether the database answers.
    private func health() throws -> Response {
        _ = try database.get("health")
        return Response(.ok, Array("ok\n".utf8), type: "text/plain")
    }

    private func statistics() throws -> Response {
        let keys = try database.defaultColumnFamily.property(.estimateNumKeys) ?? 0
        let files = try database.defaultColumnFamily.property(.liveSSTFilesSize) ?? .zero
        return Response(.ok, Array("keys, estimated: \(keys)\nbytes in files: \(files.bytes)\n".utf8), type: "text/plain")
    }
}
