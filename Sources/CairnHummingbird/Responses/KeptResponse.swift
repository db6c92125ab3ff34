#if Hummingbird
import HTTPTypes
import Hummingbird
import NIOCore

/// A response as it is stored.
struct KeptResponse: Codable {
    /// When the request began: milliseconds since 1970.
    var start: Int64
    var status: Int
    /// Names and values in turn.
    var headers: [String]
    var body: [UInt8]

    init(_ response: Response, _ body: ByteBuffer, start: Int64) {
        self.start = start
        status = response.status.code
        // These are about the connection or the moment.
        let others: [HTTPField.Name] = [.connection, .date, .age]
        headers = response.headers.filter { !others.contains($0.name) }.flatMap { [$0.name.rawName, $0.value] }
        self.body = Array(buffer: body)
    }

    /// The response; `nil` if what was stored is none.
    func response(now: Int64) -> Response? {
        guard headers.count.isMultiple(of: 2), (100..<600).contains(status) else { return nil }
        var fields = HTTPFields()
        for place in stride(from: 0, to: headers.count, by: 2) {
            guard let name = HTTPField.Name(headers[place]) else { return nil }
            fields.append(HTTPField(name: name, value: headers[place + 1]))
        }
        fields[.age] = "\(max(0, now - start) / 1000)"
        return Response(status: .init(code: status), headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }
}

/// The body of a response, written to memory.
struct CollectedBody {
    private(set) var body = ByteBuffer()
    private(set) var trailers: HTTPFields?

    var hasTrailers: Bool { trailers != nil }

    init(_ response: Response) async throws {
        let target = Target()
        try await response.body.write(Writer(target: target))
        (body, trailers) = (target.body, target.trailers)
    }

    /// The response with this body, since its own can be written once only.
    func response(like response: Response) -> Response {
        var response = response
        let (body, trailers) = (body, trailers)
        response.body =
            trailers == nil
            ? ResponseBody(byteBuffer: body)
            : ResponseBody(contentLength: body.readableBytes) { writer in
                try await writer.write(body)
                try await writer.finish(trailers)
            }
        return response
    }

    /// Used by the one task that writes.
    private final class Target: @unchecked Sendable {
        var body = ByteBuffer()
        var trailers: HTTPFields?
    }

    private struct Writer: ResponseBodyWriter {
        let target: Target

        mutating func write(_ buffer: ByteBuffer) async throws { target.body.writeImmutableBuffer(buffer) }
        consuming func finish(_ trailingHeaders: HTTPFields?) async throws { target.trailers = trailingHeaders }
    }
}
#endif
