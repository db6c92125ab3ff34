import CRocks
import CairnCore

/// Where a database's files are; RocksDB's `Env`.
///
/// ```swift
/// var options = DatabaseOptions(createIfMissing: true)
/// options.environment = try .inMemory()
/// let db = try RocksDB(path: "/scratch", options: options)      // no file on disk
/// ```
///
/// An environment may be shared by databases and is kept by them. Opening, listing, destroying and repairing a database need the
/// environment it was made in.
public final class Environment: Sendable {
    /// `nil`: the default one.
    let handle: ObjectHandle?

    private init(handle: ObjectHandle?) { self.handle = handle }

    /// Files on disk, as they are.
    public static let `default` = Environment(handle: nil)

    /// A new, empty file system in memory; its files are gone with the last reference, and are still there when a database in it is closed
    /// and opened again. Paths are names only; directories need not exist.
    public static func inMemory() throws(RocksError) -> Environment {
        Environment(
            handle: unsafe try ObjectHandle(crk_environment_create_memory(), "an environment") { unsafe crk_environment_release($0) }
        )
    }

    /// Files on disk, encrypted by `cipher`; see <doc:Environments> for what that protects, and what not.
    ///
    /// Everything that a database writes is encrypted: tables, blobs, logs, the manifest, options, its text log, checkpoints. In plain text
    /// stay the names, numbers and sizes of files and when they were written. Files are 4096 bytes longer. Mapped files
    /// (``DatabaseOptions/allowMmapReads``) are refused.
    ///
    /// Opening a database with another key throws ``RocksError/Code/wrongKey`` and changes nothing.
    public static func encrypted(by cipher: some FileCipher) throws(RocksError) -> Environment {
        Environment(handle: try ObjectHandle(encryptedBy: cipher))
    }
}

/// A stream cipher that starts anywhere, such as AES in counter mode: for ``Environment/encrypted(by:)``.
public protocol FileCipher: Sendable {
    /// Combines `bytes` with the key stream of `nonce`, from its byte number `offset` on.
    ///
    /// The stream depends on the key, `nonce` and `offset` alone, so that doing it twice gives back what was there. Called for whole buffers,
    /// of any size and from any offset, by many threads at once, also RocksDB's own; it must not call the database.
    ///
    /// - Parameters:
    ///   - bytes: What is to be encrypted or decrypted, in place.
    ///   - nonce: 16 random bytes, others for each file.
    ///   - offset: Where in the file the bytes are.
    /// - Throws: Anything; the read or write then fails with ``RocksError/Code/ioError``.
    func apply(to bytes: inout MutableRawSpan, nonce: RawSpan, offset: UInt64) throws
}
