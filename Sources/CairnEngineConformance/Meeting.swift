import Foundation

/// A place where threads wait for each other.
final class Meeting: @unchecked Sendable {
    // Sendable: `condition` guards the counts.
    private let condition = NSCondition()
    private var members: Int
    private var waiting = 0
    private var meetings = 0

    init(of members: Int) { self.members = members }

    /// Waits until all members do.
    func meet() {
        condition.lock()
        defer { condition.unlock() }
        waiting += 1
        let number = meetings
        endIfComplete()
        while meetings == number { condition.wait() }
    }

    /// Makes the others no longer wait for this member.
    func leave() {
        condition.lock()
        defer { condition.unlock() }
        members -= 1
        endIfComplete()
    }

    private func endIfComplete() {
        guard waiting > 0, waiting >= members else { return }
        waiting = 0
        meetings += 1
        condition.broadcast()
    }
}
