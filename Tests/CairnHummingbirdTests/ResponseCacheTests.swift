#if Hummingbird
import CairnHummingbird
import CairnMapped
import CairnTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization
import Testing

/// A server whose answers say how often they were made, and one that shares its cache.
private struct Server: Sendable {
    let scene: Scene
    let store: MappedStore
    let configuration: ResponseCacheConfiguration
    let calls = Tally()

    init(_ configuration: ResponseCacheConfiguration = forAll, _ change: (inout MappedStoreOptions) -> Void = { _ in }) throws {
        scene = try Scene()
        store = try scene.store("responses.map", change)
        self.configuration = configuration
    }

    /// Responses that say nothing are kept for a minute.
    static let forAll = ResponseCacheConfiguration(lifetime: .seconds(60))

    /// Runs requests against a server that answers with a number and these headers.
    func run(
        _ headers: HTTPFields = [:],
        status: HTTPResponse.Status = .ok,
        body: (@Sendable (Int) -> ResponseBody)? = nil,
        during: @escaping @Sendable () throws -> Void = {},
        _ requests: @Sendable (Client) async throws -> Void
    ) async throws {
        let cache = ResponseCacheMiddleware<BasicRequestContext>(store: store, configuration: configuration, logger: silent)
        let router = Router()
        router.add(middleware: ShoutedHost())
        router.add(middleware: cache)
        let answer: @Sendable (Request, BasicRequestContext) async throws -> Response = { [calls] _, _ in
            try during()
            calls.add()
            let content = body?(calls.count) ?? ResponseBody(byteBuffer: ByteBuffer(string: "answer \(calls.count)"))
            return Response(status: status, headers: headers, body: content)
        }
        for path in ["/a", "/b", "/a/b"] {
            for method in [HTTPRequest.Method.get, .head, .put, .post, .delete] { router.on(RouterPath(path), method: method, use: answer) }
        }
        // However a path is spelled.
        router.on("**", method: .put, use: answer)
        try await requests(Client(client: RouterClient(router, logger: silent), cache: cache))
    }
}

/// Changes are sent to the host in capital letters, which is the same one.
private struct ShoutedHost: RouterMiddleware {
    func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        var head = request.head
        if head.method != .get { head.authority = head.authority?.uppercased() }
        return try await next(Request(head: head, body: request.body), context)
    }
}

private struct Client {
    let client: RouterClient
    let cache: ResponseCacheMiddleware<BasicRequestContext>

    func response(_ uri: String = "/a", _ headers: HTTPFields = [:], method: HTTPRequest.Method = .get) async throws -> RouterClient.Answer
    {
        try await client.response(uri, headers, method: method)
    }

    /// Sends a request, whose answer must have this body.
    func expect(
        _ body: String,
        _ uri: String = "/a",
        _ headers: HTTPFields = [:],
        method: HTTPRequest.Method = .get,
        at place: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await self.body(uri, headers, method: method)
        #expect(found == body, sourceLocation: place)
    }

    func body(_ uri: String = "/a", _ headers: HTTPFields = [:], method: HTTPRequest.Method = .get) async throws -> String {
        String(buffer: try await response(uri, headers, method: method).body)
    }
}

@Suite(.endsWhenItHangs) struct ResponseCacheTests {
    @Test func anEqualRequestIsAnsweredFromTheCache() async throws {
        let server = try Server()
        try await server.run([.contentType: "text/plain", .eTag: "\"1\""]) { client in
            let first = try await client.response()
            #expect(first.status == .ok && String(buffer: first.body) == "answer 1" && first.headers[.age] == nil)
            server.scene.clock.pass(7)
            let second = try await client.response()
            #expect(second.status == .ok && String(buffer: second.body) == "answer 1")
            #expect(second.headers[.age] == "7" && second.headers[.contentType] == "text/plain" && second.headers[.eTag] == "\"1\"")
            #expect(second.headers[.contentLength] == "8")
            let statistics = client.cache.statistics
            #expect(statistics.hits == 1 && statistics.misses == 1 && statistics.stored == 1 && statistics.failures == 0)
        }
        // Another process, or this one after a restart.
        try await server.run { client in try await client.expect("answer 1") }
        #expect(server.calls.count == 1)
    }

    @Test func whatSaysNothingIsNotKeptByDefault() async throws {
        let server = try Server(ResponseCacheConfiguration())
        try await server.run { client in
            try await client.expect("answer 1")
            try await client.expect("answer 2")
        }
        try await server.run([.cacheControl: "max-age=60"]) { client in
            try await client.expect("answer 3")
            try await client.expect("answer 3")
        }
    }

    @Test func requestsThatSayWhoAsksGoToTheRoute() async throws {
        let server = try Server()
        try await server.run { client in
            try await client.expect("answer 1")
            for name in ["Authorization", "Cookie", "X-Api-Key", "X-Forwarded-User", "Content-Length"] {
                let count = server.calls.count
                try await client.expect("answer \(count + 1)", "/a", [try #require(HTTPField.Name(name)): "1"])
            }
            try await client.expect("answer 1")
        }
    }

    @Test func pathAndQueryAndHostAndMethodCount() async throws {
        let server = try Server()
        try await server.run { client in
            try await client.expect("answer 1", "/a")
            try await client.expect("answer 2", "/b")
            try await client.expect("answer 3", "/a/b")
            try await client.expect("answer 4", "/a?x=1")
            try await client.expect("answer 5", "/a?x=2")
            try await client.expect("answer 4", "/a?x=1")
            try await client.expect("answer 6", "/a", method: .head)
            try await client.expect("answer 1", "/a")
            // A header's value cannot pass for a part of the path.
            try await client.expect("answer 7", "/a", [.accept: "x"])
            try await client.expect("", "/a%0Aaccept:%20x")
        }
    }

    @Test func aTimeIsKeptTo() async throws {
        for (header, seconds) in [
            (nil, 60), ("max-age=5", 5), ("max-age=5, s-maxage=9", 9), ("public, MAX-AGE=\"7\"", 7),
            ("max-age=99999999999999999999", 86_400),
        ]
            as [(String?, Double)]
        {
            let server = try Server()
            try await server.run(header.map { [.cacheControl: $0] } ?? [:]) { client in
                try await client.expect("answer 1")
                server.scene.clock.pass(seconds - 0.001)
                try await client.expect("answer 1")
                server.scene.clock.pass(0.001)
                try await client.expect("answer 2")
            }
        }
    }

    @Test(arguments: [
        ("Cache-Control", "no-store", false), ("Cache-Control", "max-age=9, Private", false), ("Cache-Control", "no-cache", false),
        ("Cache-Control", "max-age=0", false), ("Cache-Control", "max-age=x", false), ("Cache-Control", "max-age", false),
        ("Cache-Control", "public", true), ("Cache-Control", "must-revalidate", true), ("Set-Cookie", "a=b", false),
        ("Expires", "0", false),
        ("Vary", "*", false), ("Vary", "Accept, User-Agent", false), ("Vary", "accept, Accept-Language", true), ("X-Other", "1", true),
    ])
    func aResponseSaysWhetherItMayBeKept(_ name: String, _ value: String, _ isKept: Bool) async throws {
        let server = try Server()
        try await server.run([try #require(HTTPField.Name(name)): value]) { client in
            try await client.expect("answer 1")
            try await client.expect(isKept ? "answer 1" : "answer 2")
        }
        #expect(try server.store.isEmpty == !isKept)
    }

    @Test(arguments: [
        (200, true), (203, true), (301, true), (308, true), (201, false), (204, false), (206, false), (302, false), (404, false),
        (500, false),
    ])
    func aStatusSaysWhetherItMayBeKept(_ code: Int, _ isKept: Bool) async throws {
        let server = try Server()
        try await server.run(status: .init(code: code)) { client in
            for _ in 0..<2 {
                let status = try await client.response().status
                #expect(status.code == code)
            }
        }
        #expect(server.calls.count == (isKept ? 1 : 2))
    }

    @Test(arguments: [
        ("Authorization", "Basic x"), ("Cookie", "SESSION_ID=1"), ("Range", "bytes=0-1"), ("If-None-Match", "*"),
        ("If-Modified-Since", "x"),
        ("Cache-Control", "no-store"),
    ])
    func someRequestsTakeNoPart(_ name: String, _ value: String) async throws {
        let header: HTTPFields = [try #require(HTTPField.Name(name)): value]
        let server = try Server()
        try await server.run { client in
            try await client.expect("answer 1", "/a", header)
            #expect(try server.store.isEmpty)
            try await client.expect("answer 2")
            try await client.expect("answer 3", "/a", header)
            try await client.expect("answer 2")
        }
    }

    @Test(arguments: [("Cache-Control", "no-cache"), ("Cache-Control", "max-age=0"), ("Pragma", "no-cache")])
    func aRequestMayAskForANewResponse(_ name: String, _ value: String) async throws {
        let server = try Server()
        try await server.run { client in
            try await client.expect("answer 1")
            try await client.expect("answer 2", "/a", [try #require(HTTPField.Name(name)): value])
            try await client.expect("answer 2")
            try await client.expect("answer 2", "/a", [.cacheControl: "max-age=60"])
        }
    }

    /// What is kept is 20 seconds old, and lasts for 40 more.
    @Test(arguments: [
        ("max-age=19", "answer 2"), ("max-age=20", "answer 1"), ("max-age=x", "answer 2"), ("min-fresh=40", "answer 1"),
        ("min-fresh=41", "answer 2"),
        ("max-age=30, min-fresh=50", "answer 2"), ("max-stale=5", "answer 1"), ("min-fresh=99999999999999999999", "answer 2"),
    ])
    func aRequestMayAskForAFreshResponse(_ directives: String, _ answer: String) async throws {
        let server = try Server()
        try await server.run { client in
            try await client.expect("answer 1")
            server.scene.clock.pass(20)
            try await client.expect(answer, "/a", [.cacheControl: directives])
            try await client.expect(answer)
        }
    }

    @Test func aRequestMayAskForWhatIsKeptOnly() async throws {
        let server = try Server()
        try await server.run { client in
            func ask(_ directives: String) async throws -> HTTPResponse.Status {
                try await client.response("/a", [.cacheControl: directives]).status
            }
            #expect(try await ask("only-if-cached") == .gatewayTimeout)
            try await client.expect("answer 1")
            #expect(try await ask("only-if-cached") == .ok)
            #expect(try await ask("only-if-cached, no-cache") == .gatewayTimeout)
            server.scene.clock.pass(20)
            #expect(try await ask("only-if-cached, max-age=10") == .gatewayTimeout)
            try await client.expect("answer 1")
        }
    }

    @Test func chosenHeadersHaveResponsesOfTheirOwn() async throws {
        let server = try Server(.init(lifetime: .seconds(60), varyHeaders: [.acceptLanguage]))
        try await server.run([.vary: "Accept-Language"]) { client in
            try await client.expect("answer 1", "/a", [.acceptLanguage: "de"])
            try await client.expect("answer 2", "/a", [.acceptLanguage: "fr"])
            try await client.expect("answer 1", "/a", [.acceptLanguage: "de"])
            try await client.expect("answer 3")
            // Not chosen: all have the same.
            try await client.expect("answer 2", "/a", [.acceptLanguage: "fr", .userAgent: "x"])
        }
    }

    @Test func bodiesHaveALimitAndALength() async throws {
        for (count, isKept) in [(1000, true), (1001, false)] {
            let server = try Server(.init(lifetime: .seconds(60), maximumBodySize: .bytes(1000)))
            try await server.run(body: { _ in ResponseBody(byteBuffer: ByteBuffer(repeating: 65, count: count)) }) { client in
                for _ in 0..<2 { try await client.expect(String(repeating: "A", count: count)) }
            }
            #expect(server.calls.count == (isKept ? 1 : 2))
        }
        // In pieces, whose length is known or not, and with trailers.
        for (length, trailers, isKept) in [(8, nil, true), (nil, nil, false), (8, [.eTag: "x"], false)] as [(Int?, HTTPFields?, Bool)] {
            let server = try Server()
            let pieces: @Sendable (Int) -> ResponseBody = { _ in
                ResponseBody(contentLength: length) { writer in
                    try await writer.write(ByteBuffer(string: "in p"))
                    try await writer.write(ByteBuffer(string: "arts"))
                    try await writer.finish(trailers)
                }
            }
            try await server.run(body: pieces) { client in
                for _ in 0..<2 {
                    let response = try await client.response()
                    #expect(String(buffer: response.body) == "in parts" && response.trailers == trailers)
                }
            }
            #expect(server.calls.count == (isKept ? 1 : 2))
        }
    }

    @Test func aChangeEndsWhatIsKept() async throws {
        for (method, status, ends) in [
            (HTTPRequest.Method.put, HTTPResponse.Status.ok, true), (.post, .ok, true), (.delete, .ok, true), (.head, .ok, false),
            (.put, .forbidden, false),
        ] {
            let server = try Server()
            try await server.run { client in
                try await client.expect("answer 1")
                try await client.expect("answer 2", "/b")
                try await client.expect("answer 3", "/a", [.acceptLanguage: "de"])
            }
            server.scene.clock.pass(1)
            try await server.run(status: status) { client in _ = try await client.response(method: method) }
            server.scene.clock.pass(1)
            try await server.run { client in
                try await client.expect(ends ? "answer 5" : "answer 1")
                try await client.expect(ends ? "answer 6" : "answer 3", "/a", [.acceptLanguage: "de"])
                try await client.expect("answer 2", "/b")
                try await client.expect(ends ? "answer 5" : "answer 1")
            }
        }
    }

    @Test(arguments: [("/a", "/a"), ("/a", "//a/"), ("/a", "/%61"), ("/a/b", "/a%2F%62"), ("/a?x=1", "/a?%78=1")])
    func aChangeEndsWhatIsKeptOfEverySpelling(read: String, changed: String) async throws {
        let server = try Server()
        try await server.run { client in
            for _ in 0..<2 { try await client.expect("answer 1", read) }
            server.scene.clock.pass(1)
            try await client.expect("answer 2", changed, method: .put)
            server.scene.clock.pass(1)
            try await client.expect("answer 3", read)
        }
    }

    /// One that the route has from another cache, or took long to make.
    @Test func theTimeBeforeCounts() async throws {
        let server = try Server()
        let clock = server.scene.clock
        try await server.run([.cacheControl: "max-age=60", .age: "50"], during: { clock.pass(3) }) { client in
            let first = try await client.response()
            #expect(String(buffer: first.body) == "answer 1" && first.headers[.age] == "50")
            clock.pass(2)
            let second = try await client.response()
            #expect(String(buffer: second.body) == "answer 1" && second.headers[.age] == "55")
            clock.pass(4.999)
            try await client.expect("answer 1")
            clock.pass(0.001)
            try await client.expect("answer 2")
        }
        for (age, isKept) in [("59", true), ("60", false), ("99999999999999999999", false), ("x", true), ("", true)] {
            let server = try Server()
            try await server.run([.cacheControl: "max-age=60", .age: age]) { client in
                for _ in 0..<2 { _ = try await client.response() }
            }
            #expect(server.calls.count == (isKept ? 1 : 2), "\(age)")
        }
        let slow = try Server()
        let slowClock = slow.scene.clock
        try await slow.run([.cacheControl: "max-age=60"], during: { slowClock.pass(60) }) { client in
            for number in 1...2 { try await client.expect("answer \(number)") }
        }
    }

    /// A response that was begun before a change, and is complete after it.
    @Test func aResponseThatAChangeOvertookIsNotUsed() async throws {
        let server = try Server()
        let (store, clock) = (server.store, server.scene.clock)
        try await server.run { client in _ = try await client.response(method: .put) }
        let key = try #require(try store.keys().first)
        let change: @Sendable () throws -> Void = {
            clock.pass(1)
            try store.set(Int64(clock.now.timeIntervalSince1970 * 1000), for: key)
            clock.pass(1)
        }
        // It is not even kept: once the store is full, the change would be removed before it.
        try await server.run(during: change) { client in try await client.expect("answer 2") }
        #expect(try store.count == 1)
        try await server.run { client in
            for _ in 0..<2 { try await client.expect("answer 3") }
        }
    }

    @Test func theOldestMakeRoom() async throws {
        let server = try Server(.init(lifetime: .seconds(60), maximumSize: .kibibytes(400)))
        try await server.run(body: { _ in ResponseBody(byteBuffer: ByteBuffer(repeating: 65, count: 10_000)) }) { client in
            for number in 0..<100 {
                _ = try await client.response("/a?\(number)")
                // No other request follows that could make room.
                while try server.store.liveSize > .kibibytes(420) { await Task.yield() }
            }
            while try server.store.liveSize > .kibibytes(400) { await Task.yield() }
            while try client.cache.statistics.removed + server.store.count < 100 { await Task.yield() }
            #expect(client.cache.statistics.removed > 50 && client.cache.statistics.failures == 0)
            let calls = server.calls.count
            _ = try await client.response("/a?99")
            #expect(server.calls.count == calls)
            _ = try await client.response("/a?0")
            #expect(server.calls.count == calls + 1)
        }
    }

    @Test func aCacheThatFailsIsAsGoodAsNone() async throws {
        let server = try Server { $0.maximumSize = .kibibytes(128) }
        try await server.run(body: { _ in ResponseBody(byteBuffer: ByteBuffer(repeating: 65, count: 100_000)) }) { client in
            for number in 0..<3 { try await client.expect(String(repeating: "A", count: 100_000), "/a?\(number)") }
            #expect(client.cache.statistics.failures > 0)
        }
        let closed = try Server()
        try closed.store.close()
        try await closed.run { client in
            for number in 1..<3 { try await client.expect("answer \(number)") }
            #expect(try await client.response(method: .put).status == .ok)
            #expect(client.cache.statistics.failures == 5)
        }
        // What is damaged, or something else, is made again.
        let damaged = try Server()
        try await damaged.run { client in
            try await client.expect("answer 1")
            try damage("answer 1", in: damaged.store.path)
            try await client.expect("answer 2")
            try await client.expect("answer 2")
            for key in try damaged.store.keys() { try damaged.store.set("something else", for: key) }
            try await client.expect("answer 3")
            for key in try damaged.store.keys() { try damaged.store.set([0xFF] as [UInt8], for: key) }
            try await client.expect("answer 4")
            for key in try damaged.store.keys() { try damaged.store.set([MappedVariant.int(1), .int(200)], for: key) }
            try await client.expect("answer 5")
            #expect(client.cache.statistics.failures == 0)
        }
    }
}
#endif
