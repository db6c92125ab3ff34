import CairnObjects
import Testing

@Suite struct EngineErrorTests {
    @Test func `a description does not say twice what a cause repeats`() {
        let disk = EngineError(.ioError, "the disk is full")
        let engine = EngineError(.noSpace, "a commit failed", cause: disk)
        #expect(EngineError(.other, "a commit failed", cause: engine).description == "other: a commit failed [ioError: the disk is full]")
        #expect(
            EngineError(.other, "a save failed", cause: engine).description
                == "other: a save failed [noSpace: a commit failed [ioError: the disk is full]]"
        )
        #expect(EngineError(.other, "the disk is full", cause: disk).description == "other: the disk is full")
    }
}
