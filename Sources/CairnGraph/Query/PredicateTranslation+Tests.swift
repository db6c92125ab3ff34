import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The boolean parts of predicates.

extension PredicateExpressions.Conjunction: TranslatedExpression {
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition? {
        guard let one = translation.condition(lhs), let other = translation.condition(rhs) else { return nil }
        return .allOf([one, other])
    }
}

extension PredicateExpressions.Disjunction: TranslatedExpression {
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition? {
        guard let one = translation.condition(lhs), let other = translation.condition(rhs) else { return nil }
        return .anyOf([one, other])
    }
}

extension PredicateExpressions.Negation: TranslatedExpression {
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition? { translation.condition(wrapped)?.negated }
}

extension PredicateExpressions.Conditional: TranslatedExpression {
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition? {
        guard let test = translation.condition(test), let one = translation.condition(trueBranch),
            let other = translation.condition(falseBranch)
        else { return nil }
        return .anyOf([.allOf([test, one]), .allOf([test.negated, other])])
    }
}

extension PredicateExpressions.Equal: TranslatedExpression {
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition? {
        translation.isNil(lhs, rhs) ?? translation.sides(lhs, rhs).flatMap { $0.operand.test(.equal, $0.value) }
    }
}

extension PredicateExpressions.NotEqual: TranslatedExpression {
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition? {
        if let isNil = translation.isNil(lhs, rhs) { return isNil.negated }
        guard let (operand, value, _) = translation.sides(lhs, rhs), let spans = KeySpans(.equal, any: value) else { return nil }
        return operand.test(spans.complement, "is not \(ConditionText.value(value))")
    }
}

extension PredicateExpressions.Comparison: TranslatedExpression {
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition? {
        guard let (operand, value, isReversed) = translation.sides(lhs, rhs) else { return nil }
        let comparison: ValueComparison =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            @unknown default: .equal
            }
        guard comparison != .equal else { return nil }
        return operand.test(isReversed ? comparison.reversed : comparison, value)
    }
}

extension PredicateExpressions.SequenceContains: TranslatedExpression {
    /// A property whose value is in a sequence, or a property that has a value in its sequence.
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition? {
        guard let operand = translation.operand(element), let values = translation.constant(sequence) else { return has(translation) }
        var spans: [KeySpan] = []
        var list: [Any] = []
        for value in values {
            guard let more = KeySpans(.equal, any: value) else { return nil }
            spans += more.spans
            list.append(value)
        }
        return operand.test(.union(spans), "in \(ConditionText.list(list))")
    }

    private func has<Object>(_ translation: PredicateTranslation<Object>) -> Condition? {
        guard let property = sequence as? PredicateExpressions.KeyPath<PredicateExpressions.Variable<Object>, LHS.Output>,
            translation.isObject(property.root.key), let value = translation.constant(element), let spans = KeySpans(.equal, any: value)
        else { return nil }
        let keyPath = property.keyPath
        return ObjectCondition(keyPath, "contains \(ConditionText.value(value))") { object in
            object[keyPath: keyPath].contains { KeySpans.element(any: $0).map(spans.contains) ?? false }
        }
        .condition
    }
}

extension PredicateExpressions.RangeExpressionContains: TranslatedExpression {
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition? {
        guard let operand = translation.operand(element), let bounds = translation.constant(range) as? any BoundedRange else { return nil }
        let tests = bounds.comparisons.map { operand.test($0, $1) }
        return tests.contains(where: { $0 == nil }) ? nil : .allOf(tests.compactMap { $0 })
    }
}

/// A range by its bounds.
protocol BoundedRange {
    var comparisons: [(ValueComparison, Any)] { get }
}

extension Range: BoundedRange {
    var comparisons: [(ValueComparison, Any)] { [(.greaterOrEqual, lowerBound), (.less, upperBound)] }
}

extension ClosedRange: BoundedRange {
    var comparisons: [(ValueComparison, Any)] { [(.greaterOrEqual, lowerBound), (.lessOrEqual, upperBound)] }
}

extension PredicateExpressions.SequenceStartsWith: TranslatedExpression {
    /// Text that begins with other text.
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition? {
        guard let operand = translation.operand(base), let prefix = translation.constant(prefix) as? String else { return nil }
        return operand.test(KeySpans(prefix: prefix), "begins with \(ConditionText.value(prefix))")
    }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatedExpression {
    /// Text that contains other text.
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition? {
        guard let operand = translation.operand(base), let part = translation.constant(other) as? String,
            let keyPath = operand.property?.keyPath as? KeyPath<Object, String>
        else { return nil }
        return ObjectCondition.contains(keyPath, part).condition
    }
}
