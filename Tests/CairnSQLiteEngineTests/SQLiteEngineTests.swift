import CairnHistoryKit
import CairnSQLiteEngine
import CairnTestSupport
import Foundation
import Testing

@Suite struct SQLiteEngineTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    // MARK: Opening

    @Test func `what is missing is not made unless asked for`() throws {
        let error = try #require(failure { () throws(EngineError) in _ = try scene.open { $0.createIfMissing = false } })
        #expect(error.code == .notFound && error.message.contains("there is no store") && error.message.contains(scene.path))
        #expect(code { () throws(EngineError) in _ = try scene.open { $0.readOnly = true } } == .notFound)
        #expect(try scene.names().isEmpty)
        let deep = scene.directory.path("missing/store")
        #expect(code { () throws(EngineError) in _ = try SQLiteEngine(path: deep) } == .notFound)
    }

    @Test func `paths that no file can have are refused`() throws {
        for (path, reason) in [("", "the path is empty"), ("a\0b", "the path contains a zero byte")] {
            let opening = failure { () throws(EngineError) in _ = try SQLiteEngine(path: path) }
            #expect(opening?.code == .invalidArgument && opening?.message == "opening '\(path)': \(reason)")
            let engine = try scene.open()
            let copying = failure { () throws(EngineError) in try engine.makeCheckpoint(at: path) }
            #expect(copying?.code == .invalidArgument && copying?.message == "copying '\(scene.path)' to '\(path)': \(reason)")
        }
        let home = failure { () throws(EngineError) in _ = try SQLiteEngine(path: scene.directory.path("~/store")) }
        #expect(home?.code == .notFound && home?.message.contains("; '~' is not expanded") == true)
    }

    @Test func `an empty file counts as none`() throws {
        try scene.write([])
        #expect(code { () throws(EngineError) in _ = try scene.open { $0.createIfMissing = false } } == .notFound)
        let engine = try scene.open()
        try engine.put("1", "a")
        try engine.close()
        #expect(try scene.names() == ["store"])
    }

    @Test func `a link to nothing is not followed`() throws {
        let target = scene.directory.path("nothing")
        try FileManager.default.createSymbolicLink(atPath: scene.path, withDestinationPath: "nothing")
        let error = failure { () throws(EngineError) in _ = try scene.open() }
        #expect(
            error?.code == .notFound && error?.message.contains("a symbolic link to '\(target)'") == true,
            "\(String(describing: error))"
        )
        #expect(try scene.names() == ["store"])
    }

    @Test(.endsWhenItHangs, arguments: ["-journal", "-wal", "-shm"])
    func `a pipe beside the file is not waited for`(suffix: String) throws {
        let engine = try scene.open()
        try engine.put("1", "a")
        try engine.close()
        let pipe = scene.path + suffix
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        for readOnly in [false, true] {
            let error = failure { () throws(EngineError) in _ = try scene.open { $0.readOnly = readOnly } }
            #expect(
                error?.code == .notSupported && error?.message.contains("\(suffix)' is a pipe, a device or a socket") == true,
                "\(String(describing: error))"
            )
        }
        try FileManager.default.removeItem(atPath: pipe)
        let again = try scene.open()
        #expect(try again.get("a") == "1")
        try again.close()
    }

    @Test func `a file with several names is only read`() throws {
        let engine = try scene.open()
        try engine.put("1", "a")
        try engine.close()
        try FileManager.default.linkItem(atPath: scene.path, toPath: scene.directory.path("other"))
        for name in ["store", "other"] {
            let path = scene.directory.path(name)
            let error = failure { () throws(EngineError) in _ = try SQLiteEngine(path: path) }
            #expect(error?.code == .notSupported && error?.message.contains("hard links") == true, "\(String(describing: error))")
            var options = SQLiteEngineOptions()
            options.readOnly = true
            let reader = try SQLiteEngine(path: path, options: options)
            #expect(try reader.get("a") == "1")
            try reader.close()
        }
        try FileManager.default.removeItem(atPath: scene.directory.path("other"))
        try scene.open().close()
    }

    @Test func `other files are refused and stay as they are`() throws {
        let tables = "CREATE TABLE notes (text); INSERT INTO notes VALUES ('one'), ('two');"
        try scene.sqlite(tables, on: "plain")
        try scene.sqlite("PRAGMA journal_mode = WAL; " + tables, on: "logged")
        try scene.sqlite("PRAGMA application_id = 7; " + tables, on: "named")
        try scene.write(
            Array("no database at all, but long enough to be the head of one, or so it seems until it is read by someone".utf8),
            to: "text"
        )
        try scene.write([1, 2], to: "bytes")
        // Only the magic number is another.
        try scene.open().close()
        try scene.write(Array("sqlite".utf8) + scene.bytes().dropFirst(6))
        for name in try scene.names() {
            let before = try (scene.bytes(name), scene.names())
            for readOnly in [false, true] {
                let path = scene.directory.path(name)
                var options = SQLiteEngineOptions()
                options.readOnly = readOnly
                let error = failure { () throws(EngineError) in _ = try SQLiteEngine(path: path, options: options) }
                #expect(error?.code == .foreignFile && error?.message.contains(path) == true, "\(name): \(String(describing: error))")
            }
            #expect(try scene.bytes(name) == before.0 && scene.names() == before.1, "\(name)")
        }
        let path = scene.directory.path
        #expect(code { () throws(EngineError) in _ = try SQLiteEngine(path: path) } == .isDirectory)
        #expect(code { () throws(EngineError) in _ = try SQLiteEngine(path: "/dev/null") } == .foreignFile)
    }

    @Test func `a store of a later version is refused and stays as it is`() throws {
        try scene.open().close()
        var bytes = try scene.bytes()
        bytes[63] = 3
        try scene.write(bytes)
        let error = try #require(failure { () throws(EngineError) in _ = try scene.open() })
        #expect(error.code == .notSupported && error.message.contains("format 3"))
        #expect(try scene.bytes() == bytes && scene.names() == ["store"])
    }

    @Test func `a store with other tables is refused`() throws {
        try scene.open().close()
        try scene.sqlite("CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END", layer: "cairn")
        #expect(code { () throws(EngineError) in _ = try scene.open() } == .corruption)
    }

    @Test(arguments: [0o600, 0o640] as [UInt32]) func `files have the mode of the options`(mode: UInt32) throws {
        let engine = try scene.open { $0.mode = mode }
        try engine.put("1", "a")
        try engine.makeCheckpoint(at: scene.directory.path("copy"))
        for name in try scene.names() {
            let attributes = try FileManager.default.attributesOfItem(atPath: scene.directory.path(name))
            #expect((attributes[.posixPermissions] as? NSNumber)?.uint32Value == mode, "\(name)")
        }
        #expect(try scene.names() == ["copy", "store", "store-shm", "store-wal"])
        try engine.close()
        #expect(try scene.names() == ["copy", "store"])
    }

    /// Not that of the options, which may be more: somebody has taken rights away from the file.
    @Test(arguments: [0o600, 0o660] as [UInt32]) func `a copy has the mode of the file`(mode: UInt32) throws {
        func bits(of name: String) throws -> UInt32? {
            try (FileManager.default.attributesOfItem(atPath: scene.directory.path(name))[.posixPermissions] as? NSNumber)?.uint32Value
        }
        let engine = try scene.open { $0.mode = 0o644 }
        try engine.put("1", "a")
        try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: mode)], ofItemAtPath: scene.path)
        try engine.makeCheckpoint(at: scene.directory.path("copy"))
        #expect(try bits(of: "store") == mode && bits(of: "copy") == mode)
        // One that can only be read has copies that can be opened.
        try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: 0o440)], ofItemAtPath: scene.path)
        try engine.makeCheckpoint(at: scene.directory.path("other copy"))
        #expect(try bits(of: "other copy") == 0o640)
        try engine.close()
    }

    @Test func `one of many that create a store at once does`() async throws {
        for round in 0..<Thorough.count(10, of: 200) {
            let path = scene.directory.path("store \(round)")
            var options = SQLiteEngineOptions()
            options.busyTimeout = .seconds(60)
            try await onThreads(6) { [options] number in
                let engine = try SQLiteEngine(path: path, options: options)
                try engine.put("\(number)", "key \(number)")
                try engine.close()
            }
            let engine = try SQLiteEngine(path: path)
            #expect(try engine.makeView().entries().count == 6)
            #expect(engine.latestVersion == EngineVersion(rawValue: 6))
            try engine.close()
        }
    }

    @Test(.enabled(if: OrdinaryRights.arePossible, Comment(rawValue: OrdinaryRights.reason)))
    func `a file that can only be read is refused, unless only that is wanted`() throws {
        try scene.open().close()
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: scene.path)
        #expect(try OrdinaryRights.run("cairn-sqlite-peer", [scene.path]).standardOutput == "permissionDenied\n")
        #expect(try OrdinaryRights.run("cairn-sqlite-peer", [scene.path, "--read-only"]).standardOutput == "open\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: scene.path)
        #expect(try OrdinaryRights.run("cairn-sqlite-peer", [scene.path, "--read-only"]).standardOutput == "permissionDenied\n")
    }

    @Test func `reading only sees what others commit, and refuses to write`() throws {
        let engine = try scene.open()
        try engine.put("1", "a")
        let reader = try scene.open { $0.readOnly = true }
        #expect(reader.isReadOnly && !engine.isReadOnly)
        #expect(try reader.get("a") == "1")
        let version = try engine.put("2", "a")
        #expect(try reader.latestVersion == version && reader.get("a") == "2")
        #expect(code { () throws(EngineError) in try reader.put("3", "a") } == .readOnly)
        #expect(code { () throws(EngineError) in try reader.commit(EngineCommit()) } == .readOnly)
        #expect(code { () throws(EngineError) in try reader.removeFormerData(in: .all) } == .readOnly)
        #expect(code { () throws(EngineError) in try reader.compact() } == .readOnly)
        #expect(code { () throws(EngineError) in try reader.makeCheckpoint(at: scene.directory.path("copy")) } == .readOnly)
        try reader.close()
        try engine.close()
    }

    // MARK: Durability

    @Test(.enabled(if: Syncs.areRecorded, "records calls on Linux")) func `only synced commits sync, once`() throws {
        let engine = try scene.open()
        try engine.put("1", "a", .synced)
        for (durability, expected) in [(.none, []), (.synced, ["store-wal"]), (.buffered, []), (.synced, ["store-wal"])]
            as [(Durability, [String])]
        {
            let synced = try Syncs.made(below: scene.directory.path) { _ = try engine.put("2", "a", durability) }
            #expect(synced == expected, "\(durability)")
        }
        try engine.close()
    }

    @Test(.enabled(if: Syncs.areRecorded, "records calls on Linux")) func `a sync covers all commits before, of others too`() throws {
        let (engine, other) = (try scene.open(), try scene.open())
        func syncs() throws -> [String] { try Syncs.made(below: scene.directory.path) { try engine.sync() } }
        try engine.put("1", "a")
        // The first also syncs the name of the log.
        #expect(try syncs().contains("store-wal"))
        #expect(try syncs().isEmpty)
        try other.put("2", "a")
        #expect(try syncs() == ["store-wal"])
        try engine.put("3", "a")
        try engine.put("4", "a")
        #expect(try syncs() == ["store-wal"])
        #expect(try syncs().isEmpty)
        try engine.close()
        #expect(code { () throws(EngineError) in try engine.sync() } == .closed)
        try other.close()
        let reader = try scene.open { $0.readOnly = true }
        #expect(code { () throws(EngineError) in try reader.sync() } == .readOnly)
        try reader.close()
    }

    // MARK: Upkeep

    @Test func `a checkpoint is a store of its own`() throws {
        let engine = try scene.open()
        try engine.put("1", "a")
        let copy = scene.directory.path("it's a copy")
        let view = try engine.makeView()
        try engine.put("2", "a")
        try engine.makeCheckpoint(at: copy)
        try engine.put("3", "a")
        #expect(code { () throws(EngineError) in try engine.makeCheckpoint(at: copy) } == .invalidArgument)
        let missing = #expect(throws: EngineError.self) { try engine.makeCheckpoint(at: scene.directory.path("missing/copy")) }
        #expect(missing?.code == .notFound && missing?.message.hasSuffix("its directory does not exist; create it first") == true)
        #expect(try view.text("a") == "1")
        #expect(try scene.names() == ["it's a copy", "store", "store-shm", "store-wal"])

        // A file without a log yet, which a reader opens first.
        var options = SQLiteEngineOptions()
        options.readOnly = true
        let reader = try SQLiteEngine(path: copy, options: options)
        #expect(try reader.get("a") == "2" && reader.latestVersion == EngineVersion(rawValue: 2))
        let other = try SQLiteEngine(path: copy)
        let version = try other.put("4", "a")
        #expect(version == EngineVersion(rawValue: 3))
        #expect(try reader.latestVersion == version && reader.get("a") == "4" && engine.get("a") == "3")
        try reader.close()
        try other.close()
    }

    @Test func `times may be longer than a number of seconds can say`() throws {
        let engine = try scene.open {
            $0.newsInterval = .seconds(1e20)
            $0.busyTimeout = .seconds(1e20)
        }
        let other = try scene.open()
        try other.put("1", "a")
        #expect(try engine.get("a") == "1")
        try engine.close()
        try other.close()
    }

    /// Whether something is there is seen when the copy gets its name, not only before.
    @Test func `a checkpoint replaces nothing`() throws {
        let engine = try scene.open()
        try engine.put("1", "a")
        let copy = scene.directory.path("copy")
        try FileManager.default.createSymbolicLink(atPath: copy, withDestinationPath: "nothing")
        #expect(code { () throws(EngineError) in try engine.makeCheckpoint(at: copy) } == .invalidArgument)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: copy) == "nothing")
        #expect(try scene.names() == ["copy", "store", "store-shm", "store-wal"])
        try engine.close()
    }

    @Test(.enabled(if: Syncs.areRecorded, "records calls on Linux")) func `a checkpoint is synced before it has its name`() throws {
        let engine = try scene.open()
        try engine.put("1", "a")
        let synced = try Syncs.made(below: scene.directory.path) { try engine.makeCheckpoint(at: scene.directory.path("copy")) }
        #expect(synced.suffix(2) == ["copy.unfinished-*", "."])
        try engine.close()
    }

    /// Whether any file has these bytes.
    private func isAnywhere(_ text: String) throws -> Bool {
        try scene.names().contains { name in try Data(scene.bytes(name)).range(of: Data(text.utf8)) != nil }
    }

    @Test func `former data is removed, once no view sees it`() throws {
        let engine = try scene.open()
        try engine.put("secret value", "secret key")
        var view: (any EngineView)? = try engine.makeView()
        var commit = EngineCommit()
        commit.delete("secret key")
        commit.put("1", for: "a")
        let version = try engine.commit(commit)
        #expect(try isAnywhere("secret value") && isAnywhere("secret key"))
        try engine.removeFormerData(in: .all)
        #expect(try view?.text("secret key") == "secret value" && isAnywhere("secret value"))
        view = nil
        // The next commit cuts the log.
        try engine.put("2", "a")
        #expect(try !isAnywhere("secret value") && !isAnywhere("secret key"))
        #expect(engine.latestVersion > version)

        try engine.put("secret value", "secret key")
        try engine.put("nothing", "secret key")
        try engine.removeFormerData(in: .all)
        #expect(try !isAnywhere("secret value") && engine.get("a") == "2")
        try engine.close()
    }

    // MARK: Closing

    @Test func `closing says that the file is gone`() throws {
        let engine = try scene.open()
        try engine.put("1", "a")
        try FileManager.default.removeItem(atPath: scene.path)
        let error = failure { () throws(EngineError) in try engine.close() }
        #expect(error?.code == .notFound && error?.message.contains(scene.path) == true)
        // Its log is left, and says what is missing.
        #expect(error?.message.contains("store-wal' along with it") == true)
        try engine.close()
    }

    private static let descriptors = "/proc/self/fd"

    @Test(.enabled(if: FileManager.default.fileExists(atPath: descriptors), "counts open files on Linux"))
    func `files of views are used again, and closed in the end`() throws {
        func openFiles() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: Self.descriptors).count { name in
                let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(Self.descriptors)/\(name)")
                return path?.hasPrefix(scene.path) ?? false
            }
        }
        let engine = try scene.open()
        try engine.put("1", "a")
        let before = try openFiles()
        for _ in 0..<100 { _ = try engine.get("a") }
        #expect(try openFiles() == before + 2)
        var views = try (0..<20).map { _ in try engine.makeView() }
        #expect(try openFiles() == before + 40)
        #expect(try views.allSatisfy { try $0.text("a") == "1" })
        views = []
        // While others are open, SQLite keeps the file's descriptors for later.
        let few = try openFiles()
        #expect(few <= before + 28)
        for _ in 0..<3 { #expect(try (0..<20).map { _ in try engine.makeView() }.count == 20) }
        #expect(try openFiles() == few)
        try engine.close()
        #expect(try openFiles() == 0)
    }
}
