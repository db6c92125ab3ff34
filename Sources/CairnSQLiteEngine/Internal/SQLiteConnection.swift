import CCairnSQLite
import CairnCore
import Synchronization

#if canImport(SQLite3)
import SQLite3
#else
import CSQLite
#endif

/// A connection to the file of a store, with its prepared statements.
///
/// Can be used from any thread, by several at once: each call holds the connection's lock, so SQLite's own is off. No call runs code of others with the lock held.
/// The bytes of a row stay valid until its statement moves on, whatever other statements do, if none of them writes.
@safe final class SQLiteConnection: @unchecked Sendable {
    let handle: OpaquePointer
    /// Whether the file is read as it is, without a log: only for reading.
    let isStill: Bool
    /// SQLite has a pointer to it.
    let busy: BusyWait
    /// The length of the log after the connection's last commit, in pages. SQLite has a pointer to it.
    private let log = LogLength()
    private let lock = Mutex(())
    /// The prepared statements that nobody uses, by query. Guarded by the lock.
    private var idle: [[SQLiteStatement]] = Array(repeating: [], count: SQLiteQuery.allCases.count)

    /// The name of the layer below SQLite that checks pages.
    private static let layer = unsafe cairn_sqlite_register().map { unsafe String(cString: $0) }

    /// Opens an existing file. Reads nothing yet.
    ///
    /// - Parameter isStill: Whether to read the file as it is; see ``CAIRN_SQLITE_STILL``.
    init(path: String, readOnly: Bool, busyTimeout: Duration, isStill: Bool = false) throws(SQLiteError) {
        self.isStill = isStill
        busy = BusyWait(timeout: busyTimeout)
        var handle: OpaquePointer?
        let flags = (readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_NOMUTEX
        let code = unsafe sqlite3_open_v2(path, &handle, flags, isStill && Self.layer != nil ? CAIRN_SQLITE_STILL : Self.layer)
        guard code == SQLITE_OK, let handle = unsafe handle else {
            defer { unsafe sqlite3_close(handle) }
            throw unsafe Self.error(handle, code)
        }
        unsafe self.handle = handle
        unsafe sqlite3_extended_result_codes(handle, 1)
        unsafe sqlite3_busy_handler(
            handle,
            { busy, attempt in unsafe Unmanaged<BusyWait>.fromOpaque(busy!).takeUnretainedValue().wait(Int(attempt)) ? 1 : 0 },
            Unmanaged.passUnretained(busy).toOpaque()
        )
        // Instead of SQLite's own hook, which moves pages to the file: SQLiteCheckpointer does that.
        unsafe sqlite3_wal_hook(
            handle,
            { log, _, _, pages in
                unsafe Unmanaged<LogLength>.fromOpaque(log!).takeUnretainedValue().pages = Int(pages)
                return SQLITE_OK
            },
            Unmanaged.passUnretained(log).toOpaque()
        )
    }

    private final class LogLength {
        var pages = 0
    }

    var logPages: Int { lock.withLock { _ in log.pages } }

    /// Rolls back what is not committed.
    deinit {
        for statement in idle.joined() { unsafe sqlite3_finalize(statement.pointer) }
        unsafe sqlite3_close(handle)
    }

    // MARK: Statements

    /// Runs a statement, binding its parameters before, and returns what `read` makes of its first row; `nil` if it has none.
    func first<Value: Sendable>(
        _ query: SQLiteQuery,
        bind: (SQLiteStatement) -> Void = { _ in },
        read: (SQLiteStatement) -> Value
    ) throws(SQLiteError) -> Value? {
        try lock.withLock { _ throws(SQLiteError) in
            let statement = try take(query)
            defer { giveBack(statement) }
            bind(statement)
            return try step(statement) ? read(statement) : nil
        }
    }

    /// Runs a statement to its end.
    func run(_ query: SQLiteQuery, bind: (SQLiteStatement) -> Void = { _ in }) throws(SQLiteError) {
        _ = try first(query, bind: bind) { _ in }
    }

    /// Begins a query for entries and returns the first; `nil` if there is none. Then continue with ``next(_:)``, and give the statement back with ``end(_:)``.
    func begin(
        _ query: SQLiteQuery,
        bind: (SQLiteStatement) -> Void
    ) throws(SQLiteError) -> (statement: SQLiteStatement, entry: SQLiteEntry)? {
        try lock.withLock { _ throws(SQLiteError) in
            let statement = try take(query)
            bind(statement)
            do throws(SQLiteError) {
                if try step(statement) { return (statement, SQLiteEntry(statement)) }
            } catch {
                giveBack(statement)
                throw error
            }
            giveBack(statement)
            return nil
        }
    }

    /// The next entry of a query; `nil` if there is none. The bytes of the one before are no longer valid.
    func next(_ statement: SQLiteStatement) throws(SQLiteError) -> SQLiteEntry? {
        try lock.withLock { _ throws(SQLiteError) in try step(statement) ? SQLiteEntry(statement) : nil }
    }

    /// Gives back a statement that was begun.
    func end(_ statement: SQLiteStatement) { lock.withLock { _ in giveBack(statement) } }

    /// Runs a query and calls `body` with each row, with the lock held.
    func forEach(
        _ query: SQLiteQuery,
        bind: (SQLiteStatement) -> Void = { _ in },
        body: (SQLiteStatement) -> Void
    ) throws(SQLiteError) {
        try lock.withLock { _ throws(SQLiteError) in
            let statement = try take(query)
            defer { giveBack(statement) }
            bind(statement)
            while try step(statement) { body(statement) }
        }
    }

    private func take(_ query: SQLiteQuery) throws(SQLiteError) -> SQLiteStatement {
        if let statement = idle[query.rawValue].popLast() { return statement }
        var pointer: OpaquePointer?
        let sql = query.sql
        let code = unsafe sql.utf8Start.withMemoryRebound(to: CChar.self, capacity: sql.utf8CodeUnitCount) { text in
            unsafe sqlite3_prepare_v3(handle, text, Int32(sql.utf8CodeUnitCount), UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
        }
        guard code == SQLITE_OK, let pointer = unsafe pointer else { throw unsafe Self.error(handle, code) }
        return unsafe SQLiteStatement(query: query, pointer: pointer)
    }

    private func giveBack(_ statement: SQLiteStatement) {
        // Returns the error of the last step again.
        unsafe sqlite3_reset(statement.pointer)
        idle[statement.query.rawValue].append(statement)
    }

    private func step(_ statement: SQLiteStatement) throws(SQLiteError) -> Bool {
        switch unsafe sqlite3_step(statement.pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw unsafe Self.error(handle, code)
        }
    }

    /// The ID of the row that was inserted last.
    var lastInsertedID: Int64 { lock.withLock { _ in unsafe sqlite3_last_insert_rowid(handle) } }

    // MARK: Text

    /// Runs statements that have no parameters, and returns the first column of the last row, as text; empty if there is none.
    @discardableResult
    func run(_ sql: String) throws(SQLiteError) -> String {
        try lock.withLock { _ throws(SQLiteError) in
            var found = ""
            let code = unsafe withUnsafeMutablePointer(to: &found) { found in
                unsafe sqlite3_exec(
                    handle,
                    sql,
                    { found, count, columns, _ in
                        if count > 0, let text = unsafe columns?[0] {
                            unsafe found!.assumingMemoryBound(to: String.self).pointee = unsafe String(cString: text)
                        }
                        return 0
                    },
                    found,
                    nil
                )
            }
            guard code == SQLITE_OK else { throw unsafe Self.error(handle, code) }
            return found
        }
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { lock.withLock { _ in unsafe sqlite3_get_autocommit(handle) == 0 } }

    private static func error(_ handle: OpaquePointer?, _ code: Int32) -> SQLiteError {
        let (code, errno) = unsafe handle == nil ? (code, 0) : (sqlite3_extended_errcode(handle), sqlite3_system_errno(handle))
        let isOfSystem = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_FULL].contains(code & 0xFF)
        let error = unsafe SQLiteError(code, String(cString: sqlite3_errmsg(handle)), errno: isOfSystem ? errno : 0)
        // No system call failed: the number is from an earlier one.
        return error.code.isWrongSum || error.code.isChanged ? SQLiteError(code, error.message) : error
    }
}
