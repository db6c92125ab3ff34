import CairnTestSupport
import Foundation
import Testing

@testable import CairnMapped

/// What finds a file that power loss or a killed process left, and is itself interrupted.
struct InterruptedRecoveryTests {
    /// Of a transaction of four values, the first never reached the disk. Recovery marks the others as skipped; power is lost again after any of
    /// them: still none of the transaction shows.
    @Test func fragmentsStayFragments() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.set("there", for: "before")
        try store.sync()
        let keys = (1...4).map { "fragment \($0)" }
        try store.transaction { changes in for key in keys { try changes.set(String(repeating: "x", count: 2_000), for: key) } }
        try store.close()
        try scene.pretendAnotherBoot()
        var torn = try scene.bytes()
        // A record has 12 bytes before its key, and one from the last key on.
        let starts = try keys.map { key in
            try #require(torn.indices.first { torn[$0...].starts(with: key.utf8) }) - 12
        }
        for place in starts[0]..<starts[1] { torn[place] = 0 }
        try scene.write(torn)
        let recovered = try scene.store()
        #expect(recovered.openReport.unfinishedChanges == 3)
        #expect(try recovered.keys() == ["before"])
        try recovered.close()
        let repaired = try scene.bytes()
        // Without another boot, a rebuild trusts all records up to the end.
        let later = try scene.store()
        try later.set(1, for: "later")
        try scene.pretendUnfinishedChange()
        try later.set(2, for: "later")
        #expect(try later.keys() == ["before", "later"])
        try later.close()
        for count in 0...3 {
            for order in [Array(starts[1...].prefix(count)), Array(starts[1...].suffix(count))] {
                var bytes = torn
                for start in order { bytes.replaceSubrange(start..<start + 12, with: repaired[start..<start + 12]) }
                try scene.write(bytes)
                let again = try scene.store()
                #expect(try again.keys() == ["before"], "records \(order) of \(starts) were made to be skipped")
                try again.close()
                try scene.pretendAnotherBoot()
                #expect(try scene.store().keys() == ["before"])
            }
        }
    }

    /// A writer dies in the middle of a change of a file that has outgrown what another process mapped: that one continues.
    @Test func aFullMappingIsEnlarged() throws {
        let scene = try Scene()
        let store = try scene.store()
        let count = 20_000
        for start in stride(from: 0, to: count, by: 1_000) {
            try store.transaction { changes in for number in start..<start + 1_000 { try changes.set(number, for: "key \(number)") } }
        }
        // Up to just below 16 MiB, where the rebuilt table of so many keys does not fit.
        let ballast = [UInt8](repeating: 1, count: 50_000)
        while try scene.end() < (16 << 20) - 150_000 { try store.set(ballast, for: "ballast") }
        try scene.pretendUnfinishedChange()
        try store.set(1, for: "after")
        #expect(try store.get("after") == 1 && store.count == count + 2 && store.fileSize > .mebibytes(16))
        #expect(try store.verify().isIntact)
    }

    /// A reader beside a dead writer skips what never reached the disk.
    @Test func readersSkipGaps() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.set(1, for: "a")
        try store.sync()
        try store.set(String(repeating: "x", count: 1_005), for: "lost")
        try store.set(2, for: "b")
        try store.close()
        try scene.pretendAnotherBoot()
        var bytes = try scene.bytes()
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: "lost".utf8) }) - 12
        for place in start..<start + 12 + 4 + 1_005 { bytes[place] = 0 }
        try scene.write(bytes)
        let writer = try scene.store()
        #expect(try writer.keys() == ["a", "b"])
        let reader = try scene.store { $0.readOnly = true }
        try writer.set(3, for: "c")
        try scene.pretendUnfinishedChange()
        #expect(try reader.keys() == ["a", "b", "c"])
        #expect(try reader.entries().count == 3)
    }

    // MARK: Between any two stores

    /// The file after each store of a recovery.
    private func states(_ scene: Scene, _ store: MappedStore, isSameBoot: Bool) throws -> [[UInt8]] {
        let view = try store.currentView()
        let size = try scene.bytes().count
        let memory = unsafe UnsafeMutableRawBufferPointer(start: view.base, count: size)
        let states = unsafe try StoreWatch.contents(of: memory) {
            var rebuild = MappedRebuild(view: view, size: size, isSameBoot: isSameBoot)
            rebuild.run()
            _ = try rebuild.writeTable(maximum: nil)
        }
        #expect(try !states.isEmpty && scene.bytes().count == size)
        return states
    }

    /// The process that finds a state completes the recovery, and a later one finds the same.
    private func check(_ states: [[UInt8]], isSameBoot: Bool, _ keys: [String]) throws {
        for (number, bytes) in states.enumerated() {
            let scene = try Scene(fileSystem: .unsynced)
            try scene.write(bytes)
            if !isSameBoot { try scene.pretendAnotherBoot() }
            let store = try scene.store()
            #expect(try store.keys().sorted() == keys && store.verify().isIntact, "after store \(number) of \(states.count)")
            try store.set(1, for: "z")
            try scene.pretendUnfinishedChange()
            try store.set(2, for: "z")
            #expect(try store.keys().sorted() == keys + ["z"], "after store \(number), and a later recovery")
        }
    }

    /// Of a transaction, the first value never reached the disk; a later change did.
    @Test(.enabled(if: StoreWatch.isAvailable, StoreWatch.missing)) func fragmentsStayFragmentsAtEveryStore() throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try scene.store()
        try store.set(1, for: "before")
        try store.sync()
        try scene.transactionWithoutFirst(store)
        try store.set(2, for: "later")
        try check(try states(scene, store, isSameBoot: false), isSameBoot: false, ["before", "later"])
    }

    /// The same, but the header reached the disk, so that it agrees with the index; and there is something behind the records. While the fragments are
    /// made to be skipped one after the other, nothing but the mark says that this is not done yet.
    @Test(.enabled(if: StoreWatch.isAvailable, StoreWatch.missing)) func fragmentsUnderAHeaderThatIsInOrder() throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try scene.store()
        try store.set(1, for: "before")
        try store.sync()
        let end = try scene.end()
        try scene.transactionWithoutFirst(store)
        try store.sync()
        let view = try store.currentView()
        // The process died before it noted that the records are on the disk.
        unsafe view.header.syncedEnd = end
        unsafe (view.base + view.header.end + 64).storeBytes(of: 7, as: UInt64.self)
        try check(try states(scene, store, isSameBoot: false), isSameBoot: false, ["before"])
    }

    /// The end of a file, in which a writer died, was damaged and lies within a transaction. What recovery clears behind the change before it must not
    /// count as damage when the recovery is repeated.
    @Test(.enabled(if: StoreWatch.isAvailable, StoreWatch.missing)) func anEndWithinATransaction() throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try scene.store()
        try store.set(1, for: "before")
        let start = try scene.end()
        try store.transaction { changes in for number in 1...4 { try changes.set("value", for: "fragment \(number)") } }
        let end = try scene.end()
        let header = unsafe try store.currentView().header
        unsafe header.end = start + (end - start) / 2
        unsafe header.pendingEnd = end
        let states = try states(scene, store, isSameBoot: true)
        try check(states, isSameBoot: true, ["before"])
        for (number, bytes) in states.enumerated() {
            let scene = try Scene(fileSystem: .unsynced)
            try scene.write(bytes)
            #expect(try scene.store().openReport.damagedRanges == [], "after store \(number) of \(states.count)")
        }
    }

    /// The end was damaged. Until a recovery has corrected it, nobody may take it for right.
    @Test(.enabled(if: StoreWatch.isAvailable, StoreWatch.missing)) func aDamagedEndIsNotBelieved() throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try scene.store()
        try store.set(1, for: "a")
        let end = try scene.end()
        try store.set(2, for: "b")
        unsafe try store.currentView().header.end = end
        try check(try states(scene, store, isSameBoot: true), isSameBoot: true, ["a", "b"])
    }
}

extension Scene {
    /// Where the next record goes (docs/formats/mapped.md).
    fileprivate func end() throws -> Int {
        let file = try #require(FileHandle(forReadingAtPath: path()))
        defer { try? file.close() }
        try file.seek(toOffset: 1088)
        return try (file.read(upToCount: 8) ?? Data()).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Makes a transaction of four values, and wipes the record of the first, in the file that is open.
    fileprivate func transactionWithoutFirst(_ store: MappedStore) throws {
        let start = try end()
        try store.transaction { changes in for number in 1...4 { try changes.set("value", for: "fragment \(number)") } }
        let size = (try end() - start) / 4
        try store.currentView().clear(start..<start + size)
    }

    /// Changes the header, in the file that is open, as a writer leaves it that dies in the middle of a change.
    fileprivate func pretendUnfinishedChange() throws {
        let file = try #require(FileHandle(forUpdatingAtPath: path()))
        try file.seek(toOffset: 1096)
        try file.write(contentsOf: [1])
        try file.close()
    }
}
