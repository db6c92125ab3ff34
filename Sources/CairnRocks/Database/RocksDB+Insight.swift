import CRocks
import CairnCore

extension RocksDB {
    /// The options of the whole database as they are in force, every one of the library's, by RocksDB's name.
    public func currentOptions() throws(RocksError) -> [String: String] {
        let (status, pairs) = unsafe Collector.pairs { unsafe crk_current_db_options(handle.pointer, $0, $1) }
        try status.check("reading the options of '\(path)'")
        return pairs
    }

    /// Reads all files and compares their contents with their checksums.
    ///
    /// - Throws: ``RocksError/Code/corruption`` with the file and place of the first difference.
    /// - Complexity: Reads the whole database from disk. Blocks the calling thread meanwhile.
    public func verifyChecksums() throws(RocksError) {
        try unsafe crk_verify_checksums(handle.pointer).check("verifying the checksums of '\(path)'")
    }

    /// As ``verifyChecksums()``, on a thread outside of those that tasks share. Cancelling the task does not end it.
    public func verifyChecksumsInBackground() async throws(RocksError) {
        try await offPool { () throws(RocksError) in try self.verifyChecksums() }.get()
    }
}

extension RocksStore {
    /// The options of the column family as they are in force, every one of the library's, by RocksDB's name.
    public func currentColumnFamilyOptions() throws(RocksError) -> [String: String] {
        let family = columnFamily.handle
        let (status, pairs) = unsafe Collector.pairs { unsafe crk_current_cf_options(family.pointer, $0, $1) }
        try status.check(family.attempt("reading the options of"))
        return pairs
    }

    /// The options of the column family's block-based table as they are in force; empty if it has another table format.
    public func currentTableOptions() throws(RocksError) -> [String: String] {
        let family = columnFamily.handle
        let (status, pairs) = unsafe Collector.pairs { unsafe crk_current_table_options(family.pointer, $0, $1) }
        try status.check(family.attempt("reading the table options of"))
        return pairs
    }

    /// A property by RocksDB's name, such as `rocksdb.stats`; `nil` if there is none of that name.
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

    /// A numeric property by RocksDB's name, such as `rocksdb.estimate-num-keys`; `nil` if there is no number of that name.
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

    /// Writes the memtable to a file.
    ///
    /// Everything written before is then as safe as `Durability.synced`, also what went past the log.
    ///
    /// - Parameter waits: Whether to return only when the file is complete.
    public func flush(waits: Bool = true) throws(RocksError) {
        let family = columnFamily.handle
        try unsafe crk_flush(family.pointer, waits).check(family.attempt("flushing"))
    }
}

private final class TextBox {
    var text = ""
}
