import CairnObjects
import CairnTestSupport

/// New objects, by hand and by what leads to them.
extension ModelSide {
    func insert(_ kind: ModelKind, _ number: Int) throws {
        switch kind {
        case .hub: try insert(ModelHub(number: number), kind, number)
        case .part: try insert(ModelPart(number: number), kind, number)
        case .line: try insert(ModelLine(number: number), kind, number)
        case .tag: try insert(ModelTag(number: number), kind, number)
        }
    }

    @discardableResult
    private func insert(_ object: some ModelThing, _ kind: ModelKind, _ number: Int) throws -> ObjectID {
        context.insert(object)
        return try note(object, kind)
    }

    /// An object that was inserted, as the graph has it.
    @discardableResult
    private func note(_ object: some ModelThing, _ kind: ModelKind) throws -> ObjectID {
        guard let id = object.objectID else { throw Mismatch("a \(kind) was not inserted") }
        graph.insert(id, kind, object.number)
        return id
    }

    func insertLinked(_ variant: Int, _ one: Int, _ two: Int) throws {
        switch variant {
        case 0: try insertTree(one)
        case 1: try insertPartOfHub(one)
        case 2: try appendNewPart(one)
        case 3: try insertLine(one, two)
        case 4: try insertPartOfLine(one)
        case 5: try insertFriends()
        case 6: try referToNewHubs(one)
        case 7: try insertTagOfHubs(one)
        default: try replaceWithNewParts(one, two)
        }
    }

    private func insertTree(_ number: Int) throws {
        let (root, next, tag) = (ModelHub(number: number), ModelHub(number: number), ModelTag(number: number))
        let parts = (0..<4).map { ModelPart(number: $0) }
        root.parts.append(contentsOf: [parts[0], parts[1], parts[0]])
        root.byKey[1] = parts[2]
        root.tags.insert(tag)
        root.next = next
        next.parts.append(parts[3])
        context.insert(root)
        let ids = try (root: note(root, .hub), next: note(next, .hub), tag: note(tag, .tag), parts: parts.map { try note($0, .part) })
        graph.set(ids.root, .parts, [ids.parts[0], ids.parts[1], ids.parts[0]])
        graph.setKeyed(ids.root, 1, ids.parts[2])
        graph.set(ids.root, .tags, [ids.tag])
        graph.set(ids.root, .next, [ids.next])
        graph.set(ids.next, .parts, [ids.parts[3]])
    }

    private func insertPartOfHub(_ one: Int) throws {
        guard let hub = pick(.hub, one) else { return }
        let part = ModelPart(number: one)
        part.hub = try context.must(hub, ModelHub.self)
        let id = try insert(part, .part, one)
        graph.set(id, .hub, [hub])
    }

    private func appendNewPart(_ one: Int) throws {
        guard let hub = pick(.hub, one) else { return }
        let part = ModelPart(number: one)
        try context.must(hub, ModelHub.self).parts.append(part)
        let id = try note(part, .part)
        graph.set(hub, .parts, graph.targets(hub, .parts) + [id])
    }

    private func insertLine(_ one: Int, _ two: Int) throws {
        let (line, new) = (ModelLine(number: one), ModelPart(number: two))
        let (old, tag) = (pick(.part, one), pick(.tag, two))
        if let old { line.items.append(try context.must(old, ModelPart.self)) }
        line.items.append(new)
        if let old { line.items.append(try context.must(old, ModelPart.self)) }
        if let tag { line.tag = try context.must(tag, ModelTag.self) }
        let id = try insert(line, .line, one)
        let part = try note(new, .part)
        graph.set(id, .items, old.map { [$0, part, $0] } ?? [part])
        if let tag { graph.set(id, .tag, [tag]) }
    }

    private func insertPartOfLine(_ one: Int) throws {
        guard let line = pick(.line, one) else { return }
        let part = ModelPart(number: one)
        part.lines.insert(try context.must(line, ModelLine.self))
        let id = try insert(part, .part, one)
        graph.set(id, .lines, [line])
    }

    private func insertFriends() throws {
        let (one, two) = (ModelHub(number: 1), ModelHub(number: 2))
        one.friend = two
        let id = try insert(one, .hub, 1)
        graph.set(id, .friend, [try note(two, .hub)])
    }

    private func referToNewHubs(_ one: Int) throws {
        guard let id = pick(.hub, one) else { return }
        let (friend, next) = (ModelHub(number: one), ModelHub(number: one))
        let hub = try context.must(id, ModelHub.self)
        hub.friend = friend
        hub.next = next
        graph.set(id, .friend, [try note(friend, .hub)])
        graph.set(id, .next, [try note(next, .hub)])
    }

    private func insertTagOfHubs(_ one: Int) throws {
        let (tag, new, old) = (ModelTag(number: one), ModelHub(number: one), pick(.hub, one))
        if let old { tag.hubs.insert(try context.must(old, ModelHub.self)) }
        tag.hubs.insert(new)
        let id = try insert(tag, .tag, one)
        let hub = try note(new, .hub)
        graph.set(id, .hubs, [old, hub].compactMap { $0 })
    }

    private func replaceWithNewParts(_ one: Int, _ two: Int) throws {
        guard let id = pick(.line, one), let old = pick(.part, two) else { return }
        let new = ModelPart(number: two)
        let line = try context.must(id, ModelLine.self)
        line.things.append(new)
        line.items = ObjectList([new, try context.must(old, ModelPart.self), new])
        let part = try note(new, .part)
        graph.set(id, .things, graph.targets(id, .things) + [part])
        graph.set(id, .items, [part, old, part])
    }
}
