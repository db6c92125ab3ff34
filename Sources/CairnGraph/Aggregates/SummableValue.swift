public import CairnCore

/// A number that queries can add up: all integers, `Float`, `Double`, and optionals of them.
///
/// A type with a raw value can conform too. It makes its sum from the total:
///
/// ```swift
/// struct Cents: RawRepresentable, StoredValue, KeyCodable, SummableValue {
///     var rawValue: Int
///     static func sum(_ total: NumberTotal) throws(ObjectStoreError) -> Cents { Cents(rawValue: try Int.sum(total)) }
/// }
/// ```
public protocol SummableValue: KeyCodable {
    /// The type of the sum of such values.
    associatedtype Sum

    /// Makes a sum.
    ///
    /// - Throws: ``ObjectStoreError``: `outOfRange` if the type cannot represent it.
    static func sum(_ total: NumberTotal) throws(ObjectStoreError) -> Sum
}

extension SummableValue where Self: FixedWidthInteger {
    /// Returns a sum of integers of any width as an `Int`.
    public static func sum(_ total: NumberTotal) throws(ObjectStoreError) -> Int {
        guard let sum = total.integer.flatMap({ Int(exactly: $0) }) else {
            throw ObjectStoreError(.outOfRange, "the sum of \(total.count) integers does not fit in an Int; average(of:) has no such limit")
        }
        return sum
    }
}

extension SummableValue where Self: BinaryFloatingPoint {
    /// Returns a sum of floating-point numbers as a `Double`.
    public static func sum(_ total: NumberTotal) throws(ObjectStoreError) -> Double { total.floating }
}

extension Int: SummableValue {}
extension Int8: SummableValue {}
extension Int16: SummableValue {}
extension Int32: SummableValue {}
extension Int64: SummableValue {}
extension Int128: SummableValue {}
extension UInt: SummableValue {}
extension UInt8: SummableValue {}
extension UInt16: SummableValue {}
extension UInt32: SummableValue {}
extension UInt64: SummableValue {}
extension UInt128: SummableValue {}
extension Float: SummableValue {}
extension Double: SummableValue {}

extension Optional: SummableValue where Wrapped: SummableValue {
    /// Returns the sum of the values that are not `nil`.
    public static func sum(_ total: NumberTotal) throws(ObjectStoreError) -> Wrapped.Sum { try Wrapped.sum(total) }
}
