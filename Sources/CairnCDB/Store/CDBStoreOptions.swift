public import CairnCore

/// How a ``CDBStore`` works with its file. None of these options can change while it is open.
public struct CDBStoreOptions: Sendable {
    /// How the file is read. Default: ``CDBReader/Access/mapped``.
    public var access = CDBReader.Access.mapped
    /// The layout of the file. Default: ``CDBDialect/standard``.
    public var dialect = CDBDialect.standard
    /// What a finished save survives. Default: `.synced`, power loss. `.buffered` does not wait for the directory, so power loss may bring the old
    /// file back; `.none` waits for nothing, and survives the death of the process.
    public var durability = Durability.synced
    /// The permission bits of the files that saves write. Default: `nil`, those of the file replaced, otherwise `0o666` less the process's umask.
    public var mode: UInt32?
    /// How much memory decoded values may take in the cache, counted by their stored size. Default: 8 MiB. `.zero`: none.
    public var cacheLimit = ByteCount.mebibytes(8)
    /// What ``CDBStore/save(onConflict:)`` does if another store or program replaced the file meanwhile. Default: ``CDBConflictPolicy/fail``.
    public var onConflict = CDBConflictPolicy.fail
    /// Called when an autosave fails; the changes are kept, and the next save tries again. Called on any thread. Default: `nil`.
    public var onAutosaveFailure: (@Sendable (CDBError) -> Void)?

    /// Creates options with the default values.
    public init() {}

    init(_ change: (inout CDBStoreOptions) -> Void) { change(&self) }

    /// Saves do not wait for the directory: power loss may bring the previous file back, intact.
    public static let buffered = CDBStoreOptions { $0.durability = .buffered }
}

/// What saving does if the file is no longer the one that the store has read.
public enum CDBConflictPolicy: Sendable {
    /// Throws ``CDBError/Code/conflict`` and writes nothing; the changes are kept.
    case fail
    /// Applies the store's changes to the file as it is now: keys changed here win, and other changes to the file stay.
    case merge
}
