public import CairnCore
import Synchronization

/// A dictionary that is kept in a constant database: changes stay in memory until ``save(onConflict:)`` writes a new file in place of the old one.
///
/// ```swift
/// let songs = try CDBStore(path: "songs.cdb", key: String.self, value: Song.self, codec: .json)
/// try songs.put(Song(title: "Waterloo", seconds: 213), for: "abba")
/// try songs.save()
/// ```
///
/// A save is `.synced` by default: it survives power loss when ``save(onConflict:)`` returns. Until then, whatever fails, the old file is there,
/// whole, and the changes stay in memory. A save writes the whole file: a store is for what is read often and changed now and then.
///
/// **Order.** Keys of the file come first, in its order; changed ones keep their place. New keys follow in the order in which they were first
/// put. A save writes them in that order, so equal changes give equal bytes.
///
/// **Sharing.** Any thread may call. Several stores, also of several processes, may have the same file open: each sees the file that it read,
/// and its own changes. Saves wait for each other, by a lock on a file beside the store's, `songs.cdb.lock`, which stays. A store whose file
/// was replaced meanwhile throws ``CDBError/Code/conflict`` when saving, or merges: see ``CDBConflictPolicy``. Programs that are no stores do not
/// mind the lock: a file that one puts in place within the microseconds between the last look at the path and the rename is lost.
///
/// **Closing.** ``close()`` saves. So does the end of the last reference, whose errors are told to ``CDBStoreOptions/onAutosaveFailure``. ``revert()``
/// before drops changes.
///
/// Of a file that others wrote with several values for a key, only the first of each is seen and kept.
public final class CDBStore<Key, Value: Sendable>: Sendable {
    /// The path of the file; where a symbolic link was given, that which it leads to.
    public var path: String { core.path }

    let core: CDBStoreCore
    let keyCodec: KeyCodec<Key>
    let codec: ValueCodec<Key, Value>
    let cache: Mutex<CDBValueCache<Value>>

    /// Opens a store; a missing file is an empty store, and is made by the first save.
    ///
    /// - Parameters:
    ///   - path: The file; beside it lies its lock once something was saved.
    ///   - key: The type of keys.
    ///   - value: The type of values.
    ///   - codec: How values become bytes: `.json`, `.raw`, `.littleEndian`, `.custom`...
    ///   - keys: How keys become bytes: `.ordered`, or `.raw` for text and bytes that other programs can look up.
    ///   - options: How to read, to save, and how much to keep in memory.
    /// - Throws: ``CDBError``: `notFound` where the directory is missing, `corruption` where the file is too short to be a cdb, `ioError`.
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

    /// - Parameter scheduler: What calls autosaves; `nil` for the system's.
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

    /// Saves what is unsaved and ends the store; every call but this one throws ``CDBError/Code/closed`` afterwards. Closing again does nothing.
    ///
    /// Reads under way end in peace, and bytes that are lent stay.
    ///
    /// - Throws: Same as ``save(onConflict:)``. The store is then open as before: close again, or after ``revert()``.
    public func close() throws(CDBError) {
        try core.close()
        emptyCache()
    }
}

extension CDBStore where Key: ByteSource & ByteResult & SendableMetatype {
    /// Opens a store whose keys are text or bytes, stored as they are.
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

    /// Runs `body`, which throws this module's errors only.
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
