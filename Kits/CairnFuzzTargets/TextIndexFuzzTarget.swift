import CairnCore
import CairnGraph

/// Text indexes in which entries of the engine are damaged, blocks and recent texts: what is called answers or throws, and after a repair the index finds
/// what a look at each object finds.
public struct TextIndexFuzzTarget: FuzzTarget {
    public static let name = "text-indexes"

    /// What is not damaged, and what is.
    private let others: [(key: [UInt8], value: [UInt8])]
    private let entries: FuzzedEntries

    private static let queries = ["abc", "abab", "[[ab]]", "\"b a\"", "a", "ab !! c", "[[[[ab", "bc]]]]", "xyz || far"]

    public init() throws {
        let engine = MemoryEngine()
        let store = try ObjectStore(engine: engine, classes: [FuzzedText.self])
        let far = String(repeating: "abc ", count: 80)
        try store.write { context in
            for text in ["abc", "abab ab", "b a", "xyzzy abc", "bcbcbcbcbcbcbcbcbcbcbc", "\(far)far", "abc ab abc"] {
                context.insert(FuzzedText(text: text))
            }
        }
        try store.rebuildIndexes()
        try store.write { try $0.allObjects(FuzzedText.self)[1].text = "changed abc" }
        try store.write { context in try context.delete(context.allObjects(FuzzedText.self)[2]) }
        try store.write { $0.insert(FuzzedText(text: "new abab")) }
        let all = try engine.makeView().entries()
        others = all.filter { $0.key.first != 7 }
        entries = FuzzedEntries(entries: all.filter { $0.key.first == 7 }.reversed())
    }

    /// The input is changes of the entries, of which the recent texts come first.
    public func check(_ bytes: RawSpan) throws {
        let engine = MemoryEngine()
        var commit = EngineCommit()
        for entry in others { commit.put(entry.value, for: entry.key) }
        try engine.commit(commit)
        try engine.commit(entries.changed(by: bytes))
        try answeringStore { try examine(engine) }
    }

    private func examine(_ engine: MemoryEngine) throws {
        let store = try ObjectStore(engine: engine, classes: [FuzzedText.self])
        _ = try store.verify()
        for query in Self.queries {
            try answeringStore { _ = try store.read { try $0.searchIDs(FuzzedText.self, \.text, query, limit: 3) } }
        }
        try answeringStore { try store.write { $0.insert(FuzzedText(text: "one more abc")) } }
        try answeringStore { try store.write { try $0.allObjects(FuzzedText.self).first?.text += " abab" } }
        try answeringStore { try store.write { context in for _ in 0..<300 { context.insert(FuzzedText(text: "abab")) } } }
        try store.repair()
        let report = try store.verify()
        try require(report.problemCounts[.textOutOfStep] == nil, "after a repair: \(report.problems.first?.reason ?? "")")
        guard report.isIntact else { return }
        try store.read { context in
            let texts = try context.allObjects(FuzzedText.self)
            for query in Self.queries {
                let parsed = try TextQuery(query)
                let wanted = texts.filter { parsed.matches($0.text) }.map(\.objectID)
                let found = try context.searchIDs(FuzzedText.self, \.text, query)
                try require(found == wanted, "\(query) finds \(found.count) objects, and a look at all of them \(wanted.count)")
            }
        }
    }
}
