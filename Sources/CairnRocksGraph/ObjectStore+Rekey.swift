public import CairnGraph
import CairnRocksEngine

extension ObjectStore {
    /// Encrypts an unencrypted store, re-encrypts a store with new keys, or decrypts a store; rewrites all values.
    ///
    /// ```swift
    /// try ObjectStore.rekey(path: "Music.store", classes: [Song.self], from: nil, to: ObjectEncryption(passphrase: "…"))
    /// ```
    ///
    /// Same as `ObjectStore.rekey(opening:classes:from:to:name:progress:)`, for the store in a directory.
    ///
    /// - Throws: As there; `notFound` if there is no store at the path.
    public static func rekey(
        path: String,
        classes: [any StoredObject.Type] = [],
        from old: (any ObjectCipher)?,
        to new: (any ObjectCipher)?,
        progress: (_ part: Double) -> Void = { _ in }
    ) throws(ObjectStoreError) {
        try rekey(
            opening: { () throws(EngineError) in try existing(path) },
            classes: classes,
            from: old,
            to: new,
            name: path,
            progress: progress
        )
    }

    /// As ``rekey(path:classes:from:to:progress:)``, on a thread outside the pool that tasks share; ends early if the task is cancelled.
    ///
    /// - Throws: As there, and `cancelled`.
    public static func rekeyInBackground(
        path: String,
        classes: [any StoredObject.Type] = [],
        from old: (any ObjectCipher)?,
        to new: (any ObjectCipher)?,
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(ObjectStoreError) {
        try await rekeyInBackground(
            opening: { () throws(EngineError) in try existing(path) },
            classes: classes,
            from: old,
            to: new,
            name: path,
            progress: progress
        )
    }

    private static func existing(_ path: String) throws(EngineError) -> RocksEngine {
        var options = RocksEngineOptions()
        options.createIfMissing = false
        return try RocksEngine(path: path, options: options)
    }
}
