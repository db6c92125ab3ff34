import CCairnSQLite

#if canImport(SQLite3)
import SQLite3
#else
import CSQLite
#endif

extension SQLiteConnection {
    /// The first bytes of the file, read without a lock and without recovering anything: nothing changes, whatever file it is. Fewer if it is shorter.
    func firstBytes(_ count: Int) throws(SQLiteError) -> [UInt8] {
        let file = unsafe try file
        var size: Int64 = 0
        var code = unsafe file.pointee.pMethods.pointee.xFileSize(file, &size)
        var bytes = [UInt8](repeating: 0, count: Int(min(size, Int64(count))))
        if code == SQLITE_OK, !bytes.isEmpty {
            code = unsafe bytes.withUnsafeMutableBytes {
                unsafe file.pointee.pMethods.pointee.xRead(file, $0.baseAddress, Int32($0.count), 0)
            }
        }
        guard code == SQLITE_OK else { throw SQLiteError(code, "the file cannot be read") }
        return bytes
    }

    /// Sets the size of the pages of a file that has none yet, and leaves room for their checksums.
    func setPageSize() throws(SQLiteError) {
        var reserved = CAIRN_SQLITE_RESERVED
        unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved)
        try run("PRAGMA page_size = \(CAIRN_SQLITE_PAGE_SIZE)")
    }

    /// Whether the file is no longer at its path.
    var hasMoved: Bool {
        var moved: Int32 = 0
        return unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
    }

    /// Whether the file was read as it is, and others write to it now or have done so: further reads need another connection.
    var isOutdated: Bool {
        guard isStill else { return false }
        guard let file = unsafe try? file else { return true }
        return unsafe cairn_sqlite_is_still(file) == 0
    }

    /// Whether the file can only be read.
    var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

    /// The maximum size of a row.
    var rowLimit: Int { Int(unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, -1)) }

    /// The head of the log's index, which all processes share; `nil` if the file has no log, or SQLite keeps its index elsewhere.
    ///
    /// Valid as long as the connection. Something must have been read before.
    func logHead() throws(SQLiteError) -> SQLiteLogHead? {
        guard try run("PRAGMA journal_mode") == "wal" else { return nil }
        let file = unsafe try file
        guard unsafe file.pointee.pMethods.pointee.iVersion >= 2, let map = unsafe file.pointee.pMethods.pointee.xShmMap else { return nil }
        var address: UnsafeMutableRawPointer?
        let code = unsafe map(file, 0, SQLiteLogHead.regionSize, 0, &address)
        guard code & 0xFF == SQLITE_OK || code & 0xFF == SQLITE_READONLY, let address = unsafe address else { return nil }
        return unsafe SQLiteLogHead(address)
    }

    /// Syncs the log.
    func syncLog() throws(SQLiteError) {
        // Opens it.
        _ = try latest()
        let log = unsafe try file(SQLITE_FCNTL_JOURNAL_POINTER)
        let code = unsafe log.pointee.pMethods.pointee.xSync(log, SQLITE_SYNC_FULL)
        guard code == SQLITE_OK else { throw unsafe SQLiteError(code, "the log cannot be synced", errno: sqlite3_system_errno(handle)) }
    }

    /// Moves the pages that nobody needs in the log to the file. Returns how many pages of the log were moved since it began.
    func moveLog() throws(SQLiteError) -> Int {
        // Opens it.
        _ = try latest()
        var moved: Int32 = 0
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, &moved)
        guard code == SQLITE_OK else { throw unsafe SQLiteError(code, "the log cannot be moved", errno: sqlite3_system_errno(handle)) }
        return Int(moved)
    }

    private var file: UnsafeMutablePointer<sqlite3_file> { get throws(SQLiteError) { unsafe try file(SQLITE_FCNTL_FILE_POINTER) } }

    private func file(_ which: Int32) throws(SQLiteError) -> UnsafeMutablePointer<sqlite3_file> {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = unsafe withUnsafeMutablePointer(to: &file) { unsafe sqlite3_file_control(handle, "main", which, $0) }
        guard code == SQLITE_OK, let file = unsafe file, unsafe file.pointee.pMethods != nil else {
            throw SQLiteError(code, "the file is not open")
        }
        return unsafe file
    }
}
