/// The content of a to-many property: object identities, in order. Shared by the property's owner and the ``ObjectList``, ``ObjectSet`` or
/// ``ObjectDictionary`` that gives access to it.
public final class ObjectCollection {
    /// The objects' identities, 0 for objects without one, and in dictionaries their encoded keys. Empty while the collection is long.
    var short: ReferenceList.Content
    /// The content of a long collection, whose references are not all in its owner's record.
    var long: LongList?
    /// The number of occurrences by mark; built on first use, for large collections.
    private var counts: [UInt64: Int]?
    /// The objects at the same positions, while the owner belongs to no context.
    private(set) var objects: [any StoredObject]?
    /// Whether an object owns it. A value that is assigned to two objects becomes two collections.
    private var isTaken = false
    /// For derived properties, whether the content has been read.
    var isGathered = true
    /// Counts the changes of the elements, for iterators.
    private(set) var changeCount: UInt32 = 0
    /// The first change that was refused while the owner belonged to no context.
    var refusal: ObjectStoreError?

    /// Makes an empty collection, for an owner that belongs to no context.
    public init() {
        short = ReferenceList.Content()
        objects = []
    }

    /// Adds keys, if it has none.
    func makeDictionary() { if long == nil, short.keys == nil { short.keys = [] } }

    init(ids: ContiguousArray<ObjectID>, keys: ContiguousArray<[UInt8]>? = nil) {
        short = ReferenceList.Content(ids: ids, keys: keys)
        objects = nil
    }

    init(_ long: LongList) {
        short = ReferenceList.Content()
        self.long = long
        objects = nil
    }

    /// A copy of the content of another collection.
    init(_ short: ReferenceList.Content, _ long: LongList?, _ objects: [any StoredObject]?) {
        self.short = short
        self.long = long
        self.objects = objects
    }

    /// Marks it as owned by an object; returns `false` if it already was.
    func take() -> Bool {
        defer { isTaken = true }
        return !isTaken
    }
}

extension ObjectCollection {
    var indices: Range<Int> { 0..<count }
    /// The number of elements.
    var count: Int { long?.count ?? short.ids.count }
    var isDictionary: Bool { long?.hasKeys ?? (short.keys != nil) }

    /// All identities; reads all chunks of a long collection.
    var ids: ContiguousArray<ObjectID> { long == nil ? short.ids : long?.all().ids ?? [] }

    func id(at position: Int) -> ObjectID { long == nil ? short.ids[position] : long?.id(at: position) ?? ObjectID(raw: 0) }

    func ids(in range: Range<Int>) -> [ObjectID] { long == nil ? Array(short.ids[range]) : long?.ids(in: range) ?? [] }

    /// The encoded key at a position of a dictionary.
    func key(at position: Int) -> [UInt8] { (long == nil ? short.keys?[position] : long?.key(at: position)) ?? [] }

    func place(ofKey key: [UInt8]) -> (position: Int, isThere: Bool) {
        long == nil ? short.place(ofKey: key) : long?.place(ofKey: key) ?? (0, false)
    }

    func firstPosition(of id: ObjectID) -> Int? { long == nil ? short.ids.firstIndex(of: id) : long?.firstPosition(of: id) }

    /// Whether the collection contains an object.
    ///
    /// - Complexity: O(1), except for the first call and for small collections. For a long one, one look-up in the store until all of it has been read.
    func contains(_ id: ObjectID) -> Bool {
        if let unread = long?.unreadCount, unread > 0 { return long?.occurrences(of: id) ?? 0 > 0 }
        return long == nil && short.ids.count < 64 ? short.ids.contains(id) : counts(id.raw)
    }

    /// Whether the collection contains an object.
    ///
    /// - Complexity: O(1), except for the first call and for small collections.
    func contains(_ object: any StoredObject) -> Bool {
        guard let objects else { return object._$state.id.raw != 0 && contains(object._$state.id) }
        return count < 64 ? objects.contains { $0 === object } : counts(Self.mark(object))
    }

    func append(_ id: ObjectID) { insert(id, at: count) }

    func insert(_ id: ObjectID, at position: Int) {
        changeCount &+= 1
        if long == nil {
            short.ids.insert(id, at: position)
        } else {
            long?.replace(position..<position, with: ReferenceList.Content(ids: [id]))
        }
        counts?[id.raw, default: 0] += 1
    }

    /// Removes the elements at ascending positions of a list.
    func remove(at positions: [Int]) {
        changeCount &+= 1
        counts = nil
        guard long == nil else {
            long?.remove(at: positions)
            return
        }
        var stays = [Bool](repeating: true, count: short.ids.count)
        for position in positions { stays[position] = false }
        objects = objects.map { objects in zip(objects, stays).filter(\.1).map(\.0) }
        short.ids = ContiguousArray(zip(short.ids, stays).lazy.filter(\.1).map(\.0))
    }

    func move(from start: Int, to end: Int) {
        changeCount &+= 1
        guard long == nil else {
            long?.move(from: start, to: end)
            return
        }
        short.ids.insert(short.ids.remove(at: start), at: end)
        if let object = objects?.remove(at: start) { objects?.insert(object, at: end) }
    }

    /// Removes an object wherever it is, with its keys.
    func removeAll(_ id: ObjectID) {
        changeCount &+= 1
        counts?[id.raw] = nil
        guard long == nil else {
            long?.removeAll(id)
            return
        }
        guard short.keys != nil else { return short.ids.removeAll { $0 == id } }
        for position in short.ids.indices.reversed() where short.ids[position] == id {
            short.replace(position..<position + 1, with: ReferenceList.Content(ids: [], keys: []))
        }
    }

    /// Replaces elements: identities and, while the owner belongs to no context, objects.
    func replaceSubrange(_ range: Range<Int>, with new: [ObjectID], _ newObjects: [any StoredObject], keys newKeys: [[UInt8]]) {
        changeCount &+= 1
        if counts != nil { for position in range { forget(position) } }
        let content = ReferenceList.Content(ids: ContiguousArray(new), keys: isDictionary ? ContiguousArray(newKeys) : nil)
        if long == nil { short.replace(range, with: content) } else { long?.replace(range, with: content) }
        objects?.replaceSubrange(range, with: newObjects)
        guard counts != nil else { return }
        for position in range.lowerBound..<range.lowerBound + new.count { counts?[mark(position), default: 0] += 1 }
    }

    /// Replaces all identities of a collection that is not long.
    func set(_ ids: ContiguousArray<ObjectID>) {
        changeCount &+= 1
        short.ids = ids
        long = nil
        counts = nil
    }

    /// Replaces the objects by the identities that they now have.
    func attach() {
        guard let objects else { return }
        for (index, object) in objects.enumerated() { short.ids[index] = object._$state.id }
        counts = nil
        self.objects = nil
    }

    /// Becomes the empty collection of an owner that belongs to no context.
    func detach() {
        let isDictionary = isDictionary
        set([])
        objects = []
        short.keys = isDictionary ? [] : nil
        isGathered = true
    }

    // MARK: Counting

    /// Identifies an element: the object itself while the owner belongs to no context, its identity otherwise.
    private func mark(_ position: Int) -> UInt64 { objects.map { Self.mark($0[position]) } ?? id(at: position).raw }
    private static func mark(_ object: any StoredObject) -> UInt64 { UInt64(UInt(bitPattern: ObjectIdentifier(object))) }

    private func counts(_ mark: UInt64) -> Bool {
        if counts == nil { counts = (0..<count).reduce(into: [:]) { $0[self.mark($1), default: 0] += 1 } }
        return counts?[mark] != nil
    }

    /// Called when the content has been replaced.
    func forgetCounts() {
        counts = nil
        changeCount &+= 1
    }

    private func forget(_ position: Int) {
        guard counts != nil else { return }
        let mark = mark(position)
        guard let count = counts?[mark] else { return }
        counts?[mark] = count == 1 ? nil : count - 1
    }
}
