import CairnCore
import CairnTestSupport
import Foundation
import Testing

/// What a replacement leaves when system calls fail, the process dies, or the power is cut, at every call.
struct AtomicReplacementFaultTests {
    static let old = [UInt8](repeating: 1, count: 700), new = [UInt8](repeating: 2, count: 2_000)

    /// A directory whose target holds `old`, and the calls to replace it with.
    struct Scene {
        let directory: TemporaryDirectory
        let disk: FaultInjectingFileSystem
        var target: String { directory.path("target") }

        init() throws {
            directory = try TemporaryDirectory()
            try FileSystem.system.replaceFile(at: directory.path("target"), with: old)
            disk = try FaultInjectingFileSystem(directory.path)
        }

        /// Streams `new` in pieces, with a header that is patched last.
        func replace(_ durability: Durability) throws(FileError) {
            let writer = try AtomicFileWriter(
                replacing: target,
                durability: durability,
                bufferSize: .bytes(512),
                fileSystem: disk.fileSystem
            )
            try writer.write([UInt8](repeating: 0, count: 100))
            for start in stride(from: 100, to: new.count, by: 190) { try writer.write(new[start..<start + 190]) }
            try writer.write(new[..<100], at: 0)
            try writer.finish()
        }

        func contents() throws -> [UInt8] {
            let file = try File(target, [.read])
            return try file.read(Int(file.status().size), at: 0)
        }

        func names() throws -> [String] { try FileSystem.system.list(directory.path) }
    }

    @Test func syncedOrder() throws {
        let scene = try Scene()
        try scene.disk.fileSystem.replaceFile(at: scene.target, with: "new")
        #expect(
            scene.disk.trace == [
                "stat target", "open .cairn-*.tmp", "open .cairn-*.tmp", "lock .cairn-*.tmp", "fstat .cairn-*.tmp", "fchmod .cairn-*.tmp",
                "pwrite .cairn-*.tmp 0+3", "fsync .cairn-*.tmp",
                "close .cairn-*.tmp", "rename .cairn-*.tmp target", "close .cairn-*.tmp", "open .", "fsync .", "close .",
            ]
        )
    }

    @Test func bufferedOrder() throws {
        let scene = try Scene()
        try scene.disk.fileSystem.replaceFile(at: scene.target, with: "new", durability: .buffered, mode: 0o600)
        #expect(
            scene.disk.trace == [
                "stat target", "open .cairn-*.tmp", "open .cairn-*.tmp", "lock .cairn-*.tmp", "fstat .cairn-*.tmp", "fchmod .cairn-*.tmp",
                "pwrite .cairn-*.tmp 0+3", "fsync .cairn-*.tmp", "close .cairn-*.tmp", "rename .cairn-*.tmp target",
                "close .cairn-*.tmp",
            ]
        )
    }

    @Test func unsyncedOrder() throws {
        let scene = try Scene()
        try scene.disk.fileSystem.replaceFile(at: scene.target, with: "new", durability: .none, mode: 0o600)
        #expect(!scene.disk.trace.contains { $0.hasPrefix("fsync") })
    }

    /// Calls `body` for fault number 1, 2... until one number is beyond the last call; returns how many there were.
    private func forEachCall(_ body: (Int) throws -> Bool) throws -> Int {
        for number in 1...200 where try !body(number) { return number - 1 }
        Issue.record("no end of calls")
        return 0
    }

    @Test(arguments: [Durability.synced, .buffered, .none], [EIO, ENOSPC])
    func aFaultAtAnyCallLeavesOldOrNew(durability: Durability, number: Int32) throws {
        let calls = try forEachCall { call in
            let scene = try Scene()
            scene.disk.inject(Fault(.fail(number), at: call))
            let outcome = Result { () throws(FileError) in try scene.replace(durability) }
            let left = try scene.contents()
            switch outcome {
            case .success:
                // Nothing is lost where the lock cannot be closed, after the file was renamed.
                let renaming = try #require(scene.disk.trace.firstIndex { $0.hasPrefix("rename ") })
                let isLock = scene.disk.trace[renaming...].contains("close .cairn-*.tmp failed \(number)")
                #expect(scene.disk.firedCount == (isLock ? 1 : 0), "call \(call): \(scene.disk.trace)")
                #expect(left == Self.new)
            case .failure(let error):
                #expect(error.systemCall?.errno == number, "call \(call)")
                let isReplaced = error.message.hasPrefix("replaced ")
                #expect(left == (isReplaced ? Self.new : Self.old), "call \(call): \(scene.disk.trace)")
            }
            #expect(try scene.names() == ["target"], "call \(call): \(scene.disk.trace)")
            return scene.disk.firedCount > 0
        }
        #expect(calls >= 9)
    }

    /// A full disk stays full, and the temporary file cannot be removed either: the old file is whole.
    @Test func faultsThatStay() throws {
        let calls = try forEachCall { call in
            let scene = try Scene()
            scene.disk.inject(Fault(.fail(EIO), at: call, times: .max))
            try? scene.replace(.synced)
            #expect([Self.old, Self.new].contains(try scene.contents()), "call \(call)")
            return scene.disk.firedCount > 0
        }
        #expect(calls >= 9)
    }

    @Test func shortWritesChangeNothing() throws {
        let scene = try Scene()
        scene.disk.inject(.always(.shorten(to: 11), of: [.pwrite]))
        try scene.replace(.synced)
        #expect(try scene.contents() == Self.new)
    }

    @Test(arguments: [Durability.synced, .buffered]) func aPowerCutAtAnyCallLeavesOldOrNew(durability: Durability) async throws {
        try await withSeeds("power cut", count: 2) { generator in
            for cut in PowerCut.all(seed: generator.next()) {
                let calls = try forEachCall { call in
                    let scene = try Scene()
                    scene.disk.inject(Fault(.stop, at: call))
                    let succeeded = (try? scene.replace(durability)) != nil
                    let fired = scene.disk.firedCount > 0
                    try scene.disk.cutPower(cut)
                    let left = try scene.contents()
                    #expect([Self.old, Self.new].contains(left), "call \(call), \(cut)")
                    if succeeded, durability == .synced { #expect(left == Self.new, "call \(call), \(cut)") }
                    return fired
                }
                #expect(calls >= 9)
            }
        }
    }

    /// The death of the process at any call: old or new whatever the durability, and at most the temporary file left over.
    @Test(arguments: Durability.allCases) func aKillAtAnyCallLeavesOldOrNew(durability: Durability) throws {
        let calls = try forEachCall { call in
            let scene = try Scene()
            scene.disk.inject(Fault(.stop, at: call))
            let succeeded = (try? scene.replace(durability)) != nil
            #expect([Self.old, Self.new].contains(try scene.contents()), "call \(call)")
            if succeeded { #expect(try scene.contents() == Self.new) }
            #expect(try scene.names().filter { !$0.hasPrefix(".cairn-") } == ["target"])
            return scene.disk.firedCount > 0
        }
        #expect(calls >= 8)
    }

    /// The measure itself: without a sync, the simulated power cut does damage.
    @Test func withoutSyncAPowerCutDamages() throws {
        let scene = try Scene()
        try scene.replace(.none)
        try scene.disk.cutPower(.losingContents)
        #expect(try scene.contents() == [])
    }
}
