import CairnCore
import CairnCrashKit
import Testing

@Suite struct CrashModelTests {
    private let recipe = CrashWorkload(spaces: [
        .init("default", .bytes(0..<20)), .init("counters", .counters), .init("lists", .sequences(0..<5)),
    ])

    private func model(operations: Int, seed: UInt64 = 1) -> CrashModel {
        var model = CrashModel(recipe, writer: 0, seed: seed)
        model.advance(to: operations)
        return model
    }

    @Test func operationsRepeatAndDiffer() {
        func operations(writer: Int, seed: UInt64) -> [CrashOperation] {
            (1...50).map { recipe.operation($0, writer: writer, seed: seed) }
        }
        #expect(operations(writer: 0, seed: 1) == operations(writer: 0, seed: 1))
        #expect(operations(writer: 0, seed: 1) != operations(writer: 0, seed: 2))
        #expect(operations(writer: 0, seed: 1) != operations(writer: 1, seed: 1))
        #expect(operations(writer: 0, seed: 2) != operations(writer: 1, seed: 1))
    }

    @Test func everyKindOfChangeComesUp() {
        var kinds: Set<String> = []
        for number in 1...500 {
            for change in recipe.operation(number, writer: 0, seed: 1).changes {
                switch change.action {
                case .put: kinds.insert("put \(change.space)")
                case .add: kinds.insert("add \(change.space)")
                case .move: kinds.insert("move \(change.space)")
                case .delete: kinds.insert("delete")
                case .deleteRange: kinds.insert("deleteRange")
                }
            }
        }
        #expect(kinds == ["put default", "put counters", "put lists", "add counters", "move lists", "delete", "deleteRange"])
    }

    @Test func equalContentsHaveNoDifferences() {
        let model = model(operations: 100)
        #expect(model.differences(from: model.contents) == [])
        #expect(model.differences(from: self.model(operations: 100).contents) == [])
    }

    @Test func whatIsMissingAddedOrChangedIsFound() throws {
        let model = model(operations: 100)
        let key = try #require(model.contents["default"]?.keys.first)

        var missing = model.contents
        missing["default"]?[key] = nil
        #expect(model.differences(from: missing).first?.contains("has nothing, expected") == true)

        var changed = model.contents
        changed["default"]?[key]?.append(0)
        #expect(model.differences(from: changed).count == 1)

        var added = model.contents
        added["other"] = [[1]: [2]]
        #expect(model.differences(from: added).first?.contains("expected nothing") == true)

        var space = model.contents
        space["counters"] = nil
        #expect(!model.differences(from: space).isEmpty)
    }

    @Test func countersCountAsMergesDo() {
        #expect(CrashModel.sum(nil, 1) == [1, 0, 0, 0, 0, 0, 0, 0])
        #expect(CrashModel.sum([0xFF, 0, 0, 0, 0, 0, 0, 0], 1) == [0, 1, 0, 0, 0, 0, 0, 0])
        #expect(CrashModel.sum(Array(repeating: 0xFF, count: 8), 2) == [1, 0, 0, 0, 0, 0, 0, 0])
    }
}
