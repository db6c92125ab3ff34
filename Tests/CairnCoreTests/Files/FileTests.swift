import CairnCore
import CairnTestSupport
import Foundation
import Testing

struct FileTests {
    let directory = try! TemporaryDirectory()

    private func file(_ name: String = "a", _ options: FileSystem.OpenOptions = [.read, .write, .create]) throws(FileError) -> File {
        try File(directory.path(name), options)
    }

    @Test func writesAndReads() throws {
        let file = try file()
        try file.write("Hello world", at: 0)
        try file.write([UInt8](repeating: 7, count: 3), at: 20)
        #expect(try file.status().size == 23)
        #expect(try file.read(5, at: 6) == Array("world".utf8))
        #expect(try file.read(9, at: 11) == [UInt8](repeating: 0, count: 9))
        #expect(try file.read(0, at: 23) == [])
        try file.truncate(to: 5)
        #expect(try file.status().size == 5)
    }

    @Test func absolutePaths() {
        #expect(FileSystem.absolute("/a/b") == "/a/b")
        #expect(FileSystem.absolute("a/b") == FileManager.default.currentDirectoryPath + "/a/b")
    }

    @Test func readingPastTheEndIsTruncated() throws {
        let file = try file()
        try file.write("Hello", at: 0)
        for (count, offset) in [(6, 0), (1, 5), (Int.max, 0), (1, Int64.max), (-1, 0), (1, -1), (0, 6)] as [(Int, Int64)] {
            let error = #expect(throws: FileError.self) { try file.read(count, at: offset) }
            #expect(error?.code == .truncated)
        }
    }

    @Test func appends() throws {
        let file = try file("log", [.read, .write, .create, .append])
        try file.append("one")
        try file.append("")
        try file.append("two")
        #expect(try file.read(6, at: 0) == Array("onetwo".utf8))
    }

    @Test func openOptions() throws {
        try file("a").write("x", at: 0)
        #expect(#expect(throws: FileError.self) { try file("a", [.write, .create, .exclusive]) }?.code == .alreadyExists)
        #expect(#expect(throws: FileError.self) { try file("b", [.read]) }?.code == .notFound)
        #expect(#expect(throws: FileError.self) { try file("a/b", [.read]) }?.code == .notADirectory)
        #expect(#expect(throws: FileError.self) { try file("a", [.read, .directory]) }?.code == .notADirectory)
        #expect(#expect(throws: FileError.self) { try file("", [.write]) }?.code == .isDirectory)
        #expect(try file("a", [.write, .truncate]).status().size == 0)
    }

    @Test func aLinkThatIsNotFollowedIsNamed() throws {
        try FileManager.default.createSymbolicLink(atPath: directory.path("a"), withDestinationPath: "b")
        for options in [[.read, .noFollow], [.read, .write, .create, .noFollow]] as [FileSystem.OpenOptions] {
            let error = #expect(throws: FileError.self) { try file("a", options) }
            let advice = " \(directory.path("a")): it is a symbolic link; remove it if you did not create it"
            #expect(error?.code == .invalidPath && error?.message.hasSuffix(advice) == true, "\(String(describing: error))")
        }
        #expect(try FileSystem.system.list(directory.path) == ["a"])
        try FileManager.default.createSymbolicLink(atPath: directory.path("c"), withDestinationPath: "c")
        let loop = #expect(throws: FileError.self) { try file("c", [.read]) }
        #expect(loop?.code == .invalidPath && loop?.message.contains("form a loop") == true)
    }

    /// Without a writer, it would be waited for forever.
    @Test(.endsWhenItHangs) func pipesAndDevicesAreNotFiles() throws {
        #expect(unsafe mkfifo(directory.path("pipe"), 0o600) == 0)
        for path in [directory.path("pipe"), "/dev/zero"] {
            let error = #expect(throws: FileError.self) { try File(path, [.read]).statusOfFile() }
            #expect(error?.code == .invalidPath && error?.message == "could not read \(path): it is not a regular file")
        }
    }

    @Test func directoriesWithPipesOrDevicesAreRefused() throws {
        let (system, manager) = (FileSystem.system, FileManager.default)
        _ = try file("a")
        try system.mkdir(directory.path("b"))
        try manager.createSymbolicLink(atPath: directory.path("c"), withDestinationPath: "a")
        try manager.createSymbolicLink(atPath: directory.path("d"), withDestinationPath: "nothing")
        try system.refuseSpecialFiles(in: directory.path)
        try system.refuseSpecialFiles(in: directory.path("nothing"))
        #expect(try system.list(directory.path) == ["a", "b", "c", "d"])

        let path = directory.path("special")
        func expectRefusal() throws {
            let inDirectory = #expect(throws: FileError.self) { try system.refuseSpecialFiles(in: directory.path) }
            let alone = #expect(throws: FileError.self) { try system.refuseSpecialFile(at: path) }
            for error in [inDirectory, alone] {
                #expect(error?.code == .notSupported && error?.message == "'\(path)' is a pipe, a device or a socket, not a file")
            }
            try system.unlink(path)
        }
        #expect(unsafe mkfifo(path, 0o600) == 0)
        try expectRefusal()
        try manager.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
        try expectRefusal()
    }

    @Test(arguments: ["", "a\0b", "/tmp/\0"]) func pathsThatNoFileCanHave(path: String) {
        #expect(#expect(throws: FileError.self) { try File(path, [.read]) }?.code == .invalidPath)
        #expect(#expect(throws: FileError.self) { try File(path, [.write, .create]) }?.code == .invalidPath)
        #expect(throws: SystemCallError(call: "rename", errno: EILSEQ)) { try FileSystem.system.rename(directory.path, to: path) }
        #expect(throws: SystemCallError(call: "unlink", errno: EILSEQ)) { try FileSystem.system.unlink(path) }
        #expect(throws: SystemCallError(call: "mkdir", errno: EILSEQ)) { try FileSystem.system.mkdir(path) }
        #expect(throws: SystemCallError(call: "rmdir", errno: EILSEQ)) { try FileSystem.system.rmdir(path) }
        #expect(throws: SystemCallError(call: "stat", errno: EILSEQ)) { try FileSystem.system.stat(path) }
        #expect(throws: SystemCallError(call: "list", errno: EILSEQ)) { try FileSystem.system.list(path) }
    }

    @Test func tooLongNames() {
        let name = String(repeating: "x", count: 300)
        #expect(#expect(throws: FileError.self) { try file(name) }?.code == .invalidPath)
    }

    @Test func closing() throws {
        let file = try file()
        try file.close()
        try file.close()
        #expect(#expect(throws: FileError.self) { try file.status() }?.code == .closed)
        #expect(#expect(throws: FileError.self) { try file.write("x", at: 0) }?.code == .closed)
        #expect(#expect(throws: FileError.self) { try file.synchronize() }?.message.contains(directory.path("a")) == true)
    }

    @Test func theLastReferenceCloses() throws {
        let disk = try FaultInjectingFileSystem(directory.path)
        _ = try File(directory.path("a"), [.write, .create], fileSystem: disk.fileSystem)
        #expect(disk.trace == ["open a", "close a"])
    }

    @Test func reservingTakesSpaceAndNeverCuts() throws {
        let file = try file()
        try file.write("Hello", at: 0)
        try file.reserve(100_000)
        #expect(try file.status().size == 100_000)
        try file.reserve(10)
        try file.reserve(0)
        #expect(try file.status().size == 100_000)
        #expect(try file.read(6, at: 0) == Array("Hello\0".utf8))
        let blocks = try FileManager.default.attributesOfItem(atPath: directory.path("a"))[.size] as? Int
        #expect(blocks == 100_000)
        // File systems differ in which limit they meet first.
        let code = #expect(throws: FileError.self) { try file.reserve(.max) }?.code
        #expect(code == .tooLarge || code == .noSpace)
        #expect(throws: FileError.self) { try file.reserve(-1) }
    }

    /// More than any disk holds.
    @Test func roomIsRequiredWithoutTakingIt() throws {
        let file = try file()
        try file.requireRoom(for: 100_000)
        #expect(try file.status().size == 0)
        #if os(Linux)
        let error = #expect(throws: FileError.self) { try file.requireRoom(for: 1 << 62) }
        #expect(error?.code == .noSpace)
        #expect(error?.message.hasPrefix("could not enlarge \(file.path) to 4 EiB; ") == true, "\(String(describing: error))")
        #expect(try file.status().size == 0)
        #endif
    }

    @Test func writingToAReadOnlyFileFails() throws {
        try file().write("x", at: 0)
        let file = try file("a", [.read])
        #expect(throws: FileError.self) { try file.write("y", at: 0) }
        #expect(try file.read(1, at: 0) == [UInt8(ascii: "x")])
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"))
    func aFullDeviceIsAnError() throws {
        let file = try File("/dev/full", [.write])
        #expect(#expect(throws: FileError.self) { try file.write("x", at: 0) }?.code == .noSpace)
        #expect(#expect(throws: FileError.self) { try file.append("x") }?.code == .noSpace)
    }

    @Test func directories() throws {
        let system = FileSystem.system
        try system.mkdir(directory.path("d"))
        #expect(throws: SystemCallError(call: "mkdir", errno: EEXIST)) { try system.mkdir(directory.path("d")) }
        for name in ["c", "a", "é", ".hidden"] { _ = try file("d/\(name)") }
        #expect(try system.list(directory.path("d")) == [".hidden", "a", "c", "é"])
        #expect(try system.stat(directory.path("d")).kind == .directory)
        #expect(try system.stat(directory.path("d/a")).kind == .file)
        #expect(try system.stat("/dev/null").kind == .other)
        try system.fsyncDirectory(directory.path("d"))
        try system.rename(directory.path("d/c"), to: directory.path("d/a"))
        #expect(throws: SystemCallError(call: "rmdir", errno: ENOTEMPTY)) { try system.rmdir(directory.path("d")) }
        for name in ["a", "é", ".hidden"] { try system.unlink(directory.path("d/\(name)")) }
        try system.rmdir(directory.path("d"))
        #expect(throws: SystemCallError(call: "list", errno: ENOENT)) { try system.list(directory.path("d")) }
    }

    @Test func identityTellsReplacedFilesApart() throws {
        let old = try file("a")
        let new = try file("b")
        #expect(try old.status().identity != new.status().identity)
        try FileSystem.system.rename(directory.path("b"), to: directory.path("a"))
        #expect(try FileSystem.system.stat(directory.path("a")).identity == new.status().identity)
        #expect(try old.status().linkCount == 0)
        #expect(try new.status().linkCount == 1)
    }

    @Test(arguments: [
        ("a", ".", "a"), ("/a", "/", "a"), ("/a/b", "/a", "b"), ("a/b", "a", "b"), ("a/", "a", ""), ("/", "/", ""), ("", ".", ""),
    ]) func splitting(path: String, directory: String, name: String) {
        #expect(FileSystem.split(path) == (directory, name))
    }
}
