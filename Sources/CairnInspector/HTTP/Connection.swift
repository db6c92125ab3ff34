import CairnCore
import Dispatch
import FlyingSocks

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A client, one request after the other.
struct Connection: Sendable {
    let socket: AsyncSocket
    let answering: Answering
    /// Whether other clients wait for a place.
    let isCrowded: @Sendable () -> Bool
    /// A thread of its own, while it has something to answer: those that Dispatch shares may all be waiting for something else.
    private let queue = DispatchQueue(label: "Cairn inspector's answers")

    init(socket: AsyncSocket, answering: Answering, isCrowded: @escaping @Sendable () -> Bool) {
        self.socket = socket
        self.answering = answering
        self.isCrowded = isCrowded
    }

    /// How long a client may take for a request, and to take an answer.
    static let patience = Duration.seconds(20)
    /// How long the work on an answer may take for a client that sends no more.
    static let lastPatience = Duration.seconds(1)
    /// How long a client may take for a request while others wait for a place.
    static let crowdedPatience = Duration.seconds(1)

    /// Serves the client until it leaves, is refused, or takes too long.
    func serve() async {
        defer { try? socket.close() }
        var bytes: [UInt8] = []
        while let request = await next(&bytes) {
            let response: HTTPResponse
            switch request {
            case .refused(let status):
                response = HTTPResponse(status)
            case .request(let request, _):
                response = await answer(to: request, &bytes)
                if case .events = response.body {
                    guard await send(response.bytes(keepsConnection: false, answering.methods)) else { return }
                    return await sendEvents()
                }
                // Clients that are refused have no further questions.
                if request.keepsConnection, response.status == .ok {
                    guard await send(response.bytes(keepsConnection: true)) else { return }
                    continue
                }
            case .incomplete, .withoutBody: return
            }
            _ = await send(response.bytes(keepsConnection: false, answering.methods))
            return
        }
    }

    /// Reads until there is a request; `nil` if the client has left or takes too long. What follows the request stays in `bytes`.
    private func next(_ bytes: inout [UInt8]) async -> HTTPRequest.Reading? {
        let socket = socket
        var received = bytes
        let start = ContinuousClock.now
        while true {
            let reading = HTTPRequest.read(received, answering.methods)
            switch reading {
            case .refused: return reading
            case .request(_, let count):
                bytes = Array(received.dropFirst(count))
                return reading
            case .withoutBody(let request):
                // Clients that would be refused are not waited for.
                if let refusal = answering.refusal(of: request) { return .refused(refusal) }
            case .incomplete: break
            }
            let more = await Self.unless({ await waitTooLong(since: start) }) { try await socket.read(atMost: 4096) }
            guard let more, !more.isEmpty else { return nil }
            received += more
        }
    }

    /// The answer to a request. What the client sends meanwhile is added to `bytes`. A client that sends no more has left, or waits for this last answer:
    /// work on it ends after a while.
    private func answer(to request: HTTPRequest, _ bytes: inout [UInt8]) async -> HTTPResponse {
        enum Event { case answer(HTTPResponse), more([UInt8]), left }
        let (answering, queue, socket) = (answering, queue, socket)
        return await withTaskGroup(of: Event.self) { group in
            group.addTask { .answer(await answering.response(to: request, on: queue)) }
            group.addTask {
                if let more = try? await socket.read(atMost: 4096), !more.isEmpty { return .more(more) }
                try? await Task.sleep(for: Self.lastPatience)
                return .left
            }
            var answer = HTTPResponse(.notFound)
            for await event in group {
                switch event {
                case .answer(let response): answer = response
                case .more(let more):
                    // A client that sends more is there.
                    bytes += more
                    continue
                case .left: break
                }
                group.cancelAll()
            }
            return answer
        }
    }

    private func send(_ bytes: [UInt8]) async -> Bool {
        let socket = socket
        return await Self.unless({ try? await Task.sleep(for: Self.patience) }) { try await socket.write(Data(bytes)) } != nil
    }

    /// Sends events until the client leaves, and then ends at once: others may wait for its place.
    private func sendEvents() async {
        let socket = socket
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await event in answering.events() {
                    guard await send(event) else { return }
                }
            }
            group.addTask {
                // What it sends now is not answered.
                while let more = try? await socket.read(atMost: 4096), !more.isEmpty {}
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Returns once the client takes too long for a request.
    private func waitTooLong(since start: ContinuousClock.Instant) async {
        while !Task.isCancelled {
            let past = start.duration(to: .now)
            if past >= Self.patience || past >= Self.crowdedPatience && isCrowded() { return }
            try? await Task.sleep(for: min(Self.crowdedPatience, Self.patience - past))
        }
    }

    /// What `body` returns; `nil` if it fails, or `end` returns first.
    private static func unless<Value: Sendable>(
        _ end: @escaping @Sendable () async -> Void,
        _ body: @escaping @Sendable () async throws -> Value
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { try? await body() }
            group.addTask {
                await end()
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
