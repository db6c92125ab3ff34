public import CairnCore

/// A failure of a RocksDB database: what was attempted, RocksDB's full status, and the underlying cause, if there is one.
///
/// ```swift
/// do {
///     try db.put("1", for: "a")
/// } catch where error.code == .noSpace {
///     // The disk is full; what was written before is still there.
/// }
/// ```
public struct RocksError: CairnError {
    /// The kind of failure.
    public let code: Code
    /// What was attempted on which database and column family, and RocksDB's message.
    public let message: String
    /// The key or value involved, if known; shown only by `fullDescription`.
    public let userData: String?
    /// The underlying `CodecError` or `FileError`, if there is one.
    public let cause: (any Error)?
    /// RocksDB's subcode; ``Subcode/none`` if there is none.
    public let subcode: Subcode
    /// The severity of an error in RocksDB's background work; ``Severity/none`` for all other errors.
    public let severity: Severity
    /// Whether RocksDB says that the same call may succeed later.
    public let isRetryable: Bool

    /// Creates an error that RocksDB did not report itself.
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
