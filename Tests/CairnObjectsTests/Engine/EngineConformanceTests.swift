import CairnObjects
import CairnObjectsConformance
import CairnTestSupport
import Testing

@Suite struct EngineConformanceTests {
    @Test(arguments: EngineCheck.all) func theEngineInMemory(check: EngineCheck) async throws {
        try await run(check, on: EngineUnderTest { _ in MemoryEngine() })
    }

    private func run(_ check: EngineCheck, on subject: EngineUnderTest) async throws {
        try await withSeeds(check.description, count: 2) { random in try await check.run(on: subject, seed: random.next()) }
    }
}
