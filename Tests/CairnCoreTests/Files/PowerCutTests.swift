import CairnCore
import CairnTestSupport
import Testing

struct PowerCutTests {
    let directory: TemporaryDirectory
    let disk: FaultInjectingFileSystem

    init() throws {
        directory = try TemporaryDirectory()
        try File(directory.path("old"), [.write, .create]).write("old", at: 0)
        disk = try FaultInjectingFileSystem(directory.path)
    }

    private func contents() throws -> [String: String] {
        var contents: [String: String] = [:]
        for name in try FileSystem.system.list(directory.path) {
            let file = try File(directory.path(name), [.read])
            contents[name] = String(decoding: try file.read(Int(file.status().size), at: 0), as: UTF8.self)
        }
        return contents
    }

    private func file(_ name: String) throws(FileError) -> File {
        try File(directory.path(name), [.read, .write, .create], fileSystem: disk.fileSystem)
    }

    @Test func unsyncedContentsAreLost() throws {
        let file = try file("old")
        try file.write("new", at: 0)
        try disk.cutPower(.losingContents)
        #expect(try contents() == ["old": "old"])
    }

    @Test func syncedContentsStay() throws {
        let file = try file("old")
        try file.write("new", at: 0)
        try file.synchronize()
        try file.write("newer", at: 0)
        try disk.cutPower(.losingAll)
        #expect(try contents() == ["old": "new"])
    }

    @Test func namesNeedTheirDirectorySynced() throws {
        try file("a").synchronize()
        try disk.fileSystem.unlink(directory.path("old"))
        try disk.cutPower(.losingAll)
        #expect(try contents() == ["old": "old"])
        try file("a").synchronize()
        try disk.fileSystem.unlink(directory.path("old"))
        try disk.fileSystem.fsyncDirectory(directory.path)
        try disk.cutPower(.losingAll)
        #expect(try contents() == ["a": ""])
    }

    @Test func renameWithoutSyncIsAnEmptyFile() throws {
        try file("a").write("new", at: 0)
        try disk.fileSystem.rename(directory.path("a"), to: directory.path("old"))
        try disk.cutPower(.losingContents)
        #expect(try contents() == ["old": ""])
    }

    @Test func theDeathOfTheProcessLosesNothing() throws {
        try file("a").write("new", at: 0)
        try disk.fileSystem.rename(directory.path("a"), to: directory.path("old"))
        try disk.cutPower(.losingNothing)
        #expect(try contents() == ["old": "new"])
    }

    @Test func mappedWritesNeedASync() throws {
        let region = try MappedRegion(writing: file("old"), count: 3)
        func write(_ byte: UInt8) { region.withMutableBytes { $0.storeBytes(of: byte, toByteOffset: 0, as: UInt8.self) } }
        write(UInt8(ascii: "G"))
        try region.synchronize()
        write(UInt8(ascii: "B"))
        #expect(try contents() == ["old": "Bld"])
        try disk.cutPower(.losingAll)
        #expect(try contents() == ["old": "Gld"])
    }

    @Test func directoriesAndTheirFiles() throws {
        try disk.fileSystem.mkdir(directory.path("d"))
        try disk.fileSystem.fsyncDirectory(directory.path)
        let file = try file("d/a")
        try file.write("x", at: 0)
        try file.synchronize()
        try disk.cutPower(.losingAll)
        #expect(try FileSystem.system.list(directory.path) == ["d", "old"])
        #expect(try FileSystem.system.list(directory.path("d")) == [])
    }

    @Test func tornBlocksAreOldOrNew() async throws {
        try await withSeeds("torn write", count: 20) { generator in
            let directory = try TemporaryDirectory()
            let old = [UInt8](repeating: 1, count: 4_000), new = [UInt8](repeating: 2, count: 9_000)
            try File(directory.path("a"), [.write, .create]).write(old, at: 0)
            let disk = try FaultInjectingFileSystem(directory.path)
            try File(directory.path("a"), [.write], fileSystem: disk.fileSystem).write(new, at: 0)
            try disk.cutPower(PowerCut(contents: .torn(seed: generator.next()), names: .kept))
            let file = try File(directory.path("a"), [.read])
            let size = try file.status().size
            #expect(size == 4_000 || size == 9_000)
            for start in stride(from: 0, to: Int(size), by: 512) {
                let block = Set(try file.read(min(512, Int(size) - start), at: Int64(start)))
                #expect(block.count == 1 || start + 512 > 4_000)
            }
        }
    }

    @Test func nothingHappensAfterAStop() throws {
        let file = try file("old")
        disk.inject(Fault(.stop, at: 1, of: [.pwrite]))
        #expect(throws: FileError.self) { try file.write("new", at: 0) }
        #expect(throws: FileError.self) { try file.synchronize() }
        #expect(throws: SystemCallError.self) { try disk.fileSystem.unlink(directory.path("old")) }
        #expect(try contents() == ["old": "old"])
        try disk.cutPower(.losingNothing)
        #expect(try disk.fileSystem.list(directory.path) == ["old"])
    }
}
