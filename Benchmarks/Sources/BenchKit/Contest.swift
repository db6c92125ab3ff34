/// Sides that do the same in turn, round by round.
public struct Contest {
    /// The subject first, then its rivals.
    public var sides: [String]
    /// Rounds that count.
    public var rounds: Int
    /// Rounds before them.
    public var warmUps = 1
    /// No further round begins once the contest took so long; one that counts always does. `nil`: all rounds, however long they take.
    public var patience: Duration?
    /// What each round consists of, in this order.
    public var events: [Event]
    /// Runs before each round, untimed; rounds that warm up have negative numbers.
    public var beginRound: (_ round: Int) throws -> Void = { _ in }
    /// Runs after each round, untimed, also after one that failed.
    public var endRound: (_ round: Int) throws -> Void = { _ in }
    /// Runs before each turn, untimed.
    public var beforeTurn: () -> Void = {}

    public init(sides: [String], rounds: Int, events: [Event]) {
        self.sides = sides
        self.rounds = rounds
        self.events = events
    }
}

/// A workload within a round.
public struct Event {
    public let workload: Workload
    /// Tells apart what runs the same workload: the kind of keys.
    public var variant: String?
    public var scale = Scale.operation
    /// What a side does. What is aimed at is that all return the same.
    public let run: (_ turn: Turn) throws -> Outcome

    public init(_ workload: Workload, run: @escaping (_ turn: Turn) throws -> Outcome) {
        self.workload = workload
        self.run = run
    }

    /// What a measured time covers, and its unit.
    public enum Scale: String, Sendable {
        /// Nanoseconds for each operation.
        case operation = "ns"
        /// Milliseconds for the whole.
        case whole = "ms"
    }
}

/// What a side's turn gave.
public struct Outcome {
    /// What it did, to divide its time by.
    public var operations: Int
    /// Counts and sums of what was read: all sides must have the same. `nil` where a side does less than the others.
    public var check: [UInt64]?

    public init(operations: Int, check: [UInt64]? = []) {
        self.operations = operations
        self.check = check
    }
}
