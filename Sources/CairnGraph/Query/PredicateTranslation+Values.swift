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
    func operand<Object>(_ translation: PredicateTranslation<Object>) -> PredicateOperand? { translation.operand(key) }
}

extension PredicateExpressions.KeyPath: TranslatedExpression {
    func operand<Object>(_ translation: PredicateTranslation<Object>) -> PredicateOperand? {
        guard let type = Output.self as? any KeyCodable.Type else { return nil }
        if let variable = root as? any VariableExpression, translation.isObject(variable.key) {
            return translation.operand(keyPath, type)
        }
        // A property after `!`, as in `$0.owner!.name`.
        guard let unwrapped = root as? any UnwrapExpression, let relationship = unwrapped.relationship(translation) else { return nil }
        return relationship.operand(keyPath, type)
    }

    func relationship<Object>(_ translation: PredicateTranslation<Object>) -> (any PredicateRelationship)? {
        guard let variable = root as? any VariableExpression, translation.isObject(variable.key) else { return nil }
        return translation.relationship(keyPath)
    }
}

/// `!`.
protocol UnwrapExpression {
    func relationship<Object>(_ translation: PredicateTranslation<Object>) -> (any PredicateRelationship)?
}

extension PredicateExpressions.ForcedUnwrap: UnwrapExpression {
    func relationship<Object>(_ translation: PredicateTranslation<Object>) -> (any PredicateRelationship)? {
        (inner as? any TranslatedExpression)?.relationship(translation)
    }
}

extension PredicateExpressions.ForcedUnwrap: TranslatedExpression {
    func operand<Object>(_ translation: PredicateTranslation<Object>) -> PredicateOperand? {
        var operand = translation.operand(inner)
        operand?.whenNil = .absent
        return operand
    }
}

extension PredicateExpressions.NilCoalesce: TranslatedExpression {
    func operand<Object>(_ translation: PredicateTranslation<Object>) -> PredicateOperand? {
        guard var operand = translation.operand(lhs), let value = translation.constant(rhs), let key = KeySpans.element(any: value),
            key != [0x00]
        else { return nil }
        operand.whenNil = .value(key)
        return operand
    }

    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition? {
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
    func parts<Object>(_ translation: PredicateTranslation<Object>) -> (there: Condition, isThere: Condition)?
}

extension PredicateExpressions.OptionalFlatMap: TranslatedExpression {
    /// A property after `?`, as in `$0.owner?.name`.
    func operand<Object>(_ translation: PredicateTranslation<Object>) -> PredicateOperand? {
        (wrapped as? any TranslatedExpression)?.relationship(translation)?.operand(variable.key, transform)
    }
}

extension PredicateExpressions.OptionalFlatMap: FlatMapExpression {
    func parts<Object>(_ translation: PredicateTranslation<Object>) -> (there: Condition, isThere: Condition)? {
        if let relationship = (wrapped as? any TranslatedExpression)?.relationship(translation) {
            return relationship.parts(variable.key, transform)
        }
        guard var operand = translation.operand(wrapped) else { return nil }
        let isThere = operand.test(.notNull, "is not nil")
        operand.whenNil = .absent
        guard let there = translation.with(variable.key, operand).condition(transform) else { return nil }
        return (there, isThere)
    }
}
