#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ObjectStore {
    /// The engine that the store uses: the given one or, with a cipher, one that encrypts.
    static func sealing(_ engine: any StorageEngine, _ options: ObjectStoreOptions, _ name: String) throws(ObjectStoreError)
        -> any StorageEngine
    {
        while true {
            if let engine = try trySealing(engine, options, name) { return engine }
        }
    }

    /// Returns `nil` if another program has made the store in the meantime.
    private static func trySealing(
        _ engine: any StorageEngine,
        _ options: ObjectStoreOptions,
        _ name: String
    ) throws(ObjectStoreError) -> (any StorageEngine)? {
        let view = try StoreView(engine, notesReads: true)
        let header = try EncryptionHeader.read(view, name)
        guard header?.change == nil else {
            throw ObjectStoreError(
                .changeUnfinished,
                "an encryption change of \(name) was interrupted; run it again to finish it"
            )
        }
        guard let cipher = options.cipher else {
            guard header == nil else { throw ObjectStoreError(.keyNeeded, "\(name) is encrypted, and its key is needed") }
            return engine
        }
        if let header {
            let session = try unlock(header.cipher, cipher, name)
            return try sealed(engine, session, header.identity, name)
        }
        let entries = try view.entries(limit: 1)
        guard entries.isEmpty else {
            guard entries[0].key == Keyspace.header else { return engine }
            throw ObjectStoreError(
                .wrongKey,
                "\(name) is not encrypted, but a key was given"
            )
        }
        // The catalog reports the missing store.
        guard options.createIfMissing, !options.readOnly, !engine.isReadOnly else { return engine }
        let (session, bytes) = try make(cipher, name)
        let new = EncryptionHeader(cipher: bytes)
        var commit = EngineCommit()
        commit.put(new.encoded(), for: Keyspace.encryption)
        view.dependOnReads(&commit)
        guard try engine.tryPerform(commit, durability: options.durability) != nil else { return nil }
        return try sealed(engine, session, new.identity, name)
    }

    private static func sealed(
        _ engine: any StorageEngine,
        _ session: any ObjectCipherSession,
        _ identity: UUID,
        _ name: String
    ) throws(ObjectStoreError) -> SealedEngine {
        try ObjectStoreError.translating { () throws(EngineError) in try SealedEngine(engine, SealedForm(session, identity), name) }
    }

    /// Unlocks a store with a cipher and the bytes that the store kept for it.
    static func unlock(_ bytes: Data?, _ cipher: any ObjectCipher, _ name: String) throws(ObjectStoreError) -> any ObjectCipherSession {
        do { return try cipher.unlock(Array(bytes ?? Data())) } catch {
            let message = "\(name) could not be unlocked"
            guard let known = error as? ObjectStoreError else { throw ObjectStoreError(.wrongKey, message, cause: error) }
            // The cipher does not know the path.
            throw ObjectStoreError(known.code, "\(message): \(known.message)", userData: known.userData, cause: known.cause)
        }
    }

    /// Makes new keys.
    static func make(_ cipher: any ObjectCipher, _ name: String) throws(ObjectStoreError) -> (any ObjectCipherSession, Data) {
        do {
            let (session, header) = try cipher.create()
            return (session, Data(header))
        } catch {
            throw error as? ObjectStoreError ?? ObjectStoreError(.ioError, "keys for \(name) could not be generated", cause: error)
        }
    }
}

extension ObjectStore {
    /// Removes data that a change of the cipher or its key, a shredding, or a move left in the engine's files, because it ended early or ran while views
    /// of former states existed. A failure doesn't prevent opening the store; this is tried again whenever it is opened.
    func removeFormerData() {
        guard let sealed = engine as? SealedEngine, !isReadOnly else { return }
        // An engine that other processes may have open knows by itself what their views still see.
        let mayBeHeld = use.isShared && !sealed.isShared || ObjectStoreMove.reads(sealed.base)
        try? clearFormerData(sealed, mayBeHeld: mayBeHeld)
        try? clearFormerGroups(sealed, mayBeHeld: mayBeHeld)
    }

    /// Whether there may be views of former states: of contexts other than the caller, of other stores, or of a move.
    func mayHoldFormerViews(of base: any StorageEngine) -> Bool { contextCount > 1 || use.isShared || ObjectStoreMove.reads(base) }

    /// Removes the data that the header says was replaced.
    ///
    /// - Parameter mayBeHeld: Whether there may be views that still see it.
    func clearFormerData(_ sealed: SealedEngine, mayBeHeld: Bool) throws(ObjectStoreError) {
        // No view is held during the removal.
        guard let found = try EncryptionHeader.read(try StoreView(sealed.base), name) else { return }
        let ranges = found.formerRanges
        guard !ranges.isEmpty else { return }
        let isKept = try ObjectStoreError.translating { () throws(EngineError) -> Bool in
            for range in ranges { try sealed.removeFormerData(in: range) }
            for range in ranges { if try sealed.keepsFormerData(in: range) { return true } }
            return false
        }
        guard !mayBeHeld, !isKept else { return }
        let view = try StoreView(sealed.base)
        // Otherwise, something else was replaced meanwhile.
        guard try EncryptionHeader.read(view, name) == found else { return }
        var header = found
        (header.holdsFormer, header.holdsFormerKeys) = (nil, nil)
        var commit = EngineCommit()
        commit.put(header.encoded(), for: Keyspace.encryption)
        commit.read(Keyspace.encryption, in: view)
        _ = try sealed.base.tryPerform(commit, durability: .buffered)
    }

    /// Removes deleted keys of groups.
    ///
    /// - Parameter mayBeHeld: Whether there may be views that still see them.
    func clearFormerGroups(_ sealed: SealedEngine, mayBeHeld: Bool) throws(ObjectStoreError) {
        try ObjectStoreError.translating { () throws(EngineError) in
            guard try sealed.base.makeView().contains(Keyspace.formerGroups) else { return }
            let range = KeyRange(prefix: Keyspace.groups)
            try sealed.removeFormerData(in: range)
            guard !mayBeHeld, try !sealed.keepsFormerData(in: range) else { return }
            var commit = EngineCommit()
            commit.delete(Keyspace.formerGroups)
            try sealed.commit(commit, durability: .buffered)
        }
    }
}

extension StoreInspector {
    /// Whether the files of an encrypted store may still contain data or keys that were replaced or deleted, such as what was there before the store was
    /// encrypted: removing them ended early. It is tried again whenever the store is opened for writing. On a server whose operator removes such data, as on etcd,
    /// it remains until then.
    ///
    /// - Throws: ``ObjectStoreError``: `corruption`, `ioError`, `unavailable`.
    public func mayHoldFormerData() throws(ObjectStoreError) -> Bool {
        guard let sealed = store.engine as? SealedEngine else { return false }
        return try !EncryptionHeader.formerRanges(try StoreView(sealed.base), store.name).isEmpty
    }
}
