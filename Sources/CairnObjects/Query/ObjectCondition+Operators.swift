/// Both conditions.
public func && <Object: StoredObject>(one: ObjectCondition<Object>, other: ObjectCondition<Object>) -> ObjectCondition<Object> {
    ObjectCondition(.allOf([one.condition, other.condition]))
}

/// One of the conditions, or both.
public func || <Object: StoredObject>(one: ObjectCondition<Object>, other: ObjectCondition<Object>) -> ObjectCondition<Object> {
    ObjectCondition(.anyOf([one.condition, other.condition]))
}

/// Not the condition: objects whose value is `nil` too, where it asks for another.
public prefix func ! <Object: StoredObject>(condition: ObjectCondition<Object>) -> ObjectCondition<Object> {
    ObjectCondition(condition.condition.negated)
}

// MARK: Equality

/// Objects with this value.
public func == <Object: StoredObject, Value: KeyCodable & Equatable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<
    Object
> {
    // Equality is told by the keys of all types.
    ObjectCondition(keyPath, KeySpans(.equal, value) ?? .none, "= \(ConditionText.value(value))")
}

/// Objects with this value, of a type that is no key: each object is asked.
@_disfavoredOverload
public func == <Object: StoredObject, Value: Equatable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<Object> {
    ObjectCondition(keyPath, "= \(ConditionText.value(value))") { $0[keyPath: keyPath] == value }
}

/// Objects with another value, or none.
public func != <Object: StoredObject, Value: KeyCodable & Equatable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<
    Object
> {
    !(keyPath == value)
}

/// Objects with another value, or none.
@_disfavoredOverload
public func != <Object: StoredObject, Value: Equatable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<Object> {
    !(keyPath == value)
}

// MARK: Order

extension ObjectCondition {
    fileprivate init<Value: KeyCodable & Comparable>(_ keyPath: KeyPath<Object, Value>, _ comparison: ValueComparison, _ value: Value) {
        let text = "\(comparison.text) \(ConditionText.value(value))"
        if let spans = KeySpans(comparison, value) {
            self.init(keyPath, spans, text)
        } else {
            self.init(keyPath, text) { comparison.holds($0[keyPath: keyPath], value) }
        }
    }

    fileprivate init<Value: KeyCodable & Comparable>(_ keyPath: KeyPath<Object, Value?>, _ comparison: ValueComparison, _ value: Value) {
        let text = "\(comparison.text) \(ConditionText.value(value))"
        if let spans = KeySpans(comparison, value) {
            self.init(keyPath, spans, text)
        } else {
            self.init(keyPath, text) { object in object[keyPath: keyPath].map { comparison.holds($0, value) } ?? false }
        }
    }

    fileprivate init<Value: Comparable>(other keyPath: KeyPath<Object, Value>, _ comparison: ValueComparison, _ value: Value) {
        self.init(keyPath, "\(comparison.text) \(ConditionText.value(value))") { comparison.holds($0[keyPath: keyPath], value) }
    }

    fileprivate init<Value: Comparable>(other keyPath: KeyPath<Object, Value?>, _ comparison: ValueComparison, _ value: Value) {
        self.init(keyPath, "\(comparison.text) \(ConditionText.value(value))") { object in
            object[keyPath: keyPath].map { comparison.holds($0, value) } ?? false
        }
    }
}

extension ValueComparison {
    /// By the type's own order.
    func holds<Value: Comparable>(_ one: Value, _ other: Value) -> Bool {
        switch self {
        case .equal: one == other
        case .less: one < other
        case .lessOrEqual: one <= other
        case .greater: one > other
        case .greaterOrEqual: one >= other
        }
    }
}

/// Objects whose value is less than `value`.
public func < <Object: StoredObject, Value: KeyCodable & Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<
    Object
> {
    ObjectCondition(keyPath, .less, value)
}

/// Objects whose value, of a type that is no key, is less than `value`: each object is asked.
@_disfavoredOverload
public func < <Object: StoredObject, Value: Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<Object> {
    ObjectCondition(other: keyPath, .less, value)
}

/// Objects whose value is less than `value`; `nil` is not.
public func < <Object: StoredObject, Value: KeyCodable & Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> ObjectCondition<
    Object
> {
    ObjectCondition(keyPath, .less, value)
}

/// Objects whose value, of a type that is no key, is less than `value`; `nil` is not: each object is asked.
@_disfavoredOverload
public func < <Object: StoredObject, Value: Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> ObjectCondition<Object> {
    ObjectCondition(other: keyPath, .less, value)
}

/// Objects whose value is less than `value`, or equal.
public func <= <Object: StoredObject, Value: KeyCodable & Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<
    Object
> {
    ObjectCondition(keyPath, .lessOrEqual, value)
}

/// Objects whose value, of a type that is no key, is less than `value`, or equal: each object is asked.
@_disfavoredOverload
public func <= <Object: StoredObject, Value: Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<Object> {
    ObjectCondition(other: keyPath, .lessOrEqual, value)
}

/// Objects whose value is less than `value`, or equal; `nil` is not.
public func <= <Object: StoredObject, Value: KeyCodable & Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> ObjectCondition<
    Object
> {
    ObjectCondition(keyPath, .lessOrEqual, value)
}

/// Objects whose value, of a type that is no key, is less than `value`, or equal; `nil` is not: each object is asked.
@_disfavoredOverload
public func <= <Object: StoredObject, Value: Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> ObjectCondition<Object> {
    ObjectCondition(other: keyPath, .lessOrEqual, value)
}

/// Objects whose value is greater than `value`.
public func > <Object: StoredObject, Value: KeyCodable & Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<
    Object
> {
    ObjectCondition(keyPath, .greater, value)
}

/// Objects whose value, of a type that is no key, is greater than `value`: each object is asked.
@_disfavoredOverload
public func > <Object: StoredObject, Value: Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<Object> {
    ObjectCondition(other: keyPath, .greater, value)
}

/// Objects whose value is greater than `value`; `nil` is not.
public func > <Object: StoredObject, Value: KeyCodable & Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> ObjectCondition<
    Object
> {
    ObjectCondition(keyPath, .greater, value)
}

/// Objects whose value, of a type that is no key, is greater than `value`; `nil` is not: each object is asked.
@_disfavoredOverload
public func > <Object: StoredObject, Value: Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> ObjectCondition<Object> {
    ObjectCondition(other: keyPath, .greater, value)
}

/// Objects whose value is greater than `value`, or equal.
public func >= <Object: StoredObject, Value: KeyCodable & Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<
    Object
> {
    ObjectCondition(keyPath, .greaterOrEqual, value)
}

/// Objects whose value, of a type that is no key, is greater than `value`, or equal: each object is asked.
@_disfavoredOverload
public func >= <Object: StoredObject, Value: Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<Object> {
    ObjectCondition(other: keyPath, .greaterOrEqual, value)
}

/// Objects whose value is greater than `value`, or equal; `nil` is not.
public func >= <Object: StoredObject, Value: KeyCodable & Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> ObjectCondition<
    Object
> {
    ObjectCondition(keyPath, .greaterOrEqual, value)
}

/// Objects whose value, of a type that is no key, is greater than `value`, or equal; `nil` is not: each object is asked.
@_disfavoredOverload
public func >= <Object: StoredObject, Value: Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> ObjectCondition<Object> {
    ObjectCondition(other: keyPath, .greaterOrEqual, value)
}
