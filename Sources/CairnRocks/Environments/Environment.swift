import CRocks
import CairnCore

/// The place where a database's files are stored; RocksDB's `Env`.
///
/// ```swift
/// var options = DatabaseOptions(createIfMissing: true)
/// options.environment = try .inMemory()
/// let db = try RocksDB(path: "/scratch", options: options)      // no file on disk
/// ```
///
/// Several databases may share an environment, and they keep it alive. Opening, listing, destroying and repairing a database require the environment
/// it was created in.
public final class Environment: Sendable {
    /// `nil` is the default environment.
    let handle: ObjectHandle?

    /// Whether paths refer to the file system.
    let isOnDisk: Bool

    /// The permissions of new directories; `nil` for RocksDB's.
    let directoryMode: UInt32?

    private init(handle: ObjectHandle?, isOnDisk: Bool = true, directoryMode: UInt32? = nil) {
        self.handle = handle
        self.directoryMode = directoryMode
        self.isOnDisk = isOnDisk
    }

    /// Files on disk, unencrypted.
    public static let `default` = Environment(handle: nil)

    /// Creates a new, empty file system in memory. Its files survive closing and reopening a database, and disappear with the last reference. Paths
    /// are only names; directories need not exist.
    public static func inMemory() throws(RocksError) -> Environment {
        Environment(
            handle: unsafe try ObjectHandle(crk_environment_create_memory(), "an environment") { unsafe crk_environment_release($0) },
            isOnDisk: false
        )
    }

    /// Creates an environment of files on disk, encrypted with `cipher`; see <doc:Environments> for what that protects and what it does not.
    ///
    /// Everything that a database writes is encrypted: tables, blobs, logs, the manifest, options, its text log, checkpoints. The names,
    /// numbers, sizes and modification times of files remain visible. Each file is 4096 bytes longer. Memory-mapped files
    /// (``DatabaseOptions/allowMmapReads``) are refused. The directory of a new database is accessible only to its owner
    /// (``DatabaseOptions/directoryMode``).
    ///
    /// Opening a database with another key throws ``RocksError/Code/wrongKey`` and changes nothing.
    public static func encrypted(by cipher: some FileCipher) throws(RocksError) -> Environment {
        Environment(handle: try ObjectHandle(encryptedBy: cipher), directoryMode: 0o700)
    }
}

/// A stream cipher that can start at any offset, such as AES in counter mode; for ``Environment/encrypted(by:)``.
public protocol FileCipher: Sendable {
    /// Combines `bytes` with the key stream of `nonce`, starting at the stream's byte `offset`.
    ///
    /// The stream depends only on the key, `nonce` and `offset`, so applying it twice restores the original. Called for whole buffers, of any size
    /// and at any offset, by many threads at once, including RocksDB's own; it must not call the database.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to encrypt or decrypt in place.
    ///   - nonce: 16 random bytes, different for each file.
    ///   - offset: The position of the bytes in the file.
    /// - Throws: Anything; the read or write then fails with ``RocksError/Code/ioError``.
    func apply(to bytes: inout MutableRawSpan, nonce: RawSpan, offset: UInt64) throws
}
