import CairnMapped
import CairnTestSupport
import Testing

/// What each way to write makes the disk confirm: exactly this, no less and no more.
struct SyncCountTests {
    private let scene: Scene
    private let disk: FaultInjectingFileSystem

    init() throws {
        scene = try Scene()
        disk = try FaultInjectingFileSystem(scene.directory.path)
    }

    /// The calls that wait for the disk, and renames, which they precede or follow; without numbers.
    private func order(_ body: () throws -> Void) rethrows -> [String] {
        disk.reset()
        try body()
        return disk.trace.filter { $0.hasPrefix("fsync") || $0.hasPrefix("msync") || $0.hasPrefix("rename") }
            .map { $0.replacing(#/ [0-9+]+$/#, with: "") }
    }

    private func store(_ durability: Durability, cipher: UInt64? = nil) throws -> MappedStore {
        var options = MappedStoreOptions()
        options.compaction = .manual
        options.durability = durability
        options.cipher = cipher.map { TestCipher($0) }
        let store = try MappedStore(path: scene.path(), options: options, fileSystem: disk.fileSystem)
        // The first sync also has the disk confirm the file's name.
        try store.set("value", for: "a")
        try store.sync()
        return store
    }

    @Test(arguments: Durability.allCases, [nil, 5]) func eachWayToChange(durability: Durability, cipher: UInt64?) throws {
        let store = try store(durability, cipher: cipher)
        let expected = durability == .synced ? ["msync a.map"] : []
        #expect(try order { try store.set("new", for: "a") } == expected)
        #expect(try order { try store.set("new", for: "b") } == expected)
        #expect(try order { try store.set(1, for: "c", expiresAfter: .seconds(1_000)) } == expected)
        #expect(try order { try store.remove("b") } == expected)
        #expect(try order { try store.remove("b") } == [])
        #expect(
            try order {
                try store.transaction { changes in
                    try changes.set(1, for: "d")
                    try changes.set(2, for: "e")
                }
            } == expected
        )
        #expect(try order { try store.set(contentsOf: ["f/1": 1, "f/2": 2, "g": 3]) } == expected)
        #expect(try order { try store.remove(contentsOf: ["g", "nothing"]) } == expected)
        #expect(try order { try store.remove(contentsOf: ["g", "nothing"]) } == [])
        #expect(try order { try store.remove(withPrefix: "f/") } == expected)
        #expect(try order { try store.remove(withPrefix: "f/") } == [])
        // The records, and then the header that says so.
        #expect(try order { try store.sync() } == ["msync a.map", "msync a.map"])
        #expect(try order { _ = try store.get("d", as: Int.self) } == [])
    }

    @Test(arguments: Durability.allCases) func theFirstChange(durability: Durability) throws {
        let open = {
            var options = MappedStoreOptions()
            options.durability = durability
            return try MappedStore(path: scene.path(), options: options, fileSystem: disk.fileSystem)
        }
        var store: MappedStore?
        #expect(try order { store = try open() } == ["msync .a.map.compact", "fsync .a.map.compact", "rename .a.map.compact a.map"])
        #expect(try order { try store?.set(1, for: "a") } == (durability == .synced ? ["fsync .", "msync a.map", "msync a.map"] : []))
    }

    /// The new file is confirmed before it gets its name, with what was synced in the old one since; its name afterwards.
    @Test(arguments: Durability.allCases, [false, true]) func compactions(durability: Durability, syncsMeanwhile: Bool) throws {
        let store = try store(durability)
        let order = try order {
            try store.compact { part in
                guard part == 0, syncsMeanwhile else { return }
                #expect(throws: Never.self) { try store.set("during", for: "a") }
                #expect(throws: Never.self) { try store.sync() }
            }
        }
        .filter { $0 != "msync a.map" }
        let file = ["msync .a.map.compact", "fsync .a.map.compact"]
        let last = durability == .synced || syncsMeanwhile ? file : []
        #expect(order == file + last + ["rename .a.map.compact a.map", "fsync ."])
    }

    @Test func whatReplacesAll() throws {
        let store = try store(.buffered)
        let new = ["msync .a.map.compact", "fsync .a.map.compact"]
        let place = ["rename .a.map.compact a.map", "fsync ."]
        #expect(try order { try store.removeAll() } == new + new + place)
        #expect(try order { try store.rekey(to: TestCipher(3)) } == new + place)
    }
}
