import Foundation

/// What queries take as a chart in SVG: a dot for each side, on a scale in which each step is ten times as long.
public struct QueryChart {
    private static let rowHeight = 20.0
    private static let left = 375.0
    private static let width = 960.0
    /// Behind it are the ratios.
    private static let right = width - 180
    private static let top = 84.0

    private let times: QueryTimes
    private let rows: [QueryTimes.Row]
    /// The logarithms, to the base of 10, of the microseconds at both ends.
    private let low: Double
    private let high: Double

    public init(_ report: Report) {
        times = QueryTimes(report)
        rows = times.usual
        let powers = rows.flatMap(\.times).map { log10($0.time) }
        low = (powers.min() ?? 0).rounded(.down)
        high = max(low + 1, (powers.max() ?? 1).rounded(.up))
    }

    /// Whether there is anything to show.
    public var isEmpty: Bool { rows.isEmpty }

    public var svg: String {
        let bottom = Self.top + Double(rows.count) * Self.rowHeight
        var marks = [
            SVG.text(
                "What a query takes in a store of \(QueryTimes.count(times.usualSize ?? 0)) objects: to the left is better",
                10,
                20,
                "head"
            )
        ]
        for (place, name) in ([rows.first?.times[0].side ?? ""] + times.rivals).enumerated() {
            let x = 18 + Double(place) * 130
            marks += [SVG.circle(x, 40, Self.kind(place)), SVG.text(name, x + 12, 44, "")]
        }
        for (place, rival) in times.rivals.enumerated() {
            marks.append(SVG.text("of \(rival)", Self.right + 92 + Double(place) * 75, Self.top - 8, "rival"))
        }
        for power in stride(from: low, through: high, by: 1) {
            let x = place(power)
            marks += [SVG.line(x, Self.top, x, bottom, "grid"), SVG.text(Self.label(power), x, Self.top - 8, "axis")]
        }
        for (number, row) in rows.enumerated() { marks += line(row, Self.top + Double(number) * Self.rowHeight) }
        let light = ".grid, .span { stroke: #d1d9e0 } .span { stroke-width: 2 } .own { fill: #0969da } "
        let dark = ".grid, .span { stroke: #3d444d } .own { fill: #4493f8 } "
        return SVG.page(
            width: Self.width,
            height: bottom + 14,
            label: "What queries take",
            style: (
                light + ".first { fill: #ffffff; stroke: #59636e; stroke-width: 2 } .second { fill: #9a6700 } .slow { fill: #bc4c00 }",
                dark + ".first { fill: #0d1117; stroke: #9198a1 } .second { fill: #d29922 } .slow { fill: #db6d28 }"
            ),
            marks
        )
    }

    private func line(_ row: QueryTimes.Row, _ y: Double) -> [String] {
        let places = row.times.map { place(log10($0.time)) }
        var marks = [
            SVG.text(times.title(row), 18, y + 14, ""),
            SVG.line(places.min() ?? 0, y + 10, places.max() ?? 0, y + 10, "span"),
        ]
        // The subject on top.
        for (side, x) in zip(row.times, places).reversed() {
            marks.append(SVG.circle(x, y + 10, Self.kind((times.rivals.firstIndex(of: side.side) ?? -1) + 1)))
        }
        for (place, rival) in times.rivals.enumerated() {
            guard let result = row.results.first(where: { $0.rival == rival }) else { continue }
            let kind = result.isMet == false ? "rival slow" : "rival"
            let mark = result.isMet == false ? " ×" : ""
            marks.append(SVG.text(QueryTimes.short(result.judged) + mark, Self.right + 92 + Double(place) * 75, y + 14, kind))
        }
        return marks
    }

    private static func kind(_ place: Int) -> String { place == 0 ? "own" : place == 1 ? "first" : "second" }

    private static func label(_ power: Double) -> String {
        switch Int(power) {
        case ..<0: "\(fixed(pow(10, power), Int(-power))) µs"
        case 0..<3: "\(Int(pow(10, power))) µs"
        case 3..<6: "\(Int(pow(10, power - 3))) ms"
        default: "\(Int(pow(10, power - 6))) s"
        }
    }

    private func place(_ power: Double) -> Double { Self.left + (power - low) / (high - low) * (Self.right - Self.left) }
}
