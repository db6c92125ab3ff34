import CairnHistoryKit
import CairnSQLiteEngine
import CairnTestSupport
import Foundation
import Testing

/// Several processes.
@Suite(.endsWhenItHangs) struct SQLiteProcessTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func peer() throws -> ChildProcess {
        let peer = try ChildProcess("cairn-sqlite-peer", [scene.path])
        try #require(peer.readLine() == "open")
        return peer
    }

    private func ask(_ peer: ChildProcess, _ line: String) throws -> String? {
        try peer.writeLine(line)
        return peer.readLine()
    }

    @Test func `no update is lost between processes`() throws {
        let engine = try scene.open()
        let peers = try (0..<3).map { _ in try peer() }
        let times = Thorough.count(200, of: 3000)
        for peer in peers { try peer.writeLine("add counter \(times)") }
        for peer in peers { try #require(Int(peer.readLine() ?? "") != nil) }
        #expect(try engine.get("counter") == "\(3 * times)")
        #expect(engine.latestVersion == EngineVersion(rawValue: UInt64(3 * times)))
        for peer in peers {
            try peer.closeInput()
            #expect(try peer.waitForEnd() == .exited(0))
        }
        try engine.close()
        #expect(try scene.names() == ["store"])
    }

    @Test func `a process follows the commits of another`() async throws {
        let engine = try scene.open()
        let other = try peer()
        var changes = try engine.changes().makeAsyncIterator()
        for number in 0..<20 {
            let version = try ask(other, "put key\(number) 1")
            // What was read before following, and what is waited for.
            let change = try #require(try await changes.next())
            #expect("\(change.version)" == version && change.touches("key\(number)") && change.keys.count == 1)
        }
        try engine.put("2", "key0")
        #expect(try ask(other, "get key0") == "2")
        #expect(try await changes.next()?.touches("key0") == true)
        try other.closeInput()
        try engine.close()
    }

    @Test func `a file is compacted beside another process and a view`() throws {
        func size() throws -> Int { try #require(FileManager.default.attributesOfItem(atPath: scene.path)[.size] as? Int) }
        // The engine that closes last moves everything to the file.
        do {
            let engine = try scene.open()
            var commit = EngineCommit()
            for number in 0..<1000 { commit.put([UInt8](repeating: UInt8(number & 0xFF), count: 2000), for: "key \(number)") }
            commit.put("kept", for: "a")
            try engine.commit(commit)
            try engine.close()
        }
        let full = try size()
        #expect(full > 2_000_000)
        let engine = try scene.open()
        let other = try peer()
        var view: (any EngineView)? = try engine.makeView()
        var commit = EngineCommit()
        commit.deleteRange(KeyRange(prefix: "key "))
        let version = try engine.commit(commit)
        try engine.compact()
        // What a view sees is kept, and nothing else has changed.
        let old = [UInt8](repeating: UInt8(999 & 0xFF), count: 2000)
        #expect(try view?.get("key 999") == old && engine.makeView().entries().count == 1)
        #expect(engine.latestVersion == version)
        #expect(try ask(other, "get a") == "kept" && ask(other, "get key") == "missing")
        view = nil
        // The next commit lets the file shrink.
        try engine.put("1", "b")
        #expect(try size() < full / 10)
        #expect(try ask(other, "get b") == "1" && ask(other, "put c 2") == "\(EngineVersion(rawValue: version.rawValue + 2))")
        #expect(try engine.get("c") == "2")

        // Without a view, it shrinks at once.
        commit = EngineCommit()
        for number in 0..<1000 { commit.put(old, for: "key \(number)") }
        try engine.commit(commit)
        try engine.compact()
        #expect(try size() > full / 2)
        commit = EngineCommit()
        commit.deleteRange(KeyRange(prefix: "key "))
        try engine.commit(commit)
        try engine.compact()
        #expect(try size() < full / 10)
        #expect(try ask(other, "get c") == "2" && engine.get("a") == "kept")
        try other.closeInput()
        #expect(try other.waitForEnd() == .exited(0))
        try engine.close()
        #expect(try scene.names() == ["store"])
    }

    @Test func `processes that create a store at once share it`() throws {
        for _ in 0..<Thorough.count(3, of: 50) {
            let peers = try (0..<4).map { _ in try ChildProcess("cairn-sqlite-peer", [scene.path]) }
            for peer in peers { #expect(peer.readLine() == "open") }
            for (number, peer) in peers.enumerated() { #expect(Int(try ask(peer, "put \(number) 1") ?? "") != nil) }
            for peer in peers {
                try peer.closeInput()
                #expect(try peer.waitForEnd() == .exited(0))
            }
            let engine = try scene.open()
            #expect(try engine.makeView().entries().count == 4)
            try engine.close()
            try FileManager.default.removeItem(atPath: scene.path)
        }
    }

    /// Throws where the commits of a writer are there in part; returns the number of its last.
    private func lastCommit(_ name: String, _ view: any EngineView) throws -> Int {
        let last = Int(try view.text("last \(name)") ?? "0") ?? -1
        let parts = try view.entries(KeyRange(prefix: "\(name)/"))
        #expect(parts.count == (last == 0 ? 0 : last % 40 + 2))
        #expect(parts.allSatisfy { $0.value == Array("\(last)".utf8) })
        return last
    }

    @Test func `killed processes leave what they acknowledged, and every commit whole`() async throws {
        try await withSeeds("killed processes", count: 1) { random in
            var lasts = ["a": 0, "b": 0]
            for round in 0..<Thorough.count(6, of: 300) {
                // With and without a process that stays.
                let engine = round.isMultiple(of: 2) ? try scene.open() : nil
                let peers = try lasts.keys.sorted().map { (name: $0, process: try peer()) }
                for peer in peers { try peer.process.writeLine("write \(peer.name) \(lasts[peer.name, default: 0])") }
                let victim = random.int(in: 0..<2)
                var acknowledged: [String: Int] = [:]
                for (number, peer) in peers.enumerated() {
                    for _ in 0..<(number == victim ? random.int(in: 1..<80) : 3) {
                        acknowledged[peer.name] = Int(try #require(peer.process.readLine()))
                    }
                    if number == victim { peer.process.kill() }
                }
                // The other continues, though one that held a lock may be gone.
                let rest = peers[1 - victim]
                for _ in 0..<20 { acknowledged[rest.name] = Int(try #require(rest.process.readLine())) }
                rest.process.kill()
                for peer in peers {
                    while let line = peer.process.readLine() { acknowledged[peer.name] = Int(line) ?? acknowledged[peer.name] }
                    #expect(try peer.process.waitForEnd() == .killed(signal: SIGKILL))
                }
                let now = try engine ?? scene.open()
                try now.withView { view in
                    for (name, number) in acknowledged {
                        let found = try lastCommit(name, view)
                        #expect(found == number || found == number + 1, "\(name): \(number) was acknowledged, \(found) found")
                        lasts[name] = found
                    }
                    #expect(view.version.rawValue == UInt64(lasts.values.reduce(0, +)))
                }
                try now.close()
            }
        }
    }
}
