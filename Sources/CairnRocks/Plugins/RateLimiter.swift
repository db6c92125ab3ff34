import CRocks
public import CairnCore

/// Limits how fast files are written or read; RocksDB's `RateLimiter`.
///
/// Flushes have priority over compactions. Reads and log writes are limited only if ``ReadOptions/rateLimiterPriority`` or
/// ``WriteOptions/rateLimiterPriority`` is set. Any number of databases may share a limiter, and then stay within the limit together.
public final class RateLimiter: Sendable {
    /// What is limited.
    public enum Mode: UInt8, Sendable {
        case reads = 0
        case writes = 1
        case readsAndWrites = 2
    }

    let handle: ObjectHandle

    /// Creates a limiter of `bytesPerSecond`.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: The rate; with `isAutoTuned`, the highest rate.
    ///   - refillPeriod: How often bytes are handed out: a shorter period is smoother, but costs more.
    ///   - fairness: A compaction goes ahead of a waiting flush once in this many times.
    ///   - mode: What is limited.
    ///   - isAutoTuned: Whether the rate follows the demand, down to a twentieth of `bytesPerSecond`.
    /// - Throws: ``RocksError/Code/invalidArgument`` if the lowest rate would hand out less than 1 KiB at a time: nothing would get done.
    public init(
        bytesPerSecond: ByteCount,
        refillPeriod: Duration = .milliseconds(100),
        fairness: Int = 10,
        mode: Mode = .writes,
        isAutoTuned: Bool = false
    ) throws(RocksError) {
        var pointer: OpaquePointer?
        let period = Int64(clamping: refillPeriod.wholeMicroseconds)
        try unsafe crk_rate_limiter_create(
            bytesPerSecond.bytes,
            period,
            Int32(clamping: fairness),
            mode.rawValue,
            isAutoTuned,
            &pointer
        ).check("making a rate limiter of \(bytesPerSecond) a second")
        handle = unsafe ObjectHandle(owning: pointer!) { unsafe crk_rate_limiter_release($0) }
    }

    /// Changes the rate for writes from now on.
    ///
    /// - Throws: Same as ``init(bytesPerSecond:refillPeriod:fairness:mode:isAutoTuned:)``.
    public func setBytesPerSecond(_ rate: ByteCount) throws(RocksError) {
        try unsafe crk_rate_limiter_set_bytes_per_second(handle.pointer, rate.bytes).check("limiting the rate to \(rate) a second")
    }

    /// The current rate.
    public var bytesPerSecond: ByteCount { ByteCount(bytes: unsafe crk_rate_limiter_bytes_per_second(handle.pointer)) }
    /// The total number of bytes that have passed.
    public var totalBytes: ByteCount { ByteCount(bytes: unsafe crk_rate_limiter_total_bytes(handle.pointer)) }
    /// The total number of requests that have passed.
    public var totalRequests: Int { Int(clamping: unsafe crk_rate_limiter_total_requests(handle.pointer)) }
}
