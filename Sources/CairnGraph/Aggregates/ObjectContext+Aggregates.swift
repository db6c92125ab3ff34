public import CairnCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ObjectContext {
    /// Returns the sum of a property of the objects that meet a condition: an `Int` for integers of any width, a `Double` for `Double` and `Float`. `nil`
    /// is left out; the sum of nothing is 0. Objects with unsaved changes count as they are in this context.
    ///
    /// ```swift
    /// let seconds = try context.sum(Song.self, of: \.seconds, where: \.artist == "ABBA")
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class. Only its objects count.
    ///   - keyPath: The property. A computed property works too, but then each object is made.
    ///   - condition: The condition that objects must meet; by default, all count.
    /// - Throws: ``ObjectStoreError``: `outOfRange` if a sum of integers does not fit an `Int`; `corruption`, `invalidPredicate`, `unknownClass`, `closed`,
    ///   `ioError`, as `fetch`.
    /// - Complexity: As a fetch with the same condition, but no objects are made from stored values. Records are not read either if an index answers
    ///   the condition and has the property, as with `@Stored(indexes: [["artist", "seconds"]])` here. `explain` shows it.
    public func sum<Object: StoredObject, Number: SummableValue>(
        _ type: Object.Type = Object.self,
        of keyPath: KeyPath<Object, Number>,
        where condition: ObjectCondition<Object>? = nil
    ) throws(ObjectStoreError) -> Number.Sum {
        try value(type, .sum(of: keyPath), condition?.condition ?? .always(true))
    }

    /// As above, with a predicate.
    public func sum<Object: StoredObject, Number: SummableValue>(
        _ type: Object.Type = Object.self,
        of keyPath: KeyPath<Object, Number>,
        where predicate: Predicate<Object>
    ) throws(ObjectStoreError) -> Number.Sum {
        try value(type, .sum(of: keyPath), PredicateTranslation<Object>.condition(predicate))
    }

    /// Returns the average of a property of the objects that meet a condition; `nil` if there is no value. `nil` is left out. Integers of any
    /// width are first added exactly.
    ///
    /// - Throws: ``ObjectStoreError``: `corruption`, `invalidPredicate`, `unknownClass`, `closed`, `ioError`, as `fetch`.
    /// - Complexity: As ``sum(_:of:where:)-(_,_,ObjectCondition<Object>?)``.
    public func average<Object: StoredObject, Number: SummableValue>(
        _ type: Object.Type = Object.self,
        of keyPath: KeyPath<Object, Number>,
        where condition: ObjectCondition<Object>? = nil
    ) throws(ObjectStoreError) -> Double? {
        try value(type, .average(of: keyPath), condition?.condition ?? .always(true))
    }

    /// As above, with a predicate.
    public func average<Object: StoredObject, Number: SummableValue>(
        _ type: Object.Type = Object.self,
        of keyPath: KeyPath<Object, Number>,
        where predicate: Predicate<Object>
    ) throws(ObjectStoreError) -> Double? {
        try value(type, .average(of: keyPath), PredicateTranslation<Object>.condition(predicate))
    }

    /// Returns the least value of a property of the objects that meet a condition, in the order of ``ObjectSort``; `nil` if there is none. `nil` and NaN are
    /// left out.
    ///
    /// - Throws: ``ObjectStoreError``: `corruption`, `invalidPredicate`, `unknownClass`, `closed`, `ioError`, as `fetch`.
    /// - Complexity: O(log n) if an index answers the condition and has the property next, or first without a condition: only its first entry is
    ///   read. Otherwise as ``sum(_:of:where:)-(_,_,ObjectCondition<Object>?)``.
    public func min<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        of keyPath: KeyPath<Object, Value>,
        where condition: ObjectCondition<Object>? = nil
    ) throws(ObjectStoreError) -> Value? {
        try value(type, .min(of: keyPath), condition?.condition ?? .always(true))
    }

    /// As above, with a predicate.
    public func min<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        of keyPath: KeyPath<Object, Value>,
        where predicate: Predicate<Object>
    ) throws(ObjectStoreError) -> Value? {
        try value(type, .min(of: keyPath), PredicateTranslation<Object>.condition(predicate))
    }

    /// As above, for an optional property.
    public func min<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        of keyPath: KeyPath<Object, Value?>,
        where condition: ObjectCondition<Object>? = nil
    ) throws(ObjectStoreError) -> Value? {
        try value(type, .min(of: keyPath), condition?.condition ?? .always(true))
    }

    /// As above, for an optional property, with a predicate.
    public func min<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        of keyPath: KeyPath<Object, Value?>,
        where predicate: Predicate<Object>
    ) throws(ObjectStoreError) -> Value? {
        try value(type, .min(of: keyPath), PredicateTranslation<Object>.condition(predicate))
    }

    /// Returns the greatest value of a property of the objects that meet a condition, in the order of ``ObjectSort``; `nil` if there is none. `nil` and NaN are
    /// left out.
    ///
    /// - Throws: ``ObjectStoreError``: `corruption`, `invalidPredicate`, `unknownClass`, `closed`, `ioError`, as `fetch`.
    /// - Complexity: O(log n) if an index answers the condition and has the property next, or first without a condition: only its last entry is
    ///   read. Otherwise as ``sum(_:of:where:)-(_,_,ObjectCondition<Object>?)``.
    public func max<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        of keyPath: KeyPath<Object, Value>,
        where condition: ObjectCondition<Object>? = nil
    ) throws(ObjectStoreError) -> Value? {
        try value(type, .max(of: keyPath), condition?.condition ?? .always(true))
    }

    /// As above, with a predicate.
    public func max<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        of keyPath: KeyPath<Object, Value>,
        where predicate: Predicate<Object>
    ) throws(ObjectStoreError) -> Value? {
        try value(type, .max(of: keyPath), PredicateTranslation<Object>.condition(predicate))
    }

    /// As above, for an optional property.
    public func max<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        of keyPath: KeyPath<Object, Value?>,
        where condition: ObjectCondition<Object>? = nil
    ) throws(ObjectStoreError) -> Value? {
        try value(type, .max(of: keyPath), condition?.condition ?? .always(true))
    }

    /// As above, for an optional property, with a predicate.
    public func max<Object: StoredObject, Value: KeyCodable>(
        _ type: Object.Type = Object.self,
        of keyPath: KeyPath<Object, Value?>,
        where predicate: Predicate<Object>
    ) throws(ObjectStoreError) -> Value? {
        try value(type, .max(of: keyPath), PredicateTranslation<Object>.condition(predicate))
    }

    private func value<Object: StoredObject, Value>(
        _ type: Object.Type,
        _ aggregate: ObjectAggregate<Object, Value>,
        _ condition: Condition
    ) throws(ObjectStoreError) -> Value {
        try aggregate.finish(results(type, condition, AggregateQuery([aggregate.part], by: nil))[0].tallies[0])
    }
}
