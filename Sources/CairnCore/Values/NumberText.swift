/// Floating-point numbers as text: the one place that reads them for the tool, whatever the store.
package enum NumberText {
    /// The number that `text` represents; `nil` if it is not a number, or is so large or so small that infinity or zero would be stored.
    package static func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ text: String) -> Number? {
        guard let number = Number(text) else { return nil }
        let exponent = text.contains { "xX".contains($0) } ? "pP" : "eE"
        let digits = text.prefix { !exponent.contains($0) }.compactMap(\.hexDigitValue)
        // "inf" means infinity.
        let isInfinite = number.isInfinite && text.contains(where: \.isNumber)
        return isInfinite || number.isZero && digits.contains { $0 > 0 } ? nil : number
    }
}
