#if Hummingbird
import HTTPTypes
import Hummingbird
import Logging
import NIOEmbedded
import Synchronization

/// Sends requests to a router, without a server.
///
/// HummingbirdTesting does the same, but depends on AsyncHTTPClient, and so on another BoringSSL: three minutes of compiling.
struct RouterClient: Sendable {
    struct Answer: Sendable {
        var status: HTTPResponse.Status
        var headers: HTTPFields
        var body = ByteBuffer()
        var trailers: HTTPFields?
    }

    private let responder: RouterResponder<BasicRequestContext>
    private let logger: Logger

    init(_ router: Router<BasicRequestContext>, logger: Logger) {
        responder = router.buildResponder()
        self.logger = logger
    }

    func response(_ uri: String, _ headers: HTTPFields, method: HTTPRequest.Method) async throws -> Answer {
        let head = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: uri, headerFields: headers)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let context = BasicRequestContext(source: ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger))
        let response = try await responder.respond(to: request, context: context)
        let writer = Writer(Answer(status: response.status, headers: response.headers))
        try await response.body.write(writer)
        return writer.answer.withLock { $0 }
    }

    /// Collects a body.
    private final class Writer: ResponseBodyWriter {
        let answer: Mutex<Answer>

        init(_ answer: Answer) { self.answer = Mutex(answer) }

        func write(_ buffer: ByteBuffer) async throws { answer.withLock { _ = $0.body.writeImmutableBuffer(buffer) } }

        func finish(_ trailers: HTTPFields?) async throws { answer.withLock { $0.trailers = trailers } }
    }
}
#endif
