import CairnObjects
import CairnTestSupport

/// Whether a context holds what its graph says.
extension ModelSide {
    func check() throws {
        try check(.hub, ModelHub.self)
        try check(.part, ModelPart.self)
        try check(.line, ModelLine.self)
        try check(.tag, ModelTag.self)
        try checkNames()
    }

    private func check<Object: ModelThing>(_ kind: ModelKind, _ type: Object.Type) throws {
        let objects = try context.allObjects(type)
        let expected = graph.ids(kind)
        try match(objects.compactMap(\.objectID).sorted(), expected, "who the objects of \(kind) are")
        try match(try context.count(type), expected.count, "how many objects of \(kind) there are")
        for object in objects {
            guard let id = object.objectID, let node = graph.nodes[id] else { continue }
            try match(object.number, node.number, "the number of \(kind) \(id)")
            try match(object.text.count, node.text.count, "the text of \(kind) \(id)")
            if let hub = object as? ModelHub { try match(hub.code, node.code, "the code of \(id)") }
            for property in ModelProperty.of(kind) { try check(id, property) }
        }
    }

    func check(_ id: ObjectID, _ property: ModelProperty) throws {
        var found = try ModelLink(property).get(context, id)
        if property.shape == .set { found.sort() }
        try match(found, graph.targets(id, property), "\(property) of \(id)")
        guard property.shape == .keyed else { return }
        try match(try context.must(id, ModelHub.self).byKey.keys, graph.nodes[id]?.keyed.keys.sorted() ?? [], "the keys of \(id)")
    }

    /// What indexes and predicates find.
    func checkFinding(_ number: Int) throws {
        let hubs = try context.fetch(ModelHub.self, where: \.number == number).compactMap(\.objectID)
        try match(hubs.sorted(), graph.ids(.hub).filter { graph.nodes[$0]?.number == number }, "hubs with the number \(number)")
        let lines = try context.fetch(ModelLine.self, where: \.number >= number).compactMap(\.objectID)
        try match(lines.sorted(), graph.ids(.line).filter { graph.nodes[$0]?.number ?? 0 >= number }, "lines with a number from \(number)")
        let coded = graph.ids(.hub).filter { graph.nodes[$0]?.code == number }
        try match(
            try context.fetch(ModelHub.self, where: \.code == number).compactMap(\.objectID).sorted(),
            coded,
            "hubs with the code \(number)"
        )
    }

    private func checkNames() throws {
        try match(try context.names(), graph.names.keys.sorted().map { "\($0)" }, "the names")
        for (name, value) in graph.names {
            switch value {
            case .number(let number): try match(try context.named("\(name)", as: Int.self), number, "the value under \(name)")
            case .object(let id):
                let found = try context.named("\(name)", as: ModelHub.self)?.objectID
                try match(found, graph.nodes[id] == nil ? nil : id, "the object under \(name)")
            case .objects(let ids):
                let found = try context.named("\(name)", as: [ModelPart].self)?.compactMap(\.objectID)
                try match(found, ids.filter { graph.nodes[$0] != nil }, "the objects under \(name)")
            }
        }
    }
}
