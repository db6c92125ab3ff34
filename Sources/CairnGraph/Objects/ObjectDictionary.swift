/// The objects of a to-many relationship, each under a key. Changes to the dictionary are changes to its owner.
///
/// A dictionary belongs to its owner: a copy of the value is the same dictionary. Objects are created when they are accessed. Keys are in the order of their
/// `KeyCodable` encoding, which for text is the order of the Unicode scalars.
public struct ObjectDictionary<Key: KeyCodable & Hashable, Value> {
    let owner: (any StoredObject)?
    let property: Int
    public let _$storage: ObjectCollection

    public init(_$owner owner: some StoredObject, _ property: Int, _ storage: ObjectCollection?) {
        self.owner = owner
        self.property = property
        _$storage = storage ?? ObjectCollection()
        _$storage.makeDictionary()
        Relationships.prepare(_$storage, owner, property)
    }

    /// Makes a dictionary without an owner, to be passed to an initialiser or assigned to a property.
    public init(_ values: some Sequence<(Key, Value)>) {
        owner = nil
        property = 0
        _$storage = ObjectCollection()
        _$storage.makeDictionary()
        for (key, value) in values { self[key] = value }
    }

    /// Makes an empty dictionary without an owner.
    public init() { self.init([]) }
}

extension ObjectDictionary: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (Key, Value)...) { self.init(elements) }
}

extension ObjectDictionary: Collection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { _$storage.count }
    public func index(after position: Int) -> Int { position + 1 }

    public subscript(position: Int) -> (key: Key, value: Value) {
        entry(at: position, of: _$storage)
    }

    /// Returns an iterator over the current entries. The dictionary can be changed during the iteration.
    public func makeIterator() -> ObjectDictionaryIterator<Key, Value> { ObjectDictionaryIterator(self) }

    func entry(at position: Int, of collection: ObjectCollection) -> (key: Key, value: Value) {
        let value: Value = Relationships.element(position, of: collection, owner, property)
        let bytes = collection.indices.contains(position) ? collection.key(at: position) : []
        // The keys were checked when they were read. Those that could not be read are empty.
        if let key = try? Key(keyBytes: bytes) { return (key, value) }
        guard let key = (Key.self as? any StoredValue.Type)?.substitute as? Key else {
            preconditionFailure("a key of a damaged dictionary, of type \(Key.self), which has no substitute")
        }
        return (key, value)
    }
}

extension ObjectDictionary {
    /// The object under a key, or `nil` if there is none. Assigning `nil` removes the key.
    ///
    /// - Complexity: O(log n).
    public subscript(key: Key) -> Value? {
        get {
            let (position, isThere) = _$storage.place(ofKey: key.keyBytes)
            return isThere ? Relationships.element(position, of: _$storage, owner, property) : nil
        }
        nonmutating set {
            let bytes = key.keyBytes
            let (position, isThere) = _$storage.place(ofKey: bytes)
            guard let objects = Relationships.objects(newValue.map { [$0] } ?? [], for: _$storage, owner, property) else { return }
            Relationships.replace(
                position..<(isThere ? position + 1 : position),
                of: _$storage,
                with: objects,
                keys: newValue == nil ? [] : [bytes],
                owner,
                property
            )
        }
    }

    /// The keys, in order.
    public var keys: [Key] { map(\.key) }

    /// Removes all keys. The objects stay in the store.
    public func removeAll() { Relationships.replace(0..<count, of: _$storage, with: [], keys: [], owner, property) }

    /// The collection for an object that this value is assigned to.
    public var _$taken: ObjectCollection {
        owner == nil && _$storage.take() ? _$storage : Self(map { ($0.key, $0.value) })._$storage
    }

    public func _$replace(with other: ObjectDictionary) {
        guard other._$storage !== _$storage else { return }
        Relationships.passOnRefusal(of: other._$storage, to: _$storage, owner, property)
        let entries = Array(other)
        guard let objects = Relationships.objects(entries.map(\.value), for: _$storage, owner, property),
            Relationships.accepts(objects, owner, property)
        else { return }
        removeAll()
        for (key, value) in entries { self[key] = value }
    }
}
