#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ObjectContext {
    /// Returns the results of a query, and the new results after each commit that changes them (``LiveQuery``).
    ///
    /// - Parameters: As `fetch`.
    /// - Throws: ``ObjectStoreError``: `unknownClass`, `closed`. Other errors of the query are thrown while iterating.
    public func live<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil
    ) throws(ObjectStoreError) -> LiveQuery<Object> {
        try live(condition?.condition ?? .always(true), sorts.map(\.part), limit)
    }

    /// As above, sorted by a property in ascending order.
    public func live<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy keyPath: KeyPath<Object, Value>,
        limit: Int? = nil
    ) throws(ObjectStoreError) -> LiveQuery<Object> {
        try live(condition?.condition ?? .always(true), [ObjectSort<Object>.ascending(keyPath).part], limit)
    }

    /// As above, with a predicate.
    public func live<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil
    ) throws(ObjectStoreError) -> LiveQuery<Object> {
        try live(PredicateTranslation<Object>.condition(predicate), sorts.map(\.part), limit)
    }

    /// As above, sorted by a property in ascending order.
    public func live<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>,
        sortedBy keyPath: KeyPath<Object, Value>,
        limit: Int? = nil
    ) throws(ObjectStoreError) -> LiveQuery<Object> {
        try live(PredicateTranslation<Object>.condition(predicate), [ObjectSort<Object>.ascending(keyPath).part], limit)
    }

    /// Returns the number of objects that meet a condition, and the new number after each commit that changes it.
    ///
    /// - Throws: As `live`.
    public func liveCount<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil
    ) throws(ObjectStoreError) -> LiveCount<Object> {
        try checkLive(type)
        return LiveCount(context: self, condition: condition?.condition ?? .always(true))
    }

    /// As above, with a predicate.
    public func liveCount<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where predicate: Predicate<Object>
    ) throws(ObjectStoreError) -> LiveCount<Object> {
        try checkLive(type)
        return LiveCount(context: self, condition: PredicateTranslation<Object>.condition(predicate))
    }

    private func live<Object: StoredObject>(
        _ condition: Condition,
        _ sorts: [SortPart],
        _ limit: Int?
    ) throws(ObjectStoreError) -> LiveQuery<Object> {
        try checkLive(Object.self)
        return LiveQuery(context: self, condition: condition, sorts: sorts, limit: limit)
    }

    private func checkLive(_ type: any StoredObject.Type) throws(ObjectStoreError) {
        try checkOpen()
        _ = try knownClass(type)
    }
}
