#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ObjectContext {
    /// The objects of a class that are what is asked, those with unsaved changes as they are here (see ``ObjectContext``).
    ///
    /// - Parameters:
    ///   - type: The class. Objects of no other are found.
    ///   - condition: What they are to be like; by default all are fetched. See ``ObjectCondition`` for what compares how.
    ///   - sorts: Their order (``ObjectSort``); by default that in which they were inserted.
    ///   - limit: How many at most; `nil`: all.
    ///   - offset: How many to leave out at the beginning.
    /// - Throws: ``ObjectStoreError``: `invalidPredicate` for a negative limit or offset, `corruption`, `unknownClass`, `closed`,
    ///   `ioError`.
    /// - Complexity: What `explain` tells: without an index that helps, all
    ///   objects of the class are read, but only those are kept that are asked for.
    public func fetch<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [Object] {
        try fetch(type, condition?.condition ?? .always(true), sorts, limit, offset)
    }

    /// As above, in the order of a property.
    public func fetch<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy keyPath: KeyPath<Object, Value>,
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [Object] {
        try fetch(type, condition?.condition ?? .always(true), [.ascending(keyPath)], limit, offset)
    }

    /// The same for Foundation's predicates.
    ///
    /// Comparisons of properties with values, `contains` of lists, ranges and text, `starts(with:)`, `nil`, `??`, `!`, `flatMap` and `if
    /// let`, `&&`, `||`, `!`, `?:` are translated and mean what they mean in ``ObjectCondition``; of `nil` behind `!` no comparison holds.
    /// Any other part, such as arithmetic or a path through a relationship, is evaluated by Foundation for each object, and uses no index.
    ///
    /// - Throws: As above, and `invalidPredicate` where Foundation cannot evaluate a part; the message names it.
    public func fetch<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [Object] {
        try fetch(type, PredicateTranslation.condition(predicate), sorts, limit, offset)
    }

    /// As above, in the order of a property.
    public func fetch<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>,
        sortedBy keyPath: KeyPath<Object, Value>,
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [Object] {
        try fetch(type, PredicateTranslation.condition(predicate), [.ascending(keyPath)], limit, offset)
    }

    /// Who the objects are that `fetch` would return. Reads no object
    /// where an index answers all that is asked.
    ///
    /// - Throws: As `fetch`.
    public func fetchIDs<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [ObjectID] {
        try fetchIDs(type, condition?.condition ?? .always(true), sorts, limit, offset)
    }

    /// As above, in the order of a property.
    public func fetchIDs<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy keyPath: KeyPath<Object, Value>,
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [ObjectID] {
        try fetchIDs(type, condition?.condition ?? .always(true), [.ascending(keyPath)], limit, offset)
    }

    /// As above by a predicate.
    public func fetchIDs<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [ObjectID] {
        try fetchIDs(type, PredicateTranslation.condition(predicate), sorts, limit, offset)
    }

    /// As above, in the order of a property.
    public func fetchIDs<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>,
        sortedBy keyPath: KeyPath<Object, Value>,
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [ObjectID] {
        try fetchIDs(type, PredicateTranslation.condition(predicate), [.ascending(keyPath)], limit, offset)
    }

    /// The first object that is what is asked; `nil` where there is none.
    ///
    /// - Throws: As `fetch`.
    public func first<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy sorts: [ObjectSort<Object>] = []
    ) throws(ObjectStoreError) -> Object? {
        try fetch(type, condition?.condition ?? .always(true), sorts, 1, 0).first
    }

    /// As above, in the order of a property.
    public func first<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy keyPath: KeyPath<Object, Value>
    ) throws(ObjectStoreError) -> Object? {
        try fetch(type, condition?.condition ?? .always(true), [.ascending(keyPath)], 1, 0).first
    }

    /// As above by a predicate.
    public func first<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>,
        sortedBy sorts: [ObjectSort<Object>] = []
    ) throws(ObjectStoreError) -> Object? {
        try fetch(type, PredicateTranslation.condition(predicate), sorts, 1, 0).first
    }

    /// As above, in the order of a property.
    public func first<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>,
        sortedBy keyPath: KeyPath<Object, Value>
    ) throws(ObjectStoreError) -> Object? {
        try fetch(type, PredicateTranslation.condition(predicate), [.ascending(keyPath)], 1, 0).first
    }

    /// How `fetch` with the same arguments would find its objects. Reads a few entries of indexes, and no object.
    ///
    /// - Throws: As `fetch`.
    public func explain<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil
    ) throws(ObjectStoreError) -> QueryExplanation {
        try explanation(type, condition?.condition ?? .always(true), sorts, limit)
    }

    /// As above, in the order of a property.
    public func explain<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy keyPath: KeyPath<Object, Value>,
        limit: Int? = nil
    ) throws(ObjectStoreError) -> QueryExplanation {
        try explanation(type, condition?.condition ?? .always(true), [.ascending(keyPath)], limit)
    }

    /// As above by a predicate.
    public func explain<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil
    ) throws(ObjectStoreError) -> QueryExplanation {
        try explanation(type, PredicateTranslation.condition(predicate), sorts, limit)
    }

    /// As above, in the order of a property.
    public func explain<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>,
        sortedBy keyPath: KeyPath<Object, Value>,
        limit: Int? = nil
    ) throws(ObjectStoreError) -> QueryExplanation {
        try explanation(type, PredicateTranslation.condition(predicate), [.ascending(keyPath)], limit)
    }

    /// How many objects are what is asked. Reads no object where an index answers all of it.
    ///
    /// - Throws: As `fetch`.
    public func count<Object: StoredObject>(_ type: Object.Type = Object.self, where condition: ObjectCondition<Object>)
        throws(ObjectStoreError) -> Int
    {
        try query(type, condition.condition, wantsObjects: false).count()
    }

    /// As above by a predicate.
    public func count<Object: StoredObject>(_ type: Object.Type = Object.self, where predicate: Predicate<Object>) throws(ObjectStoreError)
        -> Int
    {
        try query(type, PredicateTranslation.condition(predicate), wantsObjects: false).count()
    }

    /// Has all objects deleted that are what is asked, as ``delete(_:)`` does, rules included, and returns how many.
    ///
    /// - Throws: As `fetch`; `deletionDenied` where a rule does not allow it. Those before are to be deleted then, and ``rollback()`` has
    ///   them back.
    @discardableResult
    public func delete<Object: StoredObject>(_ type: Object.Type = Object.self, where condition: ObjectCondition<Object>)
        throws(ObjectStoreError) -> Int
    {
        try delete(try fetch(type, condition.condition, [], nil, 0))
    }

    /// As above by a predicate.
    @discardableResult
    public func delete<Object: StoredObject>(_ type: Object.Type = Object.self, where predicate: Predicate<Object>) throws(ObjectStoreError)
        -> Int
    {
        try delete(try fetch(type, PredicateTranslation.condition(predicate), [], nil, 0))
    }
}

extension ObjectContext {
    func fetch<Object: StoredObject>(
        _ type: Object.Type,
        _ condition: Condition<Object>,
        _ sorts: [ObjectSort<Object>],
        _ limit: Int?,
        _ offset: Int
    ) throws(ObjectStoreError) -> [Object] {
        let found = try query(type, condition, sorts, isBounded: limit != nil, wantsObjects: true).matches(offset: offset, limit: limit)
        var objects: [Object] = []
        objects.reserveCapacity(found.count)
        for match in found { if let object = match.object { objects.append(unsafe unsafeDowncast(object, to: Object.self)) } }
        return objects
    }

    private func fetchIDs<Object: StoredObject>(
        _ type: Object.Type,
        _ condition: Condition<Object>,
        _ sorts: [ObjectSort<Object>],
        _ limit: Int?,
        _ offset: Int
    ) throws(ObjectStoreError) -> [ObjectID] {
        try query(type, condition, sorts, isBounded: limit != nil, wantsObjects: false).matches(offset: offset, limit: limit).map(\.id)
    }

    private func delete(_ objects: [some StoredObject]) throws(ObjectStoreError) -> Int {
        // What another's rule deleted meanwhile counts too: it was asked for.
        for object in objects { try delete(object) }
        return objects.count
    }
}
