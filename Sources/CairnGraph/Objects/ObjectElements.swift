/// Iterates over the positions of a collection as it was when this was made, whatever changes meanwhile.
struct ObjectElements {
    private let collection: ObjectCollection
    private let changeCount: UInt32
    /// The content of the collection. Copied only if the collection changes.
    private let content: (short: ReferenceList.Content, long: LongList?, objects: [any StoredObject]?)
    private let count: Int
    private var former: ObjectCollection?
    private var position = 0

    init(_ collection: ObjectCollection) {
        self.collection = collection
        changeCount = collection.changeCount
        content = (collection.short, collection.long, collection.objects)
        count = collection.count
    }

    /// The next position, and the collection that it belongs to; `nil` after the last.
    mutating func next() -> (position: Int, collection: ObjectCollection)? {
        guard position < count else { return nil }
        defer { position += 1 }
        if collection.changeCount == changeCount { return (position, collection) }
        if let former { return (position, former) }
        let copy = ObjectCollection(content.short, content.long, content.objects)
        former = copy
        return (position, copy)
    }
}

/// Iterates over the elements that a list or set had when the iterator was made. The list or set can be changed meanwhile.
public struct ObjectIterator<Element>: IteratorProtocol {
    private var elements: ObjectElements
    private let owner: (any StoredObject)?
    private let property: Int

    init(_ collection: ObjectCollection, _ owner: (any StoredObject)?, _ property: Int) {
        elements = ObjectElements(collection)
        self.owner = owner
        self.property = property
    }

    public mutating func next() -> Element? {
        guard let (position, collection) = elements.next() else { return nil }
        return Relationships.element(position, of: collection, owner, property)
    }
}

/// Iterates over the keys and objects that a dictionary had when the iterator was made. The dictionary can be changed meanwhile.
public struct ObjectDictionaryIterator<Key: KeyCodable & Hashable, Value>: IteratorProtocol {
    private var elements: ObjectElements
    private let dictionary: ObjectDictionary<Key, Value>

    init(_ dictionary: ObjectDictionary<Key, Value>) {
        elements = ObjectElements(dictionary._$storage)
        self.dictionary = dictionary
    }

    public mutating func next() -> (key: Key, value: Value)? {
        guard let (position, collection) = elements.next() else { return nil }
        return dictionary.entry(at: position, of: collection)
    }
}
