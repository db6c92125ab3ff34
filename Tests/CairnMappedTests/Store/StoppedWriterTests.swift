import CairnMapped
import CairnTestSupport
import Foundation
import Testing

/// Writers that were stopped, as by a debugger or SIGSTOP, while they hold the lock.
struct StoppedWriterTests {
    private static func patient(_ options: inout MappedStoreOptions) { options.busyTimeout = .milliseconds(50) }

    /// A store with a value, and a process that is stopped while it changes it.
    private static func stopped(_ scene: Scene) throws -> (store: MappedStore, peer: ChildProcess) {
        let store = try scene.store("a.map", patient)
        try store.set("before", for: "first")
        let peer = try ChildProcess("cairn-mapped-peer", [scene.path()])
        try peer.writeLine("0 stop")
        try #require(peer.readLine() == "stopping")
        // It says so before: what lets it continue must not come until it has stopped.
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(peer.processIdentifier), &information, Int32(WSTOPPED) | Int32(WNOWAIT)) != 0 {
            try #require(errno == EINTR)
        }
        return (store, peer)
    }

    @Test func othersWaitForATimeAndReadMeanwhile() throws {
        let scene = try Scene()
        let (store, peer) = try Self.stopped(scene)
        let error = failure { try store.set(1, for: "a") }
        #expect(error?.code == .busy && error?.message.contains("0.05 seconds") == true)
        #expect(code { try store.remove("first") } == .busy)
        #expect(code { try store.transaction { try $0.set(1, for: "a") } } == .busy)
        #expect(code { try store.set(contentsOf: ["a": 1]) } == .busy)
        #expect(code { try store.compact() } == .busy)
        #expect(try store.get("first") == "before" && store.count == 1)
        #expect(try store.keys() == ["first"] && store.verify().isIntact && store.backup(to: scene.path("b.map")).count == 1)

        let another = try scene.store("a.map", Self.patient)
        #expect(try another.get("first") == "before" && another.openReport.isClean)
        #expect(code { try another.set(1, for: "a") } == .busy)
        try another.close()
        let reader = try scene.store { $0.readOnly = true }
        #expect(try reader.get("first") == "before" && reader.keys() == ["first"])
        try reader.close()

        kill(peer.processIdentifier, SIGCONT)
        try #require(peer.readLine() == "done")
        #expect(try store.get("first") == "stopped")
        try store.set(1, for: "a")
        try peer.closeInput()
        #expect(try peer.waitForEnd() == .exited(0))
        #expect(try store.verify().isIntact && store.count == 2)
    }

    @Test func oneThatIsKilledHoldsUpNoOne() throws {
        let scene = try Scene()
        let (store, peer) = try Self.stopped(scene)
        #expect(code { try store.set(1, for: "a") } == .busy)
        peer.kill()
        try peer.waitForEnd()
        try store.set(1, for: "a")
        #expect(try store.get("first") == "before" && store.verify().isIntact)
    }

    /// Until it held the lock often enough.
    @Test func theyStopAnywhere() async throws {
        try await withSeeds("stopped writers", count: 1) { generator in
            let peer = try Peer()
            var (busyRounds, rounds) = (0, 0)
            while busyRounds < Thorough.count(20, of: 300), rounds < 3_000 {
                rounds += 1
                try peer.stop(after: generator.int(in: 1..<10))
                let store = try peer.scene.store("a.map", Self.patient)
                // Readers do not wait, so they may see a part of a transaction.
                for value in try store.multiGet(["first", "second"], as: Int.self) { #expect((value ?? 0) >= peer.last) }
                let outcome = code { try store.set(rounds, for: "mine") }
                #expect(outcome == nil || outcome == .busy)
                if outcome == .busy { busyRounds += 1 }
                try store.close()
                try peer.resume()
                // Beside one that writes without rest, a turn may take long to come.
                let another = try peer.scene.store { $0.busyTimeout = .seconds(600) }
                try another.set(-rounds, for: "mine")
                #expect(try another.get("mine") == -rounds)
                try another.close()
            }
            #expect(busyRounds == Thorough.count(20, of: 300), "\(rounds) rounds")
            try peer.end()
        }
    }

    /// A process that writes without rest.
    private final class Peer: @unchecked Sendable {
        let scene: Scene
        /// The last number that it said it had written.
        private(set) var last = 0
        private let process: ChildProcess

        init() throws {
            scene = try Scene()
            process = try ChildProcess("cairn-mapped-peer", [scene.path()])
            try process.writeLine("0 write 100")
        }

        func stop(after count: Int) throws {
            for _ in 0..<count { last = max(last, Int(try #require(process.readLine())) ?? 0) }
            kill(process.processIdentifier, SIGSTOP)
        }

        func resume() throws {
            kill(process.processIdentifier, SIGCONT)
            // It continues to write.
            last = max(last, Int(try #require(process.readLine())) ?? 0)
        }

        func end() throws {
            process.kill()
            try process.waitForEnd()
            let store = try scene.store()
            let values = try store.multiGet(["first", "second"], as: Int.self)
            #expect(values[0] == values[1] && (values[0] ?? 0) >= last)
            #expect(try store.verify().isIntact && store.openReport.isClean)
        }
    }
}
