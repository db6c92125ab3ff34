#if Hummingbird
public import CairnCore
public import HTTPTypes

/// What a ``ResponseCacheMiddleware`` keeps, and for how long.
public struct ResponseCacheConfiguration: Sendable {
    /// How long to keep a response that does not say so itself. Default: `nil`, not at all. If you set it, every response to a request without
    /// one of the ``excludedHeaders`` must be for all clients.
    public var lifetime: Duration?
    /// The longest time to keep a response, whatever it says. Default: a day.
    public var longestLifetime: Duration
    /// The size of the largest body that is kept. Default: 256 KiB.
    public var maximumBodySize: ByteCount
    /// The size of the store above which the oldest responses are removed. The file may take twice as much until it is compacted. Default: 64 MiB.
    public var maximumSize: ByteCount
    /// Headers of requests on which responses may depend: each combination of their values has a response of its own. A response with a `Vary` that
    /// names another is not kept. Default: `Accept`, `Accept-Encoding` and `Accept-Language`.
    public var varyHeaders: [HTTPField.Name]
    /// Headers of requests that identify a client: such requests are not answered from the cache, and their responses are not kept. Default:
    /// `Authorization`, `Cookie`, `X-Api-Key` and `X-Forwarded-User`. Add any others that your authentication reads.
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
