import CairnCore
import CairnToolKit
import Dispatch

/// Answers requests.
package final class Answering: Sendable {
    private let door: Doorkeeper
    private let store: InspectedStore

    init(_ store: InspectedStore, _ door: Doorkeeper) {
        self.store = store
        self.door = door
    }

    /// Makes answers without a server, for tests of hostile requests.
    package convenience init(
        _ source: Inspector.Source,
        _ options: Inspector.Options = Inspector.Options(),
        token: String,
        host: String
    ) throws {
        self.init(try InspectedStore(source, options), Doorkeeper(token: token, hosts: [host]))
    }

    /// What clients may send.
    package var methods: Set<HTTPRequest.Method> { store.isEditable ? [.get, .post] : [.get] }

    /// What the server sends if a client sends these bytes, as the last ones of the connection; `nil` if it waits for more. A pure function of the bytes and the store.
    package func answer(to bytes: [UInt8]) -> [UInt8]? {
        switch HTTPRequest.read(bytes, methods) {
        case .incomplete: nil
        case .withoutBody(let request): door.refusal(of: request).map { HTTPResponse($0).bytes(keepsConnection: false, methods) }
        case .refused(let status): HTTPResponse(status).bytes(keepsConnection: false, methods)
        case .request(let request, _): answer(to: request, CancellationFlag()).bytes(keepsConnection: false, methods)
        }
    }

    func refusal(of request: HTTPRequest) -> HTTPResponse.Status? { door.refusal(of: request) }

    /// The answer, made on a queue that may wait for the disk. Once the task is cancelled, reading ends, and it does not matter what the answer is; a
    /// change is made whole.
    func response(to request: HTTPRequest, on queue: DispatchQueue) async -> HTTPResponse {
        let cancellation = CancellationFlag()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: self.answer(to: request, cancellation)) }
            }
        } onCancel: {
            cancellation.set()
        }
    }

    private func answer(to request: HTTPRequest, _ cancellation: CancellationFlag) -> HTTPResponse {
        if let refusal = door.refusal(of: request) { return HTTPResponse(refusal) }
        let path = request.path.dropFirst()
        switch (path.count, path.first) {
        case (2, "api") where request.method == .post: return edit(path[path.startIndex + 1], request.body)
        case _ where request.method == .post: return HTTPResponse(.notFound)
        case (1, "events"): return HTTPResponse(type: "text/event-stream", body: .events)
        case (1, let name?):
            return PageFile.named(name).map { HTTPResponse(type: $0.type, body: .bytes($0.bytes)) } ?? HTTPResponse(.notFound)
        case (2, "api"): return answer(path[path.startIndex + 1], PageQuery(fields: request.query, cancellation: cancellation))
        default: return HTTPResponse(.notFound)
        }
    }

    private func answer(_ question: String, _ query: PageQuery) -> HTTPResponse {
        answer { () throws in try store.answer(question, query) }
    }

    private func edit(_ command: String, _ body: [UInt8]) -> HTTPResponse {
        answer { () throws in
            guard let tree = try? JSONTree(value: body) else { throw PageFault(.badRequest, "This is not JSON.") }
            return try store.edit(command, tree)
        }
    }

    private func answer(_ body: () throws -> JSONValue?) -> HTTPResponse {
        do {
            guard let answer = try body() else { return HTTPResponse(.notFound) }
            return HTTPResponse(answer)
        } catch let fault as PageFault {
            return HTTPResponse(.object([("error", .string(fault.message))]), fault.status)
        } catch {
            let text = (error as? any CairnError)?.sentence ?? "\(error)"
            return HTTPResponse(.object([("error", .string(text))]), .conflict)
        }
    }

    /// The events of the store, as bytes for the client, and signs of life between them.
    func events() -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(100))
        let news = store.news()
        let reader = Task(executorPreference: ServerThread.shared) {
            for await event in news { continuation.yield(Array("data: ".utf8) + event.text + Array("\n\n".utf8)) }
            // The store is closed.
            continuation.finish()
        }
        let signs = Task(executorPreference: ServerThread.shared) {
            while !Task.isCancelled {
                continuation.yield(Array(": alive\n\n".utf8))
                try? await Task.sleep(for: .seconds(15))
            }
        }
        continuation.onTermination = { _ in
            reader.cancel()
            signs.cancel()
        }
        return stream
    }
}
