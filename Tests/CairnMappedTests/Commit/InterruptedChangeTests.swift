import CairnTestSupport
import Testing

@testable import CairnMapped

/// A process is killed between any two stores to the mapping: what it leaves are the bytes of the file at that moment.
@Suite(.enabled(if: StoreWatch.isAvailable, StoreWatch.missing))
struct InterruptedChangeTests {
    private static let old: [String: MappedVariant] = ["a": .string("old"), "b": .int(1)]

    /// Returns the file after each store of a change.
    private func states(
        _ scene: Scene,
        _ options: (inout MappedStoreOptions) -> Void = { _ in },
        _ change: (MappedStore) throws -> Void
    ) throws -> [[UInt8]] {
        let store = try scene.store("a.map", options)
        for (key, value) in Self.old.sorted(by: { $0.key < $1.key }) { try store.set(value, for: key) }
        let view = try store.currentView()
        let size = try scene.bytes().count
        let memory = unsafe UnsafeMutableRawBufferPointer(start: view.base, count: size)
        let states = unsafe try StoreWatch.contents(of: memory) { try change(store) }
        #expect(try scene.bytes().count == size && store.verify().isIntact)
        return states
    }

    /// Each state has all of the change or nothing. What is found first stays, whatever follows: another boot of the machine, or other changes and then
    /// another boot.
    private func check(
        _ states: [[UInt8]],
        _ new: [String: MappedVariant],
        _ options: (inout MappedStoreOptions) -> Void = { _ in }
    ) throws {
        #expect(states.count >= 15)
        var hasHappened = false
        for (number, bytes) in states.enumerated() {
            for changes in [0, 1] {
                let scene = try Scene(fileSystem: .unsynced)
                try scene.write(bytes)
                let store = try scene.store("a.map", options)
                var found = try store.contents()
                #expect(found == new || !hasHappened && found == Self.old, "after store \(number) of \(states.count)")
                hasHappened = found == new
                #expect(store.openReport.damagedRanges.isEmpty && store.openReport.missingRange == nil, "after store \(number)")
                if changes > 0 {
                    try store.set(1, for: "x")
                    found["x"] = .int(1)
                }
                try store.close()
                try scene.pretendAnotherBoot()
                let again = try scene.store("a.map", options)
                #expect(try again.contents() == found && again.verify().isIntact, "after store \(number), \(changes) changes, another boot")
            }
        }
        #expect(hasHappened)
    }

    /// The power goes after any store, and every page that changed had reached the disk: all of the change or nothing, and nothing else.
    @Test(arguments: [nil, 5]) func whatReachedTheDiskAtAnyStore(key: UInt64?) throws {
        func options(_ options: inout MappedStoreOptions) { options.cipher = key.map { TestCipher($0) } }
        let states = try states(Scene(fileSystem: .unsynced), options) {
            try $0.set("a new value", for: "a", expiresAfter: .seconds(1_000_000))
        }
        let new: [String: MappedVariant] = ["a": .string("a new value"), "b": .int(1)]
        #expect(states.count >= 15)
        for (number, bytes) in states.enumerated() {
            let scene = try Scene(fileSystem: .unsynced)
            try scene.write(bytes)
            try scene.pretendAnotherBoot()
            let store = try scene.store("a.map", options)
            let found = try store.contents()
            #expect(found == new || found == Self.old, "after store \(number) of \(states.count)")
            #expect(try store.verify().isIntact)
        }
    }

    @Test func aValueIsReplaced() throws {
        let states = try states(Scene(fileSystem: .unsynced)) { try $0.set("a new value", for: "a") }
        try check(states, ["a": .string("a new value"), "b": .int(1)])
    }

    @Test func aValueIsAdded() throws {
        let states = try states(Scene(fileSystem: .unsynced)) { try $0.set("more", for: "c") }
        try check(states, ["a": .string("old"), "b": .int(1), "c": .string("more")])
    }

    @Test func aValueIsRemoved() throws {
        let states = try states(Scene(fileSystem: .unsynced)) { try $0.remove("b") }
        try check(states, ["a": .string("old")])
    }

    /// The first record is as long as the one that a later change puts in its place: the second must not show behind that.
    @Test(arguments: [nil, 5]) func aTransaction(key: UInt64?) throws {
        func options(_ options: inout MappedStoreOptions) { options.cipher = key.map { TestCipher($0) } }
        let states = try states(Scene(fileSystem: .unsynced), options) { store in
            try store.transaction { changes in
                try changes.set(2, for: "a")
                try changes.set("more", for: "c")
            }
        }
        try check(states, ["a": .int(2), "b": .int(1), "c": .string("more")], options)
    }
}
