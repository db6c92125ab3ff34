/// What is answered.
struct Response {
    enum Status: String {
        case ok = "200 OK", noContent = "204 No Content"
        case badRequest = "400 Bad Request", notFound = "404 Not Found", methodNotAllowed = "405 Method Not Allowed"
        case timeout = "408 Request Timeout", lengthRequired = "411 Length Required", contentTooLarge = "413 Content Too Large"
        case uriTooLong = "414 URI Too Long", misdirected = "421 Misdirected Request", headTooLarge = "431 Request Header Fields Too Large"
        case internalError = "500 Internal Server Error", notImplemented = "501 Not Implemented", unavailable = "503 Service Unavailable"
        case versionNotSupported = "505 HTTP Version Not Supported", insufficientStorage = "507 Insufficient Storage"
    }

    enum Body {
        case bytes([UInt8])
        /// Written piece by piece, so that no answer must fit into memory.
        case pieces(@Sendable (_ send: ([UInt8]) throws -> Void) throws -> Void)
    }

    let status: Status
    let type: String
    let allow: String?
    let body: Body

    init(_ status: Status, _ bytes: [UInt8] = [], type: String = "text/plain", allow: String? = nil) {
        self.status = status
        self.type = type
        self.allow = allow
        body = .bytes(bytes)
    }

    init(_ status: Status, type: String, pieces: @escaping @Sendable (_ send: ([UInt8]) throws -> Void) throws -> Void) {
        self.status = status
        self.type = type
        allow = nil
        body = .pieces(pieces)
    }

    init(_ refusal: Refusal) { self.init(refusal.status, Array((refusal.message + "\n").utf8), allow: refusal.allow) }

    /// Status line and headers.
    func head(closes: Bool) -> [UInt8] {
        var text = "HTTP/1.1 \(status.rawValue)\r\n"
        switch body {
        case .bytes where status == .noContent: break
        case .bytes(let bytes): text += "Content-Type: \(type)\r\nContent-Length: \(bytes.count)\r\n"
        case .pieces: text += "Content-Type: \(type)\r\nTransfer-Encoding: chunked\r\n"
        }
        // Values are anything that somebody put: no browser may take them for a page.
        text += "X-Content-Type-Options: nosniff\r\n"
        if let allow { text += "Allow: \(allow)\r\n" }
        if closes { text += "Connection: close\r\n" }
        return Array((text + "\r\n").utf8)
    }
}

/// Why a request is not answered, and with which status.
struct Refusal: Error {
    let status: Response.Status
    let message: String
    let allow: String?

    init(_ status: Response.Status, _ message: String, allow: String? = nil) {
        self.status = status
        self.message = message
        self.allow = allow
    }
}
