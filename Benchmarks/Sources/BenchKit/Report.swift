import Foundation

/// A run: what is written as JSON, and read to make the table and the chart.
public struct Report: Codable, Sendable {
    public var date: String
    public var machine: Machine
    /// What was measured: sizes, and which time counts.
    public var conditions: String
    /// What was left out, and why.
    public var notes: [String]
    public var results: [Measured]

    /// A run that ends now.
    public init(_ harness: Harness, machine: Machine) {
        date = Date().ISO8601Format()
        self.machine = machine
        conditions = harness.settings.description
        notes = harness.notes
        results = harness.results
    }

    public init(contentsOf path: String) throws {
        self = try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(filePath: path)))
    }

    public func write(to path: String) throws { try writeJSON(to: path) }

    /// Those with goals that are missed.
    public var missed: [Measured] { results.filter { $0.isMet == false } }
    /// How many have goals.
    public var goalCount: Int { results.count { $0.goal != nil } }
}

extension Settings {
    public var description: String {
        "\(rows) rows and records, \(operations) operations on mapped stores, \(songs) songs, \(names) names, "
            + "\(items.map { "\($0)" }.joined(separator: " and ")) items; "
            + (rounds.map { "\($0) rounds" } ?? "usual rounds") + "; sides in turn; \(clock.rawValue) time, medians"
    }
}

extension Encodable {
    /// Writes a file that differs from run to run only where the results do.
    func writeJSON(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(filePath: path))
    }
}
