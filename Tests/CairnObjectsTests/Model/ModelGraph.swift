import CairnObjects

/// An object of the model.
struct ModelNode: Equatable {
    var kind: ModelKind
    var number: Int
    var text = ""
    var code: Int?
    /// What it leads to, of the properties that are kept. Sets are sorted; a reference has one element.
    var links: [ModelProperty: [ObjectID]] = [:]
    var keyed: [Int: ObjectID] = [:]
}

/// What is under a name.
enum ModelName: Equatable {
    case number(Int), object(ObjectID), objects([ObjectID])
}

/// Objects and names: what a store holds, or what a context makes of it.
struct ModelGraph {
    var nodes: [ObjectID: ModelNode] = [:]
    var names: [Int: ModelName] = [:]
    /// What was changed since the last save: names of properties, "" for what was inserted or deleted.
    var touched: [ObjectID: Set<String>] = [:]
    var touchedNames: Set<Int> = []
    /// Whether any operation has changed something; reset by the code that reads it.
    var isChanged = false

    struct Denied: Error {}

    func ids(_ kind: ModelKind?) -> [ObjectID] { nodes.filter { kind == nil || $0.value.kind == kind }.keys.sorted() }

    /// Who an object leads to.
    func targets(_ id: ObjectID, _ property: ModelProperty) -> [ObjectID] {
        if property.shape == .keyed { return nodes[id]?.keyed.sorted { $0.key < $1.key }.map(\.value) ?? [] }
        guard !property.isKept, let inverse = property.inverse else { return nodes[id]?.links[property] ?? [] }
        return nodes.filter { $0.value.links[inverse]?.contains(id) == true }.keys.sorted()
    }

    mutating func touch(_ id: ObjectID, _ property: String) {
        touched[id, default: []].insert(property)
        isChanged = true
    }

    // MARK: Values

    mutating func insert(_ id: ObjectID, _ kind: ModelKind, _ number: Int) {
        nodes[id] = ModelNode(kind: kind, number: number)
        touch(id, "")
    }

    mutating func setNumber(_ id: ObjectID, _ number: Int) {
        nodes[id]?.number = number
        touch(id, "number")
    }

    mutating func setText(_ id: ObjectID, _ text: String) {
        nodes[id]?.text = text
        touch(id, "text")
    }

    mutating func setCode(_ id: ObjectID, _ code: Int?) {
        nodes[id]?.code = code
        touch(id, "code")
    }

    mutating func setName(_ name: Int, _ value: ModelName?) {
        names[name] = value
        touchedNames.insert(name)
        isChanged = true
    }

    // MARK: Relationships

    private mutating func put(_ id: ObjectID, _ property: ModelProperty, _ targets: [ObjectID]) {
        let value = property.shape == .set ? Set(targets).sorted() : targets
        nodes[id]?.links[property] = value.isEmpty ? nil : value
        touch(id, property.rawValue)
    }

    /// Has a property lead to these objects and no others, and the other sides back.
    mutating func set(_ id: ObjectID, _ property: ModelProperty, _ targets: [ObjectID]) {
        let old = self.targets(id, property)
        if let inverse = property.inverse, !property.isKept {
            for target in Set(old).subtracting(targets) { drop(id, from: inverse, of: target) }
            for target in targets where !old.contains(target) { put(target, inverse, self.targets(target, inverse) + [id]) }
            return
        }
        put(id, property, targets)
        guard let inverse = property.inverse, inverse.isKept else { return }
        for target in Set(old).subtracting(targets) { drop(id, from: inverse, of: target) }
        for target in targets { join(id, inverse, of: target) }
    }

    /// Has a property of `target` lead to `id`, which leads to it by the inverse.
    private mutating func join(_ id: ObjectID, _ property: ModelProperty, of target: ObjectID) {
        let former = targets(target, property)
        guard !former.contains(id) else { return }
        put(target, property, property.shape == .one ? [id] : former + [id])
        guard property.shape == .one, let former = former.first, let inverse = property.inverse else { return }
        drop(target, from: inverse, of: former)
    }

    private mutating func drop(_ target: ObjectID, from property: ModelProperty, of id: ObjectID) {
        let old = targets(id, property)
        if old.contains(target) { put(id, property, old.filter { $0 != target }) }
    }

    mutating func setKeyed(_ id: ObjectID, _ key: Int, _ target: ObjectID?) {
        nodes[id]?.keyed[key] = target
        touch(id, ModelProperty.byKey.rawValue)
    }

    // MARK: Deleting

    /// Deletes an object and all that its rules take with it.
    mutating func delete(_ id: ObjectID) throws(Denied) {
        var doomed: [ObjectID] = [id]
        var next = 0
        while next < doomed.count {
            let id = doomed[next]
            for property in ModelProperty.of(nodes[id]?.kind ?? .tag) {
                switch property.rule {
                case .deny: if !targets(id, property).isEmpty { throw Denied() }
                case .cascade: for target in targets(id, property) where !doomed.contains(target) { doomed.append(target) }
                case .nullify: break
                }
            }
            next += 1
        }
        for id in doomed { prepare(id, &doomed) }
        for id in doomed { remove(id) }
    }

    /// What the hooks of the classes do.
    private mutating func prepare(_ id: ObjectID, _ doomed: inout [ObjectID]) {
        guard let node = nodes[id] else { return }
        switch node.kind {
        case .part: for line in targets(id, .lines) { setNumber(line, (nodes[line]?.number ?? 0) + 1) }
        case .line: if ModelRules.takesTag(node.number) { doomed += targets(id, .tag) }
        case .hub, .tag: break
        }
    }

    /// What led to an object leads there no more.
    mutating func remove(_ target: ObjectID) {
        nodes[target] = nil
        touch(target, "")
        for (id, node) in nodes {
            for property in node.links.keys { drop(target, from: property, of: id) }
            for (key, value) in node.keyed where value == target { setKeyed(id, key, nil) }
        }
    }

    // MARK: Taking over

    /// Becomes what another graph is, where two states of that differ.
    mutating func apply(from old: ModelGraph, to new: ModelGraph) {
        for id in Set(old.nodes.keys).union(new.nodes.keys) where old.nodes[id] != new.nodes[id] {
            nodes[id] = new.nodes[id]
            touch(id, "")
        }
        for name in Set(old.names.keys).union(new.names.keys) where old.names[name] != new.names[name] { setName(name, new.names[name]) }
        isChanged = true
    }

    /// All that was changed is saved.
    mutating func wasSaved() {
        touched = [:]
        touchedNames = []
    }

    /// Whether an object leads to one that there is not.
    var isDangling: Bool {
        nodes.values.contains { node in
            node.links.values.joined().contains { nodes[$0] == nil } || node.keyed.values.contains { nodes[$0] == nil }
        }
    }

    /// Whether two hubs have a code in common, which cannot be saved.
    var hasCommonCode: Bool {
        let codes = nodes.values.compactMap(\.code)
        return Set(codes).count < codes.count
    }
}
