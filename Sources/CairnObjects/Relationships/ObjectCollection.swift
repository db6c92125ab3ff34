/// The content of a to-many property: object identities, in order. Shared by the property's owner and the ``ObjectList``, ``ObjectSet`` or
/// ``ObjectDictionary`` that gives access to it.
public final class ObjectCollection {
    /// The objects' identities; 0 for objects without one.
    private(set) var ids: ContiguousArray<ObjectID>
    /// The number of occurrences by mark; built on first use, for large collections.
    private var counts: [UInt64: Int]?
    /// The objects at the same positions, while the owner belongs to no context.
    private(set) var objects: [any StoredObject]?
    /// The encoded keys at the same positions; only for dictionaries.
    private(set) var keys: ContiguousArray<[UInt8]>?
    /// Whether an object owns it. A value that is assigned to two objects becomes two collections.
    private var isTaken = false
    /// For derived properties, whether the content has been read.
    var isGathered = true

    /// Makes an empty collection, for an owner that belongs to no context.
    public init() {
        ids = []
        objects = []
    }

    /// Adds keys, if it has none.
    func makeDictionary() { if keys == nil { keys = [] } }

    init(ids: ContiguousArray<ObjectID>, keys: ContiguousArray<[UInt8]>? = nil) {
        self.ids = ids
        self.keys = keys
        objects = nil
    }

    /// Marks it as owned by an object; returns `false` if it already was.
    func take() -> Bool {
        defer { isTaken = true }
        return !isTaken
    }
}

extension ObjectCollection {
    /// Whether the collection contains an object.
    ///
    /// - Complexity: O(1), except for the first call and for small collections.
    func contains(_ id: ObjectID) -> Bool { ids.count < 64 ? ids.contains(id) : counts(id.raw) }

    /// Whether the collection contains an object.
    ///
    /// - Complexity: O(1), except for the first call and for small collections.
    func contains(_ object: any StoredObject) -> Bool {
        guard let objects else { return object._$state.id.raw != 0 && contains(object._$state.id) }
        return ids.count < 64 ? objects.contains { $0 === object } : counts(Self.mark(object))
    }

    func append(_ id: ObjectID) { insert(id, at: ids.count) }

    func insert(_ id: ObjectID, at position: Int) {
        ids.insert(id, at: position)
        counts?[id.raw, default: 0] += 1
    }

    func remove(at position: Int) {
        forget(position)
        ids.remove(at: position)
        keys?.remove(at: position)
    }

    /// Removes the elements at ascending positions of a list.
    func remove(at positions: [Int]) {
        var stays = [Bool](repeating: true, count: ids.count)
        for position in positions { stays[position] = false }
        objects = objects.map { objects in zip(objects, stays).filter(\.1).map(\.0) }
        ids = ContiguousArray(zip(ids, stays).lazy.filter(\.1).map(\.0))
        counts = nil
    }

    func move(from start: Int, to end: Int) {
        ids.insert(ids.remove(at: start), at: end)
        if let object = objects?.remove(at: start) { objects?.insert(object, at: end) }
    }

    func removeAll(_ id: ObjectID) {
        ids.removeAll { $0 == id }
        counts?[id.raw] = nil
    }

    /// Replaces elements: identities and, while the owner belongs to no context, objects.
    func replaceSubrange(_ range: Range<Int>, with new: [ObjectID], _ newObjects: [any StoredObject], keys newKeys: [[UInt8]]) {
        for position in range { forget(position) }
        ids.replaceSubrange(range, with: new)
        objects?.replaceSubrange(range, with: newObjects)
        keys?.replaceSubrange(range, with: newKeys)
        guard counts != nil else { return }
        for position in range.lowerBound..<range.lowerBound + new.count { counts?[mark(position), default: 0] += 1 }
    }

    /// Replaces all identities.
    func set(_ ids: ContiguousArray<ObjectID>) {
        self.ids = ids
        counts = nil
    }

    /// Replaces the objects by the identities that they now have.
    func attach() {
        guard let objects else { return }
        for (index, object) in objects.enumerated() { ids[index] = object._$state.id }
        counts = nil
        self.objects = nil
    }

    /// Becomes the empty collection of an owner that belongs to no context.
    func detach() {
        set([])
        objects = []
        if keys != nil { keys = [] }
        isGathered = true
    }

    // MARK: Counting

    /// Identifies an element: the object itself while the owner belongs to no context, its identity otherwise.
    private func mark(_ position: Int) -> UInt64 { objects.map { Self.mark($0[position]) } ?? ids[position].raw }
    private static func mark(_ object: any StoredObject) -> UInt64 { UInt64(UInt(bitPattern: ObjectIdentifier(object))) }

    private func counts(_ mark: UInt64) -> Bool {
        if counts == nil { counts = ids.indices.reduce(into: [:]) { $0[self.mark($1), default: 0] += 1 } }
        return counts?[mark] != nil
    }

    private func forget(_ position: Int) {
        guard counts != nil else { return }
        let mark = mark(position)
        guard let count = counts?[mark] else { return }
        counts?[mark] = count == 1 ? nil : count - 1
    }
}
