import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The parts of predicates that stand for a value.

protocol VariableExpression {
    var key: PredicateExpressions.VariableID { get }
}

extension PredicateExpressions.Variable: VariableExpression, TranslatedExpression {
    func operand<Object>(_ translation: PredicateTranslation<Object>) -> PredicateOperand<Object>? { translation.operand(key) }
}

extension PredicateExpressions.KeyPath: TranslatedExpression {
    func operand<Object>(_ translation: PredicateTranslation<Object>) -> PredicateOperand<Object>? {
        guard let variable = root as? any VariableExpression, translation.isObject(variable.key),
            let type = Output.self as? any KeyCodable.Type
        else { return nil }
        func open<Value: KeyCodable>(_ type: Value.Type) -> PredicateOperand<Object>? {
            ((keyPath as AnyKeyPath) as? KeyPath<Object, Value>).map { PredicateOperand(property: ConditionProperty($0)) }
        }
        return open(type)
    }
}

extension PredicateExpressions.ForcedUnwrap: TranslatedExpression {
    func operand<Object>(_ translation: PredicateTranslation<Object>) -> PredicateOperand<Object>? {
        var operand = translation.operand(inner)
        operand?.whenNil = .absent
        return operand
    }
}

extension PredicateExpressions.NilCoalesce: TranslatedExpression {
    func operand<Object>(_ translation: PredicateTranslation<Object>) -> PredicateOperand<Object>? {
        guard var operand = translation.operand(lhs), let value = translation.constant(rhs), let key = KeySpans.element(any: value),
            key != [0x00]
        else { return nil }
        operand.whenNil = .value(key)
        return operand
    }

    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition<Object>? {
        if let operand = operand(translation) { return operand.test(.equal, true) }
        guard let map = lhs as? any FlatMapExpression, let (there, isThere) = map.parts(translation),
            let otherwise = translation.condition(rhs)
        else { return nil }
        return .anyOf([.allOf([isThere, there]), .allOf([isThere.negated, otherwise])])
    }
}

/// `flatMap` and `if let`.
protocol FlatMapExpression {
    /// The closure's condition on the value, and the condition that there is one.
    func parts<Object>(_ translation: PredicateTranslation<Object>) -> (there: Condition<Object>, isThere: Condition<Object>)?
}

extension PredicateExpressions.OptionalFlatMap: FlatMapExpression {
    func parts<Object>(_ translation: PredicateTranslation<Object>) -> (there: Condition<Object>, isThere: Condition<Object>)? {
        guard var operand = translation.operand(wrapped) else { return nil }
        let isThere = operand.test(.notNull, "is not nil")
        operand.whenNil = .absent
        guard let there = translation.with(variable.key, operand).condition(transform) else { return nil }
        return (there, isThere)
    }
}
