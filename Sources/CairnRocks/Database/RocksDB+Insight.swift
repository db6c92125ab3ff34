import CRocks
import CairnCore

extension RocksDB {
    /// Returns all of the library's database-wide options currently in force, keyed by RocksDB's names.
    public func currentOptions() throws(RocksError) -> [String: String] {
        let (status, pairs) = unsafe Collector.pairs { unsafe crk_current_db_options(handle.pointer, $0, $1) }
        try status.check("reading the options of '\(path)'")
        return pairs
    }

    /// Reads all files and verifies their checksums.
    ///
    /// - Throws: ``RocksError/Code/corruption`` with the file and position of the first mismatch.
    /// - Complexity: Reads the whole database from disk, blocking the calling thread.
    public func verifyChecksums() throws(RocksError) {
        try unsafe crk_verify_checksums(handle.pointer).check("verifying the checksums of '\(path)'")
    }

    /// Same as ``verifyChecksums()``, on a separate thread. Cancelling the task does not end it.
    public func verifyChecksumsInBackground() async throws(RocksError) {
        try await offPool { () throws(RocksError) in try self.verifyChecksums() }.get()
    }
}

extension RocksStore {
    /// Returns all of the library's options currently in force for the column family, keyed by RocksDB's names.
    public func currentColumnFamilyOptions() throws(RocksError) -> [String: String] {
        let family = columnFamily.handle
        let (status, pairs) = unsafe Collector.pairs { unsafe crk_current_cf_options(family.pointer, $0, $1) }
        try status.check(family.attempt("reading the options of"))
        return pairs
    }

    /// Returns the options currently in force for the column family's block-based table; empty if it uses another table format.
    public func currentTableOptions() throws(RocksError) -> [String: String] {
        let family = columnFamily.handle
        let (status, pairs) = unsafe Collector.pairs { unsafe crk_current_table_options(family.pointer, $0, $1) }
        try status.check(family.attempt("reading the table options of"))
        return pairs
    }

    /// Returns a property by RocksDB's name, such as `rocksdb.stats`, or `nil` if there is no such property.
    public func property(_ name: String) throws(RocksError) -> String? {
        guard !name.utf8.contains(0) else { return nil }
        let box = TextBox()
        let family = columnFamily.handle
        let context = unsafe Unmanaged.passUnretained(box).toOpaque()
        let status = unsafe crk_property(family.pointer, name, context) { context, value in
            unsafe Unmanaged<TextBox>.fromOpaque(context).takeUnretainedValue().text = value.text
        }
        if status.code == UInt8(CRK_NOT_FOUND.rawValue) {
            crk_status_free(status)
            return nil
        }
        try status.check(family.attempt("reading property '\(name)' of"))
        return withExtendedLifetime(box) { box.text }
    }

    /// Returns a numeric property by RocksDB's name, such as `rocksdb.estimate-num-keys`, or `nil` if there is no such numeric property.
    public func intProperty(_ name: String) throws(RocksError) -> UInt64? {
        guard !name.utf8.contains(0) else { return nil }
        var value: UInt64 = 0
        let family = columnFamily.handle
        let status = unsafe crk_int_property(family.pointer, name, &value)
        if status.code == UInt8(CRK_NOT_FOUND.rawValue) {
            crk_status_free(status)
            return nil
        }
        try status.check(family.attempt("reading property '\(name)' of"))
        return value
    }

    /// Flushes the memtable to a file.
    ///
    /// All earlier writes are then as durable as `Durability.synced`, including writes that bypassed the log.
    ///
    /// - Parameter waits: Whether to wait until the file is complete.
    public func flush(waits: Bool = true) throws(RocksError) {
        let family = columnFamily.handle
        try unsafe crk_flush(family.pointer, waits).check(family.attempt("flushing"))
    }
}

private final class TextBox {
    var text = ""
}
