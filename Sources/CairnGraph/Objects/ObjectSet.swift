/// The objects of an unordered to-many relationship, each of them once. Changes to the set are changes to its owner or, if the inverse is a list or a
/// to-one property, to the objects on the other side.
///
/// A set belongs to its owner: a copy of the value is the same set. Elements are created when they are accessed.
public struct ObjectSet<Element> {
    let owner: (any StoredObject)?
    let property: Int
    public let _$storage: ObjectCollection

    public init(_$owner owner: some StoredObject, _ property: Int, _ storage: ObjectCollection?) {
        self.owner = owner
        self.property = property
        _$storage = storage ?? ObjectCollection()
        Relationships.prepare(_$storage, owner, property)
    }

    /// The elements. A set that is derived from its inverse finds them when they are first needed.
    var content: ObjectCollection {
        Relationships.gather(_$storage, owner, property)
        return _$storage
    }

    /// Makes a set without an owner, to be passed to an initialiser or assigned to a property.
    public init(_ elements: some Sequence<Element>) {
        owner = nil
        property = 0
        _$storage = ObjectCollection()
        for element in elements { insert(element) }
    }

    /// Makes an empty set without an owner.
    public init() { self.init([]) }

    /// The elements' identities. Elements not yet inserted into a context are left out. Reads no object.
    public var objectIDs: [ObjectID] { content.ids.filter { $0.raw != 0 } }
}

extension ObjectSet: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension ObjectSet: Collection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { content.count }
    public var count: Int { content.count }
    /// Whether there are no elements.
    ///
    /// - Complexity: O(1). Until its elements are used, a set that is derived from its inverse needs one look-up in the store.
    public var isEmpty: Bool { Relationships.derived(_$storage, owner, property)?.isEmpty() ?? content.isEmpty }
    public func index(after position: Int) -> Int { position + 1 }
    public subscript(position: Int) -> Element { Relationships.element(position, of: content, owner, property) }

    /// Returns an iterator over the current elements. The set can be changed during the iteration, for example by deleting each element.
    public func makeIterator() -> ObjectIterator<Element> { ObjectIterator(content, owner, property) }
}

extension ObjectSet {
    /// Adds an element, and returns whether it was new.
    ///
    /// - Complexity: O(1) on average, except for the first call for a large set that is stored with its owner.
    @discardableResult
    public func insert(_ element: Element) -> Bool {
        guard let object = Relationships.object(element, for: _$storage, owner, property) else { return false }
        if let derived = Relationships.derived(_$storage, owner, property) { return derived.insert(object) }
        guard !_$storage.contains(object) else { return false }
        let count = count
        Relationships.insert(object, at: count, of: _$storage, owner, property)
        return self.count > count
    }

    /// Removes an element, and returns whether the set contained it.
    @discardableResult
    public func remove(_ element: Element) -> Bool {
        guard let object = element as? any StoredObject else { return false }
        if let derived = Relationships.derived(_$storage, owner, property) { return derived.remove(object) }
        guard let position = Relationships.position(of: object, in: _$storage) else { return false }
        Relationships.replace(position..<position + 1, of: _$storage, with: [], owner, property)
        return true
    }

    /// Whether an object is among the elements.
    ///
    /// - Complexity: O(1) on average, except for the first call for a large set that is stored with its owner. Reads none of the objects.
    public func contains(_ element: Element) -> Bool {
        guard let object = element as? any StoredObject else { return false }
        return Relationships.derived(_$storage, owner, property)?.contains(object) ?? _$storage.contains(object)
    }

    /// Removes all elements. The objects stay in the store.
    public func removeAll() { Relationships.replace(0..<count, of: _$storage, with: [], owner, property) }

    /// The collection for an object that this value is assigned to.
    public var _$taken: ObjectCollection { owner == nil && _$storage.take() ? _$storage : Self(Array(self))._$storage }

    public func _$replace(with other: ObjectSet) {
        guard other._$storage !== _$storage else { return }
        Relationships.passOnRefusal(of: other._$storage, to: _$storage, owner, property)
        let elements = Array(other)
        guard let objects = Relationships.objects(elements, for: _$storage, owner, property),
            Relationships.accepts(objects, owner, property)
        else { return }
        for element in Array(self) where !other.contains(element) { remove(element) }
        for element in elements { insert(element) }
    }
}
