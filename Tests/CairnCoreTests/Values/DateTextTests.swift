import CairnCore
import CairnTestSupport
import Foundation
import Testing

struct DateTextTests {
    @Test(arguments: [
        (791_553_600.255, "2026-01-31T12:00:00.255Z"), (0, "2001-01-01T00:00:00Z"), (-0.25, "2000-12-31T23:59:59.75Z"),
        (1e-12, "2001-01-01T00:00:00.000000000001Z"), (252_423_993_599.5, "9999-12-31T23:59:59.5Z"), (252_423_993_600, nil),
        (-63_113_904_000, "0001-01-01T00:00:00Z"), (-63_113_904_001, nil), (.leastNonzeroMagnitude, nil), (.nan, nil), (.infinity, nil),
    ])
    func text(seconds: Double, text: String?) { #expect(DateText.text(Date(timeIntervalSinceReferenceDate: seconds)) == text) }

    @Test func asManyDigitsAsAsked() {
        let date = Date(timeIntervalSinceReferenceDate: 791_553_600.5)
        #expect(DateText.text(date, digits: 3...17) == "2026-01-31T12:00:00.500Z")
        #expect(DateText.text(date + 1e-3, digits: 0...2) == nil)
    }

    /// Milliseconds take three digits, though few are exact in binary.
    @Test func milliseconds() {
        for count in 0..<1000 {
            let date = Date(timeIntervalSinceReferenceDate: 791_553_600 + Double(count) / 1000)
            let fraction = String(1000 + count).dropFirst()
            #expect(DateText.text(date, digits: 3...17) == "2026-01-31T12:00:00.\(fraction)Z")
        }
    }

    @Test func textsBecomeTheSameDates() async throws {
        try await withSeeds("texts of dates", count: Thorough.count(400, of: 4000)) { generator in
            let date = Date(timeIntervalSinceReferenceDate: Double.random(in: -63_113_904_000..<252_423_993_600, using: &generator))
            let text = try #require(DateText.text(date))
            #expect(DateText.date(text) == date)
        }
    }
}
