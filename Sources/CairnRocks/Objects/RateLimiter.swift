import CRocks
public import CairnCore

/// Limits how fast files are written or read; RocksDB's `RateLimiter`.
///
/// Flushes go before compactions. Reads and log writes count only where ``ReadOptions/rateLimiterPriority`` or
/// ``WriteOptions/rateLimiterPriority`` says so. May be shared by any number of databases, which then stay within the limit together.
public final class RateLimiter: Sendable {
    /// What is limited.
    public enum Mode: UInt8, Sendable {
        case reads = 0
        case writes = 1
        case readsAndWrites = 2
    }

    let handle: ObjectHandle

    /// A limiter of `bytesPerSecond`.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: The rate; with `isAutoTuned`, the highest.
    ///   - refillPeriod: How often new bytes are handed out: shorter is smoother, and costs more.
    ///   - fairness: One of so many times a compaction goes before a waiting flush.
    ///   - mode: What is limited.
    ///   - isAutoTuned: Whether the rate follows the demand, down to a twentieth of `bytesPerSecond`.
    /// - Throws: ``RocksError/Code/invalidArgument`` if less than 1 KiB would be handed out at a time, at the lowest rate: nothing would get
    ///   done.
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

    /// Changes the rate, for what is written from now on.
    ///
    /// - Throws: As ``init(bytesPerSecond:refillPeriod:fairness:mode:isAutoTuned:)``.
    public func setBytesPerSecond(_ rate: ByteCount) throws(RocksError) {
        try unsafe crk_rate_limiter_set_bytes_per_second(handle.pointer, rate.bytes).check("limiting the rate to \(rate) a second")
    }

    /// The rate in force.
    public var bytesPerSecond: ByteCount { ByteCount(bytes: unsafe crk_rate_limiter_bytes_per_second(handle.pointer)) }
    /// How much has passed.
    public var totalBytes: ByteCount { ByteCount(bytes: unsafe crk_rate_limiter_total_bytes(handle.pointer)) }
    /// In how many requests.
    public var totalRequests: Int { Int(clamping: unsafe crk_rate_limiter_total_requests(handle.pointer)) }
}
