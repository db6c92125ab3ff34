public import CairnCore

/// A failure of a RocksDB database: what was attempted, RocksDB's whole status, and where there is one, the cause underneath.
///
/// ```swift
/// do {
///     try db.put("1", for: "a")
/// } catch where error.code == .ioError && error.subcode == .noSpace {
///     // The disk is full; what was written before is still there.
/// }
/// ```
public struct RocksError: CairnError {
    /// What kind of failure this is.
    public let code: Code
    /// What was attempted on which database and column family, and what RocksDB said.
    public let message: String
    /// The key or value concerned, where one is known; shown only by `fullDescription`.
    public let userData: String?
    /// The codec's error, for ``Code/codec``.
    public let cause: (any Error)?
    /// RocksDB's finer distinction, ``Subcode/none`` where it makes none.
    public let subcode: Subcode
    /// How bad an error of RocksDB's background work is; ``Severity/none`` for all other errors.
    public let severity: Severity
    /// Whether RocksDB holds that the same call may succeed later.
    public let isRetryable: Bool

    /// Makes an error that RocksDB did not report itself.
    public init(_ code: Code, _ message: String, userData: String? = nil, cause: (any Error)? = nil) {
        self.init(code, message, userData: userData, cause: cause, subcode: .none, severity: .none, isRetryable: false)
    }

    init(
        _ code: Code,
        _ message: String,
        userData: String? = nil,
        cause: (any Error)? = nil,
        subcode: Subcode,
        severity: Severity,
        isRetryable: Bool
    ) {
        self.code = code
        self.message = message
        self.userData = userData
        self.cause = cause
        self.subcode = subcode
        self.severity = severity
        self.isRetryable = isRetryable
    }
}
