/// The objects of an ordered to-many relationship: a list that can contain an object several times. Changes to the list are changes to its owner.
///
/// ```swift
/// playlist.songs.append(song)
/// playlist.songs.insert(another, at: 0)
/// playlist.songs.move(from: 5, to: 1)
/// for song in playlist.songs { print(song.title) }
/// ```
///
/// A list belongs to its owner: a copy of the value is the same list. Elements are created when they are accessed, so a list of a thousand objects costs
/// only as much as the elements that are used; ``load()`` reads the values of all at once.
///
/// If the owner was never inserted and an element was, adding the element inserts the owner into the element's context. A change at a position that the
/// list does not have, or with an object of another context, is not made, and the next ``ObjectContext/save()`` throws
/// (``ObjectContext/refusedChanges``). Reading such a position returns an object with substitutes as its values, and the next save throws too.
public struct ObjectList<Element> {
    /// The object whose property this is; `nil` for a list that is not a property yet.
    let owner: (any StoredObject)?
    let property: Int
    public let _$storage: ObjectCollection

    public init(_$owner owner: some StoredObject, _ property: Int, _ storage: ObjectCollection?) {
        self.owner = owner
        self.property = property
        _$storage = storage ?? ObjectCollection()
        Relationships.prepare(_$storage, owner, property)
    }

    /// Makes a list without an owner, to be passed to an initialiser or assigned to a property.
    public init(_ elements: some Sequence<Element>) {
        owner = nil
        property = 0
        _$storage = ObjectCollection()
        replaceSubrange(0..<0, with: elements)
    }

    /// Makes an empty list without an owner.
    public init() { self.init([]) }

    /// The elements' identities. Elements not yet inserted into a context are left out. Reads no object.
    public var objectIDs: [ObjectID] {
        let ids = _$storage.ids
        // The usual case, without copying elements.
        if ids.allSatisfy({ $0.raw != 0 }) { return Array(ids) }
        return ids.filter { $0.raw != 0 }
    }
}

extension ObjectList: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension ObjectList: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { _$storage.count }

    /// The element at a position.
    ///
    /// - Complexity: O(1); reads nothing of the element yet, unless objects of several classes are allowed.
    public subscript(position: Int) -> Element {
        get { Relationships.element(position, of: _$storage, owner, property) }
        nonmutating set {
            guard has(position) else { return }
            replaceSubrange(position..<position + 1, with: CollectionOfOne(newValue))
        }
    }

    /// Returns an iterator over the current elements. The list can be changed during the iteration, for example by deleting each element.
    public func makeIterator() -> ObjectIterator<Element> { ObjectIterator(_$storage, owner, property) }

    /// Whether there is an element at a position; if not, records an error.
    private func has(_ position: Int) -> Bool {
        if indices.contains(position) { return true }
        Relationships.refuse(.invalidArgument, "position \(position) is out of bounds; the count is \(count)", _$storage, owner, property)
        return false
    }
}

extension ObjectList {
    /// Replaces the elements in a range.
    ///
    /// - Complexity: O(n) in the number of elements after the range. Lists that are the inverse are changed too.
    public func replaceSubrange(_ range: Range<Int>, with elements: some Sequence<Element>) {
        guard let objects = Relationships.objects(elements, for: _$storage, owner, property) else { return }
        Relationships.replace(range, of: _$storage, with: objects, owner, property)
    }

    /// Adds an element to the end. If the list's owner has been inserted, the element is inserted too.
    ///
    /// - Complexity: O(1) in memory. A save writes the whole list or, if it has more than 1024 elements, its last chunk.
    public func append(_ element: Element) { insert(element, at: count) }
    /// Adds elements to the end, in order.
    public func append(contentsOf elements: some Sequence<Element>) { replaceSubrange(count..<count, with: elements) }
    /// Inserts an element at a position, moving later elements back.
    ///
    /// - Complexity: O(n) in the number of elements after the position.
    public func insert(_ element: Element, at position: Int) {
        guard let object = Relationships.object(element, for: _$storage, owner, property) else { return }
        Relationships.insert(object, at: position, of: _$storage, owner, property)
    }
    /// Inserts elements at a position, in order, moving later elements back.
    public func insert(contentsOf elements: some Sequence<Element>, at position: Int) {
        replaceSubrange(position..<position, with: elements)
    }

    /// Removes and returns the element at a position.
    @discardableResult
    public func remove(at position: Int) -> Element {
        let element = self[position]
        guard indices.contains(position) else { return element }
        replaceSubrange(position..<position + 1, with: EmptyCollection())
        return element
    }

    /// Removes the elements in a range.
    public func removeSubrange(_ range: Range<Int>) { replaceSubrange(range, with: EmptyCollection()) }
    /// Removes all elements. The objects stay in the store.
    public func removeAll() { removeSubrange(0..<count) }

    /// Removes the elements that satisfy a condition. If `condition` throws, nothing is removed.
    ///
    /// `condition` is called once for each element that the list has now, and may change the list: elements that are no longer in it are
    /// ignored, and new ones stay.
    ///
    /// - Complexity: O(n).
    public func removeAll(where condition: (Element) throws -> Bool) rethrows {
        let changeCount = _$storage.changeCount
        var removed: [(position: Int, element: Element)] = []
        for (position, element) in enumerated() where try condition(element) { removed.append((position, element)) }
        var positions = removed.map(\.position)
        if _$storage.changeCount != changeCount { positions = self.positions(of: removed.map(\.element)) }
        Relationships.remove(at: positions, of: _$storage, owner, property)
    }

    /// The first positions of some elements, as often as they are given.
    private func positions(of elements: [Element]) -> [Int] {
        var counts: [ObjectIdentifier: Int] = [:]
        for element in elements { counts[ObjectIdentifier(element as AnyObject), default: 0] += 1 }
        return enumerated().compactMap { position, element in
            guard let count = counts[ObjectIdentifier(element as AnyObject)], count > 0 else { return nil }
            counts[ObjectIdentifier(element as AnyObject)] = count - 1
            return position
        }
    }

    /// Moves the element at `start` to the position `end`.
    public func move(from start: Int, to end: Int) {
        guard has(start), has(end), start != end else { return }
        Relationships.move(start, end, of: _$storage, owner, property)
    }

    /// The collection for an object that this value is assigned to.
    public var _$taken: ObjectCollection { owner == nil && _$storage.take() ? _$storage : Self(Array(self))._$storage }

    public func _$replace(with other: ObjectList) {
        guard other._$storage !== _$storage else { return }
        Relationships.passOnRefusal(of: other._$storage, to: _$storage, owner, property)
        replaceSubrange(0..<count, with: Array(other))
    }
}
