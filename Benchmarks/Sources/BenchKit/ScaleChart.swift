import Foundation

/// How costs grow, as a chart in SVG: for each workload the cost by the size of the store, on scales in which each step is ten times as much.
public struct ScaleChart {
    /// A workload that is measured in stores of several sizes, and how it is shown.
    public struct Workload: Sendable {
        public let name: String
        let label: String
        let rivals: [String]
        /// Whether what is measured of the whole store is divided by its objects.
        var isPerObject = false
    }

    private static let sql = ["SQLite", "GRDB"]

    public static let workloads = [
        Workload(name: "objects/simple-insert", label: "insert objects, for each", rivals: sql, isPerObject: true),
        Workload(name: "objects/simple-fetch", label: "fetch all objects, for each", rivals: sql, isPerObject: true),
        Workload(name: "objects/simple-insert-files", label: "files, for each object", rivals: ["SQLite"], isPerObject: true),
        Workload(name: "objects/simple-fetch-memory", label: "memory of fetching all, for each", rivals: ["SQLite"], isPerObject: true),
        Workload(name: "queries/by-index", label: "an object by an index", rivals: sql),
        Workload(name: "queries/page", label: "100 objects in the order of an index", rivals: sql),
        Workload(name: "queries/owner-items", label: "an object, and the 100 that refer to it", rivals: sql),
        Workload(name: "queries/change", label: "find and change one, commit", rivals: sql),
        Workload(name: "queries/insert", label: "insert one, commit", rivals: sql),
        Workload(name: "queries/open", label: "open a store, one query", rivals: sql),
        Workload(name: "text/insert", label: "insert with full text, for each", rivals: ["FTS5"], isPerObject: true),
        Workload(name: "text/query-words", label: "search for words", rivals: ["FTS5"]),
        Workload(name: "text/save-one", label: "insert one with full text, commit", rivals: ["FTS5"]),
        Workload(name: "rocks/put-random", label: "RocksDB: put", rivals: ["C++"]),
        Workload(name: "rocks/get-hit", label: "RocksDB: get", rivals: ["C++"]),
        Workload(name: "rocks/scan", label: "RocksDB: a row of a scan", rivals: ["C++"]),
        Workload(name: "mapped/set-int-100k", label: "mapped store: set an integer", rivals: ["LMDB"]),
        Workload(name: "mapped/get-int", label: "mapped store: get an integer", rivals: ["LMDB"]),
        Workload(name: "mapped/get-string", label: "mapped store: get 100 bytes of text", rivals: ["LMDB"]),
        Workload(name: "mapped/open", label: "mapped store: open, one get", rivals: ["LMDB"]),
        Workload(name: "cdb/create", label: "cdb: create, for each record", rivals: ["libcdb"]),
        Workload(name: "cdb/hit", label: "cdb: get", rivals: ["libcdb"]),
        Workload(name: "cdb/open", label: "cdb: open, one get", rivals: ["libcdb"]),
    ]

    private static let (columns, width, height) = (3, 320.0, 190.0)
    private static let (left, right, top, bottom) = (58.0, 14.0, 30.0, 26.0)

    private let panels: [[ScaleLine]]
    private let sizes: [Int]

    public init(_ report: ScaleReport) {
        panels = Self.workloads.map { ScaleLine.lines($0, report) }.filter { !$0.isEmpty }
        sizes = report.runs.map(\.size)
    }

    public var svg: String {
        var marks = [
            SVG.text("What operations cost by the size of the store: a line that rises grows with it", 10, 20, "head"),
            SVG.line(18, 40, 42, 40, "own"), SVG.text("Cairn", 48, 44, ""), SVG.line(108, 40, 132, 40, "first"),
            SVG.text("the rival in C or C++", 138, 44, ""), SVG.line(278, 40, 302, 40, "second"), SVG.text("GRDB", 308, 44, ""),
        ]
        for (place, lines) in panels.enumerated() {
            marks += panel(lines, Double(place % Self.columns) * Self.width, 56 + Double(place / Self.columns) * Self.height)
        }
        let rows = (panels.count + Self.columns - 1) / Self.columns
        return SVG.page(
            width: Self.width * Double(Self.columns),
            height: 56 + Double(rows) * Self.height,
            label: "What operations cost in stores of several sizes",
            style: (
                ".grid { stroke: #d1d9e0 } .own, .first, .second { fill: none; stroke-width: 2 } .own { stroke: #0969da; stroke-width: 3 } .first { stroke: #59636e } "
                    + ".second { stroke: #9a6700; stroke-dasharray: 5 3 }",
                ".grid { stroke: #3d444d } .own { stroke: #4493f8 } .first { stroke: #9198a1 } .second { stroke: #d29922 }"
            ),
            marks
        )
    }

    private func panel(_ lines: [ScaleLine], _ x: Double, _ y: Double) -> [String] {
        let values = lines.flatMap { line in line.points.flatMap { [$0.value, $0.rival] } }
        let low = log10(values.min() ?? 1).rounded(.down), high = max(low + 1, log10(values.max() ?? 10).rounded(.up))
        let (start, end) = (log10(Double(sizes[0])), log10(Double(sizes[sizes.count - 1])))
        func place(_ size: Int, _ value: Double) -> (Double, Double) {
            (
                x + Self.left + (log10(Double(size)) - start) / (end - start) * (Self.width - Self.left - Self.right),
                y + Self.height - Self.bottom - (log10(value) - low) / (high - low) * (Self.height - Self.top - Self.bottom)
            )
        }
        var marks = [SVG.text(lines[0].label, x + 10, y + 16, "head")]
        for power in stride(from: low, through: high, by: 1) {
            let (left, height) = place(sizes[0], pow(10, power))
            marks += [
                SVG.line(left, height, x + Self.width - Self.right, height, "grid"),
                SVG.text(ScaleMarkdown.quantity(pow(10, power), lines[0].unit), left - 6, height + 4, "rival"),
            ]
        }
        for size in sizes {
            let power = Int(log10(Double(size)).rounded())
            marks.append(SVG.text(Self.power(power), place(size, 1).0, y + Self.height - 8, "axis"))
        }
        for line in lines.reversed() {
            let kind = line.rival == "GRDB" ? "second" : "first"
            marks.append(SVG.path(line.points.map { place($0.size, $0.rival) }, kind))
        }
        marks.append(SVG.path(lines[0].points.map { place($0.size, $0.value) }, "own"))
        return marks
    }

    /// 10 to a power, as text.
    private static func power(_ power: Int) -> String {
        let digits = Array("⁰¹²³⁴⁵⁶⁷⁸⁹")
        return "10" + String("\(power)".map { digits[$0.wholeNumberValue ?? 0] })
    }
}
