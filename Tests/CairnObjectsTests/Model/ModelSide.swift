import CairnObjects
import CairnTestSupport

/// A context beside the graph that it should hold.
final class ModelSide {
    let context: ObjectContext
    var graph: ModelGraph
    /// Keeps objects in memory.
    var held: [any StoredObject] = []

    init(_ context: ObjectContext, _ graph: ModelGraph) {
        self.context = context
        self.graph = graph
        self.graph.wasSaved()
    }

    /// The object of a number.
    func pick(_ kind: ModelKind?, _ number: Int) -> ObjectID? {
        let ids = graph.ids(kind)
        return ids.isEmpty ? nil : ids[number % ids.count]
    }

    /// Changes the context and its graph.
    func perform(_ operation: ModelOperation) throws {
        switch operation {
        case .insert(let kind, let number): try insert(kind, number)
        case .insertLinked(let variant, let one, let two): try insertLinked(variant, one, two)
        case .setNumber(let kind, let one, let number):
            guard let id = pick(kind, one) else { return }
            try context.must(id, kind).number = number
            graph.setNumber(id, number)
        case .setText(let kind, let one, let size):
            guard let id = pick(kind, one) else { return }
            let text = String(repeating: "x", count: size)
            try context.must(id, kind).text = text
            graph.setText(id, text)
        case .setCode(let one, let code):
            guard let id = pick(.hub, one) else { return }
            try context.must(id, ModelHub.self).code = code
            graph.setCode(id, code)
        case .link(let property, let one, let two, let place): try link(property, one, two, place)
        case .unlink(let property, let one, let place): try unlink(property, one, place)
        case .move(let property, let one, let start, let end): try move(property, one, start, end)
        case .replace(let property, let one, let targets): try replace(property, one, targets)
        case .delete(let kind, let one):
            guard let id = pick(kind, one) else { return }
            try delete(id, kind)
        case .name(let name, let one, let two): try setName(name, one, two)
        case .removeName(let name):
            guard graph.names[name] != nil else { return }
            try context.removeNamed("\(name)")
            graph.setName(name, nil)
        default: break
        }
    }

    // MARK: Relationships

    private func link(_ property: ModelProperty, _ one: Int, _ two: Int, _ place: Int) throws {
        guard let id = pick(property.owner, one), let target = pick(property.target, two) else { return }
        let old = graph.targets(id, property)
        switch property.shape {
        case .one:
            guard old != [target] else { return }
            try ModelLink(property).link(context, id, target, 0)
            graph.set(id, property, [target])
        case .list:
            let place = place % (old.count + 1)
            try ModelLink(property).link(context, id, target, place)
            graph.set(id, property, old[..<place] + [target] + old[place...])
        case .set:
            guard !old.contains(target) else { return }
            try ModelLink(property).link(context, id, target, 0)
            graph.set(id, property, old + [target])
        case .keyed:
            try ModelLink(property).link(context, id, target, place)
            graph.setKeyed(id, place, target)
        }
    }

    private func unlink(_ property: ModelProperty, _ one: Int, _ place: Int) throws {
        guard let id = pick(property.owner, one) else { return }
        if property.shape == .keyed {
            guard graph.nodes[id]?.keyed[place] != nil else { return }
            try ModelLink(property).unlink(context, id, place)
            return graph.setKeyed(id, place, nil)
        }
        var targets = graph.targets(id, property)
        guard !targets.isEmpty else { return }
        let place = place % targets.count
        try ModelLink(property).unlink(context, id, place)
        targets.remove(at: place)
        graph.set(id, property, targets)
    }

    private func move(_ property: ModelProperty, _ one: Int, _ start: Int, _ end: Int) throws {
        guard property.shape == .list, let id = pick(property.owner, one) else { return }
        var targets = graph.targets(id, property)
        guard !targets.isEmpty, start % targets.count != end % targets.count else { return }
        try ModelLink(property).move(context, id, start % targets.count, end % targets.count)
        targets.insert(targets.remove(at: start % targets.count), at: end % (targets.count + 1))
        graph.set(id, property, targets)
    }

    private func replace(_ property: ModelProperty, _ one: Int, _ numbers: [Int]) throws {
        guard property.shape == .list || property.shape == .set, let id = pick(property.owner, one) else { return }
        var targets = numbers.compactMap { pick(property.target, $0) }
        if property.shape == .set { targets = Set(targets).sorted() }
        guard targets != graph.targets(id, property) else { return }
        try ModelLink(property).replace(context, id, targets)
        graph.set(id, property, targets)
    }

    // MARK: Deleting, names

    private func delete(_ id: ObjectID, _ kind: ModelKind) throws {
        var expected = graph
        var isDenied = false
        do throws(ModelGraph.Denied) { try expected.delete(id) } catch { isDenied = true }
        let object = try context.must(id, kind)
        let failure = code { try context.delete(object) }
        try match(failure, isDenied ? .deletionDenied : nil, "what deleting \(kind) \(id) says")
        if !isDenied { graph = expected }
    }

    private func setName(_ name: Int, _ one: Int, _ two: Int) throws {
        switch two % 3 {
        case 0:
            try context.setNamed("\(name)", to: one)
            graph.setName(name, .number(one))
        case 1:
            guard let id = pick(.hub, one) else { return }
            try context.setNamed("\(name)", to: try context.must(id, ModelHub.self))
            graph.setName(name, .object(id))
        default:
            let ids = [pick(.part, one), pick(.part, two), pick(.part, one)].compactMap { $0 }
            try context.setNamed("\(name)", to: try ids.map { try context.must($0, ModelPart.self) })
            graph.setName(name, .objects(ids))
        }
    }
}
