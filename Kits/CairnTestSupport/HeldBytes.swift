#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What a proxy holds back for a while, in the order in which it was sent.
struct HeldBytes {
    private var parts: [(due: ContinuousClock.Instant, to: Int32, bytes: [UInt8])] = []

    /// How many milliseconds `poll` may wait; -1 if nothing is held.
    var patience: Int32 {
        guard let due = parts.first?.due else { return -1 }
        return Int32(max(0, (ContinuousClock.now.duration(to: due) / .milliseconds(1)).rounded(.up)))
    }

    mutating func add(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, for duration: Duration) {
        parts.append((.now + duration, descriptor, Array(bytes)))
    }

    /// Sends what was held long enough, or everything; returns false if a connection is broken.
    mutating func send(all: Bool = false) -> Bool {
        while let part = parts.first, all || part.due <= .now {
            parts.removeFirst()
            guard unsafe write(part.to, part.bytes, part.bytes.count) == part.bytes.count else { return false }
        }
        return true
    }
}
