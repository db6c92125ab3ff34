#if Hummingbird
import CairnCore
import HTTPTypes
import Hummingbird

/// What a cache that several clients share may do with a request and its response (RFC 9111).
enum CachePolicy {
    /// Whether the cache has anything to do with a GET request.
    static func mayUse(_ request: Request, _ configuration: ResponseCacheConfiguration) -> Bool {
        let conditions: [HTTPField.Name] = [.range, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange]
        // The answer to a request with a body may depend on the body.
        guard [nil, "0"].contains(request.headers[.contentLength]), !request.headers.contains(.transferEncoding) else { return false }
        return !(conditions + configuration.excludedHeaders).contains { request.headers.contains($0) }
            && !CacheDirectives(request.headers).has("no-store")
    }

    /// Whether a request with these directives may be answered from the cache.
    static func mayAnswer(_ request: Request, _ directives: CacheDirectives) -> Bool {
        if directives.isEmpty { return request.headers[.pragma]?.lowercased() != "no-cache" }
        return !directives.has("no-cache") && directives.seconds("max-age") != 0
    }

    /// How long a response may be kept; `nil` if it may not.
    static func lifetime(of response: Response, _ configuration: ResponseCacheConfiguration) -> Duration? {
        guard [200, 203, 301, 308].contains(response.status.code), !response.headers.contains(.setCookie) else { return nil }
        guard let length = response.body.contentLength, Int64(length) <= configuration.maximumBodySize.bytes else { return nil }
        for name in list(response.headers[values: .vary]) {
            guard let name = HTTPField.Name(String(name)), configuration.varyHeaders.contains(name) else { return nil }
        }
        let directives = CacheDirectives(response.headers)
        guard !["no-store", "no-cache", "private"].contains(where: directives.has) else { return nil }
        let lifetime: Duration?
        if directives.has("s-maxage") || directives.has("max-age") {
            lifetime = (directives.seconds("s-maxage") ?? directives.seconds("max-age")).map { .seconds($0) }
        } else {
            lifetime = response.headers.contains(.expires) ? nil : configuration.lifetime
        }
        guard let lifetime, lifetime > .zero else { return nil }
        let rest = min(lifetime, configuration.longestLifetime) - .seconds(age(response.headers))
        return rest > .zero ? rest : nil
    }

    /// How old a response was when the route made it, in seconds, if the route got it from another cache.
    static func age(_ headers: HTTPFields) -> Int64 {
        headers[.age].flatMap { CacheDirectives.seconds($0[...]) } ?? 0
    }

    /// The parts of a header that is a list.
    static func list(_ values: [String]) -> [Substring] {
        values.flatMap { $0.split(separator: ",").map { $0.trimming() } }.filter { !$0.isEmpty }
    }
}

/// The directives of the header `Cache-Control`.
struct CacheDirectives {
    private let directives: [(name: String, argument: Substring?)]

    init(_ headers: HTTPFields) {
        directives = CachePolicy.list(headers[values: .cacheControl]).map { directive in
            let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0].trimming().lowercased(), parts.count > 1 ? parts[1].trimming() : nil)
        }
    }

    var isEmpty: Bool { directives.isEmpty }
    func has(_ name: String) -> Bool { directives.contains { $0.name == name } }

    /// The number of a directive; 0, the shortest time, if it is not one, and `nil` if there is no such directive.
    func seconds(_ name: String) -> Int64? {
        guard let directive = directives.first(where: { $0.name == name }) else { return nil }
        return directive.argument.flatMap { Self.seconds($0.filter { $0 != "\"" }[...]) } ?? 0
    }

    /// A number of seconds; one that is too large becomes the largest, as RFC 9111 asks.
    static func seconds(_ digits: Substring) -> Int64? {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return min(Int64(digits) ?? .max, 1 << 31)
    }
}

extension Substring {
    fileprivate func trimming() -> Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else { return "" }
        return self[first...last]
    }
}

extension HTTPField.Name {
    static var pragma: HTTPField.Name { HTTPField.Name("Pragma")! }
}

extension HTTPRequest.Method {
    /// Whether a request changes nothing.
    var isSafe: Bool { [.get, .head, .options, .trace].contains(self) }
}

/// The target of a request, and its keys in the cache.
struct CachedTarget {
    private let host: String
    /// Path and query.
    private let path: String
    /// The key of its response; `nil` if it would be too long.
    let key: String?
    /// The key for the time of the last change to the target; `nil` if it would be too long. It is the same for all spellings of the target, even if a route
    /// tells them apart.
    var changeKey: String? {
        host.utf8.count + path.utf8.count <= Self.longest ? "changed \(host.lowercased())\n\(Self.unified(path))" : nil
    }

    /// The same text for all ways to spell a path and a query: without empty names, and with nothing escaped.
    private static func unified(_ path: String) -> String {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let names = parts[0].split(separator: "/")
        let escaped = "/" + names.joined(separator: "/") + (parts.count > 1 ? "?" + parts[1] : "")
        guard escaped.utf8.contains(UInt8(ascii: "%")) else { return escaped }
        var (bytes, rest) = ([UInt8](), Substring(escaped).utf8)
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let escaped = UInt8(Substring(rest.prefix(2)), radix: 16) {
                bytes.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The longest key: nobody asks for longer addresses twice.
    private static let longest = 16_384

    init(_ request: Request, _ configuration: ResponseCacheConfiguration) {
        (host, path) = (request.head.authority ?? "", request.head.path ?? "/")
        var key = "get \(host)\n\(path)"
        for name in configuration.varyHeaders { key += "\n\(name.canonicalName): \(request.headers[values: name].joined(separator: ", "))" }
        self.key = key.utf8.count <= Self.longest ? key : nil
    }
}
#endif
