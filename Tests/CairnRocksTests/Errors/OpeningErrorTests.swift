import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// What an error at opening says to do.
@Suite struct OpeningErrorTests {
    let scene = try! Scene()

    private static let last = MergeOperator(name: "test.last") { _, _, operand in [UInt8](copying: operand) }

    private func expect(
        _ error: RocksError?,
        _ code: RocksError.Code,
        _ parts: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(error?.code == code, "\(error?.description ?? "no error")", sourceLocation: sourceLocation)
        for part in parts {
            #expect(error?.message.contains(part) == true, "'\(part)' in: \(error?.message ?? "")", sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: [true, false]) func aMergeOperatorIsMissing(isFlushed: Bool) throws {
        var quiet = StoredOptionsTests.making
        quiet.avoidFlushDuringShutdown = true
        do {
            let db = try scene.open(.init(), ["counts": .init(mergeOperator: Self.last), "other": .init()], options: quiet)
            let counts = try db.columnFamily("counts")
            try counts.merge("1", for: "a")
            if isFlushed { try counts.flush() }
        }
        expect(
            failure { try RocksDB(path: scene.path) },
            .invalidArgument,
            "'counts'",
            "merge operator",
            "in `tables:` or `columnFamilies:`"
        )
        if !isFlushed { expect(failure { try RocksDB(path: scene.path) }, .invalidArgument, "'test.last'") }
        #expect(failure { try RocksDB(path: scene.path) }?.message.contains("'other'") == false)
        let plain = try scene.open(.init(), ["counts": .init(mergeOperator: Self.last)]).columnFamily("other")
        expect(failure { try plain.merge("1", for: "a") }, .notSupported, "'other'", "in `tables:` or `columnFamilies:`")
    }

    @Test func anotherComparator() throws {
        let byLength = KeyComparator(name: "test.length") { $0.byteCount - $1.byteCount }
        let families = [
            "length": ColumnFamilyOptions(comparator: byLength), "text": ColumnFamilyOptions(comparator: .unicodeDescending),
            "prices": HistoryTests.keeping, "plain": ColumnFamilyOptions(),
        ]
        try scene.open(.init(), families, options: StoredOptionsTests.making).close()
        func opening(_ name: String, _ options: ColumnFamilyOptions = .init()) -> RocksError? {
            failure { try RocksDB(path: scene.path, columnFamilies: families.merging([name: options]) { $1 }) }
        }
        expect(
            opening("length"),
            .invalidArgument,
            "'length'",
            "'test.length'",
            "set comparator to the one with that name",
            "`columnFamilies:`"
        )
        expect(opening("text"), .invalidArgument, "'text'", "set comparator to .unicodeDescending")
        expect(opening("prices"), .invalidArgument, "'prices'", "set keepsHistory")
        expect(opening("plain", .init(comparator: byLength)), .invalidArgument, "'plain'", "set comparator to .bytewise")
    }

    /// A file of the database, not its log, is missing.
    @Test func aMissingTableFile() throws {
        do {
            let db = try scene.open()
            try db.put("1", for: "a")
            try db.flush()
        }
        let file = try #require(FileManager.default.contentsOfDirectory(atPath: scene.path).first { $0.hasSuffix(".sst") })
        try FileManager.default.removeItem(atPath: scene.path + "/" + file)
        let error = failure { try RocksDB(path: scene.path) }
        let message = error?.message ?? ""
        #expect(message.contains("the file '\(file)' is missing") && !message.contains("walRecoveryMode"), "\(message)")
        #expect(error?.message.contains("restore a backup, or repair the database, which keeps the data in the other files") == true)
        try RocksDB.repair(path: scene.path)
        #expect(try RocksDB(path: scene.path).keys().isEmpty)
    }

    @Test func aLock() throws {
        let db = try scene.open()
        let message = try #require(failure { try scene.open() }).message
        #expect(
            message
                == "opening the database at '\(scene.path)': it is already open in this process; close it there first, or open it for reading only"
        )
        try db.close()
    }

    @Test func aLockOfAnotherProcess() async throws {
        let db = try scene.open()
        await #expect(processExitsWith: .success) { [path = scene.path as String] in
            let message = failure { try RocksDB(path: path) }?.message ?? ""
            must(message.contains("it is already open in another process;") && !message.contains("Resource"))
        }
        try db.close()
    }

    @Test func pathsThatCannotBe() throws {
        let path = scene.directory.path("none/db")
        let creating = DatabaseOptions(createIfMissing: true)
        expect(
            failure { try RocksDB(path: path, options: creating) },
            .notFound,
            "create the directory '\(scene.directory.path("none"))' first"
        )
        let home = scene.directory.path("~")
        expect(
            failure { try RocksDB(path: home + "/db", options: creating) },
            .notFound,
            "create the directory '\(home)' first, or give the path of the home directory: '~' is not expanded"
        )
        #if os(Linux)
        let unwritable = failure { try RocksDB(path: "/proc/db", options: creating) }
        #expect(unwritable?.message.contains("create the directory") == false, "\(String(describing: unwritable))")
        #endif
        expect(failure { try RocksDB(path: "", options: creating) }, .invalidArgument, "the path of the database is empty")
        expect(failure { try RocksDB(path: "", mode: .readOnly) }, .invalidArgument, "the path of the database is empty")
    }

    /// In a separate process, which gives up the superuser's rights if it has them.
    @Test func permissions() async throws {
        try scene.open().close()
        await #expect(processExitsWith: .success) { [path = scene.path as String] in
            try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: path)
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path + "/" + name)
            }
            if geteuid() == 0 { must(setuid(65534) == 0) }
            let error = failure { try RocksDB(path: path) }
            must(error?.code == .permissionDenied && error?.message.contains("check the owner and mode") == true)
        }
    }

    /// Nothing is wrong with a file that may not be read, so nothing is to be repaired.
    @Test func aTableFileThatMayNotBeRead() async throws {
        do {
            let db = try scene.open()
            try db.put("1", for: "a")
            try db.flush()
        }
        await #expect(processExitsWith: .success) { [path = scene.path as String] in
            let everyone: [FileAttributeKey: Any] = [.posixPermissions: 0o777]
            try FileManager.default.setAttributes(everyone, ofItemAtPath: path)
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                let attributes: [FileAttributeKey: Any] = name.hasSuffix(".sst") ? [.posixPermissions: 0] : everyone
                try FileManager.default.setAttributes(attributes, ofItemAtPath: path + "/" + name)
            }
            if geteuid() == 0 { must(setuid(65534) == 0) }
            let error = failure { try RocksDB(path: path) }
            must(error?.code == .permissionDenied && error?.message.contains("check the owner and mode") == true)
            must(error?.message.contains("repair") == false)
        }
    }

    /// While no file may grow, as on a full disk, a view still opens.
    @Test func aFullDisk() async {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            do {
                let db = try scene.open()
                try db.put("1", for: "a")
            }
            limitFileSize(to: 0)
            must(failure { try scene.open() } != nil)
            must(try RocksDB(path: scene.path, mode: .readOnly).text("a") == "1")
        }
    }
}
