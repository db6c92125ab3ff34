import CairnObjects
import Testing

@Stored private final class Muralist {
    var name: String
    var town: String?
    @Relationship(inverse: \Mural.painter) var pictures: ObjectSet<Mural>
}

@Stored private final class Mural {
    var title: String
    var titled: String = ""
    @Relationship var painter: Muralist?
    @Relationship var owner: Muralist?
}

extension Mural {
    fileprivate var shout: String { title.uppercased() }
}

/// Explanations name properties, and have no addresses, whatever key paths lead through.
@Suite struct KeyPathTextTests {
    private let context: ObjectContext

    init() throws {
        context = try ObjectStore(engine: MemoryEngine(), classes: [Muralist.self, Mural.self]).makeContext()
        context.insert(Mural(title: "a", painter: Muralist(name: "A")))
        try context.save()
    }

    private func explains(_ condition: ObjectCondition<Mural>, _ expected: String) throws {
        let text = "\(try context.explain(Mural.self, where: condition))"
        #expect(text.contains("asks:   \(expected)") && !text.contains("0x"), "\(text)")
    }

    @Test func conditions() throws {
        try explains(\.painter?.name == "A", "painter?.name = \"A\"")
        try explains(\.owner?.town == "A", "owner?.town = \"A\"")
        try explains(!(\.painter?.name == "A"), "not (painter?.name = \"A\")")
        try explains(.isIn(\.painter?.name, ["A", "B"]), "painter?.name")
        try explains(\.title.count > 3, "title.count > 3")
        try explains(\.titled.isEmpty == true, "titled.isEmpty = true")
        try explains(\.shout == "A", "a computed String = \"A\"")
        try explains(\.painter?.pictures.count == 1, "painter?.pictures.count = 1")
    }

    @Test func orders() throws {
        let plan = try context.explain(Mural.self, sortedBy: [.ascending(\.painter?.name), .descending(\.title.count)])
        #expect(plan.order == "sorted in memory by painter?.name, title.count descending", "\(plan)")
    }
}
