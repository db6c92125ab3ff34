import CairnCore
import CairnHistoryKit
import CairnObjects
import Foundation
import Testing

/// Encrypted engines that share the engine below them.
@Suite struct SealedSharedTests {
    private let base = MeddlingEngine()
    private let identity = UUID()

    private func open() throws -> SealedEngine { try SealedEngine(base, WeakSession(), identity: identity) }

    private func put(_ value: String, for key: String) -> EngineCommit {
        var commit = EngineCommit()
        commit.put(value, for: key)
        return commit
    }

    /// The engine does not know what the other wrote, only that it made a later version itself.
    @Test func whatOthersCommitDuringACommitIsAConflictLater() throws {
        let (engine, other) = (try open(), try open())
        try engine.commit(put("one", for: "number"))
        let view = try engine.makeView()
        let hasMeddled = try base.meddle {
            #expect(throws: Never.self) { try other.commit(put("two", for: "number")) }
        } in: {
            try engine.commit(put("mine", for: "place"))
        }
        #expect(hasMeddled)
        var late = put("late", for: "place")
        late.read("number", in: view)
        let conflict = #expect(throws: EngineError.self) { try engine.commit(late) }
        #expect(conflict?.code == .conflict)
        // What did not change does not conflict.
        var fine = put("fine", for: "place")
        fine.read("another number", in: view)
        try engine.commit(fine)
        #expect(try engine.makeView().get("place") == Array("fine".utf8))
    }

    /// Alone over the engine, it knows its own commits only.
    @Test func whatIsCommittedBelowIsAConflict() throws {
        let base = MemoryEngine()
        let engine = try SealedEngine(base, WeakSession(), identity: identity)
        try engine.commit(put("one", for: "number"))
        let view = try engine.makeView()
        var below = EngineCommit()
        below.delete("number")
        try base.commit(below)
        try engine.commit(put("mine", for: "place"))
        var late = put("late", for: "place")
        late.read("number", in: view)
        let conflict = #expect(throws: EngineError.self) { try engine.commit(late) }
        #expect(conflict?.code == .conflict)
    }
}
