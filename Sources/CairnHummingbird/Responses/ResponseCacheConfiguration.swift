#if Hummingbird
public import CairnCore
public import HTTPTypes

/// What a ``ResponseCacheMiddleware`` keeps, and for how long.
public struct ResponseCacheConfiguration: Sendable {
    /// How long a response is kept that does not say so itself. Default: `nil`, not at all. With a time, all that any client sees without one of
    /// ``excludedHeaders`` must be for all clients.
    public var lifetime: Duration?
    /// How long a response is kept at most, whatever it says. Default: a day.
    public var longestLifetime: Duration
    /// The longest body that is kept. Default: 256 KiB.
    public var maximumBodySize: ByteCount
    /// The size of the store from which on the responses that were kept first are removed. The file may take twice as much until it is compacted. Default: 64 MiB.
    public var maximumSize: ByteCount
    /// Headers of requests on which responses may depend: each combination of their values has a response of its own. A response with a `Vary` that
    /// names another is not kept. Default: `Accept`, `Accept-Encoding` and `Accept-Language`.
    public var varyHeaders: [HTTPField.Name]
    /// Headers of requests that identify a client: such requests are not answered from the cache, and nothing is kept of them. Default: `Authorization`,
    /// `Cookie`, `X-Api-Key` and `X-Forwarded-User`. Name what your authentication reads besides.
    public var excludedHeaders: [HTTPField.Name]

    /// Creates a configuration.
    public init(
        lifetime: Duration? = nil,
        longestLifetime: Duration = .seconds(86_400),
        maximumBodySize: ByteCount = .kibibytes(256),
        maximumSize: ByteCount = .mebibytes(64),
        varyHeaders: [HTTPField.Name] = [.accept, .acceptEncoding, .acceptLanguage],
        excludedHeaders: [HTTPField.Name] = ["Authorization", "Cookie", "X-Api-Key", "X-Forwarded-User"].compactMap { HTTPField.Name($0) }
    ) {
        self.lifetime = lifetime
        self.longestLifetime = longestLifetime
        self.maximumBodySize = maximumBodySize
        self.maximumSize = maximumSize
        self.varyHeaders = varyHeaders
        self.excludedHeaders = excludedHeaders
    }
}
#endif
