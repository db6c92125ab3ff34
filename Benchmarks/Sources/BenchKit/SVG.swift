import Foundation

/// Marks of charts. Their colours are those of the reader's light or dark scheme, and say nothing that their places do not.
enum SVG {
    static func page(width: Double, height: Double, label: String, style: (light: String, dark: String), _ marks: [String]) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" role="img" aria-label="\(label)">
        <style>
        svg { background: #ffffff; font: 12px -apple-system, "Segoe UI", Helvetica, Arial, sans-serif }
        text { fill: #1f2328 } .head { font-weight: 600 } .axis { text-anchor: middle; fill: #59636e } .rival { text-anchor: end; fill: #59636e }
        \(style.light)
        @media (prefers-color-scheme: dark) {
        svg { background: #0d1117 } text { fill: #f0f6fc } .axis, .rival { fill: #9198a1 }
        \(style.dark)
        }
        </style>
        \(marks.joined(separator: "\n"))
        </svg>

        """
    }

    static func line(_ x: Double, _ y: Double, _ toX: Double, _ toY: Double, _ kind: String) -> String {
        "<line class=\"\(kind)\" x1=\"\(fixed(x, 1))\" y1=\"\(fixed(y, 1))\" x2=\"\(fixed(toX, 1))\" y2=\"\(fixed(toY, 1))\"/>"
    }

    static func text(_ string: String, _ x: Double, _ y: Double, _ kind: String) -> String {
        let escaped = string.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return "<text\(kind.isEmpty ? "" : " class=\"\(kind)\"") x=\"\(fixed(x, 1))\" y=\"\(fixed(y, 1))\">\(escaped)</text>"
    }

    static func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ kind: String) -> String {
        "<rect class=\"\(kind)\" x=\"\(fixed(x, 1))\" y=\"\(fixed(y, 1))\" width=\"\(fixed(width, 1))\" height=\"\(fixed(height, 1))\"/>"
    }

    static func path(_ points: [(x: Double, y: Double)], _ kind: String) -> String {
        "<polyline class=\"\(kind)\" points=\"\(points.map { "\(fixed($0.x, 1)),\(fixed($0.y, 1))" }.joined(separator: " "))\"/>"
    }

    static func circle(_ x: Double, _ y: Double, _ kind: String) -> String {
        "<circle class=\"\(kind)\" cx=\"\(fixed(x, 1))\" cy=\"\(fixed(y, 1))\" r=\"5\"/>"
    }
}
