import CairnEngineConformance
import CairnEtcdEngine
import CairnEtcdKit
import CairnGraph
import CairnObjectsEncryption
import CairnTestSupport
import Crypto
import Foundation
import Testing

@Suite(.enabled(if: EtcdServer.isInstalled, EtcdServer.missing), .serialized) struct EtcdConformanceTests {
    private static let server = EtcdServer.isInstalled ? try! EtcdServer.compacted() : nil

    /// The checks behind the proxy are the same and more.
    @Test(.thorough, arguments: EngineCheck.all) func theEngine(check: EngineCheck) async throws {
        try await run(check) { scene in
            EngineUnderTest(persists: true) { name in try scene.open(name) }
        }
    }

    /// Replies are lost and views expire.
    @Test(arguments: EngineCheck.all) func behindAProxy(check: EngineCheck) async throws {
        try await run(check) { scene in
            let proxy = try Proxy(to: scene.server.port)
            var subject = EngineUnderTest(persists: true) { name in try scene.open(name, proxy) }
            subject.loseReply = { _ in proxy.lose(.reply) }
            subject.expireViews = { _ in try! scene.server.session.compact() }
            return subject
        }
    }

    @Test(.checking, arguments: EngineCheck.all) func sealed(check: EngineCheck) async throws {
        try await run(check) { scene in
            let (session, identity) = (try ObjectEncryption(key: SymmetricKey(size: .bits256)).create().session, UUID())
            return EngineUnderTest(persists: true) { name in try SealedEngine(scene.open(name), session, identity: identity) }
        }
    }

    private func run(_ check: EngineCheck, _ makeSubject: @Sendable (Scene) throws -> EngineUnderTest) async throws {
        try await withSeeds(check.description, count: Thorough.count(1, of: 3)) { random in
            try await check.run(on: makeSubject(Scene(Self.server)), seed: random.next())
        }
    }
}
