import CairnObjects
import CairnTestSupport
import Synchronization
import Testing

private struct Failure: Error {
    var text = ""
}

private enum FormerClass {
    @Stored(name: "Record") final class Record {
        var title: String
        var artist: String
        var count: Int = 0
    }
}

@Stored private final class Record {
    var title: String
    var artist: String
    var count: Int = 0
    @Relationship(inverse: \Maker.records) var maker: Maker?
}

@Stored private final class Maker {
    @Unique var name: String
    @Relationship var records: ObjectSet<Record>
}

/// Changes that concern several classes, each made once in each store.
@Suite struct MigrationTests {
    private let engine = MemoryEngine()

    init() throws {
        let store = try ObjectStore(engine: engine, classes: [FormerClass.Record.self])
        try store.write { context in
            for number in 0..<2500 { context.insert(FormerClass.Record(title: "\(number)", artist: "artist \(number % 3)")) }
        }
    }

    private func open(
        _ migrations: [ObjectMigration],
        readOnly: Bool = false,
        progress: (@Sendable (ObjectStoreOptions.OpeningStep, Double) -> Void)? = nil
    ) throws -> ObjectStore {
        let options = ObjectStoreOptions(readOnly: readOnly, migrations: migrations, progress: progress)
        return try ObjectStore(engine: engine, classes: [Record.self, Maker.self], options: options)
    }

    private static let makers = ObjectMigration("makers") { context in
        var makers: [String: Maker] = [:]
        for record in try context.allObjects(Record.self) {
            let maker = makers[record.artist] ?? Maker(name: record.artist)
            makers[record.artist] = maker
            record.maker = maker
        }
    }

    @Test func failuresSayWhatWasSaved() throws {
        let third = ObjectMigration("count", forEach: Record.self) { record, _ in
            if record.title == "2100" { throw Failure() }
            record.count = 1
        }
        let error = #expect(throws: ObjectStoreError.self) { try open([third]) }
        #expect(error?.message.contains("failed after row 2000; the changes up to that row were saved") == true, "\(error?.message ?? "")")
        let first = ObjectMigration("first", forEach: Record.self) { _, _ in throw Failure() }
        let other = #expect(throws: ObjectStoreError.self) { try open([first]) }
        #expect(other?.message.hasSuffix("failed, and was not saved") == true, "\(other?.message ?? "")")
    }

    @Test func stepsRunOnceAndInOrder() throws {
        let calls = Mutex<[String]>([])
        let steps = Mutex<[ObjectStoreOptions.OpeningStep: Double]>([:])
        let first = ObjectMigration("first") { context in
            calls.withLock { $0.append("first") }
            try Self.makersOnce(context)
        }
        let second = ObjectMigration("second", forEach: Record.self) { record, context in
            calls.withLock { if $0.last != "second" { $0.append("second") } }
            record.count += record.maker?.name.count ?? 0
        }
        var store = try open([first])
        #expect(try store.finishedMigrations() == ["first"])
        store = try open([first, second]) { step, part in steps.withLock { $0[step] = part } }
        #expect(calls.withLock { $0 } == ["first", "second"])
        #expect(steps.withLock { $0 } == [.migration("second"): 1])
        store = try open([first, second])
        #expect(calls.withLock { $0 } == ["first", "second"])
        #expect(try store.finishedMigrations() == ["first", "second"])
        let context = try store.makeContext()
        #expect(try context.names().isEmpty)
        #expect(try context.count(Maker.self) == 3)
        #expect(try Set(context.allObjects(Record.self).map(\.count)) == [8])
        #expect(try store.verify().isIntact)
    }

    private static func makersOnce(_ context: ObjectContext) throws {
        let makers = (0..<3).map { Maker(name: "artist \($0)") }
        for record in try context.allObjects(Record.self) { record.maker = makers.first { $0.name == record.artist } }
    }

    @Test func aStepThatFailsLeavesNothing() throws {
        let failing = ObjectMigration("makers") { context in
            try Self.makersOnce(context)
            throw Failure()
        }
        let error = #expect(throws: ObjectStoreError.self) { try open([failing]) }
        #expect(error?.code == .migrationFailed && error?.cause is Failure && error?.message.contains("\"makers\"") == true)
        var store = try open([])
        #expect(try store.read { try $0.count(Maker.self) } == 0 && store.finishedMigrations().isEmpty)
        // What its save refuses too.
        let twice = ObjectMigration("makers") { context in for _ in 0..<2 { context.insert(Maker(name: "twice")) } }
        #expect((#expect(throws: ObjectStoreError.self) { try open([twice]) }?.cause as? ObjectStoreError)?.code == .notUnique)
        #expect(throws: ObjectStoreError.self) { try open([Self.makers], readOnly: true) }
        store = try open([Self.makers])
        #expect(try store.read { try $0.count(Maker.self) } == 3)
        store = try open([Self.makers], readOnly: true)
        #expect(try store.finishedMigrations() == ["makers"])
    }

    @Test func longStepsGoOnWhereTheyEnded() throws {
        let seen = Mutex<[String]>([])
        let fails = Mutex(true)
        let parts = Mutex<[Double]>([])
        let counting = ObjectMigration("count", forEach: Record.self) { record, context in
            if record.title == "2100", fails.withLock({ $0 }) { throw Failure() }
            seen.withLock { $0.append(record.title) }
            record.count += 1
            // New objects are left out, and deleted ones too.
            if record.title == "10" { context.insert(Record(title: "new", artist: "new")) }
            if record.title == "20", let next = try context.first(Record.self, where: \.title == "2200") { try context.delete(next) }
        }
        #expect(throws: ObjectStoreError.self) { try open([counting]) }
        var store = try open([])
        #expect(try store.read { try $0.count(Record.self, where: \.count == 1) } == 2000)
        #expect(try store.finishedMigrations().isEmpty)
        fails.withLock { $0 = false }
        store = try open([counting]) { _, part in parts.withLock { $0.append(part) } }
        let counts = try store.read { try $0.allObjects(Record.self).map { [$0.title == "new" ? 1 : 0, $0.count] } }
        #expect(counts.count == 2500 && counts.allSatisfy { $0 == [0, 1] || $0 == [1, 0] })
        // Those of the batch that failed came twice, all others once.
        #expect(seen.withLock { $0.count } == 2100 + 499)
        #expect(parts.withLock { $0 == $0.sorted() && $0.first == 0 && $0.last == 1 && $0.count == 3 })
    }

    /// Values may be in errors of the step, which the message must not contain.
    @Test func messagesOfFailuresHaveNoValues() throws {
        let failing = ObjectMigration("makers") { _ in throw Failure(text: "secret") }
        let error = try #require(#expect(throws: ObjectStoreError.self) { try open([failing]) })
        #expect(error.message.hasSuffix("was not saved") && (error.cause as? Failure)?.text == "secret")
    }

    @Test func stepsCannotSave() throws {
        let saving: [ObjectMigration] = [
            ObjectMigration("whole") { context in
                context.insert(Maker(name: "saved early"))
                try context.save()
            },
            ObjectMigration("batches", forEach: Record.self) { record, context in
                record.count = 1
                try context.save()
            },
            ObjectMigration("whole") { context in
                context.insert(Maker(name: "saved early"))
                try? context.save()
                throw Failure()
            },
        ]
        for (migration, code) in zip(saving, [.notSupported, .notSupported, nil] as [ObjectStoreError.Code?]) {
            let error = #expect(throws: ObjectStoreError.self) { try open([migration]) }
            #expect(error?.code == .migrationFailed && (error?.cause as? ObjectStoreError)?.code == code)
        }
        let store = try open([])
        #expect(try store.read { try $0.count(Maker.self) + $0.count(Record.self, where: \.count == 1) } == 0)
    }

    @Test func whatCannotBeReadIsSkipped() throws {
        var commit = EngineCommit()
        // A record with an invalid field, and a whole page.
        let page = [0x01, 0, 1, 0, 0, 0, 0, 0, 0] as [UInt8]
        var bytes = try #require(try engine.makeView().get(page))
        let place = try #require(bytes.firstRange(of: Array("artist 2".utf8)))
        bytes[place.lowerBound] = 0xFF
        commit.put(bytes, for: page)
        commit.put([9] as [UInt8], for: [0x01, 0, 1, 0, 0, 0, 0, 0, 3] as [UInt8])
        try engine.commit(commit)
        let seen = Mutex(0)
        let counting = ObjectMigration("count", forEach: Record.self) { record, _ in
            seen.withLock { $0 += 1 }
            record.count += 1
        }
        let store = try open([counting])
        #expect(seen.withLock { $0 } == 2500 - 33)
        #expect(try store.finishedMigrations() == ["count"])
        let context = try store.makeContext()
        #expect(try context.object(ObjectID("1/2")!, as: Record.self)?.count == 1)
        #expect(code { try context.object(ObjectID("1/3")!, as: Record.self) } == .corruption)
        #expect(try !store.verify().isIntact)
    }

    @Test func namesAreCheckedAndNewStoresHaveAllSteps() throws {
        for names in [["a", "a"], [""]] {
            let error = #expect(throws: ObjectStoreError.self) { try open(names.map { ObjectMigration($0) { _ in } }) }
            #expect(error?.code == .invalidArgument)
        }
        let options = ObjectStoreOptions(migrations: [ObjectMigration("empty", forEach: Record.self) { _, _ in }, Self.makers])
        let store = try ObjectStore(engine: MemoryEngine(), classes: [Record.self, Maker.self], options: options)
        #expect(try store.finishedMigrations() == ["empty", "makers"])
    }
}
