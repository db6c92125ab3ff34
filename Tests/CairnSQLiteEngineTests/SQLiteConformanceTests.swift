import CairnEngineConformance
import CairnSQLiteEngine
import CairnTestSupport
import Testing

@Suite struct SQLiteConformanceTests {
    @Test(arguments: EngineCheck.all) func theEngine(check: EngineCheck) async throws {
        try await withSeeds(check.description, count: Thorough.count(1, of: 3)) { random in
            let directory = try TemporaryDirectory()
            let subject = EngineUnderTest(persists: true) { name in try SQLiteEngine(path: directory.path(name)) }
            try await check.run(on: subject, seed: random.next())
        }
    }
}
