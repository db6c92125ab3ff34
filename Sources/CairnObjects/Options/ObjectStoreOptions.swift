public import CairnCore

/// How a store is opened.
public struct ObjectStoreOptions: Sendable {
    /// Whether a store is made where there is none. Default: true.
    public var createIfMissing = true
    /// Whether the store is only read: nothing is written, not even to the catalog. Default: false.
    public var readOnly = false
    /// What a save survives. Default: `.buffered`, the death of the process. `.synced` waits for the disk with each save; `.none` is as good as
    /// `.buffered` in RocksDB.
    public var durability = Durability.buffered
    /// Encrypts what is stored. Default: nil. Opening throws ``ObjectStoreError/Code/keyNeeded`` without the cipher that a store was made with, and
    /// ``ObjectStoreError/Code/wrongKey`` with another, or where the store is not encrypted
    /// (``ObjectStore/changeCipher(path:classes:from:to:progress:)`` does that).
    public var cipher: (any ObjectCipher)?

    /// The defaults, but for what is given.
    public init(
        createIfMissing: Bool = true,
        readOnly: Bool = false,
        durability: Durability = .buffered,
        cipher: (any ObjectCipher)? = nil
    ) {
        self.createIfMissing = createIfMissing
        self.readOnly = readOnly
        self.durability = durability
        self.cipher = cipher
    }
}

/// How a context behaves.
public struct ObjectContextOptions: Sendable {
    /// Whether reads and changes of objects are told to `withObservationTracking` and to views; costs an allocation for each object that is
    /// read. Default: true, but false in ``ObjectStore/read(_:)`` and ``ObjectStore/write(conflictPolicy:attempts:_:)``.
    public var isObserved = true
    /// What ``ObjectContext/save()`` does where another context saved the same object meanwhile. Default: ``ConflictPolicy/fail``.
    public var conflictPolicy = ConflictPolicy.fail

    /// The defaults, but for what is given.
    public init(isObserved: Bool = true, conflictPolicy: ConflictPolicy = .fail) {
        self.isObserved = isObserved
        self.conflictPolicy = conflictPolicy
    }
}

/// What to do where another context changed an object that is to be saved.
///
/// A policy decides for each object alone. Where that would part the two sides of a relationship that is kept on both (a list and a to-one property
/// that are each other's inverse, say), the save throws ``ObjectStoreError/Code/conflict`` whatever the policy.
public enum ConflictPolicy: Sendable, Hashable {
    /// Nothing is saved, and ``ObjectStoreError/Code/conflict`` is thrown.
    case fail
    /// The whole object becomes what it is here.
    case keepMine
    /// The object becomes what it is there.
    case keepTheirs
    /// Properties changed here become what they are here, the others what they are there.
    case merge
}
