#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Reads JSON as etcd writes it. Numbers may be texts; what is unknown is skipped.
struct EtcdReplyParser {
    /// The text is none.
    struct Invalid: Error {}

    private let text: [UInt8]
    private var position = 0
    /// Objects within each other: a server cannot make the stack overflow.
    private var depth = 0

    /// Reads one object.
    static func parse(_ text: [UInt8]) throws(Invalid) -> EtcdReply {
        var parser = EtcdReplyParser(text: text)
        return try parser.reply()
    }

    private init(text: [UInt8]) { self.text = text }

    // MARK: What etcd says

    private mutating func reply() throws(Invalid) -> EtcdReply {
        var reply = EtcdReply()
        try add(to: &reply)
        return reply
    }

    private mutating func add(to reply: inout EtcdReply) throws(Invalid) {
        try object { (parser, name) throws(Invalid) in
            switch name {
            case "header", "result", "response_range", "response_put", "response_delete_range":
                try parser.add(to: &reply)
            case "cluster_id": reply.cluster = try parser.number()
            case "revision": reply.revision = try parser.number()
            case "kvs": try parser.array { (parser) throws(Invalid) in reply.entries.append(try parser.entry()) }
            case "more": reply.hasMore = try parser.flag()
            case "succeeded": reply.succeeded = try parser.flag()
            case "responses": try parser.array { (parser) throws(Invalid) in reply.responses.append(try parser.reply()) }
            case "ID": reply.lease = try parser.number()
            case "token": reply.token = try parser.string()
            case "events": try parser.array { (parser) throws(Invalid) in try parser.event(&reply.events) }
            case "canceled": reply.isCanceled = try parser.flag()
            case "compact_revision": reply.compacted = try parser.number()
            case "error": try parser.failure(&reply)
            case "code", "grpc_code": reply.status = Int(truncatingIfNeeded: try parser.number())
            case "message": reply.message = try parser.string()
            default: try parser.skip()
            }
        }
    }

    /// A text, or an object with a code and a text.
    private mutating func failure(_ reply: inout EtcdReply) throws(Invalid) {
        if try peek() == UInt8(ascii: "{") { return try add(to: &reply) }
        reply.message = try string()
        reply.status = reply.status ?? 2
    }

    private mutating func event(_ events: inout [EtcdReply.Entry]) throws(Invalid) {
        try object { (parser, name) throws(Invalid) in
            if name == "kv" { events.append(try parser.entry()) } else { try parser.skip() }
        }
    }

    private mutating func entry() throws(Invalid) -> EtcdReply.Entry {
        var entry = EtcdReply.Entry()
        try object { (parser, name) throws(Invalid) in
            switch name {
            case "key": entry.key = try parser.bytes()
            case "value": entry.value = try parser.bytes()
            case "create_revision": entry.created = try parser.number()
            case "mod_revision": entry.modified = try parser.number()
            case "version": entry.count = try parser.number()
            default: try parser.skip()
            }
        }
        return entry
    }

    private mutating func bytes() throws(Invalid) -> [UInt8] {
        guard let bytes = Base64.decode(try raw()) else { throw Invalid() }
        return bytes
    }

    private mutating func number() throws(Invalid) -> UInt64 {
        let digits = try peek() == UInt8(ascii: "\"") ? try raw() : try word()
        var number: UInt64 = 0
        for digit in digits {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit, number < UInt64.max / 10 else { throw Invalid() }
            number = number * 10 + UInt64(digit - UInt8(ascii: "0"))
        }
        return number
    }

    private mutating func flag() throws(Invalid) -> Bool { try word() == ArraySlice("true".utf8) }

    // MARK: JSON

    /// The next character that is no white space.
    private mutating func peek() throws(Invalid) -> UInt8 {
        while position < text.count, text[position] <= 0x20 { position += 1 }
        guard position < text.count else { throw Invalid() }
        return text[position]
    }

    private mutating func take(_ character: Unicode.Scalar) throws(Invalid) {
        guard try peek() == UInt8(ascii: character) else { throw Invalid() }
        position += 1
    }

    /// Whether there is another element; takes what is between them, or the end.
    private mutating func hasNext(_ end: Unicode.Scalar, isFirst: Bool) throws(Invalid) -> Bool {
        if try peek() == UInt8(ascii: end) {
            position += 1
            return false
        }
        if !isFirst { try take(",") }
        return true
    }

    private mutating func object(_ body: (inout EtcdReplyParser, String) throws(Invalid) -> Void) throws(Invalid) {
        try enter("{")
        var isFirst = true
        while try hasNext("}", isFirst: isFirst) {
            isFirst = false
            let name = String(decoding: try raw(), as: UTF8.self)
            try take(":")
            try body(&self, name)
        }
        depth -= 1
    }

    private mutating func array(_ body: (inout EtcdReplyParser) throws(Invalid) -> Void) throws(Invalid) {
        try enter("[")
        var isFirst = true
        while try hasNext("]", isFirst: isFirst) {
            isFirst = false
            try body(&self)
        }
        depth -= 1
    }

    private mutating func enter(_ start: Unicode.Scalar) throws(Invalid) {
        try take(start)
        depth += 1
        guard depth < 32 else { throw Invalid() }
    }

    /// What is between quotation marks, as it is there.
    private mutating func raw() throws(Invalid) -> ArraySlice<UInt8> {
        try take("\"")
        let start = position
        while true {
            guard let end = find(UInt8(ascii: "\"")) else { throw Invalid() }
            position = end + 1
            var escapes = 0
            while end - escapes > start, text[end - escapes - 1] == UInt8(ascii: "\\") { escapes += 1 }
            if escapes % 2 == 0 { return text[start..<end] }
        }
    }

    /// Where the next such character is. Values can be long.
    private func find(_ character: UInt8) -> Int? {
        unsafe text.withUnsafeBytes { text in
            guard let base = text.baseAddress, position < text.count else { return nil }
            return unsafe memchr(base + position, Int32(character), text.count - position).map { unsafe UnsafeRawPointer($0) - base }
        }
    }

    /// Texts are for messages: what is escaped in them may stay so.
    private mutating func string() throws(Invalid) -> String { String(decoding: try raw(), as: UTF8.self) }

    private mutating func word() throws(Invalid) -> ArraySlice<UInt8> {
        _ = try peek()
        let start = position
        while position < text.count, !Self.endsWord(text[position]) { position += 1 }
        return text[start..<position]
    }

    private static func endsWord(_ character: UInt8) -> Bool {
        character <= 0x20 || character == UInt8(ascii: ",") || character == UInt8(ascii: "}") || character == UInt8(ascii: "]")
    }

    private mutating func skip() throws(Invalid) {
        switch try peek() {
        case UInt8(ascii: "{"): try object { (parser, _) throws(Invalid) in try parser.skip() }
        case UInt8(ascii: "["): try array { (parser) throws(Invalid) in try parser.skip() }
        case UInt8(ascii: "\""): _ = try raw()
        default: _ = try word()
        }
    }
}
