public import CairnCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ObjectContext {
    /// Returns the values that a property has in the objects that meet a condition, in order, each with aggregates of the objects that have it. All
    /// are computed in one pass. Objects with unsaved changes count as they are in this context.
    ///
    /// ```swift
    /// for (artist, count, seconds) in try context.groups(Song.self, by: \.artist, .count, .sum(of: \.seconds), where: \.year >= 1990) {
    ///     print(artist, count, seconds)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class. Only its objects count.
    ///   - keyPath: The property. `nil` is a group too. The two zeros form one group, and so do all NaNs.
    ///   - aggregates: What to compute for each group; with none, the result is the values alone.
    ///   - condition: The condition that objects must meet; by default, all count.
    /// - Returns: The groups in the order of ``ObjectSort``: `nil` first, text by its Unicode scalars, enumerations by their raw values, NaN last.
    /// - Throws: ``ObjectStoreError``: `outOfRange` if a sum of integers does not fit an `Int`; `corruption`, `invalidPredicate`, `unknownClass`, `closed`,
    ///   `ioError`, as `fetch`.
    /// - Complexity: O(n) in the objects that meet the condition, and memory for each group. No objects are made from stored values, and records are not
    ///   read either if an index answers the condition and has all properties. `explain` shows it.
    public func groups<Object: StoredObject, Value: KeyCodable, each Result>(
        _ type: Object.Type = Object.self,
        by keyPath: KeyPath<Object, Value>,
        _ aggregates: repeat ObjectAggregate<Object, each Result>,
        where condition: ObjectCondition<Object>? = nil
    ) throws(ObjectStoreError) -> [(Value, repeat each Result)] {
        try groups(type, ConditionProperty(keyPath), condition?.condition ?? .always(true), repeat each aggregates)
    }

    /// As above, with a predicate.
    public func groups<Object: StoredObject, Value: KeyCodable, each Result>(
        _ type: Object.Type = Object.self,
        by keyPath: KeyPath<Object, Value>,
        _ aggregates: repeat ObjectAggregate<Object, each Result>,
        where predicate: Predicate<Object>
    ) throws(ObjectStoreError) -> [(Value, repeat each Result)] {
        try groups(type, ConditionProperty(keyPath), PredicateTranslation<Object>.condition(predicate), repeat each aggregates)
    }

    private func groups<Object: StoredObject, Value: KeyCodable, each Result>(
        _ type: Object.Type,
        _ property: ConditionProperty,
        _ condition: Condition,
        _ aggregates: repeat ObjectAggregate<Object, each Result>
    ) throws(ObjectStoreError) -> [(Value, repeat each Result)] {
        var parts: [AggregatePart] = []
        for aggregate in repeat each aggregates { parts.append(aggregate.part) }
        var result: [(Value, repeat each Result)] = []
        for (key, tallies) in try results(type, condition, AggregateQuery(parts, by: property)) {
            var rest = tallies
            result.append((try property.decode(Value.self, key), repeat try (each aggregates).finish(rest.removeFirst())))
        }
        return result
    }

    /// Explains how an aggregate of the objects that meet a condition would be computed.
    ///
    /// - Throws: As `fetch`.
    public func explain<Object: StoredObject, Result>(
        _ type: Object.Type = Object.self,
        _ aggregate: ObjectAggregate<Object, Result>,
        where condition: ObjectCondition<Object>? = nil
    ) throws(ObjectStoreError) -> QueryExplanation {
        try explanation(type, condition?.condition ?? .always(true), AggregateQuery([aggregate.part], by: nil))
    }

    /// Explains how `groups` with the same arguments would be computed.
    ///
    /// - Throws: As `fetch`.
    public func explain<Object: StoredObject, Value: KeyCodable, each Result>(
        _ type: Object.Type = Object.self,
        by keyPath: KeyPath<Object, Value>,
        _ aggregates: repeat ObjectAggregate<Object, each Result>,
        where condition: ObjectCondition<Object>? = nil
    ) throws(ObjectStoreError) -> QueryExplanation {
        var parts: [AggregatePart] = []
        for aggregate in repeat each aggregates { parts.append(aggregate.part) }
        return try explanation(type, condition?.condition ?? .always(true), AggregateQuery(parts, by: ConditionProperty(keyPath)))
    }
}
