import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Translates Foundation's `Predicate` into a ``Condition``.
///
/// A comparison of a property with a value becomes a test of keys, which an index can answer; `&&`, `||`, `!`, `if`, `?:` and `??` keep
/// their meaning. Foundation evaluates any other part for each object.
struct PredicateTranslation<Object: StoredObject> {
    /// What the object is called in the predicate, or in a closure about the target of a relationship.
    private let variable: PredicateExpressions.VariableID
    /// Evaluates a part that cannot be translated.
    private let evaluate: ((any PredicateExpression<Bool>) -> OtherTest)?
    /// What the variables of inner closures stand for.
    private var inner: [PredicateExpressions.VariableID: PredicateOperand] = [:]

    /// For the closure about the target of a relationship: parts that cannot be translated are evaluated together with what surrounds it.
    init(inner variable: PredicateExpressions.VariableID) {
        self.variable = variable
        evaluate = nil
    }

    private init(_ variable: PredicateExpressions.Variable<Object>) {
        self.variable = variable.key
        evaluate = { part in
            OtherTest(PredicateText.text(part), isForeign: true) { (object: Object) in
                try Self.openedValue(part, PredicateBindings((variable, object)))
            }
        }
    }

    private static func openedValue(_ part: any PredicateExpression<Bool>, _ bindings: PredicateBindings) throws -> Bool {
        func open<Part: PredicateExpression<Bool>>(_ part: Part) throws -> Bool { try part.evaluate(bindings) }
        return try open(part)
    }

    static func condition(_ predicate: Predicate<Object>) -> Condition {
        let translation = PredicateTranslation(predicate.variable)
        return translation.openedCondition(predicate.expression) ?? .always(false)
    }

    private func openedCondition(_ expression: any PredicateExpression<Bool>) -> Condition? {
        func open<Part: PredicateExpression<Bool>>(_ part: Part) -> Condition? { condition(part) }
        return open(expression)
    }

    /// The condition of a boolean part. `nil` only inside closures, for parts that can be evaluated only together with what surrounds them.
    func condition<Part: PredicateExpression>(_ part: Part) -> Condition? {
        if let constant = constant(part) as? Bool { return .always(constant) }
        if let known = part as? any TranslatedExpression, let condition = known.condition(self) { return condition }
        guard inner.isEmpty, let evaluate, let part = part as? any PredicateExpression<Bool> else { return nil }
        return .other(evaluate(part))
    }

    func operand<Part: PredicateExpression>(_ part: Part) -> PredicateOperand? {
        (part as? any TranslatedExpression)?.operand(self)
    }

    /// The value of a part that doesn't depend on the object.
    func constant<Part: PredicateExpression>(_ part: Part) -> Part.Output? { try? part.evaluate(PredicateBindings()) }

    func isObject(_ id: PredicateExpressions.VariableID) -> Bool { variable == id }
    func operand(_ id: PredicateExpressions.VariableID) -> PredicateOperand? { inner[id] }

    func with(_ id: PredicateExpressions.VariableID, _ operand: PredicateOperand) -> PredicateTranslation {
        var translation = self
        translation.inner[id] = operand
        return translation
    }

    func relationship<Part: PredicateExpression>(of part: Part) -> (any PredicateRelationship)? {
        (part as? any TranslatedExpression)?.relationship(self)
    }

    /// The condition that a relationship on either side leads to no object, if the other side is `nil`.
    func isNil<Left: PredicateExpression, Right: PredicateExpression>(_ left: Left, _ right: Right) -> Condition? {
        if let relationship = relationship(of: left), isNil(right) { return relationship.link(to: nil, of: nil) }
        if let relationship = relationship(of: right), isNil(left) { return relationship.link(to: nil, of: nil) }
        return nil
    }

    private func isNil<Part: PredicateExpression>(_ part: Part) -> Bool {
        // In a box, because casting `nil` itself fails.
        let value: Any = constant(part) as Any
        guard let constant = (value as? any OptionalType)?.anyValue else { return false }
        return (constant as? any OptionalType).map { $0.anyValue == nil } ?? false
    }

    /// The property and the value that it is compared with, whichever side each is on.
    func sides<Left: PredicateExpression, Right: PredicateExpression>(
        _ left: Left,
        _ right: Right
    ) -> (operand: PredicateOperand, value: Any, isReversed: Bool)? {
        if let operand = operand(left), let value = constant(right) { return (operand, value, false) }
        if let operand = operand(right), let value = constant(left) { return (operand, value, true) }
        return nil
    }
}

/// A property in a predicate, of the object or of one that it refers to.
struct PredicateOperand {
    let name: String
    /// The condition that the key of its value lies in spans.
    let makeTest: (_ spans: KeySpans, _ what: @escaping () -> String) -> Condition
    /// The property, if it is one of the object.
    var property: ConditionProperty?
    /// What `nil` counts as.
    var whenNil: WhenNil = .itself

    init(_ property: ConditionProperty) {
        self.property = property
        name = property.name
        makeTest = { spans, what in .value(ValueTest(property, spans, "\(property.name) \(what())")) }
    }

    init(_ name: String, _ makeTest: @escaping (_ spans: KeySpans, _ what: @escaping () -> String) -> Condition) {
        self.name = name
        self.makeTest = makeTest
    }

    enum WhenNil {
        case itself
        /// It cannot occur: after `!`, and within the closure of `flatMap` or `if let`.
        case absent
        /// The key of the value after `??`.
        case value([UInt8])
    }

    func test(_ spans: KeySpans, _ what: @autoclosure @escaping () -> String) -> Condition {
        let adjusted: KeySpans =
            switch whenNil {
            case .itself: spans
            case .absent: spans.intersection(.notNull)
            case .value(let key): spans.contains(key) ? spans.union(.null) : spans.intersection(.notNull)
            }
        return makeTest(adjusted, what)
    }

    func test(_ comparison: ValueComparison, _ value: Any) -> Condition? {
        KeySpans(comparison, any: value).map { test($0, "\(comparison.text) \(ConditionText.value(value))") }
    }
}

extension KeySpans {
    /// `nil` if keys cannot decide the comparison.
    init?(_ comparison: ValueComparison, any value: Any) {
        if let optional = value as? any OptionalType {
            guard let value = optional.anyValue else {
                self = comparison == .equal ? .null : .none
                return
            }
            self.init(comparison, any: value)
        } else {
            guard let key = value as? any KeyCodable, let spans = Self.spans(comparison, key) else { return nil }
            self = spans
        }
    }

    private static func spans(_ comparison: ValueComparison, _ value: some KeyCodable) -> KeySpans? { KeySpans(comparison, value) }

    static func element(any value: Any) -> [UInt8]? {
        if let optional = value as? any OptionalType { return optional.anyValue.map { element(any: $0) } ?? [0x00] }
        return (value as? any KeyCodable).map { element($0) }
    }
}

/// The parts of predicates that can be translated.
protocol TranslatedExpression {
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition?
    func operand<Object>(_ translation: PredicateTranslation<Object>) -> PredicateOperand?
    func relationship<Object>(_ translation: PredicateTranslation<Object>) -> (any PredicateRelationship)?
}

extension TranslatedExpression {
    /// A boolean property.
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition? { operand(translation)?.test(.equal, true) }
    func operand<Object>(_ translation: PredicateTranslation<Object>) -> PredicateOperand? { nil }
    func relationship<Object>(_ translation: PredicateTranslation<Object>) -> (any PredicateRelationship)? { nil }
}
