#if os(Linux)
import CairnMapped
import CairnTestSupport
import Foundation
import Testing

/// Stores that processes of several PID namespaces use: the writers' lock works in one of them.
struct NamespaceTests {
    private static let canUnshare = (try? inNewNamespace(["true"]).status) == 0

    private static func inNewNamespace(_ command: [String]) throws -> ToolResult {
        try runTool("/usr/bin/env", ["unshare", "--map-root-user", "--pid", "--fork", "--mount-proc"] + command, stdin: "0 list\n")
    }

    @Test func whatIsOpenElsewhereIsRefused() throws {
        let scene = try Scene()
        let first = try scene.store()
        try first.set(1, for: "a")
        try scene.pretendAnotherNamespace()
        let error = try #require(failure { try scene.store() })
        #expect(error.code == .busy && error.message.contains("PID namespace"))
        let reader = try scene.store { $0.readOnly = true }
        try first.set(2, for: "a")
        #expect(try reader.get("a") == 2)
    }

    /// A writer that comes back in another container, while a reader has the file open, continues.
    @Test func readersKeepNobodyFromWriting() throws {
        let scene = try Scene()
        let first = try scene.store()
        try first.set(1, for: "a")
        try first.close()
        // A file without locks, whatever other tests are starting.
        try scene.write(scene.bytes())
        let reader = try scene.store { $0.readOnly = true }
        try scene.pretendAnotherNamespace()
        let writer = try scene.store()
        try writer.set(2, for: "a")
        #expect(try reader.get("a") == 2)
        let other = try scene.store()
        #expect(try other.get("a") == 2)
    }

    @Test(.enabled(if: canUnshare, "needs a user who may make namespaces"))
    func anotherNamespace() async {
        // A process of its own: those that other tests start hold locks for a moment.
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            let peer = [toolPath("cairn-mapped-peer"), scene.path()]
            let store = try scene.store()
            try store.set(1, for: "first")
            let refused = try NamespaceTests.inNewNamespace(peer)
            guard refused.status != 0, refused.standardError.contains("PID namespace") else { fatalError("\(refused)") }
            try store.close()
            let taken = try NamespaceTests.inNewNamespace(peer)
            guard taken.status == 0, taken.standardOutput.contains("first") else { fatalError("\(taken)") }
            try scene.store().set(2, for: "second")
        }
    }
}

extension Scene {
    /// Changes the writers' lock, in the file that may be open, as if it had been made in another PID namespace.
    fileprivate func pretendAnotherNamespace() throws {
        let file = try #require(FileHandle(forUpdatingAtPath: path()))
        try file.seek(toOffset: 1280)
        let lock = [UInt8](try #require(try file.read(upToCount: 128)))
        let mark = try #require((0..<124).first { lock[$0..<$0 + 4].elementsEqual("Lock".utf8) })
        // The next eight bytes at an offset divisible by eight.
        try file.seek(toOffset: UInt64(1280 + (mark + 4 + 7) / 8 * 8))
        try file.write(contentsOf: [1])
        try file.close()
    }
}
#endif
