/// The objects of an ordered to-many relationship: a list in which an object may be several times. Changes of the list are changes of its owner.
///
/// ```swift
/// playlist.songs.append(song)
/// playlist.songs.insert(another, at: 0)
/// playlist.songs.move(from: 5, to: 1)
/// for song in playlist.songs { print(song.title) }
/// ```
///
/// A list is lent by its owner: a copy of the value is the same list. Elements are made when they are looked at, so that a list of a
/// thousand objects costs what is used of it; ``load()`` brings the values of all at once.
public struct ObjectList<Element> {
    /// The object whose property this is; `nil` for a list that is not a property yet.
    let owner: (any StoredObject)?
    let property: Int
    public let _$storage: ObjectCollection

    public init(_$owner owner: some StoredObject, _ property: Int, _ storage: ObjectCollection?) {
        self.owner = owner
        self.property = property
        _$storage = storage ?? ObjectCollection()
    }

    /// A list of its own, to be given to an initialiser or assigned to a property.
    public init(_ elements: some Sequence<Element>) {
        owner = nil
        property = 0
        _$storage = ObjectCollection()
        replaceSubrange(0..<0, with: elements)
    }

    /// An empty list of its own.
    public init() { self.init([]) }

    /// Who the elements are, those excepted that belong to no context. Reads no object.
    public var objectIDs: [ObjectID] {
        let ids = _$storage.ids
        // Nearly always, and nothing is copied.
        if ids.allSatisfy({ $0.raw != 0 }) { return Array(ids) }
        return ids.filter { $0.raw != 0 }
    }
}

extension ObjectList: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension ObjectList: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { _$storage.ids.count }

    /// The element at a place.
    ///
    /// - Complexity: O(1); reads nothing of it yet, unless objects of several classes are allowed.
    public subscript(position: Int) -> Element {
        get { Relationships.element(position, of: _$storage, owner) }
        nonmutating set { replaceSubrange(position..<position + 1, with: CollectionOfOne(newValue)) }
    }
}

extension ObjectList {
    /// Puts elements in the place of others.
    ///
    /// - Complexity: O(n) in the number of elements behind the place. Other lists are changed where they are the inverse.
    public func replaceSubrange(_ range: Range<Int>, with elements: some Sequence<Element>) {
        Relationships.replace(range, of: _$storage, with: elements.map(Relationships.object), owner, property)
    }

    /// Puts an element behind all others. Where the list's owner was inserted, so is the element.
    ///
    /// - Complexity: O(1) in memory; a save writes the whole list.
    public func append(_ element: Element) { insert(element, at: count) }
    /// Puts elements behind all others, in their order.
    public func append(contentsOf elements: some Sequence<Element>) { replaceSubrange(count..<count, with: elements) }
    /// Puts an element at a place; those from there on follow.
    ///
    /// - Complexity: O(n) in the number of elements behind the place.
    public func insert(_ element: Element, at position: Int) {
        Relationships.insert(Relationships.object(element), at: position, of: _$storage, owner, property)
    }
    /// Puts elements at a place, in their order; those from there on follow.
    public func insert(contentsOf elements: some Sequence<Element>, at position: Int) {
        replaceSubrange(position..<position, with: elements)
    }

    /// Removes the element at a place, and returns it.
    @discardableResult
    public func remove(at position: Int) -> Element {
        let element = self[position]
        replaceSubrange(position..<position + 1, with: EmptyCollection())
        return element
    }

    /// Removes the elements at some places.
    public func removeSubrange(_ range: Range<Int>) { replaceSubrange(range, with: EmptyCollection()) }
    /// Removes all elements. They stay in the store.
    public func removeAll() { removeSubrange(0..<count) }

    /// Removes the elements for which `condition` says so. Where it throws, nothing was removed.
    ///
    /// - Complexity: O(n).
    public func removeAll(where condition: (Element) throws -> Bool) rethrows {
        Relationships.remove(at: try indices.filter { try condition(self[$0]) }, of: _$storage, owner, property)
    }

    /// Moves the element at `start` so that it is at `end` afterwards.
    public func move(from start: Int, to end: Int) {
        precondition(indices.contains(start) && indices.contains(end), "no place \(start) or \(end) in a list of \(count)")
        guard start != end else { return }
        Relationships.move(start, end, of: _$storage, owner, property)
    }

    /// The collection for an object that gets this value.
    public var _$taken: ObjectCollection { owner == nil && _$storage.take() ? _$storage : Self(Array(self))._$storage }

    public func _$replace(with other: ObjectList) {
        guard other._$storage !== _$storage else { return }
        replaceSubrange(0..<count, with: Array(other))
    }
}
