import CairnCore
import CairnObjects
import CairnTestSupport

@Stored final class LongShelf {
    var title: String
    @Relationship var items: ObjectList<LongItem>
    @Relationship var marks: ObjectSet<LongItem>
    @Relationship var byKey: ObjectDictionary<Int, LongItem>
    @Relationship var others: ObjectList<LongItem>
}

@Stored final class LongItem {
    var number: Int
    @Relationship(inverse: \LongShelf.items) var shelves: ObjectSet<LongShelf>
}

let shelfClasses: [any StoredObject.Type] = [LongShelf.self, LongItem.self]

/// A store with a shelf whose lists are long.
struct ShelfScene<Engine: StorageEngine> {
    let engine: Engine
    var options = ObjectStoreOptions()

    init(_ engine: Engine, longestChunk: Int? = nil) {
        self.engine = engine
        if let longestChunk { options.longestChunk = longestChunk }
    }

    func store(_ classes: [any StoredObject.Type] = shelfClasses) throws -> ObjectStore {
        try ObjectStore(engine: engine, classes: classes, options: options)
    }

    /// Makes a shelf whose list has as many items, with the numbers from 0.
    func fill(_ count: Int) throws {
        try store().write { context in
            let shelf = LongShelf(title: "shelf")
            context.insert(shelf)
            shelf.items.append(contentsOf: (0..<count).map { LongItem(number: $0) })
        }
    }

    func entries(_ prefix: [UInt8]) throws -> [(key: [UInt8], value: [UInt8])] {
        try engine.makeView().entries(KeyRange(prefix: prefix))
    }

    func chunkCount() throws -> Int { try entries([4]).count }

    func commit(_ body: (inout EngineCommit) throws -> Void) throws {
        var commit = EngineCommit()
        try body(&commit)
        _ = try engine.commit(commit, durability: .buffered)
    }
}

extension ObjectContext {
    /// The only shelf.
    func shelf() throws -> LongShelf {
        guard let shelf = try allObjects(LongShelf.self).first else { throw Mismatch("there is no shelf") }
        return shelf
    }
}
