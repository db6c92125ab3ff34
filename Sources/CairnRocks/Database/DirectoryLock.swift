import CRocks

/// The lock of a database's directory, which opening the database for writing takes: nobody opens it so as long as this lives, this process included.
package final class DirectoryLock: Sendable {
    private let handle: ObjectHandle

    /// - Throws: ``RocksError/Code/locked`` if it is taken already.
    package init(path: String) throws(RocksError) {
        try checkForZeroByte(in: path, "path")
        let options = try DatabaseOptionsHandle(DatabaseOptions())
        var lock: OpaquePointer?
        try unsafe crk_directory_lock_create(path, options.pointer, &lock).check("locking '\(path)'")
        handle = unsafe try ObjectHandle(lock, "a lock") { unsafe crk_directory_lock_free($0) }
    }
}
