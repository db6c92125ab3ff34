import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Parts of predicates that go through a relationship.

/// A relationship in a predicate.
protocol PredicateRelationship {
    /// A property of the target, after `!`.
    func operand(_ keyPath: AnyKeyPath, _ type: any KeyCodable.Type) -> PredicateOperand?
    /// The result of a closure on the target: the part after `?`.
    func operand(_ variable: PredicateExpressions.VariableID, _ transform: any PredicateExpression) -> PredicateOperand?
    /// A closure's condition on the target, and the condition that there is one.
    func parts(_ variable: PredicateExpressions.VariableID, _ transform: any PredicateExpression) -> (
        there: Condition, isThere: Condition
    )?
    /// The condition that it leads to an object or, if that is `nil`, to none.
    func link(to target: ObjectID?, of store: UUID?) -> Condition?
    /// The condition that one of the targets, or all, meet a closure's condition.
    func condition(_ variable: PredicateExpressions.VariableID, _ test: any PredicateExpression<Bool>, ofAll: Bool) -> Condition?
}

private struct TypedRelationship<Target: StoredObject>: PredicateRelationship {
    let index: Int
    let name: String
    let isToOne: Bool

    private func join(_ condition: Condition, whenNil: Bool) -> Condition {
        .join(JoinTest(index, name, Target.self, condition, isToOne: isToOne, whenNil: whenNil))
    }

    private func operand(_ operand: PredicateOperand) -> PredicateOperand {
        PredicateOperand("\(name).\(operand.name)") { spans, what in
            // A property of no object is nil.
            join(operand.test(spans, what()), whenNil: spans.contains([0x00]))
        }
    }

    func operand(_ keyPath: AnyKeyPath, _ type: any KeyCodable.Type) -> PredicateOperand? {
        guard let operand = PredicateTranslation<Target>.operand(keyPath, type) else { return nil }
        // No comparison holds without an object.
        return PredicateOperand("\(name).\(operand.name)") { spans, what in join(operand.test(spans, what()), whenNil: false) }
    }

    func operand(_ variable: PredicateExpressions.VariableID, _ transform: any PredicateExpression) -> PredicateOperand? {
        (transform as? any TranslatedExpression)?.operand(PredicateTranslation<Target>(inner: variable)).map(operand)
    }

    func parts(_ variable: PredicateExpressions.VariableID, _ transform: any PredicateExpression) -> (
        there: Condition, isThere: Condition
    )? {
        guard let test = transform as? any PredicateExpression<Bool>, let condition = inner(variable, test) else { return nil }
        return (join(condition, whenNil: false), .link(LinkTest(property: index, name: name, target: nil, isNegated: true)))
    }

    func link(to target: ObjectID?, of store: UUID?) -> Condition? {
        guard isToOne || target != nil else { return nil }
        return .link(LinkTest(property: index, name: name, target: nil, targetID: target, targetStore: store))
    }

    func condition(_ variable: PredicateExpressions.VariableID, _ test: any PredicateExpression<Bool>, ofAll: Bool) -> Condition? {
        guard let condition = inner(variable, test) else { return nil }
        return ofAll ? join(condition.negated, whenNil: false).negated : join(condition, whenNil: false)
    }

    private func inner(_ variable: PredicateExpressions.VariableID, _ test: any PredicateExpression<Bool>) -> Condition? {
        func open<Part: PredicateExpression<Bool>>(_ part: Part) -> Condition? {
            PredicateTranslation<Target>(inner: variable).condition(part)
        }
        return open(test)
    }
}

extension PredicateTranslation {
    /// A property of the object.
    static func operand(_ keyPath: AnyKeyPath, _ type: any KeyCodable.Type) -> PredicateOperand? {
        func open<Value: KeyCodable>(_ type: Value.Type) -> PredicateOperand? {
            (keyPath as? KeyPath<Object, Value>).map { PredicateOperand(ConditionProperty($0)) }
        }
        return open(type)
    }

    func operand(_ keyPath: AnyKeyPath, _ type: any KeyCodable.Type) -> PredicateOperand? { Self.operand(keyPath, type) }

    /// A relationship of the object to objects of one class.
    func relationship(_ keyPath: AnyKeyPath) -> (any PredicateRelationship)? {
        guard let keyPath = keyPath as? PartialKeyPath<Object> else { return nil }
        let place = PropertyPlace(keyPath)
        guard let index = place.relationshipIndex, case .relationship(let relationship) = Object.objectSchema.properties[index].kind,
            let target = relationship.target
        else { return nil }
        func open<Target: StoredObject>(_ type: Target.Type) -> any PredicateRelationship {
            TypedRelationship<Target>(index: index, name: place.name, isToOne: place.isToOne)
        }
        return open(target)
    }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatedExpression {
    /// A relationship one of whose objects meets a condition.
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition? {
        (sequence as? any TranslatedExpression)?.relationship(translation)?.condition(variable.key, test, ofAll: false)
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatedExpression {
    /// A relationship all of whose objects meet a condition.
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition? {
        (sequence as? any TranslatedExpression)?.relationship(translation)?.condition(variable.key, test, ofAll: true)
    }
}
