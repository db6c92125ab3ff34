public import CairnCore

/// How a store is opened.
public struct ObjectStoreOptions: Sendable {
    /// Whether a store is made where there is none. `true` by default.
    public var createIfMissing = true
    /// Whether the store is only read: nothing is written, not even to the catalog. `false` by default.
    public var readOnly = false
    /// What a save survives: `.buffered` by default, the death of the process. `.synced` waits for the disk.
    public var durability = Durability.buffered
    /// Encrypts what is stored. `nil` by default. Opening throws ``ObjectStoreError/Code/keyNeeded`` without the cipher that a store was made with, and
    /// ``ObjectStoreError/Code/wrongKey`` with another, or where the store is not encrypted
    /// (``ObjectStore/changeCipher(path:classes:from:to:progress:)`` does that).
    public var cipher: (any ObjectCipher)?

    public init() {}
}

/// How a context behaves.
public struct ObjectContextOptions: Sendable {
    /// Whether reads and changes of objects are told to `withObservationTracking` and to views. `true` by default, and `false` in
    /// ``ObjectStore/read(_:)`` and ``ObjectStore/write(_:)``; costs an allocation for each object that is read.
    public var isObserved = true
    /// What ``ObjectContext/save()`` does where another context saved the same object meanwhile.
    public var conflictPolicy = ConflictPolicy.fail

    public init() {}
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
