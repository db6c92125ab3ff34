import CairnCore
import CairnInspector
import CairnMapped
import Foundation

/// Requests to the inspector: whatever the bytes, there is an answer of the right form or the server waits for more, and clients without the token and the right
/// `Host` learn nothing.
public final class InspectorFuzzTarget: FuzzTarget {
    public static let name = "inspector"

    private static let token = "0123456789abcdef0123456789abcdef"
    private static let host = "127.0.0.1:80"
    private static let secret = "s3cret"
    private let path = NSTemporaryDirectory() + "cairn-fuzz-\(UUID().uuidString)"
    private let answering: Answering
    /// That of a page that may change the store.
    private let editing: Answering

    public init() throws {
        let store = try MappedStore(path: path)
        try store.set(Self.secret, for: "key")
        answering = try Answering(.mapped(store), token: Self.token, host: Self.host)
        editing = try Answering(.mapped(store), Inspector.Options(isEditable: true), token: Self.token, host: Self.host)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The input is what a client sends: as it is, and as the rest of a request that has all it needs.
    public func check(_ bytes: RawSpan) throws {
        let bytes = [UInt8](copying: bytes)
        try check(bytes)
        try check(Array("GET /\(Self.token)/api/".utf8) + bytes + Array(" HTTP/1.1\r\nHost: \(Self.host)\r\n\r\n".utf8))
        try check(Array("GET /\(Self.token)/ HTTP/1.1\r\n".utf8) + bytes + Array("\r\nHost: \(Self.host)\r\n\r\n".utf8))
        // An edit, which only shows what it would do.
        let type = "Content-Type: application/json\r\nContent-Length: \(bytes.count)\r\n"
        let head = "POST /\(Self.token)/api/preview HTTP/1.1\r\nHost: \(Self.host)\r\nOrigin: http://\(Self.host)\r\n\(type)\r\n"
        try require(editing.answer(to: Array(head.utf8) + bytes) != nil, "an edit has no answer")
        try require(
            answering.answer(to: Array(head.utf8) + bytes).map { $0.starts(with: "HTTP/1.1 405".utf8) } == true,
            "an edit is not refused"
        )
        _ = editing.answer(to: bytes)
    }

    private func check(_ bytes: [UInt8]) throws {
        let answer = answering.answer(to: bytes)
        try require(answer == answering.answer(to: bytes), "the same bytes have two answers")
        guard let answer else {
            try require(bytes.count <= HTTPRequest.Limits.head, "the server waits after \(bytes.count) bytes")
            return
        }
        let text = String(decoding: answer, as: UTF8.self)
        try require(text.hasPrefix("HTTP/1.1 "), "the answer is not of HTTP")
        try require(text.contains("\r\nContent-Security-Policy: default-src 'none';"), "the answer has no policy")
        let isAllowed = text.hasPrefix("HTTP/1.1 200 ")
        let sent = String(decoding: bytes, as: UTF8.self)
        try require(!isAllowed || sent.contains(Self.token) && sent.lowercased().contains(Self.host), "an answer without token and host")
        try require(isAllowed || !text.contains(Self.secret), "a refusal has what is stored")
        guard case .request(let request, let count) = HTTPRequest.read(bytes) else { return }
        try require(count <= bytes.count, "a request is longer than what was sent")
        // The same request in other pieces, and with something behind it.
        try require(
            HTTPRequest.read(Array(bytes.prefix(count))) == .request(request, byteCount: count),
            "a request depends on what follows"
        )
        for cut in Set([0, 1, count / 2, count - 1]) where cut < count {
            try require(HTTPRequest.read(Array(bytes.prefix(cut))) == .incomplete, "a part of a request is not incomplete")
        }
    }
}
