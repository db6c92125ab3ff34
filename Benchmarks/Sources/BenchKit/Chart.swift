import Foundation

/// The ratios as a chart in SVG: a bar each, from 1 to the left for what is faster and to the right for what is slower, with the goal as a line.
/// Queries have a chart of their own.
public struct Chart {
    private static let rowHeight = 20.0
    private static let left = 330.0
    private static let width = 920.0
    /// Behind it are the numbers, with the word "missed": wide enough for any font.
    private static let right = width - 130
    private static let top = 62.0

    private let groups: [(title: String, results: [Measured])]
    /// The logarithms, to the base of 2, of the ratios at both ends.
    private let low: Double
    private let high: Double

    public init(_ report: Report) {
        groups = Markdown.summarized.filter { $0.key != QueryTimes.store }.compactMap { store in
            let results = report.results.filter { $0.store == store.key && $0.rival != nil && $0.goal != nil && $0.judged > 0 }
            return results.isEmpty ? nil : ("\(store.title), \(store.note)", results)
        }
        let ratios = groups.flatMap(\.results).flatMap { [$0.judged, $0.goal ?? 1] }.map(log2)
        low = min(-1, ratios.min() ?? 0).rounded(.down)
        high = max(1, ratios.max() ?? 0).rounded(.up)
    }

    public var svg: String {
        var marks: [String] = []
        var y = Self.top
        for group in groups {
            y += Self.rowHeight * 0.6
            marks.append(SVG.text(group.title, 10, y + 14, "head"))
            y += Self.rowHeight * 1.1
            for result in group.results {
                marks += bar(result, y)
                y += Self.rowHeight
            }
        }
        let axis = stride(from: low, through: high, by: 1).flatMap { power -> [String] in
            let x = place(power)
            return [
                SVG.line(x, Self.top, x, y, power == 0 ? "one" : "grid")
            ] + (isLabelled(power) ? [SVG.text(Self.label(power), x, Self.top - 8, "axis")] : [])
        }
        let title = "Time or space that Cairn takes, as a multiple of its rival's: shorter to the left is better; the line is the goal"
        let number = ".number { text-anchor: end } "
        let light = number + ".grid { stroke: #d1d9e0 } .one { stroke: #59636e } .goal { stroke: #1f2328; stroke-width: 2 } "
        let dark = ".grid { stroke: #3d444d } .one { stroke: #9198a1 } .goal { stroke: #f0f6fc } "
        return SVG.page(
            width: Self.width,
            height: y + 14,
            label: "Cairn beside its rivals",
            style: (light + ".met { fill: #2da44e } .missed { fill: #d4782f }", dark + ".met { fill: #3fb950 } .missed { fill: #e3903f }"),
            [SVG.text(title, 10, 20, "head")] + axis + marks
        )
    }

    private func bar(_ result: Measured, _ y: Double) -> [String] {
        let ratio = result.judged, from = place(0), to = place(log2(ratio)), goal = place(log2(result.goal ?? 1))
        let (start, end) = (min(from, to), max(from, to))
        let kind = result.isMet == false ? "missed" : "met"
        return [
            SVG.text(result.title, 18, y + 13, ""),
            SVG.text(result.rival ?? "", Self.left - 12, y + 13, "rival"),
            SVG.rectangle(start, y + 3, max(1, end - start), 12, kind),
            SVG.line(goal, y + 1, goal, y + 17, "goal"),
            SVG.text(fixed(ratio, 2), Self.right + 52, y + 13, "number"),
        ] + (kind == "missed" ? [SVG.text("missed", Self.right + 60, y + 13, "")] : [])
    }

    /// Each second line of a long axis has a label, so that they do not overlap.
    private func isLabelled(_ power: Double) -> Bool { high - low <= 8 || Int(power) % 2 == 0 }

    private static func label(_ power: Double) -> String { power < 0 ? "1/\(Int(exp2(-power)))" : "\(Int(exp2(power)))" }

    private func place(_ power: Double) -> Double { Self.left + (power - low) / (high - low) * (Self.right - Self.left) }
}
