#if Hummingbird
import CairnHummingbird
import CairnMapped
import CairnTestSupport
import Hummingbird
import Testing

/// Sessions that several processes share.
@Suite(.endsWhenItHangs) struct ProcessTests {
    @Test func oneOfTwoProcessesCreatesAKey() async throws {
        let scene = try Scene()
        let path = scene.directory.path("a.map")
        let store = try MappedStore(path: path)
        let count = 300
        let peers = try [("one", "two"), ("two", "one")].map {
            try ChildProcess("cairn-hummingbird-peer", ["race", path, $0.0, $0.1, "\(count)"])
        }
        var winners: [Int: String] = [:]
        for (name, peer) in zip(["one", "two"], peers) {
            while let line = peer.readLine() {
                let former = winners.updateValue(name, forKey: try #require(Int(line)))
                #expect(former == nil, "both have created \(line)")
            }
            #expect(try peer.waitForEnd() == .exited(0))
        }
        #expect(winners.count == count)
        let driver = MappedPersistDriver(store: store)
        for (number, name) in winners { #expect(try await driver.get(key: "\(number)", as: String.self) == name) }
    }

    @Test func whatAKilledProcessHasSetIsThere() async throws {
        let scene = try Scene()
        let path = scene.directory.path("a.map")
        let peer = try ChildProcess("cairn-hummingbird-peer", ["write", path])
        var acknowledged = -1
        while acknowledged < 2000, let line = peer.readLine() { acknowledged = try #require(Int(line)) }
        peer.kill()
        while let line = peer.readLine() { acknowledged = Int(line) ?? acknowledged }
        #expect(try peer.waitForEnd() == .killed(signal: 9))
        #expect(acknowledged >= 2000)
        let store = try MappedStore(path: path)
        #expect(store.openReport.damagedRanges.isEmpty)
        #expect(try store.verify().isIntact)
        let driver = MappedPersistDriver(store: store)
        for number in 0...acknowledged {
            #expect(try await driver.get(key: "\(number)", as: [String: String].self) == ["user": "\(number)"])
        }
        // And others are not held up.
        try await driver.create(key: "next", value: 1)
    }
}
#endif
