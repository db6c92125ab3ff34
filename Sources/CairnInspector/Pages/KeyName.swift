import CairnToolKit

/// How addresses of the page name a key: a long one by its beginning and a hash of the whole, which finds it among the keys that begin alike. Addresses
/// must be short, in browsers and in requests; only a POST could carry the key itself, and an inspector that changes nothing accepts none. Unlike a position,
/// a hash leads to the same entry whatever is written meanwhile.
struct KeyName {
    /// The key, or its beginning.
    let start: [UInt8]
    /// The hash of a longer key; `nil` for others. Another run of the program has other hashes, as it has another token, so nobody can write
    /// two keys that share one.
    let mark: String?

    /// The longest key that is named by itself.
    private static let limit = 512

    init(start: [UInt8], mark: String?) {
        self.start = start
        self.mark = mark
    }

    init(_ key: [UInt8]) { self.init(start: Array(key.prefix(Self.limit)), mark: key.count > Self.limit ? Self.mark(of: key) : nil) }

    init(_ key: String) {
        self.init(
            start: Array(Shown.beginning(key, limit: Self.limit).utf8),
            mark: key.utf8.count > Self.limit ? Self.mark(of: Array(key.utf8)) : nil
        )
    }

    private static func mark(of key: [UInt8]) -> String { String(UInt(bitPattern: key.hashValue), radix: 16) }

    /// Whether this is the name of a key.
    func isName(of key: [UInt8]) -> Bool {
        guard let mark else { return key == start }
        return key.count > start.count && key.starts(with: start) && Self.mark(of: key) == mark
    }

    /// The beginning as text, for keys that are text.
    var text: JSONValue { .string(String(decoding: start, as: UTF8.self)) }
    var digits: JSONValue { Shown.digits(start) }
    var markJSON: JSONValue { mark.map { .string($0) } ?? .null }
}

extension PageQuery {
    /// The key that the parameter and `mark` name, as hexadecimal digits; `nil` if it is missing.
    func keyName(digits name: String) throws -> KeyName? { try bytes(name).map { KeyName(start: $0, mark: self["mark"]) } }

    /// The same, as text.
    func keyName(text name: String) -> KeyName? { self[name].map { KeyName(start: Array($0.utf8), mark: self["mark"]) } }
}

extension PageFault {
    static let noSuchKey = PageFault(.notFound, "There is no such key.")
    static let noSuchStart = PageFault(.notFound, "The key at which this page started no longer exists.")
}
