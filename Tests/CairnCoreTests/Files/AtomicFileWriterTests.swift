import CairnCore
import CairnTestSupport
import Foundation
import Testing

struct AtomicFileWriterTests {
    let directory = try! TemporaryDirectory()
    var target: String { directory.path("target") }

    private func contents(_ name: String = "target") throws -> [UInt8] {
        let file = try File(directory.path(name), [.read])
        return try file.read(Int(file.status().size), at: 0)
    }

    private func names() throws -> [String] { try FileSystem.system.list(directory.path) }

    @Test func makesANewFile() throws {
        try FileSystem.system.replaceFile(at: target, with: "new")
        #expect(try contents() == Array("new".utf8))
        #expect(try names() == ["target"])
    }

    @Test func theOldFileIsSeenUntilTheEnd() throws {
        try FileSystem.system.replaceFile(at: target, with: "old")
        let reader = try File(target, [.read])
        let writer = try AtomicFileWriter(replacing: target, bufferSize: .bytes(1))
        try writer.write("new!")
        #expect(try contents() == Array("old".utf8))
        try writer.finish()
        #expect(try contents() == Array("new!".utf8))
        // Who has the old file open keeps it.
        #expect(try reader.read(3, at: 0) == Array("old".utf8))
    }

    @Test func emptyFiles() throws {
        try FileSystem.system.replaceFile(at: target, with: "old")
        try AtomicFileWriter(replacing: target).finish()
        #expect(try contents() == [])
    }

    @Test(arguments: [1, 2, 7, 100, 4_096]) func piecesOfAnySize(bufferSize: Int64) async throws {
        try await withSeeds("atomic writer, buffer of \(bufferSize)", count: 5) { generator in
            let directory = try TemporaryDirectory()
            let writer = try AtomicFileWriter(
                replacing: directory.path("a"),
                durability: .none,
                bufferSize: .bytes(bufferSize)
            )
            var expected: [UInt8] = []
            for _ in 0..<100 {
                let piece = generator.bytes(generator.int(in: 0..<50))
                if generator.oneIn(3), expected.count >= piece.count {
                    let offset = generator.int(in: 0..<expected.count - piece.count + 1)
                    try writer.write(piece, at: Int64(offset))
                    expected.replaceSubrange(offset..<offset + piece.count, with: piece)
                } else {
                    try writer.write(piece)
                    expected += piece
                }
                #expect(writer.count == Int64(expected.count))
            }
            let middle = expected.count / 2
            let readBack = try writer.read(expected.count - middle, at: Int64(middle))
            #expect(readBack == Array(expected[middle...]))
            try writer.finish()
            let written = try File(directory.path("a"), [.read]).read(expected.count, at: 0)
            #expect(written == expected)
        }
    }

    @Test func patchesLieWithinWhatIsWritten() throws {
        let writer = try AtomicFileWriter(replacing: target)
        try writer.write("Hello")
        for (bytes, offset) in [("x", 5), ("xy", 4), ("", 6), ("x", -1), ("x", Int64.max)] as [(String, Int64)] {
            #expect(#expect(throws: FileError.self) { try writer.write(bytes, at: offset) }?.code == .truncated)
        }
        #expect(#expect(throws: FileError.self) { try writer.read(6, at: 0) }?.code == .truncated)
        // None of these ended the writer.
        try writer.write("J", at: 0)
        try writer.finish()
        #expect(try contents() == Array("Jello".utf8))
    }

    @Test func cancelling() throws {
        try FileSystem.system.replaceFile(at: target, with: "old")
        let writer = try AtomicFileWriter(replacing: target)
        try writer.write("new")
        writer.cancel()
        writer.cancel()
        #expect(try names() == ["target"])
        #expect(try contents() == Array("old".utf8))
        #expect(#expect(throws: FileError.self) { try writer.write("x") }?.code == .closed)
        #expect(#expect(throws: FileError.self) { try writer.write("x", at: 0) }?.code == .closed)
        #expect(#expect(throws: FileError.self) { try writer.finish() }?.code == .closed)
    }

    @Test func theEndOfItsLifeCancels() throws {
        _ = try AtomicFileWriter(replacing: target)
        #expect(try names() == [])
    }

    @Test func finishingTwice() throws {
        let writer = try AtomicFileWriter(replacing: target)
        try writer.finish()
        #expect(#expect(throws: FileError.self) { try writer.finish() }?.code == .closed)
        writer.cancel()
        #expect(try names() == ["target"])
    }

    @Test func modes() throws {
        func mode() throws -> UInt32 { try FileSystem.system.stat(target).mode }
        try FileSystem.system.replaceFile(at: target, with: "a")
        #expect(try mode() & 0o600 == 0o600)
        try FileSystem.system.replaceFile(at: target, with: "b", mode: 0o640)
        #expect(try mode() == 0o640)
        try FileSystem.system.replaceFile(at: target, with: "c")
        #expect(try mode() == 0o640)
        try FileSystem.system.replaceFile(at: target, with: "d", mode: 0o666)
        #expect(try mode() == 0o666)
    }

    @Test func targetsThatCannotBe() throws {
        #expect(#expect(throws: FileError.self) { try AtomicFileWriter(replacing: directory.path) }?.code == .isDirectory)
        #expect(#expect(throws: FileError.self) { try AtomicFileWriter(replacing: directory.path("none/a")) }?.code == .notFound)
        for path in ["", "a/", "/", "a/.", "a/.."] {
            #expect(#expect(throws: FileError.self) { try AtomicFileWriter(replacing: path) }?.code == .invalidPath)
        }
        let error = #expect(throws: FileError.self) { try AtomicFileWriter(replacing: directory.path("a\0b")) }
        #expect(error?.code == .invalidPath && error?.message.hasSuffix("; the path contains a zero byte") == true)
        let empty = #expect(throws: FileError.self) { try AtomicFileWriter(replacing: "") }
        #expect(empty?.message == "could not replace ''; the path is empty")
        #expect(try names() == [])
    }

    /// Such as /dev/null, which every program of the system needs.
    @Test(arguments: [nil, 0o600] as [UInt32?]) func devicesAndPipesStay(mode: UInt32?) throws {
        #expect(unsafe mkfifo(target, 0o644) == 0)
        let error = #expect(throws: FileError.self) { try AtomicFileWriter(replacing: target, mode: mode) }
        #expect(error?.code == .notSupported && error?.message.contains("a device, a pipe or a socket") == true)
        #expect(try names() == ["target"] && FileSystem.system.stat(target).kind == .other)
    }

    @Test func errorsNameTheTarget() throws {
        let disk = try FaultInjectingFileSystem(directory.path)
        disk.inject(Fault(.fail(ENOSPC), at: 1, of: [.pwrite]))
        let error = #expect(throws: FileError.self) { try disk.fileSystem.replaceFile(at: target, with: "new") }
        #expect(error?.message.hasPrefix("could not replace \(target): ") == true)
        #expect(error?.systemCall == SystemCallError(call: "pwrite", errno: ENOSPC))
    }

    /// Writers with one target at the same time: the winner's contents are whole, and nothing else is left.
    @Test func parallelWritersDoNotCollide() async throws {
        let target = target
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for _ in 0..<25 {
                        let bytes = [UInt8](repeating: UInt8(writer), count: 1_000 + writer)
                        try FileSystem.system.replaceFile(at: target, with: bytes, durability: .none)
                        let file = try File(target, [.read])
                        let seen = try file.read(Int(file.status().size), at: 0)
                        #expect(Set(seen).count == 1 && seen.count == 1_000 + Int(seen[0]))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try names() == ["target"])
    }
}
