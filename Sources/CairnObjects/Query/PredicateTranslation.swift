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
    private let variable: PredicateExpressions.Variable<Object>
    /// What the variables of inner closures stand for.
    private var inner: [PredicateExpressions.VariableID: PredicateOperand<Object>] = [:]

    private init(_ variable: PredicateExpressions.Variable<Object>) { self.variable = variable }

    static func condition(_ predicate: Predicate<Object>) -> Condition<Object> {
        let translation = PredicateTranslation(predicate.variable)
        return translation.openedCondition(predicate.expression) ?? .always(false)
    }

    private func openedCondition(_ expression: any PredicateExpression<Bool>) -> Condition<Object>? {
        func open<Part: PredicateExpression<Bool>>(_ part: Part) -> Condition<Object>? { condition(part) }
        return open(expression)
    }

    /// The condition of a boolean part. `nil` only inside closures, for parts that can be evaluated only together with what surrounds them.
    func condition<Part: PredicateExpression>(_ part: Part) -> Condition<Object>? {
        if let constant = constant(part) as? Bool { return .always(constant) }
        if let known = part as? any TranslatedExpression, let condition = known.condition(self) { return condition }
        guard inner.isEmpty else { return nil }
        let variable = variable
        return .other(
            OtherTest(Self.text(part), isForeign: true) { object in
                guard let value = try part.evaluate(PredicateBindings((variable, object))) as? Bool else { return false }
                return value
            }
        )
    }

    /// Foundation's description of a part, with properties of the class by name.
    private static func text<Part: PredicateExpression>(_ part: Part) -> String {
        Object.objectSchema.properties.reduce("\(part)") { $0.replacing("\($1.keyPath)", with: $1.name) }
    }

    func operand<Part: PredicateExpression>(_ part: Part) -> PredicateOperand<Object>? {
        (part as? any TranslatedExpression)?.operand(self)
    }

    /// The value of a part that doesn't depend on the object.
    func constant<Part: PredicateExpression>(_ part: Part) -> Part.Output? { try? part.evaluate(PredicateBindings()) }

    func isObject(_ id: PredicateExpressions.VariableID) -> Bool { variable.key == id }
    func operand(_ id: PredicateExpressions.VariableID) -> PredicateOperand<Object>? { inner[id] }

    func with(_ id: PredicateExpressions.VariableID, _ operand: PredicateOperand<Object>) -> PredicateTranslation {
        var translation = self
        translation.inner[id] = operand
        return translation
    }

    /// The property and the value that it is compared with, whichever side each is on.
    func sides<Left: PredicateExpression, Right: PredicateExpression>(
        _ left: Left,
        _ right: Right
    ) -> (operand: PredicateOperand<Object>, value: Any, isReversed: Bool)? {
        if let operand = operand(left), let value = constant(right) { return (operand, value, false) }
        if let operand = operand(right), let value = constant(left) { return (operand, value, true) }
        return nil
    }
}

/// A property in a predicate.
struct PredicateOperand<Object: StoredObject> {
    let property: ConditionProperty<Object>
    /// What `nil` counts as.
    var whenNil: WhenNil = .itself

    enum WhenNil {
        case itself
        /// It cannot occur: after `!`, and within the closure of `flatMap` or `if let`.
        case absent
        /// The key of the value after `??`.
        case value([UInt8])
    }

    func test(_ spans: KeySpans, _ what: String) -> Condition<Object> {
        let adjusted: KeySpans =
            switch whenNil {
            case .itself: spans
            case .absent: spans.intersection(.notNull)
            case .value(let key): spans.contains(key) ? spans.union(.null) : spans.intersection(.notNull)
            }
        return .value(ValueTest(property: property, spans: adjusted, text: "\(property.name) \(what)"))
    }

    func test(_ comparison: ValueComparison, _ value: Any) -> Condition<Object>? {
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
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition<Object>?
    func operand<Object>(_ translation: PredicateTranslation<Object>) -> PredicateOperand<Object>?
}

extension TranslatedExpression {
    /// A boolean property.
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition<Object>? { operand(translation)?.test(.equal, true) }
    func operand<Object>(_ translation: PredicateTranslation<Object>) -> PredicateOperand<Object>? { nil }
}
