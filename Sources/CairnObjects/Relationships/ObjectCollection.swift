/// What a property holds that leads to several objects: who they are, in order. Shared by the property's owner and the ``ObjectList``,
/// ``ObjectSet`` or ``ObjectDictionary`` that is lent of it.
public final class ObjectCollection {
    /// Who they are; those without an identity yet have 0.
    private(set) var ids: ContiguousArray<ObjectID>
    /// How often each of them is there; made when that is asked for of many.
    private var counts: [ObjectID: Int]?
    /// The objects at the same places, while the owner belongs to no context.
    var objects: [(any StoredObject)?]?
    /// The keys at the same places, encoded; of a dictionary only.
    var keys: ContiguousArray<[UInt8]>?
    /// Whether an object has it: a value that is given to two becomes two collections.
    private var isTaken = false
    /// Whether the content of a property that the other side tells is there.
    var isGathered = true

    /// An empty collection, of an owner that belongs to no context.
    public init() {
        ids = []
        objects = []
    }

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
    func contains(_ id: ObjectID) -> Bool {
        guard ids.count >= 64 else { return ids.contains(id) }
        if counts == nil { counts = ids.reduce(into: [:]) { $0[$1, default: 0] += 1 } }
        return counts?[id] != nil
    }

    func append(_ id: ObjectID) { insert(id, at: ids.count) }

    func insert(_ id: ObjectID, at position: Int) {
        ids.insert(id, at: position)
        counts?[id, default: 0] += 1
    }

    func remove(at position: Int) { forget(ids.remove(at: position)) }

    func move(from start: Int, to end: Int) { ids.insert(ids.remove(at: start), at: end) }

    func removeAll(_ id: ObjectID) {
        ids.removeAll { $0 == id }
        counts?[id] = nil
    }

    func replaceSubrange(_ range: Range<Int>, with new: [ObjectID]) {
        if counts != nil {
            for id in ids[range] { forget(id) }
            for id in new { counts?[id, default: 0] += 1 }
        }
        ids.replaceSubrange(range, with: new)
    }

    /// Makes them others.
    func set(_ ids: ContiguousArray<ObjectID>) {
        self.ids = ids
        counts = nil
    }

    /// Takes the identities of the objects, which have one now.
    func attach() {
        guard let objects else { return }
        for (index, object) in objects.enumerated() { if let object { ids[index] = object._$state.id } }
        counts = nil
        self.objects = nil
    }

    private func forget(_ id: ObjectID) {
        guard let count = counts?[id] else { return }
        counts?[id] = count == 1 ? nil : count - 1
    }
}
