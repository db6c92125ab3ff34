public import CairnCore

/// An error that SQLite returned: the `cause` of an `EngineError` of an ``SQLiteEngine``.
public struct SQLiteError: CairnError {
    /// An extended result code of SQLite. See <https://www.sqlite.org/rescode.html>.
    public struct Code: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
        public let rawValue: Int32
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// The primary result code, without the extension.
        public var primary: Int32 { rawValue & 0xFF }
        /// Whether the file is no longer at its path: `SQLITE_READONLY_DBMOVED`. Swift cannot see the names of extended codes.
        var isMoved: Bool { rawValue == 8 | 4 << 8 }
        /// Whether the file must be written to before it can be read, and may not be: `SQLITE_READONLY_ROLLBACK`.
        var isUnfinished: Bool { rawValue == 8 | 3 << 8 }
        /// Whether a page does not have its checksum: `SQLITE_IOERR_DATA`.
        var isWrongSum: Bool { rawValue == 10 | 32 << 8 }
        public var description: String { "SQLite \(rawValue)" }
    }

    /// The result code.
    public let code: Code
    /// SQLite's message.
    public let message: String
    /// The system call that failed, if one did.
    public let cause: (any Error)?
    /// Always `nil`: SQLite's messages contain neither keys nor values.
    public var userData: String? { nil }

    init(_ code: Int32, _ message: String, errno: Int32 = 0) {
        self.code = Code(rawValue: code)
        self.message = message
        cause = errno == 0 ? nil : SystemCallError(call: "a system call of SQLite", errno: errno)
    }

    /// The system's error number; 0 if no system call failed.
    var errno: Int32 { (cause as? SystemCallError)?.errno ?? 0 }
}
