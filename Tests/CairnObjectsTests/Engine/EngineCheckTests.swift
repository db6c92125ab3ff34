import CairnEngineConformance
import CairnObjects
import CairnTestSupport
import Testing

/// Checks the checks: they find every engine that does something wrong.
@Suite struct EngineCheckTests {
    @Test(.checking, arguments: WrongEngine.Defect.allCases) func everyDefectIsFound(defect: WrongEngine.Defect) async {
        for check in EngineCheck.all {
            do {
                try await check.run(on: EngineUnderTest { _ in WrongEngine(defect) }, seed: 7)
            } catch {
                return
            }
        }
        Issue.record("no check finds that an engine \(defect)")
    }

    /// Each by its own check, which other defects must not hide.
    @Test(arguments: ClientEngine.Defect.allCases) func everyDefectOfAClientIsFound(defect: ClientEngine.Defect) async throws {
        let check = try #require(EngineCheck.all.first { $0.description == defect.check })
        await #expect(throws: (any Error).self, "an engine \(defect)") { try await check.run(on: ClientEngine.underTest(defect), seed: 7) }
    }

    @Test func `an engine that fails says what it did wrong`() async throws {
        let check = try #require(EngineCheck.all.first { $0.description == "views stay as they were" })
        let failure = await #expect(throws: EngineCheckFailure.self) {
            try await check.run(on: EngineUnderTest { _ in WrongEngine(.viewsFollow) })
        }
        #expect(failure?.description.contains("a view changed") == true)
    }
}
