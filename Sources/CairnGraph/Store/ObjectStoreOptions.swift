public import CairnCore

/// Options for opening a store.
public struct ObjectStoreOptions: Sendable {
    /// Whether to create the store if it does not exist. Default: true.
    public var createIfMissing = true
    /// Whether to open the store for reading only: nothing is written, not even to the catalog. Default: false.
    public var readOnly = false
    /// The permission bits of the directory of a new store; the files in it have no protection of their own. A checkpoint gets the permissions of the
    /// store. Default: `0o700`, for its user only.
    public var directoryMode: UInt32 = 0o700
    /// What a save survives. Default: `.buffered`, the death of the process. `.synced` waits for the disk with each save; `.none` is the same
    /// as `.buffered` in RocksDB.
    public var durability = Durability.buffered
    /// Encrypts what is stored. Default: nil. Opening throws ``ObjectStoreError/Code/keyNeeded`` without the cipher that a store was made with, and
    /// ``ObjectStoreError/Code/wrongKey`` with another cipher, or if the store is not encrypted
    /// (``ObjectStore/rekey(opening:classes:from:to:name:progress:)`` encrypts it).
    public var cipher: (any ObjectCipher)?
    /// The steps that bring the objects of a store up to date; each runs once, in this order, before the store is opened. Default: none.
    public var migrations: [ObjectMigration] = []
    /// Whether opening completes the indexes that were declared after objects were stored, as ``ObjectStore/buildIndexes(progress:)`` does: after the
    /// migrations, and not in stores opened for reading only. Queries use no incomplete index. Default: false, so that opening does not take long.
    public var buildsIndexes = false
    /// Called while opening runs migrations and builds indexes, on the thread that opens the store, with the current step and the fraction of it
    /// that is done, from 0 to 1. Default: nil.
    public var progress: (@Sendable (_ step: OpeningStep, _ part: Double) -> Void)?

    /// Relationships with more objects than this are stored in chunks of at most as many. For tests, whose lists are short. Default: 1024.
    package var longestChunk = LongList.longestChunk
    /// The size above which values are stored apart from their records, and the maximum size of their parts, in bytes. For tests, whose values are short.
    /// Default: 64 KiB and 1 MiB.
    package var longestValue = (inRecord: LargeValue.longestInRecord, part: LargeValue.longestPart)

    /// Scans of classes with at least this many rows are divided among threads. For tests, whose classes are small. Default: 65,536.
    package var smallestSharedScan: UInt64 = 1 << 16
    /// The number of threads for such a scan. Default: as many as there are processors, up to 4.
    package var scanThreads = ScanThreads.most

    /// Creates options; arguments that are left out have the defaults.
    public init(
        createIfMissing: Bool = true,
        readOnly: Bool = false,
        durability: Durability = .buffered,
        cipher: (any ObjectCipher)? = nil,
        migrations: [ObjectMigration] = [],
        buildsIndexes: Bool = false,
        progress: (@Sendable (_ step: OpeningStep, _ part: Double) -> Void)? = nil
    ) {
        self.createIfMissing = createIfMissing
        self.readOnly = readOnly
        self.durability = durability
        self.cipher = cipher
        self.migrations = migrations
        self.buildsIndexes = buildsIndexes
        self.progress = progress
    }

    /// A step of opening a store that can take long.
    public enum OpeningStep: Hashable, Sendable {
        /// Running the migration with this name.
        case migration(String)
        /// Building indexes.
        case indexes
    }
}

/// How a context behaves.
public struct ObjectContextOptions: Sendable {
    /// Whether `withObservationTracking` and views are notified of reads and changes of objects. Costs an allocation for each object that is read.
    /// Default: true, but false in ``ObjectStore/read(_:)`` and ``ObjectStore/write(attempts:_:)``.
    public var isObserved = true
    /// What ``ObjectContext/save()`` does if another context has saved the same object or name in the meantime. Default: ``ConflictPolicy/fail``.
    public var conflictPolicy = ConflictPolicy.fail

    /// Creates options; arguments that are left out have the defaults.
    public init(isObserved: Bool = true, conflictPolicy: ConflictPolicy = .fail) {
        self.isObserved = isObserved
        self.conflictPolicy = conflictPolicy
    }
}

/// What to do if another context has changed an object that is to be saved, or the value for a name that was read and then set.
///
/// The policy decides for each object and each name separately. If that would separate the two sides of a relationship that is stored on
/// both (a list and a to-one property that are each other's inverse, for example), the save throws ``ObjectStoreError/Code/conflict`` whatever the policy.
public enum ConflictPolicy: Sendable, Hashable {
    /// Nothing is saved, and ``ObjectStoreError/Code/conflict`` is thrown.
    case fail
    /// This context's values replace all others.
    case keepMine
    /// The other context's values stay.
    case keepTheirs
    /// Properties changed here get this context's values; the others keep those of the other context. A name gets this context's value.
    case merge
}
