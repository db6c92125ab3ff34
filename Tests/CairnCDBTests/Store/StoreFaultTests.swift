import CairnCDB
import CairnTestSupport
import Foundation
import Testing

/// Each system call of a save fails once: the old file stays, or the new one is in place, and no change is lost.
struct StoreFaultTests {
    private static let old = ["a=1", "b=2", "c=3"]
    private static let new = ["a=1", "b=changed", "d=new"]

    /// A store of a file that is on the disk, with changes.
    private func makeStore(
        _ scene: Scene,
        _ access: CDBReader.Access
    ) throws -> (CDBStore<String, String>, FaultInjectingFileSystem) {
        try scene.make([("a", "1"), ("b", "2"), ("c", "3")])
        let disk = try FaultInjectingFileSystem(scene.directory.path)
        var options = CDBStoreOptions()
        options.access = access
        let store = try scene.store(through: disk, options: options)
        try store.put("changed", for: "b")
        try store.delete("c")
        try store.put("new", for: "d")
        disk.reset()
        return (store, disk)
    }

    /// The calls of a save that nothing disturbs.
    private func calls(_ access: CDBReader.Access) throws -> Int {
        let scene = try Scene()
        let (store, disk) = try makeStore(scene, access)
        try store.save()
        return disk.trace.count
    }

    @Test(arguments: [CDBReader.Access.mapped, .positioned], [Int32(5), 28, 12]) func everyCallFails(access: CDBReader.Access, error: Int32)
        async throws
    {
        let count = try calls(access)
        #expect(count > 15)
        try await withSeeds("failing calls", count: 1) { random in
            for number in Thorough.sample(8, of: 1...count, using: &random) { try callFails(number, access, error) }
        }
    }

    private func callFails(_ number: Int, _ access: CDBReader.Access, _ error: Int32) throws {
        let scene = try Scene()
        let (store, disk) = try makeStore(scene, access)
        disk.inject(Fault(.fail(error), at: number))
        let failure = failure { try store.save() }
        let trace = disk.trace
        disk.reset()
        let onDisk = try scene.reader().pairTexts()
        #expect(onDisk == Self.old || onDisk == Self.new, "call \(number): \(trace.last ?? "")")
        if failure == nil { #expect(onDisk == Self.new) }
        if onDisk == Self.old { #expect(store.hasChanges, "call \(number) took the changes along") }
        #expect(try store.pairTexts() == Self.new)
        // Once the cause is gone, all is saved, and nothing lies about.
        try store.save()
        #expect(try scene.reader().pairTexts() == Self.new && scene.names() == ["db.cdb"], "call \(number)")
        #expect(try !store.hasChanges && store.pairTexts() == Self.new)
    }

    /// From one call on, everything fails: the process died there. What is left is one of the two files, whole.
    @Test func theProcessDiesAtEveryCall() async throws {
        let count = try calls(.mapped)
        try await withSeeds("deaths", count: 1) { random in
            for number in Thorough.sample(12, of: 1...count, using: &random) {
                let scene = try Scene()
                let (store, disk) = try makeStore(scene, .mapped)
                disk.inject(Fault(.stop, at: number))
                _ = failure { try store.save() }
                let onDisk = try scene.reader().pairTexts()
                #expect(onDisk == Self.old || onDisk == Self.new, "call \(number)")
                try scene.reader().verify()
            }
        }
    }

    /// The power goes at every call, with all that was not synced: the old file or the new one, and the new one for certain after the save.
    @Test func thePowerGoesAtEveryCall() async throws {
        let count = try calls(.mapped)
        try await withSeeds("power cuts", count: 1) { random in
            for number in Thorough.sample(8, of: 1...count + 1, using: &random) {
                for cut in PowerCut.all(seed: random.next()) {
                    let scene = try Scene()
                    let (store, disk) = try makeStore(scene, .mapped)
                    disk.inject(Fault(.stop, at: number))
                    let failure = failure { try store.save() }
                    try disk.cutPower(cut)
                    let reader = try scene.reader()
                    let onDisk = try reader.pairTexts()
                    #expect(onDisk == Self.old || onDisk == Self.new, "call \(number), \(cut)")
                    if failure == nil { #expect(onDisk == Self.new, "call \(number), \(cut)") }
                    try reader.verify()
                }
            }
        }
    }

    @Test func shortWritesAndInterruptionsDoNotShow() throws {
        for effect in [Fault.Effect.shorten(to: 1), .shorten(to: 700)] {
            let scene = try Scene()
            let (store, disk) = try makeStore(scene, .positioned)
            disk.inject(.always(effect, of: [.pwrite, .pread]))
            try store.save()
            #expect(try scene.reader().pairTexts() == Self.new)
            try scene.reader().verify()
        }
        let scene = try Scene()
        let (store, disk) = try makeStore(scene, .positioned)
        disk.inject(Fault(.fail(4), at: 1, times: 1, of: [.pwrite]))
        disk.inject(Fault(.fail(4), at: 2, times: 1, of: [.fsync]))
        disk.inject(Fault(.fail(4), at: 1, times: 1, of: [.rename]))
        try store.save()
        #expect(try scene.reader().pairTexts() == Self.new)
    }

    /// Where only the directory cannot be synced, the new file is in place, and the next save syncs again before it says that all is well.
    @Test func aDirectoryThatCannotBeSyncedIsSyncedLater() throws {
        let scene = try Scene()
        let (store, disk) = try makeStore(scene, .mapped)
        disk.inject(Fault(.fail(5), at: 2, of: [.fsync]))
        let error = try #require(failure { try store.save() })
        #expect(error.code == .ioError && error.message.contains("replaced"))
        #expect(try scene.reader().pairTexts() == Self.new && !store.hasChanges)
        disk.reset()
        disk.inject(Fault(.fail(5), at: 1, of: [.fsync]))
        #expect(code { try store.save() } == .ioError)
        disk.reset()
        #expect(try !store.save())
        #expect(disk.trace == ["open .", "fsync .", "close ."])
        disk.reset()
        _ = try store.save()
        #expect(disk.trace.isEmpty)
    }

    /// The new file is looked into for what was changed during the save. Where that fails, it takes nobody's place.
    @Test func changesDuringASaveThatCannotBeLookedUp() throws {
        let scene = try Scene()
        try scene.make([("a", "1")])
        let disk = try FaultInjectingFileSystem(scene.directory.path)
        let calls = Interposer(over: disk)
        var options = CDBStoreOptions.buffered
        options.access = .positioned
        let store = try scene.store(through: calls, options: options)
        try store.put("2", for: "a")
        calls.before(.fsync) {
            try store.put("3", for: "a")
            disk.inject(.always(.fail(5), of: [.pread]))
        }
        #expect(code { try store.save() } == .ioError)
        disk.reset()
        #expect(try scene.reader().pairTexts() == ["a=1"] && scene.names() == ["db.cdb"] && store["a"] == "3")
        try store.save()
        #expect(try scene.reader().pairTexts() == ["a=3"] && !store.hasChanges)
    }

    @Test func savingADamagedFileThrowsAndLeavesItAlone() throws {
        let scene = try Scene()
        let intact = try scene.make((0..<50).map { ("key \($0)", "value") })
        let dataEnd = 2048 + 50 * 8 + (0..<50).reduce(0) { $0 + "key \($1)value".utf8.count }
        var saves = 0
        // Bytes of values are not protected; all others are.
        for place in stride(from: 0, to: intact.count, by: 7) {
            var damaged = intact
            damaged[place] ^= 0x41
            guard (try? CDBReader(bytes: damaged).verify()) == nil else { continue }
            try scene.write(damaged)
            let store = try scene.store()
            // The change itself may meet the damage.
            guard (try? store.put("new", for: "another key")) != nil else { continue }
            saves += 1
            #expect(code { try store.save() } == .corruption, "byte \(place)")
            #expect(try scene.bytes() == damaged && scene.names() == ["db.cdb"] && store.hasChanges)
        }
        #expect(dataEnd < intact.count && saves > 50)
    }

    /// A store does not verify the file that it has just written itself. If records of it vanish, their number shows it.
    @Test(arguments: [CDBReader.Access.mapped, .positioned]) func recordsOfItsOwnFileVanish(access: CDBReader.Access) throws {
        let scene = try Scene()
        var options = CDBStoreOptions()
        options.access = access
        let store = try scene.store(options: options)
        for number in 0..<10 { try store.put("one", for: "key \(number)") }
        try store.save()
        // A whole record of 16 bytes, as if it had been zeroed: two empty ones, which no slot leads to.
        let bytes = try scene.bytes()
        let record = try #require(bytes.indices.first { bytes[$0...].starts(with: "key 7one".utf8) }) - 8
        let file = try #require(FileHandle(forUpdatingAtPath: scene.path()))
        try file.seek(toOffset: UInt64(record))
        try file.write(contentsOf: [UInt8](repeating: 0, count: 16))
        try file.close()
        let damaged = try scene.bytes()
        try store.put("new", for: "another key")
        let failure = failure { try store.save() }
        #expect(
            failure?.code == .corruption && failure?.message.contains("10 keys were found, but its hash tables have 11") == true,
            "\(String(describing: failure))"
        )
        #expect(try scene.bytes() == damaged && scene.names() == ["db.cdb"] && store.hasChanges)
    }
}
