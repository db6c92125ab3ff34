import CairnToolKit

/// What the page sends, read strictly: a GET without a body or, of a page that may change its store, a POST with one. Anything unusual is refused.
package struct HTTPRequest: Hashable, Sendable {
    package enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
    }

    package var method: Method
    /// The parts of the path between slashes, decoded.
    package var path: [String]
    package var query: [String: String]
    /// By their names in lower case.
    package var headers: [String: String]
    /// Whether the client may send another request over the connection.
    package var keepsConnection: Bool
    package var body: [UInt8] = []
}

extension HTTPRequest {
    /// How large requests may be.
    package enum Limits {
        package static let target = 8 << 10
        package static let head = 16 << 10
        package static let headerCount = 64
        package static let body = 1 << 20
    }

    /// What bytes begin with.
    package enum Reading: Hashable, Sendable {
        /// A part of a request, valid so far.
        case incomplete
        /// A whole request except for its body.
        case withoutBody(HTTPRequest)
        /// Something else; the status for the answer.
        case refused(HTTPResponse.Status)
        /// A request, and the number of its bytes.
        case request(HTTPRequest, byteCount: Int)
    }

    /// Reads the request that `bytes` begin with.
    ///
    /// - Parameter methods: The methods that are accepted.
    package static func read(_ bytes: [UInt8], _ methods: Set<Method> = [.get]) -> Reading {
        guard let end = endOfHead(bytes) else { return bytes.count > Limits.head ? .refused(.headTooLarge) : .incomplete }
        guard end <= Limits.head else { return .refused(.headTooLarge) }
        // Of a text in ASCII, `String` splits no character.
        guard bytes[..<end].allSatisfy({ $0 < 0x80 && $0 != 0 }) else { return .refused(.badRequest) }
        let lines = String(decoding: bytes[..<(end - 4)], as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        do throws(Refusal) {
            var request = try request(line: lines[0], methods)
            let isOld = lines[0].hasSuffix(" HTTP/1.0")
            request.headers = try headers(lines.dropFirst())
            request.keepsConnection = !isOld && request.headers["connection"]?.lowercased() != "close"
            guard request.headers["transfer-encoding"] == nil else { return .refused(.notImplemented) }
            let size = try bodySize(request)
            guard bytes.count - end >= size else { return .withoutBody(request) }
            request.body = Array(bytes[end..<(end + size)])
            return .request(request, byteCount: end + size)
        } catch {
            return .refused(error.status)
        }
    }

    private struct Refusal: Error {
        let status: HTTPResponse.Status
    }

    /// Where the empty line after the headers ends; `nil` if it is not there yet.
    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let end = "\r\n\r\n".utf8
        var place = 0
        while place + 4 <= min(bytes.count, Limits.head + 4) {
            if bytes[place..<(place + 4)].elementsEqual(end) { return place + 4 }
            place += 1
        }
        return nil
    }

    /// The size of the body, which only a POST has, and always with its size.
    private static func bodySize(_ request: HTTPRequest) throws(Refusal) -> Int {
        let text = request.headers["content-length"]
        guard request.method == .post else {
            guard text == nil || text == "0" else { throw Refusal(status: .badRequest) }
            return 0
        }
        guard let text else { throw Refusal(status: .lengthRequired) }
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw Refusal(status: .badRequest)
        }
        guard let size = Int(text), size <= Limits.body else { throw Refusal(status: .contentTooLarge) }
        return size
    }

    private static func request(line: Substring, _ methods: Set<Method>) throws(Refusal) -> HTTPRequest {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, ["HTTP/1.1", "HTTP/1.0"].contains(words[2]) else { throw Refusal(status: .badRequest) }
        guard words[1].utf8.count <= Limits.target else { throw Refusal(status: .targetTooLong) }
        guard let method = Method(rawValue: String(words[0])), methods.contains(method) else { throw Refusal(status: .methodNotAllowed) }
        let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0].hasPrefix("/"), let path = path(parts[0].dropFirst()), let query = query(parts.count == 2 ? parts[1] : "") else {
            throw Refusal(status: .badRequest)
        }
        return HTTPRequest(method: method, path: path, query: query, headers: [:], keepsConnection: false)
    }

    private static func path(_ text: Substring) -> [String]? {
        var path: [String] = []
        for part in text.split(separator: "/", omittingEmptySubsequences: false) {
            guard let name = decoded(part, plusIsSpace: false), name != ".", name != ".." else { return nil }
            path.append(name)
        }
        return path
    }

    private static func query(_ text: Substring) -> [String: String]? {
        var query: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(parts[0], plusIsSpace: true), let value = decoded(parts.count == 2 ? parts[1] : "", plusIsSpace: true),
                query.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return query
    }

    /// The text with its `%XX` as bytes; `nil` if that is not UTF-8.
    private static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.count >= 2, let value = Hex.bytes(rest.prefix(2)) else { return nil }
                bytes += value
                rest = rest.dropFirst(2)
            } else {
                guard byte > 0x20, byte != 0x7F else { return nil }
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func headers(_ lines: ArraySlice<Substring>) throws(Refusal) -> [String: String] {
        guard lines.count <= Limits.headerCount else { throw Refusal(status: .headTooLarge) }
        var headers: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(isNameCharacter) else { throw Refusal(status: .badRequest) }
            // No control characters except tabs.
            guard parts[1].utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { throw Refusal(status: .badRequest) }
            let name = parts[0].lowercased()
            let value = String(parts[1].drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
            // If there are two, other programs may use the other one.
            let isSingle = ["host", "content-length", "content-type", "transfer-encoding", "origin"].contains(name)
            if let former = headers[name] {
                guard !isSingle else { throw Refusal(status: .badRequest) }
                headers[name] = former + ", " + value
            } else {
                headers[name] = value
            }
        }
        return headers
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
