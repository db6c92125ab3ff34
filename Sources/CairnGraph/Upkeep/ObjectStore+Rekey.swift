import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ObjectStore {
    /// Makes another key or passphrase open the store from now on. Re-encrypts nothing, and takes no longer for a large store than for a small one.
    ///
    /// The data that let the old key open the store is removed from the files. While contexts made earlier exist, or the store is being moved, the files may
    /// still hold it; it is removed when the store is next opened for writing. What remains on servers is the same as after ``shred(_:progress:)``. But the
    /// keys that encrypt the values stay the same: anyone who has an earlier copy of the files and the old passphrase can read later copies too. If that
    /// matters, use ``rekey(opening:classes:from:to:name:progress:)`` instead.
    ///
    /// - Parameter cipher: A cipher of the same kind as the one that the store was opened with.
    /// - Throws: ``ObjectStoreError``: `wrongKey` if the store is not encrypted, `notSupported` for a cipher of another kind, `readOnly`,
    ///   `moved`, `noSpace`, `ioError`, `closed`. If it fails after the commit, the new key opens the store all the same.
    public func changeKey(to cipher: any ObjectCipher) throws(ObjectStoreError) {
        try contextBegins()
        defer { contextEnded() }
        guard !isReadOnly else { throw ObjectStoreError(.readOnly, "\(name) was opened for reading only") }
        guard let sealed = engine as? SealedEngine else {
            throw ObjectStoreError(.wrongKey, "\(name) is not encrypted; encrypt it with rekey")
        }
        let bytes: [UInt8]
        do { bytes = try cipher.header(for: sealed.form.session) } catch {
            throw error as? ObjectStoreError ?? ObjectStoreError(.wrongKey, "the keys of \(name) could not be wrapped", cause: error)
        }
        while try !replaceHeader(sealed.base, Data(bytes)) {}
        try clearFormerData(sealed, mayBeHeld: mayHoldFormerViews(of: sealed.base))
    }

    /// Replaces what a cipher needs to open the store; returns false if others have changed it in the meantime. Holds no view afterwards.
    private func replaceHeader(_ engine: any StorageEngine, _ cipher: Data) throws(ObjectStoreError) -> Bool {
        let view = try StoreView(engine, notesReads: true)
        if let mark = try MoveMark.read(view, name) { throw mark.refusal(name) }
        guard var header = try EncryptionHeader.read(view, name) else {
            throw ObjectStoreError(.corruption, "the encryption header of \(name) is missing; restore it from a backup")
        }
        header.cipher = cipher
        header.holdsFormerKeys = true
        var commit = EngineCommit()
        commit.put(header.encoded(), for: Keyspace.encryption)
        view.dependOnReads(&commit)
        return try engine.tryPerform(commit, durability: .synced) != nil
    }

    /// Encrypts an unencrypted store, re-encrypts a store with new keys, or decrypts a store; rewrites all values.
    ///
    /// The store must not be open. The change proceeds in key order, in commits of some thousand entries, each of which records the progress.
    /// If it ends early, by an error, a cancellation or the death of the process, call this again with the same ciphers to continue;
    /// until then the store cannot be opened (``ObjectStoreError/Code/changeUnfinished``). At the end, the replaced data is removed from
    /// the store's files; if only that is left, the store can be opened, and opening it for writing does the rest. The disk may still hold its
    /// blocks, and so may copies and backups.
    ///
    /// - Parameters:
    ///   - open: Opens the store's engine. Called twice, because some engines forget the old keys only when they are opened (RocksDB's manifest).
    ///   - classes: The classes whose indexes are rebuilt at once, since index keys change too. Indexes of other classes are not used until
    ///     ``buildIndexes(progress:)`` has completed them.
    ///   - old: The cipher that the store is encrypted with; `nil` for an unencrypted store.
    ///   - new: The cipher to encrypt it with; `nil` to decrypt it. Groups of objects (``ShreddableObject``) then cease to exist.
    ///   - name: The name of the store in messages.
    ///   - progress: Called after each step with the fraction done, from 0 to 1.
    /// - Throws: ``ObjectStoreError``: `wrongKey` if `old` doesn't fit the store, or the change was begun with another `new`; `keyNeeded`;
    ///   `notSupported` for an engine that other processes may have open, such as SQLite's;
    ///   `notFound`, `moved`, `foreignFile`, `locked`, `corruption` for a value that cannot be decrypted, `noSpace`, `ioError`; as
    ///   ``init(engine:classes:options:name:)`` and ``buildIndexes(progress:)`` for the classes.
    public static func rekey(
        opening open: () throws(EngineError) -> any StorageEngine,
        classes: [any StoredObject.Type] = [],
        from old: (any ObjectCipher)?,
        to new: (any ObjectCipher)?,
        name: String = "the store",
        progress: (_ part: Double) -> Void = { _ in }
    ) throws(ObjectStoreError) {
        try rekey(open, name, classes, old, new) { part throws(ObjectStoreError) in progress(part) }
    }

    /// As ``rekey(opening:classes:from:to:name:progress:)``, on a thread outside the pool that tasks share; ends early if the task is cancelled.
    ///
    /// - Throws: As there, and `cancelled`.
    public static func rekeyInBackground(
        opening open: @escaping @Sendable () throws(EngineError) -> any StorageEngine,
        classes: [any StoredObject.Type] = [],
        from old: (any ObjectCipher)?,
        to new: (any ObjectCipher)?,
        name: String = "the store",
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(ObjectStoreError) {
        try await offPool("change the cipher of \(name)", progress) { step throws(ObjectStoreError) in
            try rekey(open, name, classes, old, new, step)
        }
    }

    private static func rekey(
        _ open: () throws(EngineError) -> any StorageEngine,
        _ name: String,
        _ classes: [any StoredObject.Type],
        _ old: (any ObjectCipher)?,
        _ new: (any ObjectCipher)?,
        _ step: (Double) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) {
        if new == nil, let type = classes.first(where: { $0 is any ShreddableObject.Type }) {
            throw ShreddableClasses.refusal(name, type.objectSchema.name)
        }
        let engine = try ObjectStoreError.translating(open)
        do throws(ObjectStoreError) {
            // They would continue with the former keys.
            guard !engine.isShared else {
                throw ObjectStoreError(
                    .notSupported,
                    "the cipher of \(name) cannot be changed in place: other processes may have it open; export it, and import it into a new store"
                )
            }
            if var change = try Rekeying(engine, name, from: old, to: new) {
                try change.run { part throws(ObjectStoreError) in try step(part * 0.8) }
            }
        } catch {
            try? engine.close()
            throw error
        }
        try ObjectStoreError.translating { () throws(EngineError) in try engine.close() }
        // Opening rewrites RocksDB's manifest, which had the first and last keys of files.
        let changed = try ObjectStoreError.translating(open)
        let store: ObjectStore
        do throws(ObjectStoreError) {
            store = try ObjectStore(
                engine: changed,
                classes: classes,
                options: ObjectStoreOptions(createIfMissing: false, cipher: new),
                name: name
            )
        } catch {
            try? changed.close()
            throw error
        }
        do throws(ObjectStoreError) {
            try IndexBuilder(store).run { part throws(ObjectStoreError) in try step(0.8 + part * 0.2) }
        } catch {
            try? store.close()
            throw error
        }
        try store.close()
    }

    /// The same for an engine, without building indexes.
    package static func rekey(
        of engine: any StorageEngine,
        from old: (any ObjectCipher)?,
        to new: (any ObjectCipher)?,
        progress: (_ part: Double) -> Void = { _ in }
    ) throws(ObjectStoreError) {
        guard var change = try Rekeying(engine, "the store", from: old, to: new) else { return }
        try change.run { part throws(ObjectStoreError) in progress(part) }
    }
}
