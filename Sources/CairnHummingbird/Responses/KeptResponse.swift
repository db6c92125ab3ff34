#if Hummingbird
import CairnMapped
import HTTPTypes
import Hummingbird
import NIOCore

/// A response as it is stored.
struct KeptResponse: MappedValue {
    /// When the request began: milliseconds since 1970.
    var start: Int64
    var status: Int
    /// Names and values in turn.
    var headers: [String]
    var body: [UInt8]

    init(_ response: Response, _ body: ByteBuffer, start: Int64) {
        self.start = start
        status = response.status.code
        // These are about the connection or the moment. `Age` is what it was when the request began.
        let others: [HTTPField.Name] = [.connection, .date]
        headers = response.headers.filter { !others.contains($0.name) }.flatMap { [$0.name.rawName, $0.value] }
        self.body = Array(buffer: body)
    }

    init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        let parts = try [MappedVariant](stored: bytes, as: type)
        guard parts.count == 4, case .int(let start) = parts[0], let start = Int64(exactly: start), case .int(let status) = parts[1],
            let status = Int(exactly: status), case .array(let fields) = parts[2], case .bytes(let body) = parts[3]
        else { throw MappedStoreError(.codec, "the stored value is not a response") }
        (self.start, self.status, self.body) = (start, status, body)
        headers = []
        for case .string(let text) in fields { headers.append(text) }
    }

    func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        let parts: [MappedVariant] = [.int(Int128(start)), .int(Int128(status)), .array(headers.map { .string($0) }), .bytes(self.body)]
        return try parts.withStoredBytes(body)
    }

    /// The response; `nil` if the stored value is not a response.
    func response(now: Int64) -> Response? {
        guard headers.count.isMultiple(of: 2), (100..<600).contains(status) else { return nil }
        var fields = HTTPFields()
        for place in stride(from: 0, to: headers.count, by: 2) {
            guard let name = HTTPField.Name(headers[place]) else { return nil }
            fields.append(HTTPField(name: name, value: headers[place + 1]))
        }
        fields[.age] = "\(CachePolicy.age(fields) + max(0, now - start) / 1000)"
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

    /// The response with this body, since its own can be written only once.
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
