#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Decimal numbers as text: the digits of an integer, followed by `e` and the power of ten if that is not 0.
enum DecimalText {
    /// The same text for all forms of a number: without trailing zeros, unless they save the exponent or it would exceed 127.
    static func text(_ number: Decimal) -> String {
        if number.isNaN { return "nan" }
        // All digits, with a decimal point.
        var digits = Array("\(number)".utf8)
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits.removeFirst() }
        var exponent = 0
        if let point = digits.firstIndex(of: UInt8(ascii: ".")) {
            digits.remove(at: point)
            exponent = point - digits.count
        }
        let zero = UInt8(ascii: "0")
        while digits.last == zero {
            digits.removeLast()
            exponent += 1
        }
        guard let first = digits.firstIndex(where: { $0 != zero }) else { return "0" }
        digits.removeFirst(first)
        let zeros = exponent > 0 && digits.count + exponent <= 38 ? exponent : max(exponent - 127, 0)
        digits += repeatElement(zero, count: zeros)
        exponent -= zeros
        return (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self) + (exponent == 0 ? "" : "e\(exponent)")
    }

    /// The number, if `text` has this form and a `Decimal` can represent it exactly.
    static func number(_ text: String) -> Decimal? {
        if text == "nan" { return .nan }
        let utf8 = Array(text.utf8)
        let isNegative = utf8.first == UInt8(ascii: "-")
        let end = utf8.firstIndex(of: UInt8(ascii: "e")) ?? utf8.endIndex
        let digits = utf8[(isNegative ? 1 : 0)..<end]
        guard !digits.isEmpty, digits.count <= 39, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        var exponent = 0
        if end < utf8.endIndex {
            guard let number = Int8(String(decoding: utf8[(end + 1)...], as: UTF8.self)) else { return nil }
            exponent = Int(number)
        }
        guard UInt128(String(decoding: digits, as: UTF8.self)) != nil,
            let significand = Decimal(string: String(decoding: digits, as: UTF8.self))
        else { return nil }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
    }

    /// The number that people write: `-12.50`, `1e3`; `nil` if a `Decimal` cannot represent it exactly.
    static func number(written text: String) -> Decimal? {
        let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        guard parts.count <= 2, let exponent = parts.count == 2 ? Int8(parts[1]) : 0 else { return nil }
        let digits = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = digits.count == 2 ? digits[1] : ""
        return number("\(digits[0])\(fraction)e\(Int(exponent) - fraction.count)")
    }
}
