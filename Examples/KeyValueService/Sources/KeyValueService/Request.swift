/// A request, as it was received. Nothing in it is to be trusted.
struct Request {
    let method: String
    /// Without the query, percent-encoded.
    let path: String
    /// Names and values as they stand, percent-encoded.
    let query: [String: String]
    /// By their names in small letters.
    let headers: [String: String]
    var body: [UInt8] = []

    static let largestHead = 8 << 10
    static let largestBody = 1 << 20

    /// Parses everything before the body, without the empty line at its end.
    init(head: some Collection<UInt8>) throws {
        // Nothing but printable ASCII: no other byte can mean one thing here and another to somebody else.
        guard head.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) else {
            throw Refusal(.badRequest, "the head is not ASCII")
        }
        var lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/"), words[1].hasPrefix("/"), !words[0].isEmpty else {
            throw Refusal(.badRequest, "the first line is not a request")
        }
        guard words[2] == "HTTP/1.1" else { throw Refusal(.versionNotSupported, "HTTP/1.1 is spoken here") }
        method = String(words[0])
        guard ["GET", "PUT", "DELETE"].contains(method) else { throw Refusal(.notImplemented, "methods are GET, PUT and DELETE") }

        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(target[0])
        var query: [String: String] = [:]
        for pair in target.count > 1 ? target[1].split(separator: "&") : [] {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard query.updateValue(parts.count > 1 ? String(parts[1]) : "", forKey: String(parts[0])) == nil else {
                throw Refusal(.badRequest, "a name appears twice in the query")
            }
        }
        self.query = query

        var headers: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
                !line[..<colon].contains(where: { $0 == " " || $0 == "\t" }),
                !line.contains(where: { $0 == "\r" || $0 == "\n" })
            else { throw Refusal(.badRequest, "a header line has no name") }
            let name = line[..<colon].lowercased()
            let value = line[line.index(after: colon)...].trimmingBlanks
            // Two lengths would let two readers disagree about where the request ends.
            guard headers.updateValue(value, forKey: name) == nil || !["content-length", "host", "transfer-encoding"].contains(name) else {
                throw Refusal(.badRequest, "the header \(name) appears twice")
            }
        }
        self.headers = headers
        try checkHost()
    }

    /// Web pages can have a browser send requests here under a name of theirs; their own names are refused.
    private func checkHost() throws {
        guard let host = headers["host"] else { throw Refusal(.badRequest, "the header host is missing") }
        let name = host.split(separator: ":").first ?? ""
        guard name == "127.0.0.1" || name == "localhost" else { throw Refusal(.misdirected, "this is 127.0.0.1") }
    }

    /// How long the body is.
    func bodyLength() throws -> Int {
        if headers["transfer-encoding"] != nil { throw Refusal(.notImplemented, "bodies come with a content-length here") }
        guard let text = headers["content-length"] else {
            if method == "PUT" { throw Refusal(.lengthRequired, "the header content-length is missing") }
            return 0
        }
        // Digits only: `Int` would take a sign.
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw Refusal(.badRequest, "the content-length is not a number")
        }
        guard let length = Int(text), length <= Self.largestBody else {
            throw Refusal(.contentTooLarge, "bodies have at most \(Self.largestBody) bytes")
        }
        return length
    }

    var wantsClose: Bool { headers["connection"]?.lowercased() == "close" }
    var expectsContinue: Bool { headers["expect"]?.lowercased() == "100-continue" }
}

extension Substring {
    var trimmingBlanks: String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(start[..<(start.lastIndex { $0 != " " && $0 != "\t" }.map(start.index(after:)) ?? start.startIndex)])
    }
}
