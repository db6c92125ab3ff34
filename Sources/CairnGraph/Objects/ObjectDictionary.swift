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
        // The keys were checked when they were read.
        guard let key = try? Key(keyBytes: _$storage.key(at: position)) else {
            preconditionFailure("a dictionary's key of another type than \(Key.self)")
        }
        return (key, Relationships.element(position, of: _$storage, owner))
    }
}

extension ObjectDictionary {
    /// The object under a key, or `nil` if there is none. Assigning `nil` removes the key.
    ///
    /// - Complexity: O(log n).
    public subscript(key: Key) -> Value? {
        get {
            let (position, isThere) = _$storage.place(ofKey: key.keyBytes)
            return isThere ? Relationships.element(position, of: _$storage, owner) : nil
        }
        nonmutating set {
            let bytes = key.keyBytes
            let (position, isThere) = _$storage.place(ofKey: bytes)
            Relationships.replace(
                position..<(isThere ? position + 1 : position),
                of: _$storage,
                with: newValue.map { [Relationships.object($0)] } ?? [],
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

    /// The collection for an object that gets this value.
    public var _$taken: ObjectCollection {
        owner == nil && _$storage.take() ? _$storage : Self(map { ($0.key, $0.value) })._$storage
    }

    public func _$replace(with other: ObjectDictionary) {
        guard other._$storage !== _$storage else { return }
        let entries = Array(other)
        removeAll()
        for (key, value) in entries { self[key] = value }
    }
}
