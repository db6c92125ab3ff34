#if Hummingbird
import CairnCore
public import CairnMapped
import HTTPTypes
public import Hummingbird
public import Logging
import Synchronization

/// Keeps responses to GET requests in a `MappedStore` for some time, and answers equal requests with them: a cache that all worker
/// processes of a machine share, and that is still warm after a restart.
///
/// ```swift
/// let cache = ResponseCacheMiddleware<AppRequestContext>(store: try MappedStore(path: "responses.map"))
/// router.add(middleware: cache)
/// ```
///
/// **What is kept.** Responses with the status 200, 203, 301 or 308 and a body of known length, at most ``ResponseCacheConfiguration/maximumBodySize``, as a
/// shared cache may keep them (RFC 9111): none with `Set-Cookie`, with `no-store`, `no-cache` or `private` in `Cache-Control`, or with a `Vary` that names a
/// header that is not among ``ResponseCacheConfiguration/varyHeaders``.
///
/// **For how long.** As long as `s-maxage` or `max-age` of the response says; if it has neither of these and no `Expires`, for
/// ``ResponseCacheConfiguration/lifetime``, which by default is not at all; in any case at most ``ResponseCacheConfiguration/longestLifetime``. The time that the
/// route took, and an `Age` that the response already has, are subtracted. A request that changes what is at a path and succeeds, such as PUT or DELETE, invalidates
/// what is kept for that path with that query, however the host and the path are spelled.
///
/// **Which requests it answers.** GET requests with the same host, path, query and ``ResponseCacheConfiguration/varyHeaders``. Requests with one of
/// ``ResponseCacheConfiguration/excludedHeaders`` (`Authorization`, `Cookie` and others), a body, `Range` or a condition (`If-None-Match` and others) go to the
/// route, and the response is not kept. Requests with `no-cache` in `Cache-Control`, or with a `max-age` or `min-fresh` that the kept response does not meet,
/// go to the route, and its response is kept. Requests with `only-if-cached` get 504 instead. Responses from the cache have the header `Age`, in seconds.
///
/// **What it does not implement of RFC 9111.** `Expires` gives no lifetime. Nothing is revalidated: when a response is stale, the route makes a new one. So
/// `max-stale` makes no difference.
///
/// **Size.** Once the store takes more than ``ResponseCacheConfiguration/maximumSize``, the oldest responses are removed until a quarter is free.
///
/// **Errors.** A cache that fails, for instance on a full disk, is bypassed: the request goes to the route, the error is logged, and
/// ``ResponseCacheStatistics/failures`` counts it. If a change cannot be recorded, this process answers nothing from the cache until it can; other processes may
/// answer with what was kept before, until that is stale.
///
/// **Place.** Add it before middleware whose work it should save, and after middleware that must see each request, such as for logs and metrics. Add middleware for
/// sessions, authentication and CORS after it, or have routes mark their responses as `private`: otherwise, one client may get what was made for another, without
/// the headers of that middleware. The store must contain nothing else. Calls take microseconds and run where the request does; the oldest responses are removed on
/// another thread.
public struct ResponseCacheMiddleware<Context: RequestContext>: RouterMiddleware {
    /// What the cache keeps, and for how long.
    public typealias Configuration = ResponseCacheConfiguration

    /// The store with the responses. The middleware does not close it.
    public let store: MappedStore
    /// What the cache keeps, and for how long.
    public let configuration: Configuration
    let logger: Logger
    let counters = ResponseCacheCounters()

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - store: A store for responses alone.
    ///   - configuration: What the cache keeps, and for how long.
    ///   - logger: Logs failures of the store.
    public init(
        store: MappedStore,
        configuration: Configuration = Configuration(),
        logger: Logger = Logger(label: "cairn.responses")
    ) {
        self.store = store
        self.configuration = configuration
        self.logger = logger
    }

    /// What the cache has done in this process since it was created.
    public var statistics: ResponseCacheStatistics { counters.statistics }

    /// Answers a request from the cache, or passes it on, and keeps the response if that is allowed.
    public func handle(_ request: Request, context: Context, next: (Request, Context) async throws -> Response) async throws -> Response {
        let target = CachedTarget(request, configuration)
        guard request.method == .get else {
            let response = try await next(request, context)
            if !request.method.isSafe, response.status.code < 400, let key = target.changeKey {
                counters.addChange(key)
                attempt { try noteChanges() }
            }
            return response
        }
        guard let key = target.key, CachePolicy.mayUse(request, configuration) else { return try await next(request, context) }
        // Changes that could not be noted at once.
        if !counters.unnotedChanges.isEmpty, attempt({ try noteChanges() }) == nil { return try await next(request, context) }
        let directives = CacheDirectives(request.headers)
        if CachePolicy.mayAnswer(request, directives), let kept = attempt({ try find(key, target, directives) }) {
            counters.hits.add(1, ordering: .relaxed)
            return kept
        }
        counters.misses.add(1, ordering: .relaxed)
        if directives.has("only-if-cached") { return Response(status: .gatewayTimeout) }
        // The response may not reflect changes from here on.
        let start = store.milliseconds
        let response = try await next(request, context)
        guard let lifetime = CachePolicy.lifetime(of: response, configuration) else { return response }
        let collected = try await CollectedBody(response)
        // A body of another length is a fault of the route, which should not last.
        if !collected.hasTrailers, collected.body.readableBytes == response.body.contentLength {
            attempt { try keep(response, collected.body, key, target, start, lifetime) }
        }
        return collected.response(like: response)
    }

    // MARK: - Inside

    /// Calls `body`; returns `nil` if it fails, which is logged.
    @discardableResult
    private func attempt<Value>(_ body: () throws -> Value?) -> Value? {
        do { return try body() } catch {
            counters.failures.add(1, ordering: .relaxed)
            logger.error("the response cache failed", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// The response that is kept for a key, if it is as fresh as the request asks for.
    private func find(_ key: String, _ target: CachedTarget, _ directives: CacheDirectives) throws -> Response? {
        let found: KeptResponse?
        do throws(MappedStoreError) { found = try store.get(key) } catch {
            // The response that follows takes its place.
            guard [.corruption, .typeMismatch, .codec].contains(error.code) else { throw error }
            return nil
        }
        guard let kept = found, try !wasChanged(target, since: kept.start) else { return nil }
        let now = store.milliseconds
        guard let response = kept.response(now: now) else { return nil }
        if let oldest = directives.seconds("max-age"), CachePolicy.age(response.headers) > oldest { return nil }
        if let rest = directives.seconds("min-fresh"), try (store.deadline(of: key) ?? now) - now < rest * 1000 { return nil }
        return response
    }

    /// Whether what is at a target may have changed since a moment.
    private func wasChanged(_ target: CachedTarget, since start: Int64) throws -> Bool {
        guard let key = target.changeKey else { return true }
        do throws(MappedStoreError) { return try store.get(key, as: Int64.self).map { start <= $0 } ?? false } catch {
            // The stored time is damaged.
            guard error.code == .corruption || error.code == .typeMismatch else { throw error }
            return true
        }
    }

    private func keep(
        _ response: Response,
        _ body: ByteBuffer,
        _ key: String,
        _ target: CachedTarget,
        _ start: Int64,
        _ lifetime: Duration
    ) throws {
        // The time that the route took counts, as in `Age`.
        let rest = lifetime - .milliseconds(store.milliseconds - start)
        guard rest > .zero else { return }
        let isKept = try store.transaction { changes in
            // The note of a change that the response does not reflect would be removed before it when the cache is full.
            guard try !wasChanged(target, since: start) else { return false }
            try changes.set(KeptResponse(response, body, start: start), for: key, expiresAfter: rest)
            return true
        }
        guard isKept else { return }
        counters.stored.add(1, ordering: .relaxed)
        try makeRoom()
    }

    /// Notes that what is at some targets has changed: what was kept of it before, under any of its keys, is not used any more.
    private func noteChanges() throws {
        for (key, number) in counters.unnotedChanges {
            // The moment is taken while others wait, so that a later one is never replaced.
            try store.transaction { try $0.set(store.milliseconds, for: key, expiresAfter: configuration.longestLifetime) }
            counters.removeChange(key, number)
        }
        try makeRoom()
    }

    /// Removes what is oldest if the store is too large, on another thread; one at a time in this process.
    private func makeRoom() throws(MappedStoreError) {
        let limit = configuration.maximumSize
        guard try store.liveSize > limit, !counters.isMakingRoom.exchange(true, ordering: .sequentiallyConsistent) else { return }
        Task { [self] in
            let freed = await offPool { [store] () throws(MappedStoreError) -> Int in
                try store.removeExpired()
                return try store.removeOldest(downTo: .bytes(limit.bytes / 4 * 3))
            }
            counters.isMakingRoom.store(false, ordering: .sequentiallyConsistent)
            attempt {
                do throws(MappedStoreError) {
                    let count = try freed.get()
                    counters.removed.add(count, ordering: .relaxed)
                    // Responses that were kept in the meantime left the rest to this task.
                    if count > 0 { try makeRoom() }
                } catch {
                    // A server that stops closes the store.
                    if error.code != .closed { throw error }
                }
            }
        }
    }
}
#endif
