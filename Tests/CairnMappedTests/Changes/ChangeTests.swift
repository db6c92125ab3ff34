import CairnMapped
import CairnTestSupport
import Dispatch
import Foundation
import Observation
import Synchronization
import Testing

/// Streams of changes. Two stores of one path share nothing but the file, as two processes do.
@Suite(.timeLimit(.minutes(60)))
struct ChangeTests {
    let directory = try! TemporaryDirectory()

    func open(readOnly: Bool = false, cipher: (any MappedCipher)? = nil) throws -> MappedStore {
        var options = MappedStoreOptions()
        options.readOnly = readOnly
        options.compaction = .manual
        options.busyTimeout = .seconds(60)
        options.cipher = cipher
        return try MappedStore(path: directory.path("a.map"), options: options, fileSystem: .quick)
    }

    private func take(_ count: Int, of changes: MappedChanges) async throws -> [MappedChange] {
        var iterator = changes.makeAsyncIterator()
        var result: [MappedChange] = []
        while result.count < count, let change = try await iterator.next() { result.append(change) }
        return result
    }

    private func change(_ store: MappedStore) throws {
        try store.set(1, for: "a")
        try store.set(2, for: "a")
        try store.remove("a")
        try store.remove("never there")
        try store.transaction { changes in
            try changes.set(1, for: "b")
            try changes.set(1, for: "c")
        }
    }
    private let expected: [MappedChange] = [.set("a"), .set("a"), .removed("a"), .set("b"), .set("c")]

    @Test func changesOfThisProcess() async throws {
        let store = try open()
        try store.set(1, for: "before")
        let changes = try store.changes()
        try change(store)
        #expect(try await take(5, of: changes) == expected)
        let others = try store.changes()
        try store.set(1, for: "d")
        #expect(try await take(1, of: changes) == [.set("d")])
        #expect(try await take(1, of: others) == [.set("d")])
    }

    @Test(arguments: [false, true]) func changesOfOtherProcesses(readOnly: Bool) async throws {
        let other = try open()
        try other.set(1, for: "before")
        let store = try open(readOnly: readOnly)
        let changes = try store.changes()
        let reader = Task { try await take(5, of: changes) }
        try change(other)
        #expect(try await reader.value == expected)
        try store.close()
        #expect(try await take(1, of: changes) == [])
    }

    @Test(arguments: [false, true]) func aReaderThatWaitsIsWoken(readOnly: Bool) async throws {
        let other = try open(), store = try open(readOnly: readOnly)
        let changes = try store.changes()
        for number in 0..<20 {
            let reader = Task { try await take(1, of: changes) }
            await Task.yield()
            try other.set(number, for: "key\(number)")
            #expect(try await reader.value == [.set("key\(number)")])
        }
    }

    @Test func listeningWithinATransaction() async throws {
        let other = try open(), store = try open()
        let before = try store.changes()
        try other.set(1, for: "a")
        let changes = try store.transaction { transaction in
            try transaction.set(1, for: "b")
            try transaction.set(1, for: "c")
            return try store.changes()
        }
        #expect(try await take(3, of: before) == [.set("a"), .set("b"), .set("c")])
        #expect(try await take(2, of: changes) == [.set("b"), .set("c")])
    }

    // MARK: Files that are replaced

    @Test(arguments: [false, true]) func compactingHidesNothing(readOnly: Bool) async throws {
        let other = try open(), store = try open(readOnly: readOnly)
        let changes = try store.changes()
        var expected: [MappedChange] = []
        for round in 0..<5 {
            for number in 0..<50 {
                try other.set(round, for: "key\(number)")
                expected.append(.set("key\(number)"))
            }
            try other.compact()
            try other.remove("key7")
            expected.append(.removed("key7"))
            // A store that looks but 40 times a second must not miss a whole file.
            #expect(try await take(51, of: changes) == expected.suffix(51))
            if !readOnly, round % 2 == 1 { try store.compact() }
        }
    }

    @Test func aFileThatOutgrowsTheMapping() async throws {
        let other = try open(), store = try open()
        let changes = try store.changes()
        let large = [UInt8](repeating: 1, count: 5 << 20)
        for number in 0..<5 { try other.set(large, for: "key\(number)") }
        try other.compact()
        for number in 5..<10 { try other.set(large, for: "key\(number)") }
        #expect(try await take(10, of: changes) == (0..<10).map { .set("key\($0)") })
    }

    @Test func removingAllIsEverything() async throws {
        let other = try open(), store = try open()
        let changes = try store.changes()
        for changer in [store, other] {
            try changer.set(1, for: "a")
            #expect(try await take(1, of: changes) == [.set("a")])
            try changer.removeAll()
            #expect(try await take(1, of: changes) == [.everything])
            try changer.set(2, for: "b")
            #expect(try await take(1, of: changes) == [.set("b")])
        }
    }

    @Test func restoringIsEverything() async throws {
        let other = try open(), store = try open()
        try other.set(1, for: "a")
        try other.backup(to: directory.path("backup.map"))
        let changes = try store.changes()
        var value = try store.values(of: MappedKey("a", default: 0)).makeAsyncIterator()
        #expect(try await value.next() == 1)
        try other.set(2, for: "a")
        #expect(try await take(1, of: changes) == [.set("a")])
        #expect(try await value.next() == 2)
        try other.restore(from: directory.path("backup.map"))
        #expect(try await take(1, of: changes) == [.everything])
        #expect(try await value.next() == 1)
    }

    /// Keeps the thread that follows `store` from looking, until the result is called.
    private func hold(_ store: MappedStore) throws -> () -> Void {
        let entered = DispatchSemaphore(value: 0), leave = DispatchSemaphore(value: 0)
        let observed = try MappedObserved(MappedKey("hold", default: 0), in: store)
        withObservationTracking {
            _ = observed.value
        } onChange: {
            entered.signal()
            leave.wait()
        }
        try store.set(1, for: "hold")
        entered.wait()
        return {
            leave.signal()
            extendLifetime(observed)
        }
    }

    @Test func wholeFilesThatNobodyLookedAt() async throws {
        let other = try open(), store = try open()
        let release = try hold(store)
        let changes = try store.changes()
        try other.set(1, for: "a")
        try other.compact()
        try other.set(1, for: "b")
        try other.compact()
        try other.set(1, for: "c")
        release()
        // A new listener makes the feed read everything written before; "a", which could be reported, is part of everything.
        _ = try store.changes()
        #expect(try await take(1, of: changes) == [.everything])
        try other.set(1, for: "d")
        #expect(try await take(1, of: changes) == [.set("d")])
    }

    @Test func filesWithoutChangesOfTheirOwnAreNotMissed() async throws {
        let other = try open(), store = try open()
        let release = try hold(store)
        let changes = try store.changes()
        try other.set(1, for: "a")
        for _ in 0..<3 { try other.compact() }
        try other.set(1, for: "c")
        release()
        #expect(try await take(2, of: changes) == [.set("a"), .set("c")])
    }

    // MARK: Ends

    @Test func moreThanIsKept() async throws {
        let store = try open()
        let changes = try store.changes(limit: 3)
        for number in 0..<3 { try store.set(1, for: "\(number)") }
        // A new listener makes the feed read everything written before.
        _ = try store.changes()
        #expect(try await take(3, of: changes) == [.set("0"), .set("1"), .set("2")])
        for number in 0..<4 { try store.set(1, for: "\(number)") }
        _ = try store.changes()
        try store.set(1, for: "last")
        #expect(try await take(1, of: changes) == [.everything])
        // Maybe "last" was among everything.
        try store.set(1, for: "end")
        let rest = try await take(1, of: changes)
        #expect(try rest == [.set("end")] || (rest == [.set("last")] && store.contains("end")))
    }

    @Test(arguments: [false, true]) func closingEndsStreams(readOnly: Bool) async throws {
        try open().close()
        for _ in 0..<10 {
            let store = try open(readOnly: readOnly)
            let changes = try store.changes(), values = try store.values(of: "a", as: Int.self)
            let reader = Task { try await take(1, of: changes) }
            let other = Task { () async throws(MappedStoreError) -> [Int?] in
                var all: [Int?] = []
                for try await value in values { all.append(value) }
                return all
            }
            await Task.yield()
            try store.close()
            #expect(try await reader.value == [])
            #expect(try await [[], [nil]].contains(other.value))
            #expect(code { try store.changes() } == .closed)
            #expect(code { try store.values(of: "a", as: Int.self) } == .closed)
        }
        #expect(try open().openReport.wasRebuilt == false)
    }

    @Test func cancellingEndsStreams() async throws {
        let store = try open()
        let changes = try store.changes()
        for _ in 0..<50 {
            let reader = Task { try await take(1, of: changes) }
            await Task.yield()
            reader.cancel()
            #expect(try await reader.value == [])
        }
        try store.set(1, for: "a")
        #expect(try await take(1, of: changes) == [.set("a")])
    }

    @Test func aSequenceKeepsItsStoreAndNothingElseDoes() async throws {
        weak var seen: MappedStore?
        do {
            var changes: MappedChanges?
            do {
                let store = try open()
                seen = store
                changes = try store.changes()
            }
            #expect(seen != nil)
            try seen?.set(1, for: "a")
            #expect(try await take(1, of: try #require(changes)) == [.set("a")])
            changes = nil
        }
        // The thread that follows may be looking at this moment.
        while seen != nil { await Task.yield() }
        #expect(try open().get("a") == 1)
    }

    @Test func aStoreThatCannotBeFollowed() async throws {
        let other = try open(), store = try open()
        let changes = try store.changes(), values = try store.values(of: "a", as: Int.self)
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == .some(nil))
        try other.rekey(to: TestCipher(7))
        await #expect(throws: MappedStoreError.self) { try await take(1, of: changes) }
        #expect(try await take(1, of: changes) == [])
        do throws(MappedStoreError) {
            _ = try await iterator.next()
            Issue.record("no error")
        } catch {
            #expect(error.code == .keyNeeded)
        }
        try other.set(1, for: "a")
        try store.close()
    }

    // MARK: Damage

    private func write(_ bytes: [UInt8], at offset: UInt64) throws {
        let file = try FileHandle(forUpdating: URL(filePath: directory.path("a.map")))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: bytes)
    }

    /// The count of those who wait is lost with the header.
    @Test(arguments: [0, 100] as [UInt64]) func aFileThatIsCutEndsTheStream(size: UInt64) async throws {
        let store = try open()
        try store.set(1, for: "a")
        let changes = try store.changes()
        try FileHandle(forUpdating: URL(filePath: directory.path("a.map"))).truncate(atOffset: size)
        await #expect(throws: MappedStoreError.self) { try await take(1, of: changes) }
    }

    /// What these say is in the file, without a checksum.
    @Test func aBellAndACountOfWaitersAtTheirLimits() async throws {
        let store = try open()
        let before = try store.changes()
        try write([UInt8](repeating: 0xFF, count: 8), at: 1216)
        let changes = try store.changes()
        for number in 0..<3 {
            try store.set(number, for: "a")
            #expect(try await take(1, of: before) == [.set("a")])
        }
        #expect(try await take(3, of: changes) == [.set("a"), .set("a"), .set("a")])
        try write([0, 0, 0, 0], at: 1220)
        try store.close()
        #expect(try open().verify().isIntact)
    }

    @Test func anEncryptedStore() async throws {
        let other = try open(cipher: TestCipher(7)), store = try open(cipher: TestCipher(7))
        let changes = try store.changes()
        try change(other)
        try other.compact()
        try other.set(3, for: "d")
        #expect(try await take(6, of: changes) == expected + [.set("d")])
    }
}
