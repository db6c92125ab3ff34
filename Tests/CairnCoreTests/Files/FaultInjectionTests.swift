import CairnCore
import CairnTestSupport
import Foundation
import Testing

struct FaultInjectionTests {
    let directory: TemporaryDirectory
    let disk: FaultInjectingFileSystem

    init() throws {
        directory = try TemporaryDirectory()
        disk = try FaultInjectingFileSystem(directory.path)
    }

    private func file(_ name: String = "a") throws(FileError) -> File {
        try File(directory.path(name), [.read, .write, .create], fileSystem: disk.fileSystem)
    }

    @Test func traceNamesCallsPathsAndArguments() throws {
        let file = try file()
        try file.write("Hello", at: 3)
        _ = try file.read(2, at: 3)
        try file.truncate(to: 4)
        try file.synchronize()
        try file.close()
        try disk.fileSystem.rename(directory.path("a"), to: directory.path("b"))
        try disk.fileSystem.fsyncDirectory(directory.path)
        #expect(throws: SystemCallError.self) { try disk.fileSystem.unlink(directory.path("a")) }
        #expect(
            disk.trace == [
                "open a", "pwrite a 3+5", "fstat a", "pread a 3+2", "ftruncate a 4", "fsync a", "close a", "rename a b",
                "open .", "fsync .", "close .", "unlink a failed \(ENOENT)",
            ]
        )
    }

    @Test func theNthCallFails() throws {
        let file = try file()
        disk.inject(Fault(.fail(ENOSPC), at: 2, of: [.pwrite]))
        try file.write("one", at: 0)
        #expect(#expect(throws: FileError.self) { try file.write("two", at: 3) }?.code == .noSpace)
        try file.write("three", at: 3)
        #expect(disk.firedCount == 1)
        #expect(try file.read(8, at: 0) == Array("onethree".utf8))
    }

    @Test func faultsCanChoosePaths() throws {
        disk.inject(.always(.fail(EIO), of: [.fsync]))
        disk.inject(Fault(.fail(ENOSPC), at: 1, of: [.pwrite], pathSuffix: "/b"))
        let a = try file("a")
        let b = try file("b")
        try a.write("x", at: 0)
        #expect(#expect(throws: FileError.self) { try b.write("x", at: 0) }?.code == .noSpace)
        for _ in 0..<3 { #expect(#expect(throws: FileError.self) { try a.synchronize() }?.code == .ioError) }
    }

    @Test func shortWritesAndReadsAreContinued() throws {
        let file = try file()
        disk.inject(.always(.shorten(to: 3), of: [.pread, .pwrite]))
        try file.write("Hello world", at: 0)
        #expect(try file.read(11, at: 0) == Array("Hello world".utf8))
        #expect(
            disk.trace == [
                "open a", "pwrite a 0+11", "pwrite a 3+8", "pwrite a 6+5", "pwrite a 9+2", "fstat a",
                "pread a 0+11", "pread a 3+8", "pread a 6+5", "pread a 9+2",
            ]
        )
    }

    @Test func aWriteThatNeverProgressesEnds() throws {
        let file = try file()
        disk.inject(.always(.shorten(to: 0), of: [.pwrite]))
        #expect(#expect(throws: FileError.self) { try file.write("Hello", at: 0) }?.code == .ioError)
    }

    @Test func aFileCutBehindOurBackIsTruncated() throws {
        let file = try file()
        try file.write("Hello", at: 0)
        disk.inject(.always(.shorten(to: 0), of: [.pread]))
        #expect(#expect(throws: FileError.self) { try file.read(5, at: 0) }?.code == .truncated)
    }

    @Test(arguments: SystemCall.Kind.allCases) func interruptedCallsAreRepeated(kind: SystemCall.Kind) throws {
        disk.inject(Fault(.fail(EINTR), at: 1, times: 2, of: [kind]))
        try exerciseEveryCall()
        #expect(disk.firedCount == 2)
        #expect(disk.trace.count { $0.hasPrefix("\(kind.rawValue) ") && $0.hasSuffix(" failed \(EINTR)") } == 2)
    }

    @Test(arguments: SystemCall.Kind.allCases.filter { ![.munmap, .unlock].contains($0) })
    func anyErrorNumberIsPassedOn(kind: SystemCall.Kind) throws {
        // The first list looks for what dead writers left; what it cannot find stays.
        disk.inject(Fault(.fail(EXDEV), at: kind == .list ? 2 : 1, of: [kind]))
        do {
            try exerciseEveryCall()
            Issue.record("no error")
        } catch let error as FileError {
            #expect(error.systemCall == SystemCallError(call: kind.rawValue, errno: EXDEV))
        } catch {
            #expect(error as? SystemCallError == SystemCallError(call: kind.rawValue, errno: EXDEV))
        }
    }

    /// Makes every kind of call at least once.
    private func exerciseEveryCall() throws {
        let system = disk.fileSystem
        try system.mkdir(directory.path("d"))
        _ = try system.stat(directory.path("d"))
        let file = try File(directory.path("d/a"), [.read, .write, .create], fileSystem: system)
        try FileLock(file, .exclusive).release()
        try file.write("Hello", at: 0)
        try file.append("Hello")
        _ = try file.read(5, at: 0)
        try file.truncate(to: 5)
        do {
            let region = try MappedRegion(writing: file, count: 10)
            try region.advise(.random)
            try region.synchronize()
        }
        try system.replaceFile(at: directory.path("d/b"), with: "b", mode: 0o600)
        try file.close()
        #expect(try system.list(directory.path("d")) == ["a", "b"])
        try system.unlink(directory.path("d/a"))
        try system.unlink(directory.path("d/b"))
        try system.rmdir(directory.path("d"))
    }
}
