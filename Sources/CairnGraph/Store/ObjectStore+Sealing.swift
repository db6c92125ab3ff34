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
                "a change of the encryption of \(name) ended early, and must be continued"
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
                "\(name) is not encrypted, and a key was given"
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
            throw error as? ObjectStoreError ?? ObjectStoreError(.ioError, "no keys could be made for \(name)", cause: error)
        }
    }
}

extension ObjectStore {
    /// Removes deleted keys from the engine's files, after a shredding that ended early or ran while other contexts existed. Failure
    /// doesn't prevent opening the store.
    func removeFormerGroups() {
        guard engine is SealedEngine, !isReadOnly else { return }
        try? clearFormerGroups(mayBeHeld: false)
    }

    /// - Parameter mayBeHeld: Whether there may be views that still see deleted keys.
    func clearFormerGroups(mayBeHeld: Bool) throws(ObjectStoreError) {
        try ObjectStoreError.translating { () throws(EngineError) in
            guard try engine.makeView().contains(Keyspace.formerGroups) else { return }
            try engine.removeFormerData(in: KeyRange(prefix: Keyspace.groups))
            guard !mayBeHeld else { return }
            var commit = EngineCommit()
            commit.delete(Keyspace.formerGroups)
            try engine.commit(commit, durability: .buffered)
        }
    }
}
