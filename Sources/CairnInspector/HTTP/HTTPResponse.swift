import CairnToolKit

/// An answer.
package struct HTTPResponse: Hashable, Sendable {
    package enum Status: Int, Sendable {
        case ok = 200
        case badRequest = 400
        case forbidden = 403
        case notFound = 404
        case methodNotAllowed = 405
        case conflict = 409
        case lengthRequired = 411
        case contentTooLarge = 413
        case targetTooLong = 414
        case unsupportedType = 415
        case headTooLarge = 431
        case failed = 500
        case notImplemented = 501

        var phrase: String {
            switch self {
            case .ok: "OK"
            case .badRequest: "Bad Request"
            case .forbidden: "Forbidden"
            case .notFound: "Not Found"
            case .methodNotAllowed: "Method Not Allowed"
            case .conflict: "Conflict"
            case .lengthRequired: "Length Required"
            case .contentTooLarge: "Content Too Large"
            case .targetTooLong: "URI Too Long"
            case .unsupportedType: "Unsupported Media Type"
            case .headTooLarge: "Request Header Fields Too Large"
            case .failed: "Internal Server Error"
            case .notImplemented: "Not Implemented"
            }
        }
    }

    package enum Body: Hashable, Sendable {
        case bytes([UInt8])
        /// Events, one after the other, until the client has enough.
        case events
    }

    package var status: Status
    package var type: String
    package var body: Body

    /// A status with its phrase, and nothing from the request.
    init(_ status: Status) {
        self.init(status: status, type: "text/plain; charset=utf-8", body: .bytes(Array("\(status.rawValue) \(status.phrase)\n".utf8)))
    }

    init(_ json: JSONValue, _ status: Status = .ok) {
        self.init(status: status, type: "application/json", body: .bytes(json.text))
    }

    init(status: Status = .ok, type: String, body: Body) {
        self.status = status
        self.type = type
        self.body = body
    }

    /// What a page may do: nothing but load what the inspector itself serves. The token stays out of the headers of other requests, and nothing is cached.
    private static let protection = """
        Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r
        X-Content-Type-Options: nosniff\r
        X-Frame-Options: DENY\r
        Referrer-Policy: no-referrer\r
        Cross-Origin-Opener-Policy: same-origin\r
        Cross-Origin-Resource-Policy: same-origin\r
        Cache-Control: no-store\r

        """

    /// The bytes to send; for events, the bytes before the first one.
    ///
    /// - Parameter methods: The methods that are accepted.
    package func bytes(keepsConnection: Bool, _ methods: Set<HTTPRequest.Method> = [.get]) -> [UInt8] {
        var head = "HTTP/1.1 \(status.rawValue) \(status.phrase)\r\nContent-Type: \(type)\r\n" + Self.protection
        switch body {
        case .bytes(let bytes):
            if status == .methodNotAllowed { head += "Allow: \(methods.map(\.rawValue).sorted().joined(separator: ", "))\r\n" }
            head += "Content-Length: \(bytes.count)\r\nConnection: \(keepsConnection ? "keep-alive" : "close")\r\n\r\n"
            return Array(head.utf8) + bytes
        case .events:
            return Array((head + "Connection: close\r\n\r\n").utf8)
        }
    }
}
