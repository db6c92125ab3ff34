import Foundation

/// The same workloads in stores of several sizes.
public struct ScaleReport: Codable, Sendable {
    public struct Run: Codable, Sendable {
        /// Objects, rows, keys.
        public var size: Int
        public var results: [Measured]

        public init(size: Int, results: [Measured]) {
            self.size = size
            self.results = results
        }
    }

    public var date: String
    public var machine: Machine
    public var runs: [Run]

    /// Runs that end now.
    public init(_ runs: [Run], machine: Machine) {
        date = Date().ISO8601Format()
        self.machine = machine
        self.runs = runs
    }

    public init(contentsOf path: String) throws {
        self = try JSONDecoder().decode(ScaleReport.self, from: Data(contentsOf: URL(filePath: path)))
    }

    public func write(to path: String) throws { try writeJSON(to: path) }
}

/// What one workload costs beside one rival, in stores of several sizes.
struct ScaleLine {
    /// How it is shown.
    let label: String
    let rival: String
    /// What is measured of both, in the unit of the first: per object where it is the whole that was measured.
    let points: [(size: Int, value: Double, rival: Double, ratio: Double)]
    let unit: String

    /// How much more the ratio is in the largest store than in the smallest.
    var growth: Double { points.last!.ratio / points.first!.ratio }

    /// The lines of a workload, one for each rival.
    static func lines(_ workload: ScaleChart.Workload, _ report: ScaleReport) -> [ScaleLine] {
        workload.rivals.compactMap { rival in
            var unit = ""
            let points = report.runs.compactMap { run -> (size: Int, value: Double, rival: Double, ratio: Double)? in
                guard
                    let result = run.results.first(where: {
                        $0.workload == workload.name && $0.rival == rival && [nil, "\(run.size)", "decimal"].contains($0.variant)
                    }), let other = result.rivalValue
                else { return nil }
                let isWhole = workload.isPerObject && result.unit != "ns"
                // Milliseconds and megabytes of the whole become nanoseconds and bytes of an object.
                let factor = isWhole ? 1e6 / Double(run.size) : 1
                unit = !isWhole ? result.unit : result.unit == "MB" ? "B" : "ns"
                return (run.size, result.value * factor, other * factor, result.judged)
            }
            return points.count < 2 ? nil : ScaleLine(label: workload.label, rival: rival, points: points, unit: unit)
        }
    }
}
