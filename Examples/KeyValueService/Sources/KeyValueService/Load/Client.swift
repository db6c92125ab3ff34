/// A client for tests under load: one connection, and requests that wait for their answers.
final class Client {
    struct Answer {
        let status: Int
        let body: [UInt8]
        /// The session that the answer begins.
        var cookie: String?
    }

    private let socket: Socket
    private var received: [UInt8] = []

    init(port: UInt16) throws { socket = try Socket.connected(port: port) }

    deinit { socket.close() }

    func request(_ method: String, _ path: String, body: [UInt8]? = nil, cookie: String? = nil) throws -> Answer {
        let length = body.map { "Content-Length: \($0.count)\r\n" } ?? ""
        let session = cookie.map { "Cookie: SESSION_ID=\($0)\r\n" } ?? ""
        try socket.send(Array("\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(session)\(length)\r\n".utf8) + (body ?? []))
        let head = String(decoding: try take(through: "\r\n\r\n"), as: UTF8.self).split(separator: "\r\n")
        let lines = head.map { $0.lowercased() }
        let begun = head.first { $0.lowercased().hasPrefix("set-cookie: session_id=") }?.dropFirst(23).prefix { $0 != ";" }
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { throw SocketError("no answer") }
        if lines.contains("transfer-encoding: chunked") { return Answer(status: status, body: try takePieces()) }
        let size = lines.first { $0.hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
        return Answer(status: status, body: try take(size), cookie: begun.map(String.init))
    }

    private func takePieces() throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let line = String(decoding: try take(through: "\r\n"), as: UTF8.self).dropLast()
            guard let size = Int(line, radix: 16) else { throw SocketError("'\(line)' is not the size of a chunk") }
            body += try take(size)
            _ = try take(2)
            if size == 0 { return body }
        }
    }

    /// What comes up to `end`, with it.
    private func take(through end: String) throws -> [UInt8] {
        let mark = Array(end.utf8)
        while true {
            if let range = received.firstRange(of: mark) { return try take(range.upperBound) }
            try receive()
        }
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while received.count < count { try receive() }
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    private func receive() throws {
        let bytes = try socket.receive()
        guard !bytes.isEmpty else { throw SocketError("the service hung up") }
        received += bytes
    }
}
