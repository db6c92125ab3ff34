import CairnTestSupport
import Foundation
import Synchronization
import Testing

@testable import CairnMapped

/// A process is killed between any two steps of a commit: what it leaves is a copy of the file at that moment.
struct CommitOrderTests {
    /// A step after which the process may die, and the file as it is then.
    private struct Moment {
        let name: String
        let bytes: [UInt8]
        let hasHappened: Bool
    }

    /// Carries out a commit, and returns the file before, between and after its steps.
    private func moments<Written>(
        of commit: MappedCommit,
        _ totals: inout SharedHeader.Totals,
        _ scene: Scene,
        write: (Int) throws(MappedStoreError) -> Written,
        publish: (Written, inout SharedHeader.Totals) -> Void
    ) throws(MappedStoreError) -> [Moment] {
        var moments: [Moment] = []
        let index = unsafe commit.view.header.index
        func note(_ name: String, hasHappened: Bool) {
            let header = unsafe commit.view.header
            #expect(unsafe hasHappened || header.index == index, "\(name): readers are led to a table that is not there yet")
            #expect(unsafe header.pendingEnd != 0, "\(name): the mark is missing")
            #expect(unsafe header.isConsistent != hasHappened, "\(name): the totals belong to another moment")
            guard let bytes = try? scene.bytes() else { return }
            moments.append(Moment(name: name, bytes: bytes, hasHappened: hasHappened))
        }
        try commit.apply(&totals) { start throws(MappedStoreError) in
            note("before the records", hasHappened: false)
            let written = try write(start)
            note("after the records", hasHappened: false)
            return written
        } publish: { written, totals in
            note("before the slots", hasHappened: true)
            publish(written, &totals)
            note("after the slots", hasHappened: true)
        }
        return moments
    }

    /// Opens each copy: it has everything or nothing, is marked as unfinished, and undamaged.
    private func check(
        _ moments: [Moment],
        _ old: [String: MappedVariant],
        _ new: [String: MappedVariant],
        _ change: (inout MappedStoreOptions) -> Void = { _ in }
    ) throws {
        #expect(moments.count == 4)
        for moment in moments {
            let scene = try Scene(fileSystem: .unsynced)
            try scene.write(moment.bytes)
            let store = try scene.store("a.map", change)
            #expect(try store.contents() == (moment.hasHappened ? new : old), "\(moment.name)")
            #expect(store.openReport.wasRebuilt && store.openReport.damagedRanges.isEmpty, "\(moment.name)")
            try store.set(1, for: "later")
            #expect(try store.get("later") == 1 && store.verify().isIntact, "\(moment.name)")
        }
    }

    private let old: [String: MappedVariant] = ["a": .string("old"), "b": .int(1)]

    private func filledStore(_ scene: Scene, _ change: (inout MappedStoreOptions) -> Void = { _ in }) throws -> MappedStore {
        let store = try scene.store("a.map", change)
        for (key, value) in old { try store.set(value, for: key) }
        return store
    }

    /// While any value expires, the number of values takes a look at each of them: the count must come back to zero.
    @Test func expiringValuesAreCounted() throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try scene.store()
        var counts: [Int] = []
        func note() throws { counts.append(unsafe try store.currentView().header.totals.expiring) }
        try store.set(1, for: "a", expiresAfter: .seconds(1_000))
        try store.set(1, for: "b", expiresAfter: .seconds(1_000))
        try note()
        try store.set(2, for: "a", expiresAfter: .seconds(2_000))
        try note()
        try store.set(3, for: "a")
        try note()
        try store.transaction { try $0.set(4, for: "b") }
        try note()
        try store.set(5, for: "c", expiresAfter: .seconds(1_000))
        try note()
        try store.remove("c")
        try note()
        #expect(counts == [2, 2, 1, 0, 1, 0])
        #expect(try store.count == 2 && store.verify().isIntact)
    }

    @Test func oneChangeIsWholeAtEveryStep() throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try filledStore(scene)
        let view = try store.currentView()
        var moments: [Moment] = []
        try store.lock.withLock(view) { () throws(MappedStoreError) in
            unsafe "a".withLentBytes { key in
                unsafe Array("new".utf8).withLentBytes { value in
                    let hash = unsafe view.hash(key)
                    var slot: UInt64 = 0
                    let place = unsafe view.locate(key, hash: hash, position: &slot)
                    #expect(place > 0)
                    let change = unsafe Change(key: key, value: value, type: .string, deadline: nil, flags: [])
                    let plan = unsafe RecordPlan(change, hash: hash, slot: slot, old: view.table[slot])
                    var totals = view.totals
                    let commit = MappedCommit(view, size: plan.size)
                    do {
                        moments = try self.moments(of: commit, &totals, scene) { start throws(MappedStoreError) in
                            try plan.write(to: view, at: start)
                        } publish: {
                            plan.publish($0, in: view, &$1)
                        }
                    } catch { Issue.record(error) }
                }
            }
        }
        try check(moments, old, ["a": .string("new"), "b": .int(1)])
        #expect(try store.contents() == ["a": .string("new"), "b": .int(1)] && store.verify().isIntact)
    }

    @Test(arguments: [nil, 5]) func aTransactionIsWholeAtEveryStep(key: UInt64?) throws {
        func change(_ options: inout MappedStoreOptions) { options.cipher = key.map { TestCipher($0) } }
        let scene = try Scene(fileSystem: .unsynced)
        let store = try filledStore(scene, change)
        let view = try store.currentView()
        var moments: [Moment] = []
        try store.lock.withLock(view) { () throws(MappedStoreError) in
            var changes = OwnedChanges()
            for (key, value) in [("a", "new"), ("c", "more")] {
                try value.withStoredBytes { bytes, type throws(MappedStoreError) in try changes.set(bytes, type, for: key, deadline: nil) }
            }
            try unsafe changes.bytes.withLentBytes { bytes throws(MappedStoreError) in
                var plan = TransactionPlan(capacity: 2)
                for change in changes.all.map({ unsafe $0.lent(from: bytes) }) {
                    let hash = unsafe view.hash(change.key)
                    guard let position = unsafe view.find(change.key, hash: hash) else { throw store.damagedError }
                    try plan.add(change, hash: hash, position, view)
                }
                var totals = view.totals
                do {
                    moments = try self.moments(of: MappedCommit(view, size: plan.size), &totals, scene) { start throws(MappedStoreError) in
                        try plan.write(to: view, at: start)
                    } publish: {
                        plan.publish($0, in: view, &$1)
                    }
                } catch { Issue.record(error) }
            }
        }
        let new: [String: MappedVariant] = ["a": .string("new"), "b": .int(1), "c": .string("more")]
        try check(moments, old, new, change)
        #expect(try store.contents() == new && store.verify().isIntact)
    }

    @Test func aLargerTableIsWholeAtEveryStep() throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try filledStore(scene)
        let view = try store.currentView()
        var moments: [Moment] = []
        try store.lock.withLock(view) { () throws(MappedStoreError) in
            var totals = view.totals
            let plan = unsafe try TablePlan(for: totals.count, from: view.table, in: view, totals, maximum: nil)
            let commit = MappedCommit(view, size: plan.size)
            moments = try self.moments(of: commit, &totals, scene) { start throws(MappedStoreError) in
                try plan.write(to: view, at: start)
            } publish: {
                plan.publish($0, in: view, &$1)
            }
        }
        try check(moments, old, old)
        #expect(try store.contents() == old && store.verify().isIntact)
    }

    /// Another process may look at any moment, also between the last steps: without the mark, the totals belong to the end.
    @Test func withoutTheMarkTotalsAreRight() async throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try scene.store()
        let isDone = Flag()
        try await onThreads(2) { thread in
            if thread == 0 {
                defer { isDone.set() }
                for number in 0..<Thorough.count(10_000, of: 50_000) { try store.set(number, for: "a") }
                return
            }
            let header = unsafe try store.currentView().header
            while !isDone.isSet {
                let end = unsafe header.end
                guard unsafe header.pendingEnd == 0 else { continue }
                let isConsistent = unsafe header.isConsistent
                atomicMemoryFence(ordering: .acquiring)
                // If another commit began in between, what was read may be from both.
                guard unsafe header.pendingEnd == 0, unsafe header.end == end else { continue }
                try match(isConsistent, true, "whether the totals belong to the end")
            }
        }
    }
}
