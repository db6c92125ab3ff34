import CairnCore

/// The total of numbers that a query adds up, from which a ``SummableValue`` makes its sum.
///
/// Integers are added exactly, whatever their order. Floating-point numbers are added with a correction of rounding errors (Neumaier's), so that their
/// order hardly matters: the error does not grow with their number.
public struct NumberTotal: Sendable {
    /// The integers, modulo 2¹²⁸.
    private var whole: Int128 = 0
    /// The overflow of `whole`, in units of 2¹²⁸.
    private var carry = 0
    private var number = 0.0
    private var correction = 0.0
    /// How many numbers were added.
    private(set) var count = 0

    init() {}

    mutating func add(_ value: KeyNumber) {
        count += 1
        switch value {
        case .integer(let value): add(value)
        case .large(let value):
            add(Int128(truncatingIfNeeded: value))
            carry += 1
        case .floating(let value): add(value)
        }
    }

    private mutating func add(_ value: Int128) {
        let (sum, isTooLarge) = whole.addingReportingOverflow(value)
        whole = sum
        if isTooLarge { carry += value < 0 ? -1 : 1 }
    }

    private mutating func add(_ value: Double) {
        let sum = number + value
        correction += abs(number) >= abs(value) ? (number - sum) + value : (value - sum) + number
        number = sum
    }

    mutating func add(_ other: NumberTotal) {
        count += other.count
        add(other.whole)
        carry += other.carry
        add(other.number)
        correction += other.correction
    }

    /// The total as an integer; `nil` if it needs more than 128 bits.
    var integer: Int128? { carry == 0 ? whole : nil }

    /// The total as a floating-point number.
    var floating: Double {
        let sum = number.isFinite ? number + correction : number
        guard whole != 0 || carry != 0 else { return sum }
        return sum + (Double(whole) + Double(carry) * 0x1p128)
    }

    var average: Double? { count == 0 ? nil : floating / Double(count) }
}
