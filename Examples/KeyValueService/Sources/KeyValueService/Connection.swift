import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// One client: its requests, one after the other, on a thread of its own.
final class Connection: @unchecked Sendable {  // Used by its thread; `end`, `sendAway` and `waitsSince` may come from any.
    private let socket: Socket
    private var received: [UInt8] = []
    private let handler: @Sendable (Request) -> Response
    private let lock = NSLock()
    private var waitingSince: ContinuousClock.Instant?

    /// How long a request may take to arrive. A client that sends byte by byte holds a thread no longer than this.
    private static let patience = Duration.seconds(10)

    init(_ socket: Socket, _ handler: @escaping @Sendable (Request) -> Response) {
        self.socket = socket
        self.handler = handler
        socket.setTimeouts(seconds: 10)
    }

    /// Since when the request that comes next is waited for; `nil` while one is answered, or after ``sendAway()``.
    var waitsSince: ContinuousClock.Instant? { lock.withLock { waitingSince } }

    /// Makes room for another client: no other request is taken.
    func sendAway() {
        lock.withLock { waitingSince = nil }
        end()
    }

    /// Lets the answer that is under way go out, and takes no other request.
    func end() { socket.endReading() }

    func close() { socket.close() }

    /// Answers requests until either side has enough.
    func run(mayGoOn: () -> Bool) {
        do {
            while let request = try nextRequest() {
                let closes = request.wantsClose || !mayGoOn()
                try send(handler(request), closes: closes)
                if closes { return }
            }
        } catch let refusal as Refusal {
            // Where the next request would begin is not known.
            try? send(Response(refusal), closes: true)
            socket.drain()
        } catch {
            // The client has gone, or reads nothing: there is nobody to tell.
        }
    }

    // MARK: Receiving

    /// `nil` where the client has nothing to ask any more.
    private func nextRequest() throws -> Request? {
        let start = ContinuousClock.now
        let deadline = start + Self.patience
        lock.withLock { waitingSince = start }
        defer { lock.withLock { waitingSince = nil } }
        var searched = 0
        while true {
            if let end = received.firstRange(of: Array("\r\n\r\n".utf8), from: max(0, searched - 3)) {
                guard end.lowerBound <= Request.largestHead else { throw headTooLarge }
                var request = try Request(head: received[..<end.lowerBound])
                received.removeFirst(end.upperBound)
                try receiveBody(&request, deadline)
                return request
            }
            guard received.count <= Request.largestHead else { throw headTooLarge }
            searched = received.count
            guard try receive(deadline) else {
                if received.isEmpty { return nil }
                throw Refusal(.badRequest, "the request is not complete")
            }
        }
    }

    private var headTooLarge: Refusal { Refusal(.headTooLarge, "heads have at most \(Request.largestHead) bytes") }

    private func receiveBody(_ request: inout Request, _ deadline: ContinuousClock.Instant) throws {
        let length = try request.bodyLength()
        if request.expectsContinue, received.count < length { try socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
        while received.count < length {
            guard try receive(deadline) else { throw Refusal(.badRequest, "the body is not complete") }
        }
        request.body = Array(received.prefix(length))
        received.removeFirst(length)
    }

    /// False at the end.
    private func receive(_ deadline: ContinuousClock.Instant) throws -> Bool {
        guard .now < deadline else { throw Refusal(.timeout, "the request took too long") }
        guard let bytes = try socket.receive() else {
            if received.isEmpty { return false }
            throw Refusal(.timeout, "the request took too long")
        }
        received += bytes
        return !bytes.isEmpty
    }

    // MARK: Sending

    private func send(_ response: Response, closes: Bool) throws {
        switch response.body {
        case .bytes(let bytes): try socket.send(response.head(closes: closes) + (response.status == .noContent ? [] : bytes))
        case .pieces(let write):
            try socket.send(response.head(closes: closes))
            // A slow reader keeps a snapshot open, and with it everything that was deleted since.
            let deadline = ContinuousClock.now + .seconds(60)
            // An error ends the connection without the last piece, so the client knows that the answer is incomplete.
            try write { piece in
                guard .now < deadline else { throw SocketError("the client reads too slowly") }
                guard !piece.isEmpty else { return }
                try socket.send(Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8))
            }
            try socket.send(Array("0\r\n\r\n".utf8))
        }
    }
}

extension [UInt8] {
    /// Where `other` is first, from an offset on.
    func firstRange(of other: [UInt8], from start: Int) -> Range<Int>? {
        guard count >= other.count, start <= count - other.count else { return nil }
        for place in start...(count - other.count) where self[place..<place + other.count].elementsEqual(other) {
            return place..<place + other.count
        }
        return nil
    }
}
