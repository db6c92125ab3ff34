import CairnCDB
import CairnTestSupport
import Synchronization
import Testing

/// Time, as tests have it.
final class ManualScheduler: CDBScheduler {
    private struct Call: Sendable {
        var delay: Duration
        var body: @Sendable () -> Void
    }
    private let calls = Mutex<(next: Int, waiting: [Int: Call])>((0, [:]))

    func call(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> CDBTimer {
        let number = calls.withLock { calls in
            calls.next += 1
            calls.waiting[calls.next] = Call(delay: delay, body: body)
            return calls.next
        }
        return CDBTimer { [weak self] in self?.calls.withLock { $0.waiting[number] = nil } }
    }

    var delays: [Duration] { calls.withLock { $0.waiting.values.map(\.delay).sorted() } }

    /// Lets all time pass that is waited for.
    func pass() {
        let due = calls.withLock { calls in
            defer { calls.waiting = [:] }
            return calls.waiting.sorted { $0.key < $1.key }.map(\.value)
        }
        for call in due { call.body() }
    }
}

struct AutosaveTests {
    private func store(_ scene: Scene, _ scheduler: ManualScheduler) throws -> CDBStore<String, String> {
        try CDBStore(path: scene.path(), codec: .utf8, keys: .raw, options: .buffered, fileSystem: .system, scheduler: scheduler)
    }

    final class Failures: Sendable {
        private let codes = Mutex<[CDBError.Code]>([])
        func add(_ code: CDBError.Code) { codes.withLock { $0.append(code) } }
        var all: [CDBError.Code] { codes.withLock { $0 } }
    }

    /// Longer than a number of seconds can say.
    @Test func timesWithoutEnd() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.put("1", for: "a")
        try store.saveSoon(after: .seconds(1e20))
        try store.autosave(every: .seconds(1e20))
        #expect(!scene.exists())
        try store.close()
        #expect(try scene.reader().pairTexts() == ["a=1"])
    }

    @Test func savesAgainAndAgain() throws {
        let scene = try Scene()
        let scheduler = ManualScheduler()
        let store = try store(scene, scheduler)
        try store.autosave(every: .seconds(30))
        #expect(scheduler.delays == [.seconds(30)])
        scheduler.pass()
        #expect(!scene.exists())
        for number in 0..<3 {
            try store.put("\(number)", for: "a")
            scheduler.pass()
            #expect(try scene.reader().pairTexts() == ["a=\(number)"])
        }
        try store.autosave(every: .seconds(5))
        #expect(scheduler.delays == [.seconds(5)])
        try store.autosave(every: nil)
        #expect(scheduler.delays.isEmpty)
        try store.autosave(every: .seconds(5))
        try store.close()
        #expect(scheduler.delays.isEmpty)
    }

    /// Another interval, or none, that is wanted while a save is under way.
    @Test func changedDuringASave() throws {
        let scene = try Scene()
        let calls = Interposer()
        let scheduler = ManualScheduler()
        let store = try scene.store(through: calls, scheduler: scheduler)
        try store.autosave(every: .seconds(1))
        try store.put("1", for: "a")
        calls.before(.fsync) { try store.autosave(every: .seconds(60)) }
        scheduler.pass()
        #expect(scheduler.delays == [.seconds(60)])
        try store.put("2", for: "a")
        calls.before(.fsync) { try store.autosave(every: nil) }
        scheduler.pass()
        #expect(scheduler.delays.isEmpty)
    }

    @Test func anyDurationWillDo() throws {
        let scene = try Scene()
        let scheduler = ManualScheduler()
        let store = try store(scene, scheduler)
        let durations: [Duration] = [.zero, .seconds(-10_000_000_000), .seconds(Int64.min)]
        for interval in durations {
            try store.autosave(every: interval)
            #expect(scheduler.delays == [.milliseconds(1)])
        }
        for delay in durations + [.seconds(Int64.max)] {
            let store = try scene.store()
            try store.saveSoon(after: delay)
            try store.close()
        }
    }

    /// A save that fails, and what is changed during one, leave the save to come.
    @Test func savingSoonIsNotForgotten() throws {
        let scene = try Scene()
        let calls = Interposer()
        let scheduler = ManualScheduler()
        let store = try scene.store(through: calls, scheduler: scheduler)
        try store.put("1", for: "a")
        try store.saveSoon()
        calls.before(.fsync) { try scene.make([]) }
        #expect(code { try store.save() } == .conflict)
        #expect(scheduler.delays == [.seconds(1)])
        calls.before(.fsync) {
            try store.put("2", for: "b")
            try store.saveSoon()
        }
        try store.save(onConflict: .merge)
        #expect(scheduler.delays == [.seconds(1)] && store.hasChanges)
        scheduler.pass()
        #expect(try scene.reader().pairTexts() == ["a=1", "b=2"] && scheduler.delays.isEmpty)
    }

    @Test func savingSoonGathersChanges() throws {
        let scene = try Scene()
        let scheduler = ManualScheduler()
        let store = try store(scene, scheduler)
        for number in 0..<10 {
            try store.put("\(number)", for: "a")
            try store.saveSoon(after: .milliseconds(200))
        }
        #expect(scheduler.delays == [.milliseconds(200)] && !scene.exists())
        scheduler.pass()
        #expect(try scene.reader().pairTexts() == ["a=9"] && scheduler.delays.isEmpty)
        try store.put("10", for: "a")
        try store.saveSoon()
        #expect(scheduler.delays == [.seconds(1)])
        // A save before makes it needless.
        try store.save()
        #expect(scheduler.delays.isEmpty)
    }

    @Test func failuresAreToldAndTheChangesStay() throws {
        let scene = try Scene()
        let disk = try FaultInjectingFileSystem(scene.directory.path)
        let scheduler = ManualScheduler()
        let failures = Failures()
        var options = CDBStoreOptions.buffered
        options.onAutosaveFailure = { failures.add($0.code) }
        let store = try scene.store(through: disk, options: options, scheduler: scheduler)
        try store.put("1", for: "a")
        try store.autosave(every: .seconds(1))
        disk.inject(.always(.fail(28), of: [.pwrite]))
        scheduler.pass()
        #expect(failures.all == [.noSpace] && store.hasChanges)
        disk.reset()
        scheduler.pass()
        #expect(try failures.all == [.noSpace] && !store.hasChanges && scene.reader().pairTexts() == ["a=1"])
    }

    @Test func theFailureOfTheLastSaveIsTold() throws {
        let scene = try Scene()
        let disk = try FaultInjectingFileSystem(scene.directory.path)
        let failures = Failures()
        var options = CDBStoreOptions.buffered
        options.onAutosaveFailure = { failures.add($0.code) }
        do {
            let store = try scene.store(through: disk, options: options, scheduler: ManualScheduler())
            try store.put("1", for: "a")
            disk.inject(.always(.fail(28), of: [.pwrite]))
        }
        #expect(failures.all == [.noSpace])
    }

    @Test func aStoreThatIsGoneIsNotSavedLater() throws {
        let scene = try Scene()
        let scheduler = ManualScheduler()
        var store: CDBStore<String, String>? = try self.store(scene, scheduler)
        try store?.autosave(every: .seconds(1))
        store = nil
        scheduler.pass()
        #expect(scheduler.delays.isEmpty && !scene.exists())
    }

    @Test(.timeLimit(.minutes(60))) func theSystemsClockCallsToo() async throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.put("1", for: "a")
        try store.saveSoon(after: .milliseconds(1))
        while store.hasChanges { await Task.yield() }
        #expect(try scene.reader().pairTexts() == ["a=1"])
    }
}
