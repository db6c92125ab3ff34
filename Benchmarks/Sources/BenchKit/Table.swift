import Foundation

/// Results as lines for people.
public enum Table {
    public static let header = row(
        [("workload", 40), ("beside", 12)],
        ["Cairn", "rival", "unit", "ratio", "by round", "goal", ""],
        width: 11
    )

    public static func line(_ result: Measured) -> String {
        row(
            [(result.title, 40), (result.rival ?? "", 12)],
            [
                short(result.value), result.rivalValue.map(short) ?? "", result.unit, result.ratio.map { fixed($0, 3) } ?? "",
                result.roundRatio.map { fixed($0, 3) } ?? "", result.goal.map { "\($0.formatted())" } ?? "",
                result.isMet.map { $0 ? "met" : "MISSED" } ?? "",
            ],
            width: 11
        )
    }

    /// How many goals were met, and which were not.
    public static func summary(_ report: Report) -> String {
        guard report.goalCount > 0 else { return "no goals were measured" }
        let missed = report.missed
        guard !missed.isEmpty else { return "all \(report.goalCount) goals are met" }
        let names = missed.map { "\($0.title)\($0.rival.map { " beside \($0)" } ?? "")" }
        return "\(report.goalCount - missed.count) of \(report.goalCount) goals are met; missed: \(names.joined(separator: ", "))"
    }

    /// A number with three digits that say something.
    public static func short(_ number: Double) -> String {
        let digits = number >= 100 || number == number.rounded() ? 0 : number >= 10 ? 1 : 2
        return fixed(number, digits)
    }
}
