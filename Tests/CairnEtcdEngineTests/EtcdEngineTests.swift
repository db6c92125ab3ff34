import CairnEtcdEngine
import CairnEtcdKit
import CairnHistoryKit
import CairnTestSupport
import Synchronization
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite(.enabled(if: EtcdServer.isInstalled, EtcdServer.missing), .endsWhenItHangs) struct EtcdEngineTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    // MARK: Reading

    @Test func `several ranges are read with few requests`() throws {
        let sent = Tally()
        let proxy = try Proxy(to: .port(scene.server.port)) { _ in
            sent.add()
            return false
        }
        let engine = try EtcdEngine(url: proxy.etcdURL(scene.prefix), options: Scene.options)
        try ServerChecks.rangesAreReadTogether(engine, sent: sent)
    }

    // MARK: Opening

    @Test func `several stores in a cluster know nothing of each other`() throws {
        let other = try Scene()
        let engines = [
            try scene.open(), try other.open(), try EtcdEngine(url: scene.server.url(scene.prefix + "/d"), options: Scene.options),
        ]
        try engines[0].put("1", "a")
        #expect(try engines.map { try $0.get("a") } == ["1", nil, nil])
        var commit = EngineCommit()
        commit.deleteRange(.all)
        try engines[0].commit(commit)
        try engines[2].put("2", "a")
        #expect(try engines[0].makeView().entries().isEmpty)
        commit = EngineCommit()
        commit.read("a", in: try engines[1].makeView())
        commit.put("2", for: "a")
        #expect(code { () throws(EngineError) in _ = try engines[0].commit(commit) } == .invalidArgument)
    }

    @Test func `a store that is missing is created only if that is wanted`() throws {
        #expect(code { () throws(EngineError) in _ = try scene.open { $0.createIfMissing = false } } == .notFound)
        #expect(code { () throws(EngineError) in _ = try scene.open { $0.readOnly = true } } == .notFound)
        try scene.open().put("1", "a")
        #expect(try scene.open { $0.createIfMissing = false }.get("a") == "1")
        let reader = try scene.open { $0.readOnly = true }
        #expect(try reader.isReadOnly && reader.get("a") == "1")
        #expect(code { () throws(EngineError) in try reader.put("2", "a") } == .readOnly)
    }

    @Test func `clients that create a store at once create one`() async throws {
        try await onThreads(6) { number in try scene.open().put("1", "\(number)") }
        #expect(try scene.open().makeView().entries().count == 6)
    }

    @Test func `a store that another client creates during an opening is opened`() throws {
        let proxy = try Proxy(to: scene.server.port)
        let isCreated = Atomic(false)
        proxy.refuse { [scene] request in
            // The client has found no store, and asks which keys there are.
            if String(decoding: request, as: UTF8.self).contains("keys_only"), !isCreated.exchange(true, ordering: .relaxed) {
                #expect(throws: Never.self) { try scene.open().put("1", "a") }
            }
            return false
        }
        #expect(try scene.open("store", proxy).makeView().entries().count == 1)
        let wasAsked = isCreated.load(ordering: .relaxed)
        #expect(wasAsked)
    }

    @Test(arguments: [
        "http://127.0.0.1:1/a", "etcd://", "etcd:///a", "etcd://127.0.0.1:x/a", "etcd://127.0.0.1:99999/a", "etcd://a,,b/a", "etcd://a b/a",
        "etcd://a/b c", "etcd://a//b", "etcd://a/b/", "etcd://a/b:c", "etcd://a/ä", "etcd://user@a/b", "etcd://a?b",
        "etcd://a/b?max-txn-ops=x", "etcd://a/b?max-txn-ops=3", "etcd://a/b?cert=",
    ])
    func `URLs that cannot be right are refused`(url: String) {
        #expect(code { () throws(EngineError) in _ = try EtcdEngine(url: url) } == .invalidArgument)
    }

    @Test func `an unknown parameter of a URL is named, unless it may be the end of a password`() {
        func message(_ url: String) -> String { failure { () throws(EngineError) in _ = try EtcdEngine(url: url) }?.message ?? "" }
        let unknown = message("etcd://a/b?foo=bar")
        #expect(unknown.contains("'foo'") && !unknown.contains("bar") && unknown.contains("max-txn-ops"), "\(unknown)")
        let odd = message("etcd://a/b?max-txn-ops=many")
        #expect(odd.contains("max-txn-ops") && !odd.contains("unknown") && !odd.contains("many"), "\(odd)")
        for url in ["etcd://user:pa?ssw0rd@host/a", "etcd://user:pa?ssw=0rd@host/a"] {
            #expect(!message(url).contains("ssw") && !message(url).contains("0rd"), "\(message(url))")
        }
    }

    @Test func `schemes are taken in upper case too`() throws {
        try scene.open().put("1", "a")
        let url = "ETCD" + scene.server.url(scene.prefix).dropFirst("etcd".count)
        #expect(try EtcdEngine(url: url, options: Scene.options).get("a") == "1")
    }

    @Test func `times of all lengths are taken`() throws {
        for seconds in [1.6e20, -1.6e20] {
            let engine = try scene.open {
                $0.retryTimeout = .seconds(seconds)
                // A negative one would end each attempt.
                if seconds > 0 { ($0.connectTimeout, $0.requestTimeout) = (.seconds(seconds), .seconds(seconds)) }
            }
            try engine.put("1", "a")
            #expect(try engine.get("a") == "1")
            try engine.close()
        }
    }

    @Test func `keys of others are left alone, and later formats refused`() throws {
        for (value, expected) in [
            ([UInt8]("{}".utf8), EngineError.Code.foreignFile), ([], .foreignFile), ([1, 1, 200], .foreignFile),
            ([3, 1], .notSupported), ([0, 1], .notSupported),
        ] {
            try scene.server.session.put(scene.prefix + ":c", value)
            #expect(code { () throws(EngineError) in _ = try scene.open() } == expected)
        }
    }

    /// Only stores whose prefixes begin with this one are beside it.
    @Test func `a prefix under which another program has keys is refused`() throws {
        for key in ["", "/config", "/a/b", "/a:b", ":xab", ":songs", "/a:", "/ä:c"] {
            let scene = try Scene()
            try scene.server.session.put(scene.prefix + key, [1])
            let error = failure { () throws(EngineError) in _ = try scene.open() }
            #expect(error?.code == .foreignFile && error?.message.contains(scene.prefix) == true, "\(key): \(String(describing: error))")
            #expect(code { () throws(EngineError) in _ = try scene.open { $0.createIfMissing = false } } == .foreignFile)
            #expect(try scene.server.session.count(prefix: scene.prefix) == 1)
        }
        for prefix in ["/a", "/b/c", "2", "-x"] {
            try EtcdEngine(url: scene.server.url(scene.prefix + prefix), options: Scene.options).put("1", "a")
        }
        try scene.server.session.put(scene.prefix + "3", [1])
        #expect(code { () throws(EngineError) in _ = try scene.open { $0.createIfMissing = false } } == .notFound)
        try scene.open().put("1", "a")
        // A store that is there is opened, whatever has come since.
        try scene.server.session.put(scene.prefix + "/config", [1])
        #expect(try scene.open().get("a") == "1")
    }

    @Test func `a store that has lost its commit key is not begun again`() throws {
        let engine = try scene.open()
        try engine.put("1", "a")
        try scene.server.session.delete(prefix: scene.prefix + ":c")
        #expect(code { () throws(EngineError) in _ = try scene.open() } == .corruption)
        let error = failure { () throws(EngineError) in try engine.put("2", "a") }
        #expect(error?.message.contains("deleted or replaced") == true, "\(String(describing: error))")
    }

    @Test func `a store that was replaced is refused`() throws {
        let engine = try scene.open()
        try engine.put("1", "a")
        try scene.server.session.delete(prefix: scene.prefix + ":")
        let other = try scene.open()
        try other.put("2", "a")
        let errors = [
            failure { () throws(EngineError) in try engine.put("3", "a") }, failure { () throws(EngineError) in _ = try engine.makeView() },
        ]
        for error in errors {
            #expect(error?.code == .unavailable && error?.message.contains("replaced") == true, "\(String(describing: error))")
        }
        #expect(try other.get("a") == "2")
    }

    @Test func `endpoints are tried in turn`() throws {
        let url = "etcd://127.0.0.1:1,127.0.0.1:\(scene.server.port)/\(scene.prefix)"
        try EtcdEngine(url: url).put("1", "a")
        #expect(try scene.open().get("a") == "1")
        let error = failure { () throws(EngineError) in _ = try EtcdEngine(url: "etcd://127.0.0.1:1,127.0.0.1:2/a") }
        #expect(error?.code == .unavailable)
    }

    @Test func `errors of connecting say where, and what to do`() throws {
        let stranger = try ForeignServer(answer: "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        for (url, parts) in [
            ("etcd://127.0.0.1:1,[::1]:2/a", ["'a' on 127.0.0.1:1,[::1]:2: ", "cannot be reached"]),
            ("etcd://127.0.0.1:\(stranger.port)/a", ["on 127.0.0.1:\(stranger.port): ", "is not etcd", "etcds://"]),
            ("etcds://127.0.0.1:\(scene.server.port)/a", ["begins with etcds:// if the server uses TLS"]),
            // With the default port.
            ("etcd://user@host1,host2:1/a", ["'a' on host1:2379,host2:1: "]),
        ] {
            let error = failure { () throws(EngineError) in _ = try EtcdEngine(url: url) }
            for part in parts { #expect(error?.message.contains(part) == true, "\(url): \(String(describing: error))") }
        }
    }

    @Test func `programs that are started do not inherit connections`() throws {
        // Of its own: proxies of other tests are connected to the shared one.
        let server = try EtcdServer()
        let engine = try Scene(server).open()
        try engine.put("1", "a")
        let connections = Self.connections(to: server.port)
        #expect(!connections.isEmpty)
        for connection in connections { #expect(fcntl(connection, F_GETFD) & FD_CLOEXEC != 0) }
        try engine.close()
    }

    /// The sockets of this process that are connected to a port.
    private static func connections(to port: UInt16) -> [Int32] {
        (0..<4096).filter { descriptor in
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isConnected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getpeername(descriptor, $0, &size) == 0 }
            }
            return isConnected && address.sin_family == sa_family_t(AF_INET) && UInt16(bigEndian: address.sin_port) == port
        }
    }

    // MARK: Users

    @Test func `users need their passwords and rights, and no message has a password`() throws {
        let server = try EtcdServer()
        let session = server.session
        func base64(_ text: String) -> String { EtcdSession.base64(Array(text.utf8)) }
        let calls = [
            ("user/add", "{\"name\":\"root\",\"password\":\"r\"}"), ("user/add", "{\"name\":\"music\",\"password\":\"s3\\\"cret\"}"),
            ("user/grant", "{\"user\":\"root\",\"role\":\"root\"}"), ("role/add", "{\"name\":\"songs\"}"),
            (
                "role/grant",
                "{\"name\":\"songs\",\"perm\":{\"permType\":\"READWRITE\",\"key\":\"\(base64("songs:"))\",\"range_end\":\"\(base64("songs;"))\"}}"
            ),
            ("user/grant", "{\"user\":\"music\",\"role\":\"songs\"}"), ("enable", "{}"),
        ]
        for (path, body) in [("role/add", "{\"name\":\"root\"}")] + calls { try session.post("/v3/auth/\(path)", body) }
        let url = "127.0.0.1:\(server.port)/songs"
        var options = EtcdEngineOptions()
        options.user = "music"
        options.password = "s3\"cret"
        try EtcdEngine(url: "etcd://\(url)", options: options).put("1", "a")
        #expect(try EtcdEngine(url: "etcd://music:s3\"cret@\(url)").get("a") == "1")
        let others = [
            "etcd://\(url)", "etcd://music:wr0ng@\(url)", "etcd://nobody:wr0ng@\(url)",
            "etcd://music:s3\"cret@127.0.0.1:\(server.port)/other",
        ]
        for other in others {
            let error = failure { () throws(EngineError) in _ = try EtcdEngine(url: other) }
            #expect(error?.code == .permissionDenied, "\(other): \(String(describing: error))")
            let text = "\(String(describing: error)) \(error?.fullDescription ?? "")"
            #expect(!text.contains("s3") && !text.contains("wr0ng"))
            // Without a user, that is what is missing.
            #expect(error?.message.contains("etcd://USER@") == (other == others[0]), "\(other): \(String(describing: error))")
        }
    }

    @Test func `a token that is no longer valid is renewed`() throws {
        let server = try EtcdServer()
        let session = server.session
        for (path, body) in [
            ("user/add", "{\"name\":\"root\",\"password\":\"r\"}"), ("role/add", "{\"name\":\"root\"}"),
            ("user/grant", "{\"user\":\"root\",\"role\":\"root\"}"), ("enable", "{}"),
        ] { try session.post("/v3/auth/\(path)", body) }
        let engine = try EtcdEngine(url: "etcd://root:r@127.0.0.1:\(server.port)/songs")
        let other = try EtcdEngine(url: "etcd://root:r@127.0.0.1:\(server.port)/songs")
        try engine.put("1", "a")
        // What users may do has changed: all tokens are old.
        try other.changeUsers(session)
        #expect(try engine.put("2", "a") > EngineVersion(rawValue: 0))
        #expect(try other.get("a") == "2")
    }

    @Test(.enabled(if: Certificates.arePossible, Certificates.missing)) func `servers and clients are known by their certificates`() throws
    {
        let directory = try TemporaryDirectory()
        let files = try Certificates(in: directory.path)
        let server = try EtcdServer(files.arguments, hasTLS: true)
        let url = "127.0.0.1:\(server.port)/songs"
        var options = EtcdEngineOptions()
        options.certificateAuthority = files.path("ca.pem")
        options.clientCertificate = files.path("client.pem")
        options.clientKey = files.path("client.key")
        let engine = try EtcdEngine(url: "etcds://\(url)", options: options)
        let version = try engine.put("1", "a")
        let parameters = "cacert=\(files.path("ca.pem"))&cert=\(files.path("client.pem"))&key=\(files.path("client.key"))"
        #expect(try EtcdEngine(url: "etcds://\(url)?\(parameters)").get("a") == "1")
        // Another authority, none, files that are missing, a client without a certificate, and no TLS.
        let others = [
            (
                "etcds://\(url)?cacert=\(files.path("other.pem"))&cert=\(files.path("client.pem"))&key=\(files.path("client.key"))",
                EngineError.Code.invalidArgument
            ),
            ("etcds://\(url)?cert=\(files.path("client.pem"))&key=\(files.path("client.key"))", .invalidArgument),
            ("etcds://\(url)?cacert=\(files.path("none.pem"))", .invalidArgument),
            (
                "etcds://\(url)?cacert=\(files.path("ca.pem"))&cert=\(files.path("none.pem"))&key=\(files.path("client.key"))",
                .invalidArgument
            ),
            ("etcds://\(url)?cacert=\(files.path("ca.pem"))", .unavailable), ("etcd://\(url)", .unavailable),
            // Another attempt may reach the other endpoint.
            ("etcds://127.0.0.1:\(server.port),127.0.0.1:1/songs?cacert=\(files.path("other.pem"))", .unavailable),
        ]
        for (other, expected) in others {
            let error = failure { () throws(EngineError) in _ = try EtcdEngine(url: other) }
            #expect(error?.code == expected, "\(other): \(String(describing: error))")
            let isEncrypted = other.hasPrefix("etcds")
            #expect(isEncrypted || error?.message.contains("etcds://") == true, "\(other): \(String(describing: error))")
            // The server's answer may be overtaken by the end of the connection.
            let isRejected = error?.code == .unavailable && (error?.cause as? EtcdError)?.message.contains("certificate") == true
            #expect(!isRejected || error?.message.contains("(cert=… and key=…)") == true, "\(other): \(String(describing: error))")
        }
        #expect(engine.latestVersion == version)
    }

    // MARK: Sizes

    @Test func `longer keys are refused, and no flag allows them`() throws {
        var commit = EngineCommit()
        commit.put("1", for: [UInt8](repeating: 0, count: 8193))
        let error = failure { () throws(EngineError) in try scene.open().commit(commit) }
        #expect(error?.code == .tooLarge && error?.message.contains("8192") == true && error?.message.contains("--max") == false)
    }

    @Test func `commits beyond the limits of the server are refused early`() throws {
        let engine = try EtcdEngine(url: scene.server.url(scene.prefix))
        var commit = EngineCommit()
        for number in 0..<121 { commit.put("1", for: "\(number)") }
        var error = failure { () throws(EngineError) in try engine.commit(commit) }
        #expect(error?.code == .tooLarge && error?.message.contains("--max-txn-ops") == true)
        commit = EngineCommit()
        commit.deleteRange(.all)
        for number in 0..<60 { commit.put("1", for: "\(number)") }
        error = failure { () throws(EngineError) in try engine.commit(commit) }
        #expect(error?.code == .tooLarge && error?.message.contains("counts twice") == true)
        #expect(error?.message.contains("max-txn-ops=") == true)
        commit = EngineCommit()
        for number in 0..<3 { commit.put([UInt8](repeating: 1, count: 500_000), for: "\(number)") }
        error = failure { () throws(EngineError) in try engine.commit(commit) }
        #expect(error?.code == .tooLarge && error?.message.contains("--max-request-bytes") == true)
        #expect(try engine.makeView().entries().isEmpty)
        // Just within them.
        commit = EngineCommit()
        commit.deleteRange(KeyRange(prefix: "1"))
        for number in 0..<119 { commit.put([UInt8](repeating: 1, count: 11_000), for: "x\(number)") }
        try engine.commit(commit)
        #expect(try engine.makeView().entries().count == 119)
    }

    @Test func `limits that the server does not have are its errors`() throws {
        let engine = try scene.open {
            $0.limits.operations = 10_000
            $0.limits.requestBytes = 16 << 20
        }
        var commit = EngineCommit()
        for number in 0..<1000 { commit.put("1", for: "\(number)") }
        var error = failure { () throws(EngineError) in try engine.commit(commit) }
        #expect(error?.code == .tooLarge && error?.message.contains("--max-txn-ops") == true, "\(String(describing: error))")
        commit = EngineCommit()
        commit.put([UInt8](repeating: 1, count: 3 << 20), for: "a")
        error = failure { () throws(EngineError) in try engine.commit(commit) }
        #expect(error?.code == .tooLarge && error?.message.contains("--max-request-bytes") == true, "\(String(describing: error))")
        #expect(try engine.makeView().entries().isEmpty)
    }

    @Test func `many reads and ranges are compared as few are`() throws {
        let (engine, other) = (try EtcdEngine(url: scene.server.url(scene.prefix)), try scene.open())
        for reads in [1, 120, 121, 122, 1000] {
            for key in ["0", "\(reads - 1)", "x", nil] {
                let view = try engine.makeView()
                try other.put("1", key ?? "y")
                var commit = EngineCommit()
                for number in 0..<reads { commit.read("\(number)", in: view) }
                if key == "x" { commit.read(KeyRange(prefix: "x"), in: view) }
                commit.put("\(reads)", for: "result")
                let found = code { () throws(EngineError) in try engine.commit(commit) }
                #expect(found == (key == nil ? nil : .conflict), "\(reads) reads, \(key ?? "no key") written")
            }
        }
    }

    @Test func `a range that was read is compared by itself, unless it is large`() throws {
        let sent = Tally()
        let proxy = try scene.proxy(countingCommitsIn: sent)
        let (engine, other) = (try EtcdEngine(url: proxy.etcdURL(scene.prefix), options: Scene.options), try scene.open())
        for isLarge in [false, true] {
            for first in stride(from: 0, to: isLarge ? 1_100 : 1, by: 100) {
                var entries = EngineCommit()
                for number in first..<first + (isLarge ? 100 : 10) { entries.put("1", for: "a\(number)") }
                try other.commit(entries)
            }
            for change in ["b", "a5", "a5+", "-a5"] {
                let view = try engine.makeView()
                #expect(try view.entries(KeyRange(prefix: "a")).count >= 9)
                if change.hasPrefix("-") {
                    var deletion = EngineCommit()
                    deletion.delete(change.dropFirst())
                    try other.commit(deletion)
                } else {
                    try other.put("2", change)
                }
                var commit = EngineCommit()
                commit.read(KeyRange(prefix: "a"), in: view)
                commit.put(change, for: "result")
                let before = sent.count
                let found = code { () throws(EngineError) in try engine.commit(commit) }
                #expect(found == (change == "b" ? nil : .conflict), "\(change) is written; large: \(isLarge)")
                if change == "b" { #expect(sent.count - before == (isLarge ? 2 : 1)) }
            }
        }
    }

    @Test func `a key that was deleted since it was read is a conflict, and so is one that came back`() throws {
        let (engine, other) = (try scene.open(), try scene.open())
        for comesBack in [false, true] {
            try other.put("1", "a")
            let view = try engine.makeView()
            var deletion = EngineCommit()
            deletion.delete("a")
            try other.commit(deletion)
            if comesBack { try other.put("1", "a") }
            var commit = EngineCommit()
            commit.read("a", in: view)
            commit.put("1", for: "result")
            #expect(code { () throws(EngineError) in try engine.commit(commit) } == .conflict)
        }
        #expect(try engine.get("result") == nil)
    }

    @Test func `deletions of one area and of many are noticed`() throws {
        let (engine, other) = (try scene.open(), try scene.open())
        let keys = ["a1", "b1", "c1", "d1", "e1"]
        // What is deleted, and what was read.
        let two = KeyRange(lowerBound: Array("a1".utf8), upperBound: Array("c".utf8))
        let deletions: [([String], KeyRange?)] = [(["a1"], nil), (keys, nil), ([], KeyRange(prefix: "a")), ([], two), ([], .all)]
        for (number, (deletedKeys, range)) in deletions.enumerated() {
            for reads in [["a1"], keys] {
                var entries = EngineCommit()
                for key in keys { entries.put("1", for: key) }
                try other.commit(entries)
                let view = try engine.makeView()
                var deletion = EngineCommit()
                for key in deletedKeys { deletion.delete(key) }
                if let range { deletion.deleteRange(range) }
                try other.commit(deletion)
                var commit = EngineCommit()
                for key in reads { commit.read(key, in: view) }
                commit.put("1", for: "result")
                let found = code { () throws(EngineError) in try engine.commit(commit) }
                #expect(found == .conflict, "deletion \(number), \(reads.count) keys were read")
            }
        }
    }

    /// Format 1 has one key for all deletions.
    @Test func `the format of a store is raised when it is opened, but not by readers`() throws {
        try scene.open().put("1", "a")
        func format() throws -> UInt8? { try scene.server.session.value(scene.prefix + ":c")?.first }
        #expect(try format() == 2)
        try scene.server.session.put(scene.prefix + ":c", [1, 0])
        #expect(try scene.open { $0.readOnly = true }.get("a") == "1")
        #expect(try format() == 1)
        let engine = try scene.open()
        #expect(try format() == 2)
        #expect(try engine.get("a") == "1")
    }

    @Test func `pages and batches of all sizes are whole`() throws {
        try ServerChecks.pagesAreWhole(scene.open { $0.connections = 1 }, perCommit: 500, largeOnes: 500)
    }

    // MARK: Old revisions

    /// A compaction concerns the whole cluster, so the engine does not ask for one.
    @Test func `former values are there until the cluster is compacted, and the engine says so`() throws {
        let server = try EtcdServer()
        let scene = try Scene(server)
        let (engine, reader) = (try scene.open(), try scene.open { $0.readOnly = true })
        #expect(try !reader.keepsFormerData(in: .all))
        try engine.put("secret", "key")
        try engine.put("1", "a")
        let view = try engine.makeView()
        var commit = EngineCommit()
        commit.delete("key")
        try engine.commit(commit)
        let former = try server.session.revision() - 1
        func formerValue() throws -> String? {
            let key = EtcdSession.base64(Array("\(scene.prefix):d:key".utf8))
            let answer = try server.session.post("/v3/kv/range", "{\"key\":\"\(key)\",\"revision\":\"\(former)\"}")
            return (answer["kvs"] as? [[String: Any]])?.first?["value"] as? String
        }
        try engine.removeFormerData(in: KeyRange(prefix: "key"))
        #expect(try formerValue() == EtcdSession.base64(Array("secret".utf8)) && view.text("key") == "secret")
        #expect(try engine.keepsFormerData(in: KeyRange(prefix: "key")) && reader.keepsFormerData(in: .all))
        try server.session.compact()
        #expect(try formerValue() == nil)
        #expect(try !engine.keepsFormerData(in: KeyRange(prefix: "key")) && !reader.keepsFormerData(in: .all))
        // Overwritten, not deleted.
        try engine.put("2", "a")
        #expect(try engine.keepsFormerData(in: KeyRange(prefix: "a")) && !engine.keepsFormerData(in: KeyRange(prefix: "key")))
        try server.session.compact()
        #expect(try !engine.keepsFormerData(in: .all))
    }

    @Test func `views that were compacted say so, and others stay what they are`() async throws {
        let server = try EtcdServer()
        try await withSeeds("compaction", count: Thorough.count(2, of: 30)) { random in
            let engine = try Scene(server).open()
            var model: [String: String] = [:]
            var held: [(view: any EngineView, model: [String: String], isOld: Bool)] = []
            for round in 1...60 {
                var commit = EngineCommit()
                for _ in 0..<random.int(in: 1..<10) {
                    let key = "\(random.int(in: 0..<60))"
                    let value = random.oneIn(3) ? nil : "\(round)"
                    model[key] = value
                    if let value { commit.put(value, for: key) } else { commit.delete(key) }
                }
                try engine.commit(commit)
                if random.oneIn(4) { held.append((try engine.makeView(), model, false)) }
                guard round % 20 == 0 else { continue }
                try engine.put("\(round)", "round")
                model["round"] = "\(round)"
                try server.session.compact()
                for index in held.indices { held[index].isOld = true }
                held.append((try engine.makeView(), model, false))
                for (view, model, isOld) in held {
                    guard !isOld else {
                        #expect(code { () throws(EngineError) in _ = try view.get("0") } == .expired)
                        #expect(code { () throws(EngineError) in _ = try view.multiGet(["0", "1"]) } == .expired)
                        #expect(code { () throws(EngineError) in _ = try view.entries(reverse: true) } == .expired)
                        continue
                    }
                    let entries = try view.entries().map {
                        (String(decoding: $0.key, as: UTF8.self), String(decoding: $0.value, as: UTF8.self))
                    }
                    #expect(Dictionary(uniqueKeysWithValues: entries) == model)
                }
            }
        }
    }

    // MARK: Order

    @Test func `followers get each commit of all engines once and in order`() async throws {
        let engines = [try scene.open(), try scene.open(), try scene.open()]
        let changes = try engines.map { try $0.changes() }
        let rounds = Thorough.count(30, of: 300)
        try await onThreads(6) { number in for round in 0..<rounds { try engines[number % 3].put("\(round)", "\(number)") } }
        var orders: [[EngineVersion]] = []
        for changes in changes {
            var iterator = changes.makeAsyncIterator()
            var versions: [EngineVersion] = []
            for _ in 0..<6 * rounds {
                let change = try #require(try await iterator.next())
                #expect(!change.isEverything && change.keys.count == 1)
                versions.append(change.version)
            }
            orders.append(versions)
        }
        #expect(orders[0] == orders[1] && orders[0] == orders[2] && orders[0] == orders[0].sorted())
        for engine in engines { try engine.close() }
    }

    @Test func `commits that are no longer kept, or very large, are everything`() async throws {
        let server = try EtcdServer()
        let scene = try Scene(server)
        let (engine, other) = (try scene.open(), try scene.open())
        let start = try engine.makeView().version
        for _ in 0..<3 { try other.put("1", "a") }
        let last = try other.put("1", "a")
        try server.session.compact()
        let late = try scene.open()
        var iterator = try late.changes(after: start).makeAsyncIterator()
        let first = try await iterator.next()
        #expect(first?.isEverything == true && first?.version == last)
        var commit = EngineCommit()
        for number in 0..<800 {
            commit.put("", for: "key \(number) of a length that makes it too many bytes: \(String(repeating: "x", count: 60))")
        }
        let version = try other.commit(commit)
        let second = try await iterator.next()
        #expect(second?.isEverything == true && second?.version == version)
    }
}

extension EtcdEngine {
    /// Makes all tokens old.
    fileprivate func changeUsers(_ session: EtcdSession) throws {
        var request = try session.post("/v3/auth/authenticate", "{\"name\":\"root\",\"password\":\"r\"}")
        let token = request.removeValue(forKey: "token") as? String
        try session.post("/v3/auth/role/add", "{\"name\":\"another\"}", token: token)
    }
}
