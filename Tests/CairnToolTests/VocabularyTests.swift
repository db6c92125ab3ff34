import Foundation
import Testing

/// All stores use the same words for error codes and methods. Both are read from docs/generated/api, which `make check` compares with the code.
struct VocabularyTests {
    /// Every code, and what it means in each error that has it.
    private static let codes: [String: String] = [
        // Files and directories.
        "notFound": "nothing of that name exists",
        "alreadyExists": "something exists where something new was to be created",
        "permissionDenied": "the file system does not permit it",
        "isDirectory": "there is a directory where a file should be",
        "notADirectory": "there is a file where a directory should be",
        "notEmpty": "a directory contains something",
        "invalidPath": "no file can have this path",
        "crossesFileSystems": "a file cannot be renamed into another file system",
        "noSpace": "the disk or the quota is full",
        "tooManyOpenFiles": "the process or the system has too many files open",
        "ioError": "the file system reported another error",

        // Stores.
        "locked": "someone else has it open or holds the lock",
        "busy": "it is still in use",
        "closed": "it was closed before",
        "shutdownInProgress": "it is being closed",
        "readOnly": "it was opened for reading only; of files: their file system is mounted read-only",
        "unavailable": "it cannot be reached",
        "foreignFile": "the file is something else than the store",
        "unsupportedVersion": "it was written by a newer release",
        "corruption": "stored data is damaged",
        "keyNeeded": "it is encrypted, and no key was given",
        "wrongKey": "it is not encrypted with this key",
        "wrongPassphrase": "it is not encrypted with this passphrase",
        "changeUnfinished": "a change of the encryption ended early",
        "replaced": "others have put something else in its place, or removed it",
        "moved": "what was to be written is elsewhere now",
        "columnFamilyNotFound": "the database has no column family of that name",
        "columnFamilyDropped": "the column family was dropped",
        "logTruncated": "the log no longer has these changes",

        // Calls.
        "invalidArgument": "an argument is invalid",
        "invalidOption": "there is no such option, or it does not accept this value",
        "notSupported": "it is not available here",
        "tooLarge": "a key, a value, a commit or a file is beyond a limit",
        "compactionTooLarge": "a compaction is beyond a limit",
        "outOfMemory": "there is no memory left",
        "conflict": "someone else has changed the same in the meantime",
        "cancelled": "the task was cancelled",
        "aborted": "the operation was abandoned",
        "tryAgain": "the same operation may succeed later",
        "timedOut": "a time limit has passed",
        "expired": "the time of a transaction or a view has passed",
        "incomplete": "the answer would need what the options do not permit",
        "mergeInProgress": "the value is merged elsewhere",
        "storeFailed": "the store into which objects are imported failed",
        "other": "none of the other codes",
        "unknown": "RocksDB reported what Cairn does not know",

        // Values.
        "codec": "a key or value could not be encoded or decoded",
        "truncated": "the bytes end too early",
        "trailingBytes": "bytes are left over after the value",
        "malformed": "the bytes violate the format",
        "malformedText": "text to parse as records violates the format",
        "incompleteText": "text to parse as records ends within one",
        "malformedInput": "a file to import violates its format",
        "malformedRecord": "an object to import does not match the layout",
        "malformedQuery": "a full-text query cannot be parsed",
        "invalidText": "text is not UTF-8",
        "typeMismatch": "what is stored has another type",
        "outOfRange": "the type cannot represent the value",
        "tooDeep": "values are nested too deeply",
        "missingField": "a record lacks a field that has no default",
        "missingCodec": "there is no codec for it",
        "misused": "a type encodes itself in a way that is not allowed",
        "failed": "a coder that Cairn did not write failed",

        // Objects.
        "migrationFailed": "a step of a migration threw an error",
        "objectNotFound": "the object does not exist",
        "unknownClass": "the store was opened without the class",
        "schemaMismatch": "a class does not match what is stored",
        "notUnique": "another object has the same unique values",
        "deletionDenied": "a relationship does not permit deleting the object",
        "shredded": "the key of the object was deleted",
        "invalidPredicate": "the store cannot evaluate a predicate",
        "invalidLayout": "the layout of an old store is invalid",
    ]

    /// The codes for what happens to every store, and the errors without them.
    private static let common: [String: Set<String>] = [
        "notFound": [], "permissionDenied": [], "isDirectory": [], "ioError": [], "notSupported": [],
        // The importer of BNRPersistence's directories writes no files, and its readers cannot be closed.
        "noSpace": ["BNRError"], "tooLarge": ["BNRError"], "closed": ["BNRError"],
        // Any file is one.
        "corruption": ["FileError"], "foreignFile": ["FileError"],
    ]

    /// Methods that do the same in several types, whatever arguments they take.
    private static let methods: [String: [String]] = {
        let ofReaders = ["get", "contains", "keys", "entries", "forEach"]
        let readers = ["CDBReader", "CDBStore", "MappedStore", "RocksReader", "TableView"]
        return Dictionary(uniqueKeysWithValues: ofReaders.map { ($0, readers) }).merging([
            "multiGet": ["CDBReader", "RocksReader", "TableView"],
            "put": ["CDBStore", "CDBWriter", "RocksWriter", "TableView"],
            "delete": ["CDBStore", "ObjectContext", "RocksWriter", "TableView"],
            "removeAll": ["CDBStore", "MappedStore"],
            "close": ["CDBStore", "MappedStore", "ObjectContext", "ObjectStore", "RocksDB"],
            "verify": ["BackupEngine", "CDBReader", "MappedStore", "ObjectStore"],
            "repair": ["ObjectStore", "RocksDB"], "makeCheckpoint": ["ObjectStore", "RocksDB"],
            "rekey": ["MappedStore", "ObjectStore"], "restore": ["BackupEngine", "MappedStore"],
        ]) { $1 }
    }()

    @Test func everyCodeIsInTheVocabulary() throws {
        let declared = try Self.declaredCodes()
        for (error, codes) in declared {
            for code in codes.subtracting(Self.codes.keys).sorted() {
                Issue.record("\(error).\(code) is not in the vocabulary; use a code from it, or add this one if none means the same")
            }
        }
        let unused = Set(Self.codes.keys).subtracting(declared.values.joined())
        #expect(unused.isEmpty, "no error has these codes")
        #expect(Set(Self.codes.values).count == Self.codes.count, "two codes mean the same")
    }

    @Test func whatHappensToEveryStoreHasACodeInEveryError() throws {
        // Stores throw these as causes: two are about values, and the codes of the others are those of SQLite, PostgreSQL and gRPC. The inspector's errors
        // are about its server.
        let causes = ["CodecError", "RecordError", "SQLiteError", "PostgresError", "EtcdError", "InspectorError"]
        let declared = try Self.declaredCodes().filter { !causes.contains($0.key) }
        for (code, lacking) in Self.common {
            let without = Set(declared.filter { !$0.value.contains(code) }.keys)
            #expect(without == lacking, "errors without \(code)")
        }
    }

    /// Documents name codes without links, so nothing else checks them.
    @Test func documentsNameCodesOfTheVocabulary() throws {
        let throwing = /throws? `\.?([a-z][A-Za-z]+)`/
        let named = try ["docs", "Sources", "README.md", "ARCHITECTURE.md"].flatMap(Self.documents).flatMap { path in
            try Self.text(path).matches(of: throwing).map { (path: path, code: String($0.1)) }
        }
        #expect(named.count > 20)
        for (path, code) in named where Self.codes[code] == nil { Issue.record("\(path): \(code) is not in the vocabulary") }
    }

    @Test func methodsThatDoTheSameHaveTheSameName() throws {
        let declared = try Set(Self.declarations().map { $0.name.prefix { $0 != "(" } })
        for method in Self.methods.flatMap({ name, types in types.map { "\($0).\(name)" } }) where !declared.contains(method[...]) {
            Issue.record("there is no \(method)")
        }
        let inBackground = declared.filter { $0.hasSuffix("InBackground") }
        #expect(inBackground.count > 20)
        for method in inBackground where !declared.contains(method.dropLast("InBackground".count)) {
            Issue.record("there is only \(method)")
        }
    }

    /// Users of the tool see them, and cannot set a property or call a method.
    @Test func messagesOfEnginesNameNoDeclarations() throws {
        let targets = ["Engine", "RocksEngine", "SQLiteEngine", "PostgresEngine", "EtcdEngine"].map { "Sources/Cairn\($0)" }
        let (interpolation, literal) = (/\\\([^()]*(?:\([^()]*\)[^()]*)*\)/, /"(?:[^"\\]|\\.)*"/)
        let declaration = /`|\b[a-z]{2,}[A-Z]\w*|\w+Options\b|\w\(\w*:|\b(make another|view's)\b/
        var count = 0
        for path in try targets.flatMap({ try Self.files($0, ".swift") }) {
            for line in try Self.text(path).split(separator: "\n") where !line.contains("///") {
                for message in line.replacing(interpolation, with: "").matches(of: literal).map(\.0) where message.contains(" ") {
                    count += 1
                    if let name = message.firstMatch(of: declaration)?.0 { Issue.record("\(path): \(name) in \(message)") }
                }
            }
        }
        #expect(count > 100)
    }

    // MARK: What is declared

    /// The public declarations of all libraries: names such as `CDBStore.close()`, and all that follows.
    private static func declarations() throws -> [(name: String, rest: String)] {
        try FileManager.default.contentsOfDirectory(atPath: root + "docs/generated/api").flatMap { file in
            try text("docs/generated/api/" + file).split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
                let parts = line.split(separator: " ", maxSplits: 1)
                return (String(parts[0]), String(parts[1]))
            }
        }
    }

    /// The codes of each error.
    private static func declaredCodes() throws -> [String: Set<String>] {
        var codes: [String: Set<String>] = [:]
        for (name, rest) in try declarations() {
            if rest.hasSuffix("CairnError"), rest.hasPrefix(":") { codes[name, default: []] = [] }
            if rest.hasPrefix("| static let"), let found = name.wholeMatch(of: /(\w+)\.Code\.(\w+)/) {
                codes[String(found.1), default: []].insert(String(found.2))
            }
        }
        return codes
    }

    private static let root = URL(fileURLWithPath: #filePath + "/../../..").standardizedFileURL.path + "/"

    private static func text(_ path: String) throws -> String {
        String(decoding: try #require(FileManager.default.contents(atPath: root + path)), as: UTF8.self)
    }

    /// The path itself, or all Markdown files below it.
    private static func documents(_ path: String) throws -> [String] { path.hasSuffix(".md") ? [path] : try files(path, ".md") }

    private static func files(_ path: String, _ suffix: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root + path).filter { $0.hasSuffix(suffix) }.map { path + "/" + $0 }
    }
}
