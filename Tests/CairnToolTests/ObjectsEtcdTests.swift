import CairnEtcdGraph
import CairnEtcdKit
import CairnRocksGraph
import CairnSQLiteGraph
import CairnTestSupport
import Foundation
import Testing

/// `cairn objects` with stores in etcd.
@Suite(.enabled(if: EtcdServer.isInstalled, EtcdServer.missing), .timeLimit(.minutes(30))) struct ObjectsEtcdTests {
    // Lives as long as the test.
    private let playground: Playground
    private let server: EtcdServer
    private let url: String
    private let classes: [any StoredObject.Type] = [ToolSong.self, ToolAlbum.self]

    init() throws {
        playground = try Playground()
        server = try #require(EtcdServer.shared)
        url = server.url(EtcdServer.newPrefix()) + "?max-txn-ops=\(EtcdServer.operations)"
    }

    private func fill(_ store: ObjectStore, _ numbers: Range<Int>) throws {
        try store.write { context in
            for number in numbers { context.insert(ToolSong(title: "song \(number)", seconds: number)) }
        }
    }

    private func objects(_ arguments: String..., stdin: String = "") throws -> ToolResult {
        try runTool("cairn", ["objects"] + arguments, stdin: stdin)
    }

    @Test func eachCommandTakesAURL() throws {
        let (store, rows) = (try ObjectStore(etcd: url, classes: classes), playground.path("rows.jsonl"))
        try fill(store, 0..<2)
        let info = try objects("info", url, "--json")
        #expect(info.status == 0 && info.standardOutput.contains(#""Song""#), "\(info)")
        #expect(try objects("find", url, "Song", "--where", "title == 'song 1'", "--count").standardOutput == "1\n")
        #expect(try objects("verify", url).status == 0)
        try Data("{\"title\":\"new\",\"seconds\":3}\n".utf8).write(to: URL(fileURLWithPath: rows))
        #expect(try objects("import", url, rows, "--class", "Song").status == 0)
        #expect(try store.read { try $0.count(ToolSong.self) } == 3)
        let doctor = try runTool("cairn", [url])
        #expect(doctor.status == 0 && doctor.standardOutput.contains("object store in an etcd cluster"), "\(doctor)")
        let shell = try runTool("cairn", ["shell", url], stdin: "find Song --count\ndoctor\n")
        #expect(shell.status == 0 && shell.standardOutput.hasPrefix("3\n"), "\(shell)")
        try store.close()
    }

    @Test func placesWithoutAStoreAreReported() throws {
        let missing = try objects("info", url)
        #expect(missing.status == 3 && missing.standardError.contains("There is no object store at '\(url)'"), "\(missing)")
        for arguments in [["objects", "info"], ["doctor"]] {
            let away = try runTool("cairn", arguments + ["etcd://127.0.0.1:1/songs"])
            let said = away.standardError + away.standardOutput
            // With what libcurl reports.
            #expect(away.status == 3 && said.contains("cannot be reached") && said.contains("port 1"), "\(away)")
            // What is there is not known.
            #expect(!said.contains("is an object store"), "\(away)")
        }
        for text in ["etcd://host/a:b", "etcd://", "etcd://host/a?bogus=1", "etcd://host/a?max-txn-ops=abc", "etcd://host:port/a"] {
            for arguments in [["objects", "info"], ["doctor"], ["objects", "move", playground.path("none")]] {
                let result = try runTool("cairn", arguments + [text])
                #expect(result.status == 2 && result.standardOutput.isEmpty, "\(result)")
            }
        }
        let unknown = try objects("info", "etcd://host/a?bogus=1")
        #expect(unknown.standardError.contains("'bogus'"), "\(unknown)")
        for text in ["etcd://music:wr0ng@host/songs", "etcds://music:wr0ng@host:1,host:2/songs", "ETCD://music:wr0ng@host/songs"] {
            for arguments in [["objects", "info"], ["objects", "move", playground.path("none")], ["doctor"], ["shell"], []] {
                let result = try runTool("cairn", arguments + [text])
                #expect(result.status == 2 && result.standardError.contains("--password-file"), "\(result)")
                #expect(!(result.standardError + result.standardOutput).contains("wr0ng"), "\(result)")
            }
        }
    }

    @Test func passwordsComeFromFiles() throws {
        let server = try EtcdServer()
        for (path, body) in [
            ("user/add", "{\"name\":\"root\",\"password\":\"right#/@1\"}"), ("role/add", "{\"name\":\"root\"}"),
            ("user/grant", "{\"user\":\"root\",\"role\":\"root\"}"), ("enable", "{}"),
        ] { try server.session.post("/v3/auth/\(path)", body) }
        let place = "etcd://root@127.0.0.1:\(server.port)/songs"
        try fill(ObjectStore(etcd: place, password: "right#/@1", classes: classes), 0..<1)
        #expect(try objects("verify", place, "--password-file", playground.file("right", "right#/@1\n")).status == 0)
        let refused = try objects("info", place, "--password-file", playground.file("wrong", "wr0ng"))
        #expect(refused.status == 3 && !refused.standardError.contains("wr0ng"), "\(refused)")
        #expect(
            refused.standardError.contains("the server rejects the user") && refused.standardError.contains("CAIRN_PASSWORD"),
            "\(refused)"
        )
        let anonymous = try objects("info", "etcd://127.0.0.1:\(server.port)/songs")
        #expect(anonymous.status == 3 && anonymous.standardError.contains("etcd://USER@"), "\(anonymous)")
        let missing = try objects("info", place)
        #expect(missing.status == 2 && missing.standardError.contains("CAIRN_PASSWORD"), "\(missing)")
        let given = try runTool("cairn", ["objects", "verify", place], environment: ["CAIRN_PASSWORD": "right#/@1"])
        #expect(given.status == 0, "\(given)")
        // A place without a user takes no password, of which the other one has need.
        let moved = try runTool("cairn", ["objects", "move", place, url], environment: ["CAIRN_PASSWORD": "right#/@1"])
        #expect(moved.status == 0, "\(moved)")
        #expect(try objects("info", url, "--password-file", playground.path("right")).status == 2)
    }

    /// A dry run says so, whether there is a store or not, and changes nothing.
    @Test func rightsThatAreMissingAreFoundFirst() throws {
        let (server, directory) = (try EtcdServer(), playground.path("music.store"))
        try fill(ObjectStore(path: directory, classes: classes), 0..<3)
        let empty = server.url("empty")
        try EtcdEngine(url: empty).close()
        func base64(_ text: String) -> String { EtcdSession.base64(Array(text.utf8)) }
        func grant(_ type: String) -> String {
            "{\"name\":\"reader\",\"perm\":{\"permType\":\"\(type)\",\"key\":\"\(base64("a"))\",\"range_end\":\"\(base64("z"))\"}}"
        }
        for (path, body) in [
            ("user/add", "{\"name\":\"root\",\"password\":\"r\"}"), ("role/add", "{\"name\":\"root\"}"),
            ("user/grant", "{\"user\":\"root\",\"role\":\"root\"}"), ("role/add", "{\"name\":\"reader\"}"),
            ("role/grant", grant("READ")), ("user/add", "{\"name\":\"reader\",\"password\":\"right\"}"),
            ("user/grant", "{\"user\":\"reader\",\"role\":\"reader\"}"), ("enable", "{}"),
        ] { try server.session.post("/v3/auth/\(path)", body) }
        let password = try playground.file("password", "right\n")
        let root = try playground.file("root", "r\n")
        for prefix in ["empty", "none"] {
            let place = "127.0.0.1:\(server.port)/\(prefix)"
            let plan = try objects("move", directory, "etcd://reader@\(place)", "--dry-run", "--password-file", password)
            #expect(plan.status == 1 && plan.standardOutput.contains(/\nrefused: .*the user lacks a permission/), "\(plan)")
            let other = try objects("move", directory, "etcd://root@\(place)", "--dry-run", "--password-file", root)
            #expect(other.status == 0, "\(other)")
        }
        let info = try objects("info", "etcd://root@127.0.0.1:\(server.port)/none", "--password-file", root)
        #expect(info.status == 3 && info.standardError.contains("There is no object store"), "\(info)")
        var options = EtcdEngineOptions()
        (options.user, options.password) = ("root", "r")
        #expect(try EtcdEngine(url: empty, options: options).makeView().entries().isEmpty)
    }

    @Test func fromRocksDBToEtcdAndToSQLite() throws {
        let (directory, file) = (playground.path("music.store"), "sqlite:" + playground.path("music.sqlite"))
        let count = Thorough.count(1000, of: 20_000)
        try fill(ObjectStore(path: directory, classes: classes), 0..<count)
        let plan = try objects("move", directory, url, "--dry-run")
        #expect(plan.status == 0 && plan.standardOutput.contains("Entries"), "\(plan)")
        let before = try objects("export", "rocksdb:" + directory).standardOutput
        let moved = try objects("move", directory, url)
        #expect(moved.status == 0 && moved.standardOutput.contains("and compared them"), "\(moved)")
        #expect(try objects("export", url).standardOutput == before)
        // The same place with other parameters.
        let again = try objects("move", directory, url + "&max-request-bytes=1000000")
        #expect(again.status == 0 && again.standardOutput.contains("already been moved"), "\(again)")
        try fill(ObjectStore(etcd: url, classes: classes), count..<count + 10)
        let after = try objects("export", url).standardOutput
        #expect(try objects("move", url, file).status == 0)
        #expect(try objects("export", file).standardOutput == after)
        let store = try ObjectStore(sqlite: playground.path("music.sqlite"), classes: classes)
        #expect(try store.verify().isIntact)
        #expect(try store.read { try $0.fetch(ToolSong.self).map(\.title) } == (0..<count + 10).map { "song \($0)" })
        #expect(throws: ObjectStoreError.self) { try ObjectStore(etcd: url, classes: classes) }
    }

    /// What etcd does not take is said before anything is moved.
    @Test func aDryRunKnowsTheLimits() throws {
        let directory = playground.path("music.store")
        let store = try ObjectStore(path: directory, classes: classes)
        try store.write { $0.insert(ToolSong(title: String(repeating: "long ", count: 3000))) }
        try store.close()
        let plan = try objects("move", directory, url, "--dry-run")
        #expect(plan.status == 1 && plan.standardOutput.contains("allows only 8192"), "\(plan)")
    }

    /// With the flags to raise, whether the store is encrypted or not, and in words that the tool has.
    @Test func whatIsTooLargeIsSaidWithTheFlagsToRaise() throws {
        let lines = try export(200)
        let key = try playground.file("key", [UInt8](repeating: 7, count: 32))
        for options in [[], ["--key-file", key]] {
            let small = server.url(EtcdServer.newPrefix())
            let refused = try runTool("cairn", ["objects", "import", small, lines, "--create"] + options)
            #expect(refused.status == 3 && refused.standardError.contains("--max-txn-ops"), "\(refused)")
            #expect(!refused.standardError.contains("EtcdEngineOptions") && !refused.standardError.contains("maximum"), "\(refused)")
            #expect(try objects("info", small).status == 3)
            let fits = try runTool("cairn", ["objects", "import", small + "?max-txn-ops=900", lines, "--create"] + options)
            #expect(fits.status == 0, "\(fits)")
        }
    }

    private func export(_ count: Int) throws -> String {
        let directory = playground.path("export.store")
        try fill(ObjectStore(path: directory, classes: classes), 0..<count)
        return try playground.file("export.jsonl", try objects("export", directory).standardOutput)
    }

    @Test func anImportThatFailsCreatesNothing() throws {
        let prefix = EtcdServer.newPrefix()
        let place = server.url(prefix)
        let good = try String(contentsOfFile: export(3), encoding: .utf8)
        for text in [
            "{}\n", good + "{\n", good.replacing(#""Song""#, with: #""Nothing""#, maxReplacements: 1),
            good + good.split(separator: "\n").last!,
        ] {
            let refused = try objects("import", place, "--create", stdin: text)
            #expect(refused.status == 4 || refused.status == 3, "\(refused)")
            #expect(try server.session.count(prefix: prefix) == 0, "\(text)")
        }
        #expect(try objects("import", place, "--create", stdin: good).status == 0)
        #expect(try objects("export", place).standardOutput == good)
    }

    @Test func keysOfOthersAreLeftAlone() throws {
        let (prefix, directory) = (EtcdServer.newPrefix(), playground.path("music.store"))
        let place = server.url(prefix)
        try fill(ObjectStore(path: directory, classes: classes), 0..<3)
        try server.session.put(prefix + "/config", Array("1".utf8))
        for arguments in [
            ["info", place], ["import", place, "--create"], ["move", directory, place],
        ] {
            let refused = try runTool(
                "cairn",
                ["objects"] + arguments,
                stdin: arguments[0] == "import" ? String(contentsOfFile: export(3), encoding: .utf8) : ""
            )
            #expect(refused.status == 3 && refused.standardError.contains("another program has keys"), "\(refused)")
            #expect(refused.standardError.hasSuffix(". Nothing was changed.\n"), "\(refused)")
        }
        let plan = try objects("move", directory, place, "--dry-run")
        #expect(plan.status == 1 && plan.standardOutput.contains(/\nrefused: .*another program has keys/), "\(plan)")
        let doctor = try runTool("cairn", [place])
        #expect(doctor.status == 1 && doctor.standardOutput.contains("another program made it"), "\(doctor)")
        #expect(try server.session.count(prefix: prefix) == 1)
        #expect(try objects("move", directory, "--take-back").standardOutput.contains("was not moved"))
    }
}
