import CairnMapped
import CairnTestSupport
import Foundation
import Testing

/// System calls fail, one after the other, and the power goes at every one of them.
struct FaultTests {
    private func play(_ disk: FaultInjectingFileSystem, _ path: String, _ ledger: FaultLedger, _ durability: Durability = .buffered) {
        var life = FaultedLife(disk, path, ledger, durability)
        life.live()
    }

    /// A child that was just started has the files of its parent until it runs its program, with their locks.
    @Test func whoeverOpensAStoreFirstNeedNotBeAlone() throws {
        var made = 0
        for number in 1..<40 {
            let scene = try Scene()
            let disk = try FaultInjectingFileSystem(scene.directory.path)
            disk.inject(Fault(.stop, at: number))
            _ = try? MappedStore(path: scene.path(), options: MappedStoreOptions(), fileSystem: disk.fileSystem)
            // Without a content it is made only by who is alone.
            guard try scene.names().contains("a.map"), try scene.bytes().contains(where: { $0 != 0 }) else { continue }
            made += 1
            let other = try FileLock(File(scene.path(), [.read]), .shared)
            defer { other.release() }
            let store = try MappedStore(path: scene.path())
            try store.set("works", for: "later")
            #expect(try store.get("later") == "works")
        }
        #expect(made > 0)
    }

    /// Opens what is left and compares it with the ledger.
    private static func check(_ path: String, _ ledger: FaultLedger, _ what: String, mayBeDamaged: Bool = false) throws {
        guard let store = try reopen(path, ledger, what) else { throw Mismatch("\(what): no cipher fits") }
        if !mayBeDamaged { try match(store.openReport.damagedRanges, [], "\(what): damage") }
        for (key, values) in ledger.allowed {
            let found: MappedVariant? = try store.get(key)
            if !values.contains(found) { throw Mismatch("\(what): \(key) is \(String(describing: found)), allowed \(values)") }
        }
        let one: Int? = try store.get("one")
        let two: Int? = try store.get("two")
        let large: String? = try store.get("large")
        try match(one, two, "\(what): halves of a transaction")
        try match(large.map { String($0.suffix(1)) }, one.map { "\($0)" }, "\(what): halves of a transaction")
        var many = 0
        for number in 0..<230 where try store.contains("many \(number)") { many += 1 }
        try match(many % 230, 0, "\(what): parts of a transaction")
        let verification = try store.verify()
        try match(verification.isIntact, true, "\(what): verification")
        try store.set("works", for: "later")
        try store.compact()
        let later: String? = try store.get("later")
        try match(later, "works", "\(what): later")
    }

    private static func reopen(_ path: String, _ ledger: FaultLedger, _ what: String) throws -> MappedStore? {
        var options = MappedStoreOptions()
        options.compaction = .manual
        for cipher in ledger.ciphers {
            options.cipher = cipher == 0 ? nil : TestCipher(cipher)
            do throws(MappedStoreError) { return try MappedStore(path: path, options: options) } catch {
                if error.code != .wrongKey && error.code != .keyNeeded { throw Mismatch("\(what): reopening: \(error)") }
            }
        }
        return nil
    }

    private func trace() throws -> [String] {
        let scene = try Scene()
        let disk = try FaultInjectingFileSystem(scene.directory.path)
        let ledger = FaultLedger(survivesAtOnce: true)
        play(disk, scene.path(), ledger)
        #expect(ledger.failures.isEmpty)
        let trace = disk.trace
        try Self.check(scene.path(), ledger, "without faults")
        return trace
    }

    /// Each call fails once, with several errors, also as if the disk were full from then on; or everything fails from there on.
    @Test func everyCallFails() async throws {
        let calls = try trace()
        #expect(calls.count > 80 && calls.count < 400, "\(calls)")
        try await withSeeds("failing calls of mapped stores", count: 1) { random in
            for effect in [Fault.Effect.fail(5), .fail(28), .stop] {
                for number in Thorough.sample(8, of: 1...calls.count, using: &random) {
                    let scene = try Scene()
                    let disk = try FaultInjectingFileSystem(scene.directory.path)
                    disk.inject(Fault(effect, at: number))
                    let ledger = FaultLedger(survivesAtOnce: true)
                    play(disk, scene.path(), ledger)
                    let what = "\(effect) at call \(number), \(number <= disk.trace.count ? disk.trace[number - 1] : "")"
                    do { try Self.check(scene.path(), ledger, what) } catch { Issue.record(error) }
                }
            }
        }
    }

    /// From some moment on the disk is full: changes that take no space succeed, the others fail with `noSpace`, and nothing is lost.
    @Test func theDiskIsFull() throws {
        let calls = try trace().filter { $0.hasPrefix("reserve") }
        #expect(calls.count >= 4)
        for number in 1...calls.count {
            let scene = try Scene()
            let disk = try FaultInjectingFileSystem(scene.directory.path)
            disk.inject(Fault(.fail(28), at: number, times: .max, of: [.reserve]))
            let ledger = FaultLedger(survivesAtOnce: true)
            play(disk, scene.path(), ledger)
            #expect(!ledger.failures.isEmpty && ledger.failures.allSatisfy { $0.code == .noSpace }, "\(number): \(ledger.failures)")
            do { try Self.check(scene.path(), ledger, "full from reservation \(number)") } catch { Issue.record(error) }
        }
    }

    /// Interrupted and short calls do not show.
    @Test func interruptionsDoNotShow() async throws {
        let calls = try trace()
        try await withSeeds("interrupted calls of mapped stores", count: 1) { random in
            for number in Thorough.sample(8, of: 1...calls.count, using: &random) {
                let scene = try Scene()
                let disk = try FaultInjectingFileSystem(scene.directory.path)
                disk.inject(Fault(.fail(4), at: number))
                disk.inject(.always(.shorten(to: 7), of: [.pread, .pwrite]))
                let ledger = FaultLedger(survivesAtOnce: true)
                play(disk, scene.path(), ledger)
                #expect(ledger.failures.isEmpty, "\(number): \(ledger.failures)")
                do { try Self.check(scene.path(), ledger, "interrupted at \(number)") } catch { Issue.record(error) }
            }
        }
    }

    // MARK: Power

    /// The power goes at every call: what was synced, or set where every change is synced, is there; no half of a transaction is.
    @Test(arguments: [Durability.buffered, .synced]) func thePowerGoesAtEveryCall(durability: Durability) async throws {
        let calls = try {
            let scene = try Scene()
            let disk = try FaultInjectingFileSystem(scene.directory.path)
            play(disk, scene.path(), FaultLedger(survivesAtOnce: true), durability)
            return disk.trace.count
        }()
        try await withSeeds("power cuts of mapped stores", count: 1) { random in
            for number in Thorough.sample(12, of: 1...calls + 1, using: &random) {
                // The worst, a torn one, and one of the others.
                let cuts = PowerCut.all(seed: random.next())
                for cut in [cuts[0], cuts[4], cuts[random.int(in: 1..<4)]] {
                    let scene = try Scene()
                    let disk = try FaultInjectingFileSystem(scene.directory.path)
                    disk.inject(Fault(.stop, at: number))
                    let ledger = FaultLedger(survivesAtOnce: durability == .synced)
                    play(disk, scene.path(), ledger, durability)
                    try disk.cutPower(cut)
                    // A file that lost its name is created again.
                    if try !scene.names().contains("a.map") {
                        let wasSettled = ledger.allowed.values.contains { !$0.contains(nil) }
                        if wasSettled { Issue.record("call \(number), \(cut): the file is gone") }
                        continue
                    }
                    if try !scene.bytes().isEmpty { try scene.pretendAnotherBoot() }
                    let what = "call \(number), \(cut)"
                    do { try Self.check(scene.path(), ledger, what, mayBeDamaged: true) } catch { Issue.record(error) }
                }
            }
        }
    }

    /// A synced change takes along what others have changed before without waiting for the disk: their changes came first, so they must not be
    /// missing where it is there.
    @Test func aSyncedChangeTakesEarlierOnesAlong() throws {
        for cut in PowerCut.all(seed: 1) {
            let scene = try Scene()
            let disk = try FaultInjectingFileSystem(scene.directory.path)
            func open(_ durability: Durability) throws -> MappedStore {
                var options = MappedStoreOptions()
                options.compaction = .manual
                options.durability = durability
                return try MappedStore(path: scene.path(), options: options, fileSystem: disk.fileSystem)
            }
            let waiting = try open(.synced), other = try open(.buffered)
            try waiting.set("first", for: "a")
            // Several pages.
            for number in 0..<20 { try other.set([UInt8](repeating: UInt8(number), count: 3_000), for: "\(number)") }
            try waiting.set("last", for: "a")
            try disk.cutPower(cut)
            try scene.pretendAnotherBoot()
            let found = try scene.store()
            #expect(try found.get("a") == "last" && found.count == 21, "\(cut)")
            for number in 0..<20 { #expect(try found.get("\(number)") == [UInt8](repeating: UInt8(number), count: 3_000), "\(cut)") }
        }
    }

    /// What is synced while a compaction copies the file outlives a power cut after it: whether the one who compacts syncs every change, or calls
    /// `sync`, or another one syncs.
    @Test(arguments: [Durability.buffered, .synced], [false, true])
    func whatIsSyncedDuringACompactionStays(durability: Durability, byAnother: Bool) throws {
        for cut in PowerCut.all(seed: 1) {
            let scene = try Scene()
            let disk = try FaultInjectingFileSystem(scene.directory.path)
            func open(_ durability: Durability) throws -> MappedStore {
                var options = MappedStoreOptions()
                options.compaction = .manual
                options.durability = durability
                return try MappedStore(path: scene.path(), options: options, fileSystem: disk.fileSystem)
            }
            let store = try open(durability), other = try open(.synced)
            try store.set("before", for: "a")
            try store.sync()
            var change: Result<String, any Error> = .success("not made")
            try store.compact { part in
                guard part == 0 else { return }
                change = Result {
                    try (byAnother ? other : store).set("during", for: "a")
                    if !byAnother, durability == .buffered { try store.sync() }
                    return "made"
                }
            }
            #expect(try change.get() == "made")
            try disk.cutPower(cut)
            try scene.pretendAnotherBoot()
            #expect(try scene.store().get("a") == "during", "\(cut)")
        }
    }
}
