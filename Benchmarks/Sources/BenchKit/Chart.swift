import Foundation

/// The ratios as a chart in SVG: a bar each, from 1 to the left for what is faster and to the right for what is slower, with the goal as a line.
/// Its colours are those of the reader's light or dark scheme, and say nothing that the bars' places do not.
public struct Chart {
    private static let rowHeight = 20.0
    private static let left = 330.0
    private static let width = 900.0
    private static let right = width - 70
    private static let top = 62.0

    private let groups: [(title: String, results: [Measured])]
    /// The logarithms, to the base of 2, of the ratios at both ends.
    private let low: Double
    private let high: Double

    public init(_ report: Report) {
        groups = Markdown.stores.compactMap { store in
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
            marks.append(text(group.title, 10, y + 14, "head"))
            y += Self.rowHeight * 1.1
            for result in group.results {
                marks += bar(result, y)
                y += Self.rowHeight
            }
        }
        let height = y + 14
        let axis = stride(from: low, through: high, by: 1).flatMap { power -> [String] in
            let x = place(power)
            return [
                line(x, Self.top, x, y, power == 0 ? "one" : "grid"),
                text(power < 0 ? "1/\(Int(exp2(-power)))" : "\(Int(exp2(power)))", x, Self.top - 8, "axis"),
            ]
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(height))" role="img" aria-label="Cairn beside its rivals">
            <style>
            svg { background: #ffffff; font: 12px -apple-system, "Segoe UI", Helvetica, Arial, sans-serif }
            text { fill: #1f2328 } .head { font-weight: 600 } .axis { text-anchor: middle; fill: #59636e } .rival { text-anchor: end; fill: #59636e }
            .grid { stroke: #d1d9e0 } .one { stroke: #59636e } .goal { stroke: #1f2328; stroke-width: 2 } .met { fill: #2da44e } .missed { fill: #d4782f }
            @media (prefers-color-scheme: dark) {
            svg { background: #0d1117 } text { fill: #f0f6fc } .axis, .rival { fill: #9198a1 }
            .grid { stroke: #3d444d } .one { stroke: #9198a1 } .goal { stroke: #f0f6fc } .met { fill: #3fb950 } .missed { fill: #e3903f }
            }
            </style>
            \(text("Time or space that Cairn takes, as a multiple of its rival's: shorter to the left is better; the line is the goal", 10, 20, "head"))
            \((axis + marks).joined(separator: "\n"))
            </svg>

            """
    }

    private func bar(_ result: Measured, _ y: Double) -> [String] {
        let ratio = result.judged, from = place(0), to = place(log2(ratio)), goal = place(log2(result.goal ?? 1))
        let (start, end) = (min(from, to), max(from, to))
        let kind = result.isMet == false ? "missed" : "met"
        return [
            text(result.title, 18, y + 13, ""),
            text(result.rival ?? "", Self.left - 12, y + 13, "rival"),
            "<rect class=\"\(kind)\" x=\"\(fixed(start, 1))\" y=\"\(fixed(y + 3, 1))\" width=\"\(fixed(max(1, end - start), 1))\" height=\"12\"/>",
            line(goal, y + 1, goal, y + 17, "goal"),
            text(fixed(ratio, 2) + (kind == "missed" ? " missed" : ""), Self.right + 8, y + 13, ""),
        ]
    }

    private func place(_ power: Double) -> Double { Self.left + (power - low) / (high - low) * (Self.right - Self.left) }

    private func line(_ x: Double, _ y: Double, _ toX: Double, _ toY: Double, _ kind: String) -> String {
        "<line class=\"\(kind)\" x1=\"\(fixed(x, 1))\" y1=\"\(fixed(y, 1))\" x2=\"\(fixed(toX, 1))\" y2=\"\(fixed(toY, 1))\"/>"
    }

    private func text(_ string: String, _ x: Double, _ y: Double, _ kind: String) -> String {
        let escaped = string.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return "<text\(kind.isEmpty ? "" : " class=\"\(kind)\"") x=\"\(fixed(x, 1))\" y=\"\(fixed(y, 1))\">\(escaped)</text>"
    }
}
