import CairnCore
import CairnTestSupport
import Foundation
import Testing

/// What errors say about paths at which nothing can be.
@Suite struct EmptyPathTests {
    @Test func errorsSayThatThePathIsEmpty() throws {
        let error = #expect(throws: FileError.self) { try File("", [.read]) }
        let text = "\(try #require(error))"
        #expect(error?.message == "could not open ''; the path is empty")
        #expect(!text.contains("multibyte"), "\(text)")
        #expect(error?.code == .invalidPath)
    }

    @Test func errorsSayThatThePathHasAZeroByte() throws {
        let error = #expect(throws: FileError.self) { try File("a\0b", [.read]) }
        #expect(error?.message == "could not open a\0b; the path contains a zero byte")
        #expect(error?.description.contains("Empty") == false)
    }

    @Test func errorsSayWhyNothingCanBeCreated() throws {
        let directory = try TemporaryDirectory()
        func reason(_ path: String) -> String? {
            let error = #expect(throws: FileError.self) { try File(path, [.write, .create]) }
            guard let message = error?.message, let colon = message.firstRange(of: ": ") else { return nil }
            return String(message[colon.upperBound...])
        }
        #expect(reason(directory.path("none/a")) == "its directory does not exist; create it first")
        let home = "its directory does not exist; '~' is not expanded: give the path of the home directory"
        #expect(reason(directory.path("~/a")) == home)
        #expect(reason(directory.path("~/none/a")) == home)
        #expect(reason("~no one/a") == home)
        #if os(Linux)
        #expect(reason("/proc/a") == "nothing can be created in its directory")
        #endif
        // Such a directory may exist.
        try FileSystem.system.mkdir(directory.path("~"))
        #expect(reason(directory.path("~/none/a")) == "its directory does not exist; create it first")
    }

    @Test func whatIsInsideADirectory() throws {
        let directory = try TemporaryDirectory()
        try FileSystem.system.mkdir(directory.path("a"))
        try FileSystem.system.mkdir(directory.path("a/b"))
        let inside = directory.path("a")
        try FileManager.default.createSymbolicLink(atPath: directory.path("link"), withDestinationPath: "a/b")
        for name in ["a", "a/", "a/x", "a/x/", "a/x/y", "a/b", "a/b/x", "a/../a/x", "a/b/../x", "link", "link/x", "link/x/y"] {
            #expect(FileSystem.isSame(directory.path(name), orInside: inside), "\(name)")
        }
        for name in ["x", "ab", "a/../x", "none/x", ""] {
            #expect(!FileSystem.isSame(directory.path(name), orInside: inside), "\(name)")
        }
        for path in ["x", "", "/x", "/"] { #expect(!FileSystem.isSame(path, orInside: inside), "\(path)") }
        #expect(!FileSystem.isSame(directory.path("none/x"), orInside: directory.path("none")))
    }
}
