import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How a property is compared with a value.
enum ValueComparison {
    case equal, less, lessOrEqual, greater, greaterOrEqual

    var text: String {
        switch self {
        case .equal: "="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }

    /// The comparison with its sides swapped.
    var reversed: ValueComparison {
        switch self {
        case .equal: .equal
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

/// What the keys of a type say about its values.
enum KeyMeaning {
    /// Keys have the order of the values.
    case order
    /// Keys have the order of the values, except that NaN is neither equal to nor less than anything, and the two zeros are equal.
    case number
    /// Equal values have equal keys, but the order may differ: an enumeration need not be ordered like its raw values.
    case identity

    init(_ type: Any.Type) {
        let type = (type as? any OptionalType.Type)?.wrappedType ?? type
        if type is any FixedWidthInteger.Type || type == String.self || type == Substring.self || type == UUID.self {
            self = .order
        } else if type == Double.self || type == Float.self || type == Date.self {
            self = .number
        } else {
            self = .identity
        }
    }
}

/// `Optional`, whatever it wraps.
protocol OptionalType {
    static var wrappedType: Any.Type { get }
    /// The value, or `nil` if there is none.
    var anyValue: Any? { get }
}

extension Optional: OptionalType {
    static var wrappedType: Any.Type { Wrapped.self }
    var anyValue: Any? { self }
}

extension KeySpans {
    /// The values that compare with `value` as given; `nil` if keys cannot decide that. A `nil` value is equal to `nil`, and neither less
    /// nor greater than anything.
    init?<Value: KeyCodable>(_ comparison: ValueComparison, _ value: Value) {
        let key = Self.element(value)
        guard key != [0x00] else {
            self = comparison == .equal ? .null : .none
            return
        }
        switch KeyMeaning(Value.self) {
        case .identity:
            guard comparison == .equal else { return nil }
            self = KeySpans([.point(key)])
        case .order:
            self = Self.spans(comparison, key, key, [0x01], KeySpan.end)
        case .number:
            guard let limits = NumberLimits(value) else {
                self = .none
                return
            }
            self = Self.spans(comparison, limits.first ?? key, limits.last ?? key, limits.lowest, limits.highest + KeySpan.end)
        }
    }

    /// - Parameter first, last: the keys of the value, if it has two.
    private static func spans(_ comparison: ValueComparison, _ first: [UInt8], _ last: [UInt8], _ lowest: [UInt8], _ end: [UInt8])
        -> KeySpans
    {
        let behind = last + KeySpan.end
        return switch comparison {
        case .equal: KeySpans([KeySpan(lower: first, upper: behind)])
        case .less: KeySpans([KeySpan(lower: lowest, upper: first)])
        case .lessOrEqual: KeySpans([KeySpan(lower: lowest, upper: behind)])
        case .greater: KeySpans([KeySpan(lower: behind, upper: end)])
        case .greaterOrEqual: KeySpans([KeySpan(lower: first, upper: end)])
        }
    }

    /// The strings that begin with `prefix`.
    init(prefix: String) {
        let range = KeyRange.strings(startingWith: prefix)
        self.init([KeySpan(lower: range.lowerBound, upper: range.upperBound ?? KeySpan.end)])
    }

    /// Any of `values`.
    init<Value: KeyCodable>(anyOf values: some Sequence<Value>) {
        // Every value can be compared for equality.
        self = .union(values.flatMap { KeySpans(.equal, $0)?.spans ?? [] })
    }

    static func element<Value: KeyCodable>(_ value: Value) -> [UInt8] {
        var encoder = KeyEncoder(capacity: 32)
        encoder.encode(value)
        return encoder.bytes
    }
}

/// The keys of infinity, and of zero, which has two.
private struct NumberLimits {
    var lowest: [UInt8]
    var highest: [UInt8]
    var first: [UInt8]?
    var last: [UInt8]?

    /// `nil` if the value is not a number.
    init?(_ value: Any) {
        if let optional = value as? any OptionalType, let wrapped = optional.anyValue {
            self.init(wrapped)
        } else if let number = value as? Float {
            self.init(of: number)
        } else if let date = value as? Date {
            self.init(of: date.timeIntervalSinceReferenceDate)
        } else if let number = value as? Double {
            self.init(of: number)
        } else {
            return nil
        }
    }

    private init?<Number: BinaryFloatingPoint & KeyCodable>(of number: Number) {
        guard !number.isNaN else { return nil }
        lowest = KeySpans.element(-Number.infinity)
        highest = KeySpans.element(Number.infinity)
        if number.isZero { (first, last) = (KeySpans.element(-Number.zero), KeySpans.element(Number.zero)) }
    }
}
