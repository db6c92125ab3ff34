public import CairnCore
import Synchronization

/// A dictionary stored in a constant database. Changes stay in memory until ``save(onConflict:)`` writes a new file in place of the old one.
///
/// ```swift
/// let songs = try CDBStore(path: "songs.cdb", key: String.self, value: Song.self, codec: .json)
/// try songs.put(Song(title: "Waterloo", seconds: 213), for: "abba")
/// try songs.save()
/// ```
///
/// A save is `.synced` by default: it survives power loss when ``save(onConflict:)`` returns. Until then, whatever fails, the old file stays in
/// place, intact, and the changes stay in memory. A save writes the whole file, so a store suits data that is read often and changed occasionally.
///
/// **Order.** Keys of the file come first, in its order; changed keys keep their place. New keys follow in the order in which they were first set. A
/// save writes them in that order, so equal changes give equal bytes.
///
/// **Sharing.** Any thread may call the store. Several stores, even in several processes, may have the same file open: each sees the file
/// that it read, and its own changes. Saves take turns by locking a file next to the store's, `songs.cdb.lock`, which is not deleted. If
/// the file was replaced meanwhile, saving throws ``CDBError/Code/conflict`` or merges: see ``CDBConflictPolicy``. Programs that do not use
/// `CDBStore` ignore the lock: if one replaces the file in the microseconds between the store's last check of the path and its rename, the
/// replacement is lost.
///
/// **Closing.** ``close()`` saves. Releasing the last reference also saves, and reports errors to ``CDBStoreOptions/onAutosaveFailure``. To discard
/// changes, call ``revert()`` first.
///
/// If a file written by others has several values for a key, only the first is seen and kept.
public final class CDBStore<Key, Value: Sendable>: Sendable {
    /// The path of the file; if a symbolic link was given, the path of its target.
    public var path: String { core.path }

    let core: CDBStoreCore
    let keyCodec: KeyCodec<Key>
    let codec: ValueCodec<Key, Value>
    let cache: Mutex<CDBValueCache<Value>>

    /// Opens a store. A missing file is an empty store, and is created by the first save.
    ///
    /// - Parameters:
    ///   - path: The file; the first save creates a lock file next to it.
    ///   - key: The type of keys.
    ///   - value: The type of values.
    ///   - codec: How values are encoded: `.json`, `.raw`, `.littleEndian`, `.custom`...
    ///   - keys: How keys are encoded: `.ordered`, or `.raw` for text and bytes that other programs can look up.
    ///   - options: How to read and save, and how much to keep in memory.
    /// - Throws: ``CDBError``: `notFound` if the directory is missing, `corruption` if the file is too short to be a cdb, `ioError`.
    /// - Complexity: O(1).
    public convenience init(
        path: String,
        key: Key.Type = Key.self,
        value: Value.Type = Value.self,
        codec: ValueCodec<Key, Value>,
        keys: KeyCodec<Key>,
        options: CDBStoreOptions = CDBStoreOptions()
    ) throws(CDBError) {
        try self.init(path: path, codec: codec, keys: keys, options: options, fileSystem: .system, scheduler: nil)
    }

    /// - Parameter scheduler: What calls autosaves; `nil` for the system's scheduler.
    package init(
        path: String,
        codec: ValueCodec<Key, Value>,
        keys: KeyCodec<Key>,
        options: CDBStoreOptions,
        fileSystem: FileSystem,
        scheduler: (any CDBScheduler)?
    ) throws(CDBError) {
        let path = FileSystem.followingLink(path)
        core = try CDBStoreCore(path: path, options: options, fileSystem: fileSystem, scheduler: scheduler ?? CDBDispatchScheduler())
        self.codec = codec
        keyCodec = keys
        cache = Mutex(CDBValueCache(limit: options.cacheLimit))
    }

    /// Saves unsaved changes and closes the store. Afterwards every call except this one throws ``CDBError/Code/closed``. Closing again does nothing.
    ///
    /// Running reads complete, and lent bytes stay valid.
    ///
    /// - Throws: Same as ``save(onConflict:)``. The store then stays open: close it again, or after ``revert()``.
    public func close() throws(CDBError) {
        try core.close()
        emptyCache()
    }
}

extension CDBStore where Key: ByteSource & ByteResult & SendableMetatype {
    /// Opens a store whose keys are text or bytes, stored unchanged.
    ///
    /// - Throws: Same as ``init(path:key:value:codec:keys:options:)``.
    public convenience init(
        path: String,
        key: Key.Type = Key.self,
        value: Value.Type = Value.self,
        codec: ValueCodec<Key, Value>,
        options: CDBStoreOptions = CDBStoreOptions()
    ) throws(CDBError) {
        try self.init(path: path, codec: codec, keys: .raw, options: options, fileSystem: .system, scheduler: nil)
    }
}

extension CDBStore {
    func bytes(of key: Key) throws(CDBError) -> [UInt8] {
        do { return try keyCodec.encode(key) } catch { throw CDBError.codec("could not encode a key of \(path)", error) }
    }

    func key(_ bytes: RawSpan) throws(CDBError) -> Key {
        do { return try keyCodec.decode(bytes) } catch { throw CDBError.codec("could not decode a key of \(path)", error) }
    }

    func decode(_ bytes: RawSpan, for key: Key) throws(CDBError) -> Value {
        do { return try codec.decode(bytes, for: key) } catch { throw CDBError.codec("could not decode a value of \(path)", error) }
    }

    func encode(_ value: Value, for key: Key) throws(CDBError) -> [UInt8] {
        do { return try codec.encode(value, for: key) } catch { throw CDBError.codec("could not encode a value for \(path)", error) }
    }

    /// Runs `body`, which throws only this module's errors.
    func typed<Result>(_ body: () throws -> Result) throws(CDBError) -> Result {
        do {
            return try body()
        } catch let error as CDBError {
            throw error
        } catch {
            preconditionFailure("only this module's errors are thrown here, not \(error)")
        }
    }
}
