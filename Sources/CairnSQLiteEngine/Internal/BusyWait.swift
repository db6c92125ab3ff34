#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// How a connection waits for a lock that another one holds: SQLite calls it again and again until it returns false.
///
/// Commits take some 100 µs. SQLite's own waiting sleeps for up to 100 ms, in which a process that commits all the time takes the lock a thousand times; this
/// one sleeps for at most 2 ms, a random time, so that no process is left out for long.
final class BusyWait {
    private let timeout: Duration
    private var end = ContinuousClock.now
    /// Whether it gives up at once.
    var isOff = false

    init(timeout: Duration) { self.timeout = timeout }

    /// Waits 10 ms.
    static func pause() { usleep(10_000) }

    /// Waits before the next attempt; returns false once the time is over. For one thread at a time.
    func wait(_ attempt: Int) -> Bool {
        let now = ContinuousClock.now
        if attempt == 0 { end = now + timeout }
        guard now < end, !isOff else { return false }
        let longest: UInt32 = 50 << UInt32(min(attempt, 5))
        usleep(UInt32.random(in: longest / 2...longest))
        return true
    }
}
