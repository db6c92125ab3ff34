#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension EtcdReply {
    /// Reads an answer; `nil` if it is none of etcd's.
    init?(json: [UInt8]) {
        var reader = EtcdJSON(json)
        guard let reply = try? reader.reply(depth: 0), reader.isAtEnd else { return nil }
        self = reply
    }
}

/// Reads the JSON of etcd's gateway, which has values of a thousand entries in base64: in one pass, where Foundation takes longer than the server and the network together.
private struct EtcdJSON {
    struct Malformed: Error {}

    private static let deepest = 16
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return offset == bytes.count
        }
    }

    // MARK: What etcd says

    mutating func reply(depth: Int) throws(Malformed) -> EtcdReply {
        guard depth < Self.deepest else { throw Malformed() }
        var reply = EtcdReply()
        var (inner, code, status): (EtcdReply?, Int?, Int?)
        var error: (status: Int?, message: String)?
        try object { (reader, name) throws(Malformed) in
            switch name {
            // What is around the answer of a watch, or of an operation of a transaction.
            case "result", "response_range", "response_put", "response_delete_range": inner = try reader.reply(depth: depth + 1)
            case "header":
                try reader.object { (reader, name) throws(Malformed) in
                    switch name {
                    case "cluster_id": reply.cluster = try reader.number()
                    case "revision": reply.revision = try reader.number()
                    default: try reader.skip(depth)
                    }
                }
            case "kvs": try reader.array { (reader) throws(Malformed) in reply.entries.append(try reader.entry(depth)) }
            case "responses": try reader.array { (reader) throws(Malformed) in reply.responses.append(try reader.reply(depth: depth + 1)) }
            case "events":
                try reader.array { (reader) throws(Malformed) in
                    try reader.object { (reader, name) throws(Malformed) in
                        if name == "kv" { reply.events.append(try reader.entry(depth)) } else { try reader.skip(depth) }
                    }
                }
            case "more": reply.hasMore = try reader.flag()
            case "succeeded": reply.succeeded = try reader.flag()
            case "canceled": reply.isCanceled = try reader.flag()
            case "ID": reply.lease = try reader.number()
            case "compact_revision": reply.compacted = try reader.number()
            case "token": reply.token = try reader.text()
            case "message": reply.message = try reader.text()
            case "code": code = Int(exactly: try reader.number())
            case "grpc_code": status = Int(exactly: try reader.number())
            // A text, or, of a stream, an object.
            case "error" where reader.next == UInt8(ascii: "{"):
                let cause = try reader.reply(depth: depth + 1)
                error = (cause.status ?? 2, cause.message)
            case "error": error = (nil, try reader.text())
            default: try reader.skip(depth)
            }
        }
        if let inner { return inner }
        reply.status = code ?? status
        if let error {
            reply.status = error.status ?? reply.status ?? 2
            reply.message = error.message
        }
        return reply
    }

    private mutating func entry(_ depth: Int) throws(Malformed) -> EtcdReply.Entry {
        var entry = EtcdReply.Entry()
        try object { (reader, name) throws(Malformed) in
            switch name {
            case "key": entry.key = try reader.data()
            case "value": entry.value = try reader.data()
            case "create_revision": entry.created = try reader.number()
            case "mod_revision": entry.modified = try reader.number()
            case "version": entry.count = try reader.number()
            default: try reader.skip(depth)
            }
        }
        return entry
    }

    // MARK: JSON

    private mutating func skipSpace() {
        while offset < bytes.count, bytes[offset] == 0x20 || 0x09...0x0D ~= bytes[offset] { offset += 1 }
    }

    /// The byte that the next value begins with; 0 at the end.
    private var next: UInt8 {
        mutating get {
            skipSpace()
            return offset < bytes.count ? bytes[offset] : 0
        }
    }

    private mutating func take(_ byte: Unicode.Scalar) throws(Malformed) {
        guard next == UInt8(ascii: byte) else { throw Malformed() }
        offset += 1
    }

    /// Whether there is `null` next, which is taken.
    private mutating func isNull() throws(Malformed) -> Bool {
        guard next == UInt8(ascii: "n") else { return false }
        guard bytes[offset...].starts(with: "null".utf8) else { throw Malformed() }
        offset += 4
        return true
    }

    private mutating func list(_ begin: Unicode.Scalar, _ end: Unicode.Scalar, _ body: (inout EtcdJSON) throws(Malformed) -> Void)
        throws(Malformed)
    {
        guard try !isNull() else { return }
        try take(begin)
        if next == UInt8(ascii: end) { return offset += 1 }
        while true {
            try body(&self)
            if next == UInt8(ascii: end) { return offset += 1 }
            try take(",")
        }
    }

    private mutating func array(_ body: (inout EtcdJSON) throws(Malformed) -> Void) throws(Malformed) { try list("[", "]", body) }

    private mutating func object(_ body: (inout EtcdJSON, _ name: String) throws(Malformed) -> Void) throws(Malformed) {
        try list("{", "}") { (reader) throws(Malformed) in
            let name = try reader.text()
            try reader.take(":")
            try body(&reader, name)
        }
    }

    /// Where a text is, without its quotation marks, and whether it has escapes.
    private mutating func rawText() throws(Malformed) -> (Range<Int>, hasEscapes: Bool) {
        try take("\"")
        let start = offset
        var hasEscapes = false
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            if bytes[offset] == UInt8(ascii: "\\") {
                hasEscapes = true
                offset += 1
            }
            offset += 1
        }
        guard offset < bytes.count else { throw Malformed() }
        offset += 1
        return (start..<offset - 1, hasEscapes)
    }

    private mutating func text() throws(Malformed) -> String {
        guard try !isNull() else { return "" }
        let (range, hasEscapes) = try rawText()
        guard hasEscapes else { return String(decoding: bytes[range], as: UTF8.self) }
        let array = Array("[\"".utf8) + bytes[range] + Array("\"]".utf8)
        guard let texts = try? JSONDecoder().decode([String].self, from: Data(array)), texts.count == 1 else { throw Malformed() }
        return texts[0]
    }

    /// A number, which is written as a text if it may have 64 bits.
    private mutating func number() throws(Malformed) -> UInt64 {
        guard try !isNull() else { return 0 }
        var range = offset..<offset
        if next == UInt8(ascii: "\"") {
            range = try rawText().0
        } else {
            let start = offset
            while offset < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[offset] { offset += 1 }
            range = start..<offset
        }
        guard let number = UInt64(String(decoding: bytes[range], as: UTF8.self)) else { throw Malformed() }
        return number
    }

    private mutating func flag() throws(Malformed) -> Bool {
        guard try !isNull() else { return false }
        let isTrue = next == UInt8(ascii: "t")
        guard bytes[offset...].starts(with: isTrue ? "true".utf8 : "false".utf8) else { throw Malformed() }
        offset += isTrue ? 4 : 5
        return isTrue
    }

    private mutating func skip(_ depth: Int) throws(Malformed) {
        guard depth < Self.deepest else { throw Malformed() }
        switch next {
        case UInt8(ascii: "{"): try object { (reader, _) throws(Malformed) in try reader.skip(depth + 1) }
        case UInt8(ascii: "["): try array { (reader) throws(Malformed) in try reader.skip(depth + 1) }
        case UInt8(ascii: "\""): _ = try rawText()
        default:
            let start = offset
            while offset < bytes.count, !",]}".utf8.contains(bytes[offset]) { offset += 1 }
            guard offset > start else { throw Malformed() }
        }
    }

    // MARK: Base64

    /// The number that each character stands for; 255: none.
    private static let digits: [UInt8] = {
        var digits = [UInt8](repeating: 255, count: 256)
        for (number, character) in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8.enumerated() {
            digits[Int(character)] = UInt8(number)
        }
        return digits
    }()

    private mutating func data() throws(Malformed) -> [UInt8] {
        guard try !isNull() else { return [] }
        var (range, _) = try rawText()
        while let last = range.last, bytes[last] == UInt8(ascii: "=") { range = range.lowerBound..<last }
        var isValid = range.count % 4 != 1
        let (source, digits) = (bytes, Self.digits)
        let count = range.count * 3 / 4
        let data = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var (held, bits, place): (UInt32, Int, Int) = (0, 0, 0)
            for index in range {
                let digit = digits[Int(source[index])]
                isValid = isValid && digit < 64
                held = held << 6 | UInt32(digit & 63)
                bits += 6
                guard bits >= 8, place < count else { continue }
                bits -= 8
                unsafe buffer[place] = UInt8(truncatingIfNeeded: held >> UInt32(bits))
                place += 1
            }
            while place < count {
                unsafe buffer[place] = 0
                place += 1
            }
            initialized = count
        }
        guard isValid else { throw Malformed() }
        return data
    }
}
