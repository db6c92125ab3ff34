import Synchronization

/// How often a test got to what it checks: one whose cases are all left out before proves nothing.
public final class Tally: Sendable {
    private let number = Atomic(0)

    public init() {}

    public var count: Int { number.load(ordering: .relaxed) }
    public func add() { number.add(1, ordering: .relaxed) }
}
