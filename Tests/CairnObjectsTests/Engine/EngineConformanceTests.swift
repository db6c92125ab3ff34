import CairnEngineConformance
import CairnObjects
import CairnTestSupport
import Testing

@Suite struct EngineConformanceTests {
    @Test(arguments: EngineCheck.all) func theEngineInMemory(check: EngineCheck) async throws {
        try await run(check) { EngineUnderTest { _ in MemoryEngine() } }
    }

    @Test(arguments: EngineCheck.all) func theEngineOnRocksDB(check: EngineCheck) async throws {
        try await run(check) {
            let directory = try TemporaryDirectory()
            return EngineUnderTest(persists: true) { name in try RocksEngine(path: directory.path(name)) }
        }
    }

    /// Every commit becomes a sorted file.
    @Test(.checking, arguments: EngineCheck.all) func theEngineOnRocksDBByFiles(check: EngineCheck) async throws {
        try await run(check) {
            let directory = try TemporaryDirectory()
            var options = RocksEngineOptions()
            options.largeCommitSize = .zero
            return EngineUnderTest(persists: true) { [options] name in try RocksEngine(path: directory.path(name), options: options) }
        }
    }

    @Test(.checking, arguments: EngineCheck.all) func aTerribleEngine(check: EngineCheck) async throws {
        try await run(check) { EngineUnderTest { _ in TerribleEngine(seed: UInt64.random(in: 0 ... .max)) } }
    }

    @Test(arguments: EngineCheck.all) func theSmallestEngine(check: EngineCheck) async throws {
        try await run(check) { EngineUnderTest { _ in ArrayEngine() } }
    }

    @Test(arguments: EngineCheck.all) func severalClients(check: EngineCheck) async throws {
        try await run(check) { ClientEngine.underTest() }
    }

    /// As servers do that keep the version of each key.
    @Test(.checking, arguments: EngineCheck.all) func clientsThatCompareVersions(check: EngineCheck) async throws {
        try await run(check) { ClientEngine.underTest(comparesVersions: true) }
    }

    private func run(_ check: EngineCheck, on makeSubject: @Sendable () throws -> EngineUnderTest) async throws {
        try await withSeeds(check.description, count: Thorough.count(1, of: 2)) { random in
            try await check.run(on: makeSubject(), seed: random.next())
        }
    }
}
