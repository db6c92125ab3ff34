import CairnCore

#if canImport(SQLite3)
import SQLite3
#else
import CSQLite
#endif

/// A prepared statement that was taken from a ``SQLiteConnection``. Only the connection calls its methods, with its lock held.
///
/// Sendable because of that lock.
@safe struct SQLiteStatement: @unchecked Sendable {
    let query: SQLiteQuery
    let pointer: OpaquePointer

    /// Binds bytes, which must stay where they are while the statement is used.
    func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
        // A missing address would bind NULL.
        if let address = bytes.baseAddress, bytes.count > 0 {
            unsafe check(sqlite3_bind_blob64(pointer, index, address, UInt64(bytes.count), nil))
        } else {
            unsafe check(sqlite3_bind_zeroblob(pointer, index, 0))
        }
    }

    func bind(_ number: Int64, at index: Int32) { unsafe check(sqlite3_bind_int64(pointer, index, number)) }
    func bindNothing(at index: Int32) { unsafe check(sqlite3_bind_null(pointer, index)) }

    func number(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(pointer, column) }

    /// The bytes of a column, valid until the statement moves on.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let address = unsafe sqlite3_column_blob(pointer, column)
        return unsafe UnsafeRawBufferPointer(start: address, count: address == nil ? 0 : Int(sqlite3_column_bytes(pointer, column)))
    }

    func isNumber(_ column: Int32) -> Bool { unsafe sqlite3_column_type(pointer, column) == SQLITE_INTEGER }
    func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(pointer, column) == SQLITE_NULL }

    /// Binding fails only for an invalid index, or a statement in use: neither depends on data. Sizes were compared with the limits.
    private func check(_ code: Int32) { precondition(code == SQLITE_OK, "invalid use of an SQLite statement: \(code)") }
}
