/// What a property holds that leads to several objects: who they are, in order. Shared by the property's owner and the ``ObjectList``,
/// ``ObjectSet`` or ``ObjectDictionary`` that is lent of it.
public final class ObjectCollection {
    /// Who they are; those without an identity yet have 0.
    private(set) var ids: ContiguousArray<ObjectID>
    /// How often each of them is there, by its mark; made when that is asked for of many.
    private var counts: [UInt64: Int]?
    /// The objects at the same places, while the owner belongs to no context.
    private(set) var objects: [any StoredObject]?
    /// The keys at the same places, encoded; of a dictionary only.
    private(set) var keys: ContiguousArray<[UInt8]>?
    /// Whether an object has it: a value that is given to two becomes two collections.
    private var isTaken = false
    /// Whether the content of a property that the other side tells is there.
    var isGathered = true

    /// An empty collection, of an owner that belongs to no context.
    public init() {
        ids = []
        objects = []
    }

    /// Gives it keys, if it has none.
    func makeDictionary() { if keys == nil { keys = [] } }

    init(ids: ContiguousArray<ObjectID>, keys: ContiguousArray<[UInt8]>? = nil) {
        self.ids = ids
        self.keys = keys
        objects = nil
    }

    /// Says that an object has it from now on; `false` where one has it already.
    func take() -> Bool {
        defer { isTaken = true }
        return !isTaken
    }
}

extension ObjectCollection {
    /// Whether an object is among them.
    ///
    /// - Complexity: O(1) but for the first time, and for a few.
    func contains(_ id: ObjectID) -> Bool { ids.count < 64 ? ids.contains(id) : counts(id.raw) }

    /// Whether an object is among them.
    ///
    /// - Complexity: O(1) but for the first time, and for a few.
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

    /// Takes out the elements at some places of a list, which ascend.
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

    /// Puts elements in the place of others: by their identities, and as objects where the owner belongs to no context.
    func replaceSubrange(_ range: Range<Int>, with new: [ObjectID], _ newObjects: [any StoredObject], keys newKeys: [[UInt8]]) {
        for position in range { forget(position) }
        ids.replaceSubrange(range, with: new)
        objects?.replaceSubrange(range, with: newObjects)
        keys?.replaceSubrange(range, with: newKeys)
        guard counts != nil else { return }
        for position in range.lowerBound..<range.lowerBound + new.count { counts?[mark(position), default: 0] += 1 }
    }

    /// Makes them others.
    func set(_ ids: ContiguousArray<ObjectID>) {
        self.ids = ids
        counts = nil
    }

    /// Takes the identities of the objects, which have one now.
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

    /// What tells an element from others: which object it is while the owner belongs to no context, its identity otherwise.
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
