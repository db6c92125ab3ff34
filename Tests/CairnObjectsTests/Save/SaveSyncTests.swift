import CairnCore
import CairnObjects
import CairnTestSupport
import Testing

/// Which files each way to save makes the disk confirm: exactly these, no fewer and no more.
@Suite(.enabled(if: Syncs.areRecorded, "only on Linux can tests see which files are synced")) struct SaveSyncTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func syncs(_ body: () throws -> Void) throws -> [String] { try Syncs.made(below: directory.path, during: body) }

    @Test(arguments: [Durability.synced, .buffered]) func eachWayToSave(durability: Durability) throws {
        var options = ObjectStoreOptions()
        options.durability = durability
        let store = try ObjectStore(path: directory.path("store"), classes: [Ware.self], options: options)
        let context = try store.makeContext()
        let ware = Ware(title: "first", price: 1)
        context.insert(ware)
        try context.save()
        let expected = durability == .synced ? ["store/*.log"] : []
        let ways: [(name: String, save: () throws -> Void)] = [
            (
                "insert",
                {
                    for price in 0..<10 { context.insert(Ware(title: "another", price: price)) }
                    try context.save()
                }
            ),
            (
                "change",
                {
                    ware.price = 2
                    try context.save()
                }
            ),
            (
                "named value",
                {
                    try context.setNamed("number", to: 7)
                    try context.save()
                }
            ),
            (
                "delete",
                {
                    try context.delete(ware)
                    try context.save()
                }
            ),
            ("write", { try store.write { $0.insert(Ware(title: "written", price: 3)) } }),
        ]
        for (name, save) in ways { #expect(try syncs(save) == expected, "\(name)") }
        #expect(try syncs { try context.save() } == [])
    }

    /// While one context waits for the disk, others commit, and then wait together: nearly all for each sync.
    @Test func contextsThatSaveAtOnceShareSyncs() async throws {
        var options = ObjectStoreOptions()
        options.durability = .synced
        let store = try ObjectStore(path: directory.path("store"), classes: [Ware.self], options: options)
        try store.write { $0.insert(Ware(title: "first", price: 0)) }
        let (threads, saves) = (16, 10)
        defer { Syncs.take(milliseconds: 0) }
        var (made, rounds) = (Int.max, 0)
        // Where threads wait for a processor longer than for the disk, they save one after the other.
        for milliseconds in [2, 20, 200] as [UInt32] where made > threads * saves / 10 {
            Syncs.take(milliseconds: milliseconds)
            made = try await Syncs.made(below: directory.path) {
                try await onThreads(threads) { thread in
                    let context = try store.makeContext()
                    defer { context.close() }
                    for number in 0..<saves {
                        context.insert(Ware(title: "ware \(thread)", price: number))
                        try context.save()
                    }
                }
            }.count
            rounds += 1
        }
        #expect(made <= threads * saves / 10, "\(made) syncs for \(threads * saves) saves")
        #expect(try store.read { try $0.count(Ware.self) } == rounds * threads * saves + 1)
    }

    /// Opening a closed store, reading and closing it wait for nothing.
    @Test func reading() throws {
        let path = directory.path("store")
        do {
            let store = try ObjectStore(path: path, classes: [Ware.self])
            try store.write { context in for price in 0..<100 { context.insert(Ware(title: "a ware", price: price)) } }
            try store.close()
        }
        for _ in 0..<2 {
            let made = try syncs {
                let store = try ObjectStore(path: path, classes: [Ware.self])
                #expect(try store.read { try $0.allObjects(Ware.self).count } == 100)
                try store.close()
            }
            #expect(made == [])
        }
    }

    /// A large save is a file that the store takes over, and so is on disk in any case. What was saved before must be too: the log is synced first.
    @Test(arguments: [Durability.synced, .buffered]) func aLargeSave(durability: Durability) throws {
        var options = RocksEngineOptions()
        options.largeCommitCount = 50
        let engine = try RocksEngine(path: directory.path("store"), options: options)
        // Keys that are not there yet: RocksDB need not write a file of others first.
        var next = UInt8(0)
        func commit(_ count: UInt8, _ durability: Durability) throws {
            var commit = EngineCommit()
            for number in next..<next + count { commit.put([count], for: [number]) }
            next += count
            try engine.commit(commit, durability: durability)
        }
        // What a store creates, it syncs; from here on, only what is saved is.
        try commit(1, .synced)
        let log = durability == .synced ? ["store/*.log"] : []
        #expect(try syncs { try commit(49, durability) } == log)
        // While a view from before the file is there, RocksDB does not write the file again without its version.
        var view: (any EngineView)? = try engine.makeView()
        let large = try syncs { try commit(50, durability) }
        #expect(large == ["store/incoming/*.sst", "store/*.log", "store/MANIFEST-*", "store/*.sst", "store", "store/MANIFEST-*"])
        let later = try syncs { try commit(10, durability) }
        #expect(later == log)
        #expect(view?.version != nil)
        view = nil
        try engine.close()
    }
}
