import Foundation

/// One thing that a store and its rivals do.
public struct Workload: Sendable {
    /// The store and what is done: `rocks/get-hit`.
    public let name: String
    public let summary: String
    /// What is aimed at, beside which rival.
    public let goals: [Goal]

    public init(_ name: String, _ summary: String, goals: [Goal] = []) {
        self.name = name
        self.summary = summary
        self.goals = goals
    }
}

/// A bound that the project set itself.
public struct Goal: Sendable {
    /// The rival whose ratio is bound; `nil`: what is measured of Cairn itself, in the unit of the result.
    let rival: String?
    let bound: Double

    /// Cairn may take so many times of what a rival takes.
    public static func ratio(_ bound: Double, to rival: String) -> Goal { Goal(rival: rival, bound: bound) }
    /// What is measured may be so much.
    public static func value(_ bound: Double) -> Goal { Goal(rival: nil, bound: bound) }
}

extension Goal {
    public var description: String { rival.map { "\(bound.formatted()) of \($0)" } ?? "at most \(bound.formatted())" }
}
