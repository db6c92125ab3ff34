#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ObjectContext {
    /// Returns the objects of a class that meet a condition. Objects with unsaved changes count as they are in this context (see ``ObjectContext``).
    ///
    /// - Parameters:
    ///   - type: The class. Only its objects are found.
    ///   - condition: The condition that objects must meet; by default, all are fetched. See ``ObjectCondition`` for how values compare.
    ///   - sorts: The order of the results (``ObjectSort``); by default, the order in which the objects were inserted.
    ///   - limit: The maximum number of results; `nil`: all.
    ///   - offset: The number of results to skip at the beginning. They are counted in the index if it answers the whole query, and read otherwise; see
    ///     ``fetchPage(_:where:sortedBy:limit:after:)`` for lists that are read page by page.
    ///   - relationships: Relationships whose objects are read together with the results, instead of one by one when they are used. The context keeps
    ///     these objects until its next fetch with prefetching, or until it is saved, rolled back or closed.
    /// - Throws: ``ObjectStoreError``: `invalidPredicate` for a negative limit or offset, `corruption`, `unknownClass`, `closed`,
    ///   `ioError`.
    /// - Complexity: Depends on the plan that `explain` shows. Without a usable index, all objects of the class are read, but only the
    ///   requested ones are kept.
    public func fetch<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0,
        prefetching relationships: PartialKeyPath<Object>...
    ) throws(ObjectStoreError) -> [Object] {
        try fetch(type, condition?.condition ?? .always(true), sorts.map(\.part), limit, offset, relationships)
    }

    /// As above, sorted by a property in ascending order.
    public func fetch<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy keyPath: KeyPath<Object, Value>,
        limit: Int? = nil,
        offset: Int = 0,
        prefetching relationships: PartialKeyPath<Object>...
    ) throws(ObjectStoreError) -> [Object] {
        try fetch(type, condition?.condition ?? .always(true), [ObjectSort<Object>.ascending(keyPath).part], limit, offset, relationships)
    }

    /// As above, with a Foundation predicate.
    ///
    /// These parts are translated and mean the same as in ``ObjectCondition``: comparisons of properties with values, `contains` of lists, ranges and text,
    /// `starts(with:)`, `nil`, `??`, forced unwrapping, `flatMap` and `if let`, `&&`, `||`, `!` and `?:`; and, for relationships, `?.`, forced
    /// unwrapping, `contains(where:)` and `allSatisfy` (``ObjectCondition/has(_:where:)-(KeyPath<Object,Target?>,_)``). No comparison with a forcibly
    /// unwrapped `nil` holds. Foundation evaluates any other part, such as arithmetic, for each object and without an index.
    ///
    /// - Throws: As above, and `invalidPredicate` if Foundation cannot evaluate a part; the message names it.
    public func fetch<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0,
        prefetching relationships: PartialKeyPath<Object>...
    ) throws(ObjectStoreError) -> [Object] {
        try fetch(type, PredicateTranslation<Object>.condition(predicate), sorts.map(\.part), limit, offset, relationships)
    }

    /// As above, sorted by a property in ascending order.
    public func fetch<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>,
        sortedBy keyPath: KeyPath<Object, Value>,
        limit: Int? = nil,
        offset: Int = 0,
        prefetching relationships: PartialKeyPath<Object>...
    ) throws(ObjectStoreError) -> [Object] {
        try fetch(
            type,
            PredicateTranslation<Object>.condition(predicate),
            [ObjectSort<Object>.ascending(keyPath).part],
            limit,
            offset,
            relationships
        )
    }

    /// Returns the IDs of the objects that `fetch` would return. Reads no objects if an index answers the whole query.
    ///
    /// - Throws: As `fetch`.
    public func fetchIDs<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [ObjectID] {
        try fetchIDs(type, condition?.condition ?? .always(true), sorts.map(\.part), limit, offset)
    }

    /// As above, sorted by a property in ascending order.
    public func fetchIDs<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy keyPath: KeyPath<Object, Value>,
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [ObjectID] {
        try fetchIDs(type, condition?.condition ?? .always(true), [ObjectSort<Object>.ascending(keyPath).part], limit, offset)
    }

    /// As above, with a predicate.
    public func fetchIDs<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [ObjectID] {
        try fetchIDs(type, PredicateTranslation<Object>.condition(predicate), sorts.map(\.part), limit, offset)
    }

    /// As above, sorted by a property in ascending order.
    public func fetchIDs<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>,
        sortedBy keyPath: KeyPath<Object, Value>,
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [ObjectID] {
        try fetchIDs(type, PredicateTranslation<Object>.condition(predicate), [ObjectSort<Object>.ascending(keyPath).part], limit, offset)
    }

    /// Returns the first object that meets a condition, or `nil` if there is none.
    ///
    /// - Throws: As `fetch`.
    public func first<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy sorts: [ObjectSort<Object>] = []
    ) throws(ObjectStoreError) -> Object? {
        try fetch(type, condition?.condition ?? .always(true), sorts.map(\.part), 1, 0).first
    }

    /// As above, sorted by a property in ascending order.
    public func first<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy keyPath: KeyPath<Object, Value>
    ) throws(ObjectStoreError) -> Object? {
        try fetch(type, condition?.condition ?? .always(true), [ObjectSort<Object>.ascending(keyPath).part], 1, 0).first
    }

    /// As above, with a predicate.
    public func first<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>,
        sortedBy sorts: [ObjectSort<Object>] = []
    ) throws(ObjectStoreError) -> Object? {
        try fetch(type, PredicateTranslation<Object>.condition(predicate), sorts.map(\.part), 1, 0).first
    }

    /// As above, sorted by a property in ascending order.
    public func first<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>,
        sortedBy keyPath: KeyPath<Object, Value>
    ) throws(ObjectStoreError) -> Object? {
        try fetch(type, PredicateTranslation<Object>.condition(predicate), [ObjectSort<Object>.ascending(keyPath).part], 1, 0).first
    }

    /// Explains how `fetch` with the same arguments would find its objects. Reads a few index entries or pages; reads
    /// objects only of other classes, for conditions on related objects.
    ///
    /// - Throws: As `fetch`.
    public func explain<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil
    ) throws(ObjectStoreError) -> QueryExplanation {
        try explanation(type, condition?.condition ?? .always(true), sorts.map(\.part), limit)
    }

    /// As above, sorted by a property in ascending order.
    public func explain<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy keyPath: KeyPath<Object, Value>,
        limit: Int? = nil
    ) throws(ObjectStoreError) -> QueryExplanation {
        try explanation(type, condition?.condition ?? .always(true), [ObjectSort<Object>.ascending(keyPath).part], limit)
    }

    /// As above, with a predicate.
    public func explain<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil
    ) throws(ObjectStoreError) -> QueryExplanation {
        try explanation(type, PredicateTranslation<Object>.condition(predicate), sorts.map(\.part), limit)
    }

    /// As above, sorted by a property in ascending order.
    public func explain<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>,
        sortedBy keyPath: KeyPath<Object, Value>,
        limit: Int? = nil
    ) throws(ObjectStoreError) -> QueryExplanation {
        try explanation(type, PredicateTranslation<Object>.condition(predicate), [ObjectSort<Object>.ascending(keyPath).part], limit)
    }

    /// Returns the number of objects that meet a condition. Reads no objects if an index answers the whole query.
    ///
    /// - Throws: As `fetch`.
    public func count<Object: StoredObject>(_ type: Object.Type = Object.self, where condition: ObjectCondition<Object>)
        throws(ObjectStoreError) -> Int
    {
        try count(type, condition.condition)
    }

    /// As above, with a predicate.
    public func count<Object: StoredObject>(_ type: Object.Type = Object.self, where predicate: Predicate<Object>) throws(ObjectStoreError)
        -> Int
    {
        try count(type, PredicateTranslation<Object>.condition(predicate))
    }

    /// Deletes all objects that meet a condition, as ``delete(_:)`` does, delete rules included, and returns how many.
    ///
    /// - Throws: As `fetch`; `deletionDenied` if a rule forbids a deletion. The objects before it are then marked as deleted;
    ///   ``rollback()`` brings them back.
    @discardableResult
    public func delete<Object: StoredObject>(_ type: Object.Type = Object.self, where condition: ObjectCondition<Object>)
        throws(ObjectStoreError) -> Int
    {
        try delete(try fetch(type, condition.condition, [], nil, 0))
    }

    /// As above, with a predicate.
    @discardableResult
    public func delete<Object: StoredObject>(_ type: Object.Type = Object.self, where predicate: Predicate<Object>) throws(ObjectStoreError)
        -> Int
    {
        try delete(try fetch(type, PredicateTranslation<Object>.condition(predicate), [], nil, 0))
    }
}

extension ObjectContext {
    func fetch<Object: StoredObject>(
        _ type: Object.Type,
        _ condition: Condition,
        _ sorts: [SortPart],
        _ limit: Int?,
        _ offset: Int,
        _ relationships: [PartialKeyPath<Object>] = []
    ) throws(ObjectStoreError) -> [Object] {
        try store.calls.measure(.fetch, type, count: { $0.count }) { () throws(ObjectStoreError) in
            let found = try query(type, condition, sorts, isBounded: limit != nil, wantsObjects: true).matches(offset: offset, limit: limit)
            var objects: [Object] = []
            objects.reserveCapacity(found.count)
            for match in found { if let object = match.object { objects.append(unsafe unsafeDowncast(object, to: Object.self)) } }
            try prefetch(relationships, of: objects)
            return objects
        }
    }

    private func count<Object: StoredObject>(_ type: Object.Type, _ condition: Condition) throws(ObjectStoreError) -> Int {
        try store.calls.measure(.fetch, type, count: { $0 }) { () throws(ObjectStoreError) in
            try query(type, condition, wantsObjects: false).count()
        }
    }

    private func fetchIDs<Object: StoredObject>(
        _ type: Object.Type,
        _ condition: Condition,
        _ sorts: [SortPart],
        _ limit: Int?,
        _ offset: Int
    ) throws(ObjectStoreError) -> [ObjectID] {
        try store.calls.measure(.fetch, type, count: { $0.count }) { () throws(ObjectStoreError) in
            try query(type, condition, sorts, isBounded: limit != nil, wantsObjects: false).matches(offset: offset, limit: limit).map(\.id)
        }
    }

    private func delete(_ objects: [some StoredObject]) throws(ObjectStoreError) -> Int {
        // Objects that another object's rule deleted meanwhile count too: they were requested.
        for object in objects { try delete(object) }
        return objects.count
    }
}
