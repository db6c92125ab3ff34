/// Objects that meet both conditions.
public func && <Object: StoredObject>(one: ObjectCondition<Object>, other: ObjectCondition<Object>) -> ObjectCondition<Object> {
    ObjectCondition(.allOf([one.condition, other.condition]))
}

/// Objects that meet either condition, or both.
public func || <Object: StoredObject>(one: ObjectCondition<Object>, other: ObjectCondition<Object>) -> ObjectCondition<Object> {
    ObjectCondition(.anyOf([one.condition, other.condition]))
}

/// Objects that don't meet the condition. A negated comparison with a value other than `nil` also matches objects whose value is `nil`.
public prefix func ! <Object: StoredObject>(condition: ObjectCondition<Object>) -> ObjectCondition<Object> {
    ObjectCondition(condition.condition.negated)
}

// MARK: Equality

/// Objects whose value is `value`.
public func == <Object: StoredObject, Value: KeyCodable & Equatable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<
    Object
> {
    // The keys of every type decide equality.
    ObjectCondition(keyPath, KeySpans(.equal, value) ?? .none, "= \(ConditionText.value(value))")
}

/// Objects whose value is `value`. For types that are not `KeyCodable`, such as lists, which compare by their own `==`; evaluated for each object.
@_disfavoredOverload
public func == <Object: StoredObject, Value: Equatable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<Object> {
    ObjectCondition(keyPath, "= \(ConditionText.value(value))") { $0[keyPath: keyPath] == value }
}

/// Objects whose value is not `value`, including `nil`.
public func != <Object: StoredObject, Value: KeyCodable & Equatable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<
    Object
> {
    !(keyPath == value)
}

/// Objects whose value is not `value`, including `nil`.
@_disfavoredOverload
public func != <Object: StoredObject, Value: Equatable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<Object> {
    !(keyPath == value)
}

// MARK: Order

extension ObjectCondition {
    fileprivate init<Value: KeyCodable & Comparable>(_ keyPath: KeyPath<Object, Value>, _ comparison: ValueComparison, _ value: Value) {
        if let spans = KeySpans(comparison, value) {
            self.init(keyPath, spans, "\(comparison.text) \(ConditionText.value(value))")
        } else {
            self.init(keyPath, "\(comparison.text) \(ConditionText.value(value))") { comparison.holds($0[keyPath: keyPath], value) }
        }
    }

    fileprivate init<Value: KeyCodable & Comparable>(_ keyPath: KeyPath<Object, Value?>, _ comparison: ValueComparison, _ value: Value) {
        if let spans = KeySpans(comparison, value) {
            self.init(keyPath, spans, "\(comparison.text) \(ConditionText.value(value))")
        } else {
            self.init(keyPath, "\(comparison.text) \(ConditionText.value(value))") { object in
                object[keyPath: keyPath].map { comparison.holds($0, value) } ?? false
            }
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

/// Objects whose value is less than `value`. For types that are not `KeyCodable`; evaluated for each object.
@_disfavoredOverload
public func < <Object: StoredObject, Value: Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<Object> {
    ObjectCondition(other: keyPath, .less, value)
}

/// Objects whose value is less than `value`; `nil` never is.
public func < <Object: StoredObject, Value: KeyCodable & Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> ObjectCondition<
    Object
> {
    ObjectCondition(keyPath, .less, value)
}

/// Objects whose value is less than `value`; `nil` never is. For types that are not `KeyCodable`; evaluated for each object.
@_disfavoredOverload
public func < <Object: StoredObject, Value: Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> ObjectCondition<Object> {
    ObjectCondition(other: keyPath, .less, value)
}

/// Objects whose value is less than or equal to `value`.
public func <= <Object: StoredObject, Value: KeyCodable & Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<
    Object
> {
    ObjectCondition(keyPath, .lessOrEqual, value)
}

/// Objects whose value is less than or equal to `value`. For types that are not `KeyCodable`; evaluated for each object.
@_disfavoredOverload
public func <= <Object: StoredObject, Value: Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<Object> {
    ObjectCondition(other: keyPath, .lessOrEqual, value)
}

/// Objects whose value is less than or equal to `value`; `nil` never is.
public func <= <Object: StoredObject, Value: KeyCodable & Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> ObjectCondition<
    Object
> {
    ObjectCondition(keyPath, .lessOrEqual, value)
}

/// Objects whose value is less than or equal to `value`; `nil` never is. For types that are not `KeyCodable`; evaluated for each object.
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

/// Objects whose value is greater than `value`. For types that are not `KeyCodable`; evaluated for each object.
@_disfavoredOverload
public func > <Object: StoredObject, Value: Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<Object> {
    ObjectCondition(other: keyPath, .greater, value)
}

/// Objects whose value is greater than `value`; `nil` never is.
public func > <Object: StoredObject, Value: KeyCodable & Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> ObjectCondition<
    Object
> {
    ObjectCondition(keyPath, .greater, value)
}

/// Objects whose value is greater than `value`; `nil` never is. For types that are not `KeyCodable`; evaluated for each object.
@_disfavoredOverload
public func > <Object: StoredObject, Value: Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> ObjectCondition<Object> {
    ObjectCondition(other: keyPath, .greater, value)
}

/// Objects whose value is greater than or equal to `value`.
public func >= <Object: StoredObject, Value: KeyCodable & Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<
    Object
> {
    ObjectCondition(keyPath, .greaterOrEqual, value)
}

/// Objects whose value is greater than or equal to `value`. For types that are not `KeyCodable`; evaluated for each object.
@_disfavoredOverload
public func >= <Object: StoredObject, Value: Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> ObjectCondition<Object> {
    ObjectCondition(other: keyPath, .greaterOrEqual, value)
}

/// Objects whose value is greater than or equal to `value`; `nil` never is.
public func >= <Object: StoredObject, Value: KeyCodable & Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> ObjectCondition<
    Object
> {
    ObjectCondition(keyPath, .greaterOrEqual, value)
}

/// Objects whose value is greater than or equal to `value`; `nil` never is. For types that are not `KeyCodable`; evaluated for each object.
@_disfavoredOverload
public func >= <Object: StoredObject, Value: Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> ObjectCondition<Object> {
    ObjectCondition(other: keyPath, .greaterOrEqual, value)
}
