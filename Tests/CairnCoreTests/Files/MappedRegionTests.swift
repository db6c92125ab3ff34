import CairnCore
import CairnTestSupport
import Foundation
import Testing

struct MappedRegionTests {
    let directory = try! TemporaryDirectory()

    private func file(_ contents: some ByteSource = [UInt8]()) throws -> File {
        let file = try File(directory.path("a"), [.read, .write, .create])
        try file.write(contents, at: 0)
        return file
    }

    private func copy(_ region: MappedRegion) -> [UInt8] { region.withBytes { [UInt8](copying: $0) } }

    @Test func lendsWhatTheFileHolds() throws {
        let region = try MappedRegion(reading: file("Hello"))
        #expect(region.count == 5)
        #expect(copy(region) == Array("Hello".utf8))
        let bytes = region.bytes
        #expect(bytes.byteCount == 5)
        #expect(CRC32C.checksum(of: region) == CRC32C.checksum(of: "Hello"))
    }

    @Test func outlivesItsFileAndItsName() throws {
        var file: File? = try file("Hello")
        let region = try MappedRegion(reading: file!)
        try file?.close()
        file = nil
        try FileSystem.system.unlink(directory.path("a"))
        #expect(copy(region) == Array("Hello".utf8))
    }

    @Test func emptyFiles() throws {
        let file = try file()
        let reading = try MappedRegion(reading: file)
        let writing = try MappedRegion(writing: file, count: 0)
        for region in [reading, writing] {
            #expect(region.count == 0)
            let bytes = region.bytes
            #expect(bytes.byteCount == 0)
            #expect(copy(region) == [])
            try region.synchronize()
            try region.advise(.willNeed)
        }
        #expect(writing.withMutableBytes { $0.byteCount } == 0)
    }

    @Test func aPartOfTheFile() throws {
        let file = try file("Hello")
        #expect(copy(try MappedRegion(reading: file, count: 2)) == Array("He".utf8))
        #expect(#expect(throws: FileError.self) { try MappedRegion(reading: file, count: 6) }?.code == .truncated)
        #expect(#expect(throws: FileError.self) { try MappedRegion(reading: file, count: -1) }?.code == .truncated)
        #expect(throws: FileError.self) { try MappedRegion(writing: file, count: -1) }
    }

    @Test func writesReachTheFileAndOtherMappings() throws {
        let file = try file("Hello")
        let region = try MappedRegion(writing: file, count: 8)
        let other = try MappedRegion(reading: file)
        region.withMutableBytes { bytes in
            bytes.storeBytes(of: UInt8(ascii: "J"), toByteOffset: 0, as: UInt8.self)
            bytes.storeBytes(of: UInt8(ascii: "!"), toByteOffset: 7, as: UInt8.self)
        }
        #expect(try file.read(8, at: 0) == Array("Jello\0\0!".utf8))
        #expect(copy(other) == Array("Jello\0\0!".utf8))
        try region.synchronize()
        try file.write("C", at: 0)
        #expect(copy(region) == Array("Cello\0\0!".utf8))
    }

    @Test func growth() throws {
        let file = try file("Hello")
        let small = try MappedRegion(writing: file, count: 5)
        let large = try MappedRegion(writing: file, count: 1_000_000)
        large.withMutableBytes { $0.storeBytes(of: UInt8(ascii: "J"), toByteOffset: 0, as: UInt8.self) }
        large.withMutableBytes { $0.storeBytes(of: UInt8(9), toByteOffset: 999_999, as: UInt8.self) }
        #expect(copy(small) == Array("Jello".utf8))
        #expect(try file.read(1, at: 999_999) == [9])
    }

    @Test func syncAndAdviceTakeAnyRangeWithin() throws {
        let region = try MappedRegion(writing: file(), count: 100_000)
        for range in [0..<1, 5_000..<5_001, 99_999..<100_000, 3..<99_000, 50..<50] {
            try region.synchronize(range)
            for advice: FileSystem.Advice in [.normal, .random, .sequential, .willNeed] { try region.advise(advice, range) }
        }
        for range in [-1..<5, 0..<100_001, 100_001..<100_002] {
            #expect(#expect(throws: FileError.self) { try region.synchronize(range) }?.code == .truncated)
            #expect(#expect(throws: FileError.self) { try region.advise(.random, range) }?.code == .truncated)
        }
    }

    @Test func aFullDiskIsAnErrorBeforeAnythingIsMapped() throws {
        let disk = try FaultInjectingFileSystem(directory.path)
        let file = try File(directory.path("a"), [.read, .write, .create], fileSystem: disk.fileSystem)
        disk.inject(Fault(.fail(ENOSPC), at: 1, of: [.reserve]))
        #expect(#expect(throws: FileError.self) { try MappedRegion(writing: file, count: 100) }?.code == .noSpace)
        #expect(disk.trace == ["open a", "reserve a 100 failed \(ENOSPC)"])
    }

    @Test func mappingsAreUndone() throws {
        let disk = try FaultInjectingFileSystem(directory.path)
        let file = try File(directory.path("a"), [.read, .write, .create], fileSystem: disk.fileSystem)
        _ = try MappedRegion(writing: file, count: 100)
        disk.inject(Fault(.fail(ENOMEM), at: 1, of: [.mmap]))
        #expect(#expect(throws: FileError.self) { try MappedRegion(reading: file) }?.code == .outOfMemory)
        #expect(
            disk.trace == ["open a", "reserve a 100", "mmap a 100", "munmap a 100", "fstat a", "mmap a 100 failed \(ENOMEM)"]
        )
    }

    @Test func whatCannotBeMapped() throws {
        let error = #expect(throws: FileError.self) { try MappedRegion(reading: File(directory.path, [.read]), count: 1) }
        #expect(error?.code == .isDirectory && error?.message.contains(directory.path) == true)
        let readOnly = try File(try file("Hello").path, [.read])
        #expect(throws: FileError.self) { try MappedRegion(writing: readOnly, count: 5) }
    }

    @Test func writingThroughAReadingRegionTraps() async {
        await #expect(processExitsWith: .failure) {
            let region = try MappedRegion(reading: File("/dev/null", [.read]))
            region.withMutableBytes { _ in }
        }
    }

    @Test func readsFromManyThreads() async throws {
        let bytes = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        let region = try MappedRegion(reading: file(bytes))
        let checksum = CRC32C.checksum(of: bytes)
        await withTaskGroup(of: UInt32.self) { group in
            for _ in 0..<8 { group.addTask { CRC32C.checksum(of: region) } }
            for await sum in group { #expect(sum == checksum) }
        }
    }
}
