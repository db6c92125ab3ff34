import CairnHummingbird
import CairnRocks
import Hummingbird
import Synchronization

/// How the service is.
///
///     GET  /health      200 if all stores can be written, else 503
///     GET  /metrics     numbers of this process and of its stores, for Prometheus
///     GET  /statistics  the numbers of keys and bytes, at most a second old: one of all processes counts them
struct StatusRoutes: Sendable {
    let stores: Stores
    let cache: ResponseCacheMiddleware<BasicRequestContext>
    let counts: RequestCounts

    func add(to router: Router<BasicRequestContext>) {
        router.get("/health") { _, _ in
            do { try stores.check() } catch {
                log("not healthy: \(error)")
                throw HTTPError(.serviceUnavailable, message: "a store cannot be written")
            }
            return text("ok\n")
        }
        router.get("/metrics") { _, _ in text(try metrics()) }
        router.group().add(middleware: cache).get("/statistics") { _, _ in
            let family = stores.keys.defaultColumnFamily
            let (keys, files) = (try family.property(.estimateNumKeys) ?? 0, try family.property(.liveSSTFilesSize) ?? .zero)
            var response = text("keys, estimated: \(keys)\nbytes in files: \(files.bytes)\n")
            response.headers[.cacheControl] = "max-age=1"
            return response
        }
    }

    private func text(_ text: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    private func metrics() throws -> String {
        var page = Exposition()
        page.counter("http_requests_total", "Requests that were answered, by status.", counts.byClass.map { ("status=\"\($0)xx\"", $1) })
        let (kept, family) = (cache.statistics, stores.keys.defaultColumnFamily)
        page.counter(
            "cached_responses_total",
            "Requests that the cache was asked for.",
            [("result=\"hit\"", kept.hits), ("result=\"miss\"", kept.misses)]
        )
        page.counter("cached_responses_failures_total", "Calls of the cache that failed.", [("", kept.failures)])
        let mapped = [("store=\"sessions\"", stores.sessions), ("store=\"responses\"", stores.responses)]
        page.gauge(
            "mapped_store_live_bytes",
            "Bytes of current values and their index.",
            try mapped.map { ($0, Int(try $1.liveSize.bytes)) }
        )
        page.gauge("mapped_store_file_bytes", "Bytes of the file.", try mapped.map { ($0, Int(try $1.fileSize.bytes)) })
        page.gauge("rocksdb_estimated_keys", "Keys, estimated.", [("", Int(try family.property(.estimateNumKeys) ?? 0))])
        page.gauge("rocksdb_table_files_bytes", "Bytes of table files.", [("", Int(try family.property(.liveSSTFilesSize)?.bytes ?? 0))])
        page.gauge("rocksdb_background_errors", "Background work that failed.", [("", Int(try family.property(.backgroundErrors) ?? 0))])
        return page.text
    }
}

/// Text as Prometheus reads it.
private struct Exposition {
    private(set) var text = ""

    mutating func counter(_ name: String, _ help: String, _ values: [(labels: String, value: Int)]) { add(name, help, "counter", values) }
    mutating func gauge(_ name: String, _ help: String, _ values: [(labels: String, value: Int)]) { add(name, help, "gauge", values) }

    private mutating func add(_ name: String, _ help: String, _ type: String, _ values: [(labels: String, value: Int)]) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        for (labels, value) in values { text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n" }
    }
}

/// How many requests were answered, by the first digit of the status.
final class RequestCounts: RouterMiddleware {
    private let counts = Mutex([Int](repeating: 0, count: 6))

    var byClass: [(Int, Int)] { counts.withLock { counts in (2...5).map { ($0, counts[$0]) } } }

    func handle(_ request: Request, context: BasicRequestContext, next: (Request, BasicRequestContext) async throws -> Response)
        async throws -> Response
    {
        do {
            let response = try await next(request, context)
            count(response.status.code)
            return response
        } catch {
            count((error as? any HTTPResponseError)?.status.code ?? 500)
            throw error
        }
    }

    private func count(_ status: Int) { counts.withLock { $0[min(5, status / 100)] += 1 } }
}
