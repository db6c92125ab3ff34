import CairnCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Pauses between attempts: none, then from 10 ms to 1 s, shortened at random, so that clients do not all retry at once.
package struct Backoff: Sendable {
    private var milliseconds = 0

    package init() {}

    /// Whether the next pause is over before `end`.
    package func fits(before end: ContinuousClock.Instant) -> Bool { ContinuousClock.now + .milliseconds(milliseconds) < end }

    package mutating func next() -> Int {
        defer { milliseconds = min(1000, max(10, milliseconds * 2)) }
        return milliseconds == 0 ? 0 : Int.random(in: milliseconds / 2...milliseconds)
    }

    /// Waits; ends early once the task is cancelled.
    package mutating func wait() {
        let pause = next()
        guard pause > 0 else { return }
        _ = TaskCancellation.wait(until: .now + .milliseconds(pause)) { milliseconds in
            usleep(UInt32(milliseconds) * 1000)
            return false
        }
    }
}
