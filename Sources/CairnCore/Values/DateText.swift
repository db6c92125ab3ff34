#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Dates as ISO 8601 text, in UTC and exact to the last bit: `2026-03-01T12:30:00.25Z`. The one place that writes them, for the exports of all stores
/// and for the tool: Foundation truncates fractions, and uses another calendar before 1582.
package enum DateText {
    /// From 0001-01-01 to 2001-01-01.
    private static let daysBeforeReference = 730_485

    /// The shortest text that parses as exactly `date`; `nil` for dates before the year 1 or after 9999, and for those that need more digits.
    ///
    /// - Parameter digits: The minimum and maximum number of digits of the fraction.
    package static func text(_ date: Date, digits: ClosedRange<Int> = 0...17) -> String? {
        let seconds = date.timeIntervalSinceReferenceDate
        guard (-63_113_904_000..<252_423_993_600).contains(seconds) else { return nil }
        let whole = seconds.rounded(.down)
        let (days, second) = Int(whole).quotientAndRemainder(flooring: 86400)
        let (year, month, day) = day(days + daysBeforeReference)
        func padded(_ number: Int, _ count: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(count - digits.count, 0)) + digits
        }
        let head =
            "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
            + "T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        for count in digits {
            guard count > 0 else {
                if seconds == whole { return head + "Z" }
                continue
            }
            let scale = (0..<count).reduce(1) { scale, _ in scale * 10 }
            let fraction = padded(Int(((seconds - whole) * Double(scale)).rounded()), count)
            let text = "\(head).\(fraction)Z"
            if fraction.count == count, Self.date(text) == date { return text }
        }
        return nil
    }

    /// The date in `text`, in UTC or with an offset such as `+02:00`; `nil` if it is not a date.
    package static func date(_ text: String) -> Date? {
        var reader = Digits(text: Array(text.utf8))
        guard
            let year = reader.number(4), year >= 1, reader.take("-"), let month = reader.number(2), (1...12).contains(month),
            reader.take("-"), let day = reader.number(2), (1...length(ofMonth: month, year)).contains(day),
            reader.take("T"), let hour = reader.number(2), hour < 24, reader.take(":"), let minute = reader.number(2), minute < 60,
            reader.take(":"), let second = reader.number(2), second < 60
        else { return nil }
        var fraction = 0.0
        if reader.take(".") {
            guard let value = reader.fraction() else { return nil }
            fraction = value
        }
        var offset = 0
        if !reader.take("Z") {
            let isAhead = reader.take("+")
            guard isAhead || reader.take("-"), let hours = reader.number(2), hours < 24, reader.take(":"), let minutes = reader.number(2),
                minutes < 60
            else { return nil }
            offset = (hours * 3600 + minutes * 60) * (isAhead ? 1 : -1)
        }
        guard reader.text.isEmpty else { return nil }
        let days = dayNumber(year, month, day) - daysBeforeReference
        return Date(timeIntervalSinceReferenceDate: Double(days * 86400 + hour * 3600 + minute * 60 + second - offset) + fraction)
    }

    /// The beginning of a day in UTC, such as `2026-03-01`; `nil` if it is not a day.
    package static func day(_ text: String) -> Date? { date(text + "T00:00:00Z") }

    // MARK: - The calendar

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func length(ofMonth month: Int, _ year: Int) -> Int {
        month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// The number of days from 0001-01-01 to the first of January of `year`.
    private static func dayNumber(year: Int) -> Int {
        let past = year - 1
        return past * 365 + past / 4 - past / 100 + past / 400
    }

    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        dayNumber(year: year) + (1..<month).reduce(0) { $0 + length(ofMonth: $1, year) } + day - 1
    }

    private static func day(_ number: Int) -> (year: Int, month: Int, day: Int) {
        // Off by one year at most.
        var year = number * 400 / 146_097 + 1
        if dayNumber(year: year) > number { year -= 1 } else if dayNumber(year: year + 1) <= number { year += 1 }
        var day = number - dayNumber(year: year)
        var month = 1
        while day >= length(ofMonth: month, year) {
            day -= length(ofMonth: month, year)
            month += 1
        }
        return (year, month, day + 1)
    }
}

/// Reads digits and signs from the front of a text.
private struct Digits {
    var text: [UInt8]

    mutating func take(_ character: Character) -> Bool {
        guard text.first == character.asciiValue else { return false }
        text.removeFirst()
        return true
    }

    mutating func number(_ count: Int) -> Int? {
        let digits = text.prefix(count)
        guard digits.count == count, digits.allSatisfy(isDigit) else { return nil }
        text.removeFirst(count)
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// The value of the next digits after a decimal point.
    mutating func fraction() -> Double? {
        let digits = text.prefix(while: isDigit)
        text.removeFirst(digits.count)
        return digits.isEmpty ? nil : Double("0." + String(decoding: digits, as: UTF8.self))
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension Int {
    /// The remainder is never negative.
    fileprivate func quotientAndRemainder(flooring divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
