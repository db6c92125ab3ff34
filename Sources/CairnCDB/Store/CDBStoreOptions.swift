public import CairnCore

/// How a ``CDBStore`` works with its file. None of these can change while it is open.
public struct CDBStoreOptions: Sendable {
    /// How the file is read. Default: ``CDBReader/Access/mapped``.
    public var access = CDBReader.Access.mapped
    /// The layout of the file. Default: ``CDBDialect/standard``.
    public var dialect = CDBDialect.standard
    /// What a finished save survives. Default: `.synced`, power loss. `.buffered` does not wait for the directory, and power loss may bring
    /// the old file back; `.none` waits for nothing, and survives the death of the process.
    public var durability = Durability.synced
    /// How much of decoded values is kept in memory, counted by their stored size. Default: 8 MiB. `.zero`: none.
    public var cacheLimit = ByteCount.mebibytes(8)
    /// What ``CDBStore/save(onConflict:)`` does when another store or program replaced the file meanwhile. Default: ``CDBConflictPolicy/fail``.
    public var onConflict = CDBConflictPolicy.fail
    /// Told when an autosave fails; the changes stay, and the next save tries again. Called on any thread. Default: nobody.
    public var onAutosaveFailure: (@Sendable (CDBError) -> Void)?

    /// The defaults.
    public init() {}

    init(_ change: (inout CDBStoreOptions) -> Void) { change(&self) }

    /// Saves do not wait for the directory: power loss may bring the file before back, whole.
    public static let buffered = CDBStoreOptions { $0.durability = .buffered }
}

/// What saving does when the file is no longer the one that the store has read.
public enum CDBConflictPolicy: Sendable {
    /// Throws ``CDBError/Code/conflict`` and writes nothing; the changes stay.
    case fail
    /// Puts the store's changes on top of the file as it is now: keys changed here win, what else was changed there stays.
    case merge
}
