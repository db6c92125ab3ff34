import Synchronization

/// The average sizes of what was read last, for each first byte of keys: in an object store, what has the same one is of the same kind.
final class AverageSizes: Sendable {
    /// The number of sizes that count; older ones count less and less.
    private static let most = 256

    private let sums = Mutex<[UInt8?: Sum]>([:])

    private struct Sum {
        var count = 0
        var bytes = 0
    }

    /// Adds the sizes of what was read.
    ///
    /// - Parameter area: The first byte of the keys; `nil` for the empty key.
    func add(_ count: Int, bytes: Int, _ area: UInt8?) {
        guard count > 0 else { return }
        sums.withLock { sums in
            var sum = sums[area] ?? Sum()
            sum.count += count
            sum.bytes += bytes
            if sum.count > Self.most { (sum.count, sum.bytes) = (Self.most, sum.bytes / sum.count * Self.most) }
            sums[area] = sum
        }
    }

    /// Forgets the sizes before: these were larger than expected.
    func replace(_ count: Int, bytes: Int, _ area: UInt8?) { sums.withLock { $0[area] = Sum(count: count, bytes: bytes) } }

    /// The average size; `nil` if nothing was read yet.
    func average(_ area: UInt8?) -> Int? { sums.withLock { $0[area].map { $0.bytes / $0.count } } }

    /// How many of this kind have a size, at least one; `nil` if nothing was read yet.
    func count(in size: Int, _ area: UInt8?) -> Int? { average(area).map { max(1, size / max(1, $0)) } }
}
