import CairnInspector
import CairnMapped
import CairnTestSupport
import Foundation
import Testing

/// Who gets an answer, and to what.
@Suite struct SecurityTests {
    private let directory: TemporaryDirectory
    private let store: MappedStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try MappedStore(path: directory.path("secrets.map"))
        try store.set("the-store's-value", for: "the-store's-key")
    }

    @Test func thePageIsServedUnderItsTokenOnly() async throws {
        try await inspecting(.mapped(store)) { (page) throws in
            #expect(page.token.count == 32 && page.token.allSatisfy(\.isHexDigit))
            #expect(try page.get("/\(page.token)/").status == 200)
            let others = [
                "/", "/x/", "//", "/\(page.token)x/", "/\(page.token.dropLast())/", "/\(String(repeating: "0", count: 32))/api/store",
                "/\(page.token.uppercased())A/", "/api/store", "/\(page.token)%00/", "/\(page.token)",
            ]
            for path in others {
                let answer = try page.get(path)
                #expect([400, 404].contains(answer.status), "\(path)")
                #expect(!answer.text.contains("store's"))
            }
        }
    }

    @Test func everyInspectorHasAnotherToken() throws {
        let tokens = try (0..<8).map { _ in try Inspector(.mapped(store)).url.path }
        #expect(Set(tokens).count == 8)
    }

    @Test func requestsForOtherHostsAreRefused() async throws {
        try await inspecting(.mapped(store)) { (page) throws in
            let path = "/\(page.token)/api/entries"
            for host in [page.host, "localhost:\(page.port)", "LOCALHOST:\(page.port)"] {
                #expect(try page.get(path, host: host).status == 200)
            }
            let others = [
                "evil.example", "evil.example:\(page.port)", "127.0.0.1", "localhost", "127.0.0.1:1", "127.0.0.1.evil.example:\(page.port)",
                "[::1]:\(page.port)", "", "localhost:\(page.port)@evil.example",
            ]
            for host in others {
                let answer = try page.get(path, host: host)
                #expect(answer.status == 403, "\(host)")
                #expect(!answer.text.contains("store's"))
            }
            #expect(try page.exchange("GET \(path) HTTP/1.1\r\n\r\n").status == 403)
            #expect(try page.exchange("GET \(path) HTTP/1.1\r\nHost: \(page.host)\r\nHost: evil.example\r\n\r\n").status == 400)
        }
    }

    @Test func requestsOfOtherPagesAreRefused() async throws {
        try await inspecting(.mapped(store)) { (page) throws in
            let path = "/\(page.token)/api/entries"
            #expect(try page.get(path, headers: "Origin: http://\(page.host)\r\n").status == 200)
            #expect(try page.get(path, headers: "Sec-Fetch-Site: same-origin\r\n").status == 200)
            for headers in [
                "Origin: http://evil.example\r\n", "Origin: null\r\n", "Origin: https://\(page.host)\r\n",
                "Origin: http://\(page.host).evil.example\r\n",
                "Sec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: same-site\r\n",
            ] { #expect(try page.get(path, headers: headers).status == 403, "\(headers)") }
        }
    }

    @Test func onlyReadingIsAllowed() async throws {
        try await inspecting(.mapped(store)) { (page) throws in
            for method in ["PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "X"] {
                #expect(try page.exchange("\(method) /\(page.token)/ HTTP/1.1\r\nHost: \(page.host)\r\n\r\n").status == 405, "\(method)")
            }
            let post = "POST /\(page.token)/api/entries HTTP/1.1\r\nHost: \(page.host)\r\nOrigin: http://\(page.host)\r\n"
            #expect(try page.exchange(post + "\r\n").status == 405)
            // Before there is a body.
            #expect(try page.exchange(post + "Content-Length: 1\r\n\r\n").status == 405)
        }
        #expect(try store.get("the-store's-key", as: String.self) == "the-store's-value")
    }

    @Test func aPageHasAnEntryAtLeast() async throws {
        try await inspecting(.mapped(store)) { (page) throws in
            #expect(try page.ask("entries", ["limit": "0"]).entries.list.count == 1)
        }
    }

    @Test func largeRequestsAreRefused() async throws {
        try await inspecting(.mapped(store)) { (page) throws in
            func get(_ path: String, _ headers: String = "") throws -> Int {
                try page.exchange("GET \(path) HTTP/1.1\r\nHost: \(page.host)\r\nConnection: close\r\n\(headers)\r\n").status
            }
            let long = String(repeating: "a", count: 8200)
            #expect(try get("/\(page.token)/api/entries?contains=" + String(repeating: "a", count: 8000)) == 200)
            #expect(try get("/\(page.token)/\(long)") == 414)
            #expect(try get("/\(page.token)/", "X: \(long)\r\nY: \(long)\r\n") == 431)
            #expect(try get("/\(page.token)/", String(repeating: "X: a\r\n", count: 70)) == 431)
            // A head that does not end.
            #expect(try page.exchange("GET /" + String(repeating: "a", count: 20_000)).status == 431)
            #expect(try get("/\(page.token)/", "Content-Length: 1\r\n") == 400)
            #expect(try get("/\(page.token)/", "Content-Length: 99999999999999999999\r\n") == 400)
            #expect(try get("/\(page.token)/", "Content-Length: 0\r\n") == 200)
        }
    }

    @Test(arguments: [
        "\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "GET http://a/ HTTP/1.1\r\n\r\n",
        "GET /../x HTTP/1.1\r\n\r\n", "GET /%2e%2e/x HTTP/1.1\r\n\r\n", "GET /%zz HTTP/1.1\r\n\r\n", "GET /%ff HTTP/1.1\r\n\r\n",
        "GET /\u{0} HTTP/1.1\r\n\r\n",
        "GET /?a=1&a=2 HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nNo colon\r\n\r\n", "GET / HTTP/1.1\r\n: empty\r\n\r\n",
        "GET / HTTP/1.1\r\nA : b\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\r\n folded\r\n\r\n", "GET / HTTP/1.1\r\nA: b\nC: d\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: 1\r\n\r\na",
        "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: +1\r\n\r\na", "GET /é HTTP/1.1\r\n\r\n",
    ])
    func whatIsNotARequestIsRefused(_ text: String) async throws {
        try await inspecting(.mapped(store)) { (page) throws in #expect(try page.exchange(text).status == 400) }
    }

    @Test func chunksAreRefused() async throws {
        try await inspecting(.mapped(store)) { (page) throws in
            let post = "GET /\(page.token)/ HTTP/1.1\r\nHost: \(page.host)\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            #expect(try page.exchange(post).status == 501)
        }
    }

    @Test func answersForbidWhatAPageDoesNotNeed() async throws {
        try await inspecting(.mapped(store)) { (page) throws in
            for path in [
                "/", "/\(page.token)/", "/\(page.token)/app.js", "/\(page.token)/api/entries", "/\(page.token)/api/entries?limit=x",
            ] {
                let answer = try page.get(path)
                let policy = try #require(answer.headers["content-security-policy"])
                #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"))
                #expect(answer.headers["x-content-type-options"] == "nosniff")
                #expect(answer.headers["referrer-policy"] == "no-referrer")
                #expect(answer.headers["cache-control"] == "no-store")
                #expect(answer.headers["access-control-allow-origin"] == nil)
            }
        }
    }

    @Test func aConnectionTakesSeveralRequests() async throws {
        try await inspecting(.mapped(store)) { (page) throws in
            let client = try Client(port: page.port)
            let request = "GET /\(page.token)/api/store HTTP/1.1\r\nHost: \(page.host)\r\n\r\n"
            for _ in 0..<3 {
                client.send(request.utf8)
                #expect(client.receive(until: "}").hasPrefix("HTTP/1.1 200 OK\r\n"))
            }
            // In pieces, and two at once.
            for byte in request.utf8 { client.send([byte]) }
            #expect(client.receive(until: "}").hasPrefix("HTTP/1.1 200 OK\r\n"))
            client.send((request + "GET /\(page.token)/api/none HTTP/1.1\r\nHost: \(page.host)\r\nConnection: close\r\n\r\n").utf8)
            let answers = String(decoding: client.receiveAll(), as: UTF8.self)
            #expect(answers.hasPrefix("HTTP/1.1 200") && answers.contains("HTTP/1.1 404"))
        }
    }

    @Test func connectionsAreLimited() async throws {
        try await inspecting(.mapped(store)) { (page) throws in
            var clients: [Client2] = []
            let request = "GET /\(page.token)/api/store HTTP/1.1\r\nHost: \(page.host)\r\n\r\n"
            // One after the other, and each stays: the server has surely accepted it.
            for _ in 0..<64 {
                let client = try Client2(port: page.port)
                clients.append(client)
                client.client.send(request.utf8)
                try #require(client.client.receive(until: "}").hasPrefix("HTTP/1.1 200"))
            }
            // Those that ask nothing make room for those that do.
            let another = try Client2(port: page.port)
            another.client.send(request.utf8)
            #expect(another.client.receive(until: "}").hasPrefix("HTTP/1.1 200"))
            for client in clients { client.client.send(request.utf8) }
            let served = clients.filter { $0.client.receive(until: "}").hasPrefix("HTTP/1.1 200") }
            #expect(served.count < 64)
        }
    }

    /// A client in an array.
    private final class Client2 {
        let client: Client

        init(port: UInt16) throws { client = try Client(port: port) }
    }

    @Test func itListensOnLoopbackOnly() async throws {
        let inspector = try Inspector(.mapped(store))
        #expect(inspector.url.host() == "127.0.0.1")
        // An address for everyone needs the name that browsers use.
        #expect(throws: InspectorError.self) { _ = try Inspector(.mapped(store), options: .init(address: "0.0.0.0")) }
        #expect(throws: InspectorError.self) { _ = try Inspector(.mapped(store), options: .init(address: "::")) }
    }

    @Test func errorsSayWhatToDo() throws {
        func code(_ options: Inspector.Options) -> InspectorError? {
            do {
                _ = try Inspector(.mapped(store), options: options)
                return nil
            } catch { return error }
        }
        #expect(code(.init(address: "nonsense"))?.code == .invalidOption)
        #expect(code(.init(address: "192.0.2.1"))?.code == .invalidOption)
        #expect(code(.init(hostName: "a b"))?.code == .invalidOption)
        let first = try? Inspector(.mapped(store))
        let port = UInt16(first?.url.port ?? 0)
        #expect(code(.init(port: port))?.code == .locked)
        withExtendedLifetime(first) {}
    }

    @Test func anInspectorRunsOnce() async throws {
        let inspector = try Inspector(.mapped(store))
        let task = Task { try await inspector.run() }
        task.cancel()
        try await task.value
        await #expect(throws: InspectorError.self) { try await inspector.run() }
    }
}
