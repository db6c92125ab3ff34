import CairnObjects

/// What all classes of the model test have.
protocol ModelThing: StoredObject {
    var number: Int { get set }
    var text: String { get set }
}

/// Has every shape of relationship: a list whose other side is a reference, its own inverse, a set of sets, a dictionary, a cascade of its own class.
@Stored final class ModelHub: ModelThing {
    @Indexed var number: Int
    var text: String = ""
    @Unique var code: Int?
    @Relationship(onDelete: .cascade) var parts: ObjectList<ModelPart>
    @Relationship(inverse: "friend") var friend: ModelHub?
    @Relationship(onDelete: .cascade) var next: ModelHub?
    @Relationship(inverse: \ModelTag.hubs) var tags: ObjectSet<ModelTag>
    @Relationship var byKey: ObjectDictionary<Int, ModelPart>
}

@Stored final class ModelPart: ModelThing {
    var number: Int
    var text: String = ""
    @Relationship(inverse: \ModelHub.parts) var hub: ModelHub?
    @Relationship(inverse: \ModelLine.items) var lines: ObjectSet<ModelLine>
    @Relationship(onDelete: .deny) var pins: ObjectSet<ModelTag>

    /// Each line counts the parts that it lost.
    func prepareForDelete() { for line in lines { line.number += 1 } }
}

@Stored final class ModelLine: ModelThing {
    @Indexed var number: Int
    @Searchable var text: String = ""
    @Relationship var items: ObjectList<ModelPart>
    @Relationship(inverse: \ModelTag.line) var tag: ModelTag?
    @Relationship(onDelete: .deny) var held: ObjectSet<ModelTag>
    @Relationship var things: ObjectList<any ModelThing>

    /// A line with such a number takes its tag with it.
    func prepareForDelete() {
        guard ModelRules.takesTag(number), let tag else { return }
        try? objectContext?.delete(tag)
    }
}

@Stored final class ModelTag: ModelThing {
    var number: Int
    var text: String = ""
    @Relationship var hubs: ObjectSet<ModelHub>
    @Relationship var line: ModelLine?
}

let modelClasses: [any StoredObject.Type] = [ModelHub.self, ModelPart.self, ModelLine.self, ModelTag.self]

enum ModelRules {
    static func takesTag(_ number: Int) -> Bool { number % 4 == 3 }
}
