import CairnCore
import CairnTestSupport
import Testing

// The mapping of codes is not part of the interface.
@testable import CairnRocks

struct ErrorTests {
    let scene = try! Scene()

    @Test func everyCodeOfTheShimHasAName() {
        let names: [UInt8: RocksError.Code] = [
            1: .notFound, 2: .corruption, 3: .notSupported, 4: .invalidArgument, 5: .ioError, 6: .mergeInProgress, 7: .incomplete,
            8: .shutdownInProgress, 9: .timedOut, 10: .aborted, 11: .busy, 12: .expired, 13: .tryAgain, 14: .compactionTooLarge,
            15: .columnFamilyDropped, 200: .closed, 201: .busy, 202: .outOfMemory, 204: .invalidArgument,
            205: .logTruncated,
            206: .wrongKey, 207: .locked, 208: .noSpace, 209: .permissionDenied, 210: .isDirectory, 211: .notADirectory, 212: .tooLarge,
            213: .readOnly,
        ]
        for code in 1...UInt8.max { #expect(RocksError.Code(status: code) == names[code] ?? .unknown, "\(code)") }
        #expect(Set(names.values.map(\.description)).count == names.count - 2)
        for code in names.values { #expect("\(code)".allSatisfy { $0.isLetter && $0.isASCII }) }
    }

    /// RocksDB's own numbers, as `NSError.code` had them in ObjectiveRocks.
    @Test func numbersOfRocksDB() {
        for number in UInt8(1)...15 { #expect(RocksError.Code(status: number).statusNumber == number) }
        for code in [RocksError.Code.noSpace, .permissionDenied, .isDirectory, .notADirectory, .tooLarge, .locked] {
            #expect(code.statusNumber == 5)
        }
        #expect(RocksError.Code.readOnly.statusNumber == 3)
        for code in [RocksError.Code.closed, .codec, .invalidOption, .columnFamilyNotFound, .unknown] { #expect(code.statusNumber == nil) }
    }

    @Test func subcodesAndSeverities() {
        let subcodes: [RocksError.Subcode] = [
            .none, .mutexTimeout, .lockTimeout, .lockLimit, .noSpace, .deadlock, .staleFile, .memoryLimit, .spaceLimit, .pathNotFound,
            .mergeOperandsInsufficientCapacity, .manualCompactionPaused, .overwritten, .transactionNotPrepared, .ioFenced,
        ]
        #expect(subcodes.map(\.rawValue) == Array(0..<15))
        let severities: [RocksError.Severity] = [.none, .soft, .hard, .fatal, .unrecoverable]
        #expect(severities == severities.sorted() && severities.map(\.rawValue) == [0, 1, 2, 3, 4])
    }

    @Test func descriptions() {
        let cause = CodecError(.invalidText, "the bytes are not text", userData: "secret value")
        let error = RocksError(.codec, "reading a value", userData: "secret key", cause: cause)
        #expect(error.description == "codec: reading a value [invalidText: the bytes are not text]")
        #expect(error.fullDescription == "codec: reading a value (secret key) [invalidText: the bytes are not text (secret value)]")
        #expect("\(error)" == error.description)
        // Errors from elsewhere may quote what they fail on.
        let foreign = CodecError(
            .failed,
            "encoding",
            cause: EncodingError.invalidValue("secret", .init(codingPath: [], debugDescription: ""))
        )
        #expect(foreign.description == "failed: encoding [EncodingError]")
        #expect(foreign.fullDescription.contains("secret"))
        #expect(error.subcode == .none && error.severity == .none && !error.isRetryable)
    }

    /// A message says what was attempted, on which database and column family.
    @Test func messagesNameTheirPlace() throws {
        let db = try scene.open(), family = try db.createColumnFamily("songs")
        let errors: [(RocksError?, [String])] = [
            (failure { try family.merge("1", for: "a") }, ["writing to", "'songs'", scene.path, "merge operator"]),
            (failure { try family.deleteRange(from: "b", to: "a") }, ["writing to", "'songs'", scene.path, "range"]),
            (failure { try family.write { $0.merge("1", for: "a") } }, ["batch", "'songs'", scene.path, "merge operator"]),
            (failure { try db.createColumnFamily("songs") }, ["creating", "'songs'", scene.path]),
            (failure { try db.dropColumnFamily("default") }, ["dropping", "'default'", scene.path]),
            (failure { try db.columnFamily("none") }, ["'none'", scene.path, "createColumnFamily"]),
            (failure { try scene.open() }, ["opening", scene.path, "already open"]),
            (failure { try WriteBatch(data: [1, 2]) }, ["batch"]),
        ]
        for (error, parts) in errors {
            let message = try #require(error).message
            for part in parts { #expect(message.contains(part), "\(message)") }
        }
    }

    /// Keys and values are for `fullDescription` alone.
    @Test func descriptionsHoldNoUserData() throws {
        let secret = "SECRET-7c1f"
        let failing = MergeOperator(name: "test.failing") { _, _, _ in nil }
        var options = ReadOptions()
        options.timeout = .nanoseconds(1)
        var families = ColumnFamilyOptions(mergeOperator: failing)
        families["prefix_extractor"] = "fixed:3"
        let db = try scene.open(families), plain = try db.createColumnFamily("plain")
        try db.put(secret, for: secret)
        try db.merge(secret, for: secret)
        try plain.put([UInt8](secret.utf8) + [0xFF], for: [UInt8](secret.utf8) + [0xFF])
        let table = plain.table(key: String.self, value: Int.self, codec: .json)
        let batch = WriteBatch()
        batch.deleteRange(from: secret + "b", to: secret)
        batch.merge(secret, for: secret)
        let errors = [
            failure { try db.get(secret) }, failure { try db.keys() }, failure { try plain.keys(.all, as: String.self) },
            failure { try plain.entries(.all, as: (String.self, String.self)) }, failure { try plain.merge(secret, for: secret) },
            failure { try plain.deleteRange(from: secret + "b", to: secret) }, failure { try plain.write(batch) },
            failure { try WriteBatch(data: secret) }, failure { try table.entries() }, failure { try table.keys() },
        ]
        for (index, error) in errors.enumerated() {
            #expect(error != nil, "\(index)")
            #expect(error?.description.contains("SECRET") == false, "\(error?.description ?? "")")
            #expect(error?.description.contains("534543524554") == false, "\(error?.description ?? "")")
        }
    }

    @Test func errorsOfTheFileSystemAreNoTraps() throws {
        let error = failure { try RocksDB(path: scene.directory.path("none/db"), options: .init(createIfMissing: true)) }
        #expect(error?.code == .notFound && error?.subcode == .pathNotFound)
        #expect(error?.message.contains("No such file or directory") == true)
        #expect(error?.severity == RocksError.Severity.none)
    }
}
