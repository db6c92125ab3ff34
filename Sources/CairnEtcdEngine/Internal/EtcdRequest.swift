#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request of etcd's gateway, as JSON.
struct EtcdRequest {
    private(set) var body: [UInt8] = []
    /// The number of bytes at which the answer is given up; `nil`: that of the largest answer of any kind.
    var largestAnswer: Int?

    static func += (request: inout EtcdRequest, text: String) { request.body += text.utf8 }

    /// Adds `"name":"bytes"`.
    mutating func add(_ name: StaticString, _ bytes: [UInt8]) {
        self += "\"\(name)\":\""
        body += Data(bytes).base64EncodedData()
        body.append(UInt8(ascii: "\""))
    }

    mutating func add(_ request: EtcdRequest) { body += request.body }

    /// Which part of a range is asked for.
    struct Part {
        /// `nil`: now.
        var revision: UInt64?
        var limit = 0
        var isReverse = false
        /// Whether the keys that were changed last come first, rather than those in an order of keys.
        var hasLatestFirst = false
        var hasKeysOnly = false
        /// Whether any member may answer, even one without the latest commits. Safe if a revision is given: a member has it or does not.
        var isSerializable = false
    }

    /// A range without `{` and `}`; a single key without an end.
    static func range(_ key: [UInt8], end: [UInt8]? = nil, _ part: Part = Part()) -> EtcdRequest {
        var request = EtcdRequest()
        request.add("key", key)
        if let end {
            request += ","
            request.add("range_end", end)
        }
        if let revision = part.revision { request += ",\"revision\":\"\(revision)\"" }
        if part.limit > 0 { request += ",\"limit\":\"\(part.limit)\"" }
        if part.hasLatestFirst { request += ",\"sort_target\":\"MOD\",\"sort_order\":\"DESCEND\"" }
        if part.isReverse { request += ",\"sort_order\":\"DESCEND\"" }
        if part.hasKeysOnly { request += ",\"keys_only\":true" }
        if part.isSerializable { request += ",\"serializable\":true" }
        return request
    }

    /// The operations or comparisons of a transaction, with what is around them.
    static func list(_ name: StaticString, _ elements: [EtcdRequest]) -> EtcdRequest {
        var request = EtcdRequest()
        request += "\"\(name)\":["
        for (index, element) in elements.enumerated() {
            request += index == 0 ? "{" : ",{"
            request.add(element)
            request += "}"
        }
        request += "]"
        return request
    }

    /// `{` request `}`
    static func object(_ parts: EtcdRequest...) -> EtcdRequest {
        var request = EtcdRequest()
        for (index, part) in parts.enumerated() {
            request += index == 0 ? "{" : ","
            request.add(part)
        }
        request += "}"
        return request
    }

    /// `"name":{` request `}`
    static func operation(_ name: StaticString, _ content: EtcdRequest) -> EtcdRequest {
        var request = EtcdRequest()
        request += "\"\(name)\":{"
        request.add(content)
        request += "}"
        return request
    }

    static func put(_ key: [UInt8], _ value: [UInt8], lease: UInt64? = nil) -> EtcdRequest {
        var content = EtcdRequest()
        content.add("key", key)
        content += ","
        content.add("value", value)
        if let lease { content += ",\"lease\":\"\(lease)\"" }
        return operation("request_put", content)
    }

    static func delete(_ key: [UInt8], end: [UInt8]? = nil) -> EtcdRequest { operation("request_delete_range", range(key, end: end)) }

    /// Compares a revision of a key, or of each key of a range; it is 0 if there is none.
    static func compare(_ key: [UInt8], end: [UInt8]? = nil, _ target: Target, _ result: Result, _ revision: UInt64) -> EtcdRequest {
        var request = range(key, end: end)
        request += ",\"target\":\"\(target.rawValue)\",\"result\":\"\(result.rawValue)\",\"\(target.field)\":\"\(revision)\""
        return request
    }

    enum Target: String {
        case modified = "MOD"
        case created = "CREATE"
        var field: String { self == .modified ? "mod_revision" : "create_revision" }
    }

    enum Result: String {
        case equal = "EQUAL"
        case less = "LESS"
    }
}
