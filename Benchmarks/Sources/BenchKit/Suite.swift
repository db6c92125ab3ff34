/// A store beside its rivals.
public protocol Suite: Sendable {
    /// All it can measure, in order.
    var workloads: [Workload] { get }
    /// The libraries that take part, with their versions.
    var libraries: [String: String] { get }
    /// Why rivals are missing: a line each.
    var absent: [String] { get }
    /// What does not depend on the clock.
    var gates: [Gate] { get }
    /// Measures what the settings select.
    func run(_ harness: Harness) throws
    /// Does, in a process of its own, what a name and its arguments say; false if the name is another suite's.
    func probe(_ name: String, _ arguments: [String]) throws -> Bool
}

extension Suite {
    public var libraries: [String: String] { [:] }
    public var absent: [String] { [] }
    public var gates: [Gate] { [] }
    public func probe(_ name: String, _ arguments: [String]) throws -> Bool { false }
}
