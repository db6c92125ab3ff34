/// Formats numbers for people.
package enum Numbers {
    /// What to add to the message that a text is not a valid integer.
    package static func noteOnInteger(_ text: String) -> String {
        Int128(text) == nil && Double(text) != nil ? ": integers have digits only" : ""
    }

    /// Groups thousands: `1,234,567`.
    package static func grouped(_ number: some BinaryInteger) -> String {
        var digits = Array(String(number.magnitude))
        var index = digits.count - 3
        while index > 0 {
            digits.insert(",", at: index)
            index -= 3
        }
        return (number < 0 ? "-" : "") + String(digits)
    }

    /// Returns three digits and a unit: `812 ns`, `1.24 ms`, `3.05 s`.
    package static func duration(_ duration: Duration) -> String {
        let nanoseconds = max(0, duration / .nanoseconds(1))
        let units: [(String, Double)] = [("ns", 1), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)]
        // 999.5 ns would round to four digits.
        let unit = units.last { nanoseconds >= $0.1 * 0.9995 } ?? units[0]
        return threeDigits(nanoseconds / unit.1) + " " + unit.0
    }

    /// Returns the number per second, `1,240,000/s`, to three digits; `nil` if nothing was measured.
    package static func rate(_ count: Int, in duration: Duration) -> String? {
        let seconds = duration / .seconds(1)
        guard seconds > 0, count > 0 else { return nil }
        var rate = Double(count) / seconds
        var scale = 1.0
        while rate / scale >= 1000 { scale *= 10 }
        rate = (rate / scale).rounded() * scale
        return grouped(Int64(rate)) + "/s"
    }

    /// Returns `one` if `count` is 1, otherwise `many`, preceded by the number.
    package static func counted(_ count: Int, _ one: String, _ many: String) -> String {
        "\(grouped(count)) \(count == 1 ? one : many)"
    }

    private static func threeDigits(_ number: Double) -> String {
        let decimals = number < 9.995 ? 2 : number < 99.95 ? 1 : 0
        let scale = decimals == 2 ? 100.0 : decimals == 1 ? 10 : 1
        let scaled = Int64((number * scale).rounded())
        guard decimals > 0 else { return String(scaled) }
        let fraction = String(scaled % Int64(scale))
        return "\(scaled / Int64(scale)).\(String(repeating: "0", count: decimals - fraction.count))\(fraction)"
    }
}
