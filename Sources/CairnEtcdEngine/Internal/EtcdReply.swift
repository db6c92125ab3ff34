#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An answer of etcd's gateway: the parts of all kinds that the engine needs.
struct EtcdReply: Sendable {
    /// A key, with its revisions: when it was created and changed last, and how often it was changed since it was created.
    struct Entry: Sendable {
        var key: [UInt8] = []
        var value: [UInt8] = []
        var created: UInt64 = 0
        var modified: UInt64 = 0
        var count: UInt64 = 0
    }

    var cluster: UInt64 = 0
    var revision: UInt64 = 0
    var entries: [Entry] = []
    /// Whether the range has more entries than were asked for.
    var hasMore = false
    /// Whether the comparisons of a transaction held.
    var succeeded = false
    /// What the operations of a transaction returned.
    var responses: [EtcdReply] = []
    var lease: UInt64 = 0
    var token = ""
    /// The events of a watch.
    var events: [Entry] = []
    var isCanceled = false
    /// The oldest revision that can be watched, if an older one was asked for.
    var compacted: UInt64 = 0
    /// An error: its gRPC status and text.
    var status: Int?
    var message = ""

    init(json: [UInt8]) throws { self = try JSONDecoder().decode(EtcdReply.self, from: Data(json)) }

    /// Whether this can be the answer to a request for a range: it has keys of the range only, each once and in order. Without an end, it is a range of one key.
    func fits(_ start: [UInt8], end: [UInt8]? = nil, isReverse: Bool = false) -> Bool {
        guard revision > 0, entries.allSatisfy({ $0.modified <= revision }) else { return false }
        guard let first = entries.first?.key, let last = entries.last?.key else { return !hasMore }
        guard let end else { return entries.count == 1 && first == start && !hasMore }
        let (least, greatest) = isReverse ? (last, first) : (first, last)
        guard !least.lexicographicallyPrecedes(start), greatest.lexicographicallyPrecedes(end) else { return false }
        return zip(entries, entries.dropFirst()).allSatisfy { entry, next in
            isReverse ? next.key.lexicographicallyPrecedes(entry.key) : entry.key.lexicographicallyPrecedes(next.key)
        }
    }
}

extension EtcdReply: Decodable {
    private enum Name: String, CodingKey {
        case header, kvs, more, succeeded, responses, token, events, canceled, error, code, message
        case lease = "ID"
        case compactRevision = "compact_revision"
        case status = "grpc_code"
        // Wraps the answer of a watch, or of an operation in a transaction.
        case result
        case range = "response_range"
        case put = "response_put"
        case deletion = "response_delete_range"
    }

    private struct Header: Decodable {
        enum Name: String, CodingKey {
            case cluster = "cluster_id"
            case revision
        }
        let cluster: UInt64
        let revision: UInt64

        init(from decoder: any Decoder) throws {
            let names = try decoder.container(keyedBy: Name.self)
            cluster = try names.number(.cluster, atMost: .max)
            revision = try names.number(.revision)
        }
    }

    private struct Event: Decodable { let kv: Entry? }

    init(from decoder: any Decoder) throws {
        // Answers have few levels, and each takes space on the stack.
        guard decoder.codingPath.count < 8 else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "too deeply nested"))
        }
        let names = try decoder.container(keyedBy: Name.self)
        for name in [Name.result, .range, .put, .deletion] {
            guard let inner = try names.decodeIfPresent(EtcdReply.self, forKey: name) else { continue }
            self = inner
            return
        }
        let header = try names.decodeIfPresent(Header.self, forKey: .header)
        cluster = header?.cluster ?? 0
        revision = header?.revision ?? 0
        entries = try names.decodeIfPresent([Entry].self, forKey: .kvs) ?? []
        hasMore = try names.decodeIfPresent(Bool.self, forKey: .more) ?? false
        succeeded = try names.decodeIfPresent(Bool.self, forKey: .succeeded) ?? false
        responses = try names.decodeIfPresent([EtcdReply].self, forKey: .responses) ?? []
        lease = try names.number(.lease)
        token = try names.decodeIfPresent(String.self, forKey: .token) ?? ""
        events = try names.decodeIfPresent([Event].self, forKey: .events)?.compactMap(\.kv) ?? []
        isCanceled = try names.decodeIfPresent(Bool.self, forKey: .canceled) ?? false
        compacted = try names.number(.compactRevision)
        let code = try names.decodeIfPresent(Int.self, forKey: .code) ?? names.decodeIfPresent(Int.self, forKey: .status)
        // Other servers report errors with HTTP status codes.
        status = code.flatMap { 1...16 ~= $0 ? $0 : nil }
        message = try names.decodeIfPresent(String.self, forKey: .message) ?? ""
        guard names.contains(.error) else { return }
        // A text or, in a stream, an object.
        if let text = try? names.decode(String.self, forKey: .error) {
            message = text
        } else {
            let error = try names.decode(EtcdReply.self, forKey: .error)
            (status, message) = (error.status, error.message)
        }
    }
}

extension EtcdReply.Entry: Decodable {
    private enum Name: String, CodingKey {
        case key, value, version
        case created = "create_revision"
        case modified = "mod_revision"
    }

    init(from decoder: any Decoder) throws {
        let names = try decoder.container(keyedBy: Name.self)
        key = [UInt8](try names.decodeIfPresent(Data.self, forKey: .key) ?? Data())
        value = [UInt8](try names.decodeIfPresent(Data.self, forKey: .value) ?? Data())
        created = try names.number(.created)
        modified = try names.number(.modified)
        count = try names.number(.version)
        guard modified > 0 else {
            throw DecodingError.dataCorruptedError(forKey: .modified, in: names, debugDescription: "a key has no revision")
        }
    }
}

extension KeyedDecodingContainer {
    /// A number, which is written as a text; 0 if it is left out. Only those of clusters and members have 64 bits; others are positive numbers of `Int64`.
    fileprivate func number(_ name: Key, atMost most: UInt64 = UInt64(Int64.max)) throws -> UInt64 {
        guard let text = try decodeIfPresent(String.self, forKey: name) else { return 0 }
        guard let number = UInt64(text), number <= most else {
            throw DecodingError.dataCorruptedError(forKey: name, in: self, debugDescription: "not a number: \(text)")
        }
        return number
    }
}
