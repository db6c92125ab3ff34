import CRocks

/// The lock on a database's directory that opening for writing takes. While this object exists, nobody can open the database for writing, this
/// process included.
package final class DirectoryLock: Sendable {
    private let handle: ObjectHandle

    /// - Throws: ``RocksError/Code/locked`` if the lock is already taken.
    package init(path: String) throws(RocksError) {
        try checkForZeroByte(in: path, "path")
        let options = try DatabaseOptionsHandle(DatabaseOptions())
        var lock: OpaquePointer?
        try unsafe crk_directory_lock_create(options.place(path), options.pointer, &lock).check("locking '\(path)'")
        handle = unsafe try ObjectHandle(lock, "a lock") { unsafe crk_directory_lock_free($0) }
    }
}
