public import CairnCore

#if canImport(SQLite3)
import SQLite3
#else
import CSQLite
#endif

/// An error that SQLite returned: the `cause` of an `EngineError` of a ``SQLiteEngine``.
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
        /// Whether a file that was read as it is was changed: `CAIRN_SQLITE_CHANGED`, which only this engine's layer below SQLite returns.
        var isChanged: Bool { rawValue == 10 | 200 << 8 }
        public var description: String { "SQLite \(rawValue)" }
    }

    /// The result code.
    public let code: Code
    /// SQLite's message; for a page that does not match its checksum, one that says so.
    public let message: String
    /// The system call that failed, if one did.
    public let cause: (any Error)?
    /// Always `nil`: SQLite's messages contain neither keys nor values.
    public var userData: String? { nil }

    init(_ code: Int32, _ message: String, errno: Int32 = 0) {
        self.code = Code(rawValue: code)
        // SQLite's own message, "disk I/O error", is the same as for failing disks.
        self.message = self.code.isWrongSum ? "a page does not match its checksum" : message
        cause = errno == 0 ? nil : SystemCallError(call: "a system call by SQLite", errno: errno)
    }

    /// Whether the directory or the disk may be at fault: files beside the store cannot be created, or written to.
    var isOfPlace: Bool {
        guard !code.isWrongSum, !code.isChanged else { return false }
        return [SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_FULL, SQLITE_IOERR].contains(code.primary)
    }

    /// The system's error number; 0 if no system call failed.
    var errno: Int32 { (cause as? SystemCallError)?.errno ?? 0 }
}
