import Foundation

/// What came out of a workload: Cairn by itself or beside one rival. A line of the table, an element of the JSON.
public struct Measured: Codable, Sendable {
    public var workload: String
    public var variant: String?
    public var summary: String
    public var subject: String
    public var rival: String?
    /// Of the values: `ns` for each operation, `ms`, `MB`, `times`.
    public var unit: String
    /// The median.
    public var value: Double
    public var minimum: Double?
    public var allocations: Double?
    public var rivalValue: Double?
    public var rivalMinimum: Double?
    public var rivalAllocations: Double?
    /// Of the values.
    public var ratio: Double?
    /// The median of each round's own ratio: what the machine does to all sides of a round alike cancels out.
    public var roundRatio: Double?
    public var goal: Double?
    public var rounds: Int?
    /// What the subject did in all rounds, those that warm up included: what a profile's counts are divided by.
    public var operations: Int?

    /// Without a rival.
    public init(
        _ workload: Workload,
        variant: String? = nil,
        subject: String,
        unit: String,
        value: Double,
        minimum: Double? = nil,
        allocations: Double? = nil,
        rounds: Int? = nil
    ) {
        self.workload = workload.name
        self.variant = variant
        summary = workload.summary
        self.subject = subject
        self.unit = unit
        self.value = Self.rounded(value)
        self.minimum = minimum.map(Self.rounded)
        self.allocations = allocations.map(Self.rounded)
        self.rounds = rounds
        goal = workload.goals.first { $0.rival == nil }?.bound
    }

    /// Makes it a comparison.
    public mutating func setRival(
        _ name: String,
        value other: Double,
        minimum: Double? = nil,
        allocations: Double? = nil,
        roundRatio: Double? = nil,
        goals: [Goal] = []
    ) {
        rival = name
        rivalValue = Self.rounded(other)
        rivalMinimum = minimum.map(Self.rounded)
        rivalAllocations = allocations.map(Self.rounded)
        ratio = Self.rounded(value / other)
        self.roundRatio = roundRatio.map(Self.rounded)
        goal = goals.first { $0.rival == name }?.bound
    }

    /// What is held against the goal: of ratios that of the rounds, which other work on the machine moves least.
    public var judged: Double { rival == nil ? value : roundRatio ?? ratio ?? .nan }
    /// Whether the goal is met; `nil` where there is none.
    public var isMet: Bool? { goal.map { judged <= $0 } }
    /// What to call it in a table.
    public var title: String { variant.map { "\(workload) (\($0))" } ?? workload }
    /// The store: what the workload's name begins with.
    public var store: Substring { workload.prefix { $0 != "/" } }

    /// Four digits: more of them are noise.
    private static func rounded(_ number: Double) -> Double { Double(String(format: "%.4g", number)) ?? number }
}
