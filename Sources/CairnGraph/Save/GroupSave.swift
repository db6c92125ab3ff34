import CairnCore

/// The part of a save that finds or makes the keys of groups.
struct GroupSave {
    /// By the bytes of their names: texts that look the same may be different groups.
    private var references: [[UInt8]: GroupReference] = [:]
    /// Hashes names.
    private var hasher: (any ObjectCipherSession)?
    /// The keys that the commit adds.
    private var rows: [(key: [UInt8], value: [UInt8])] = []

    /// The key of a group: the existing one, or a new one.
    mutating func reference(_ name: String, _ store: ObjectStore, _ view: StoreView) throws(ObjectStoreError) -> GroupReference {
        let nameBytes = Array(name.utf8)
        if let known = references[nameBytes] { return known }
        guard let engine = store.engine as? SealedEngine else { throw ShreddableClasses.refusal(store.name) }
        let session = engine.form.session
        let hasher = try hasher(session, view)
        let hash = GroupNames.hash(name, hasher)
        let key = Keyspace.group(hash)
        let bytes = try view.get(key)
        let group = if let bytes { try GroupNames.key(bytes, store.name) } else { try newKey(name, key, session) }
        let reference = GroupReference(hash: hash, generation: group.generation)
        references[nameBytes] = reference
        return reference
    }

    private mutating func hasher(
        _ session: any ObjectCipherSession,
        _ view: StoreView
    ) throws(ObjectStoreError) -> any ObjectCipherSession {
        if let hasher { return hasher }
        if let known = try GroupNames.hasher(session, view) {
            hasher = known
            return known
        }
        let key = try GroupNames.making { try session.makeGroupKey() }
        rows.append((Keyspace.groups, key))
        let new = try GroupNames.making { try session.session(groupKey: key) }
        hasher = new
        return new
    }

    private mutating func newKey(_ name: String, _ key: [UInt8], _ session: any ObjectCipherSession) throws(ObjectStoreError) -> GroupKey {
        let group = GroupKey(
            generation: UInt64.random(in: .min ... .max),
            key: try GroupNames.making { try session.makeGroupKey() },
            name: name
        )
        rows.append((key, group.bytes))
        return group
    }

    /// Adds the new keys.
    func finish(_ commit: inout EngineCommit) {
        for row in rows { commit.put(row.value, for: row.key) }
    }
}

extension Save.Attempt {
    /// The group of an object that is saved with a record.
    func group(
        _ item: Save.Work,
        _ stored: StoredClass,
        _ record: RawSpan,
        isMerged: Bool
    ) throws(ObjectStoreError) -> String? {
        guard let group = stored.shredGroup else { return nil }
        guard isMerged else { return group(unsafe item.object) }
        // Another context may have changed the values that determine the group.
        return group(try temporary(stored, item.id, record, .max))
    }
}

/// The names of groups, hashed with a key that stays the same when the store gets another cipher.
enum GroupNames {
    /// `nil` if the store has no groups yet.
    static func hasher(_ session: any ObjectCipherSession, _ view: StoreView) throws(ObjectStoreError) -> (any ObjectCipherSession)? {
        let key = try view.get(Keyspace.groups)
        guard let key else { return nil }
        return try making { try session.session(groupKey: key) }
    }

    static func hash(_ name: String, _ hasher: any ObjectCipherSession) -> UInt128 {
        let bytes = [Keyspace.groupKind] + Array(name.utf8)
        return unsafe hasher.hash(bytes.span.bytes)
    }

    static func key(_ bytes: [UInt8], _ storeName: String) throws(ObjectStoreError) -> GroupKey {
        if let key = GroupKey(bytes) { return key }
        throw ObjectStoreError(.corruption, "the key of a group of objects of \(storeName) is damaged; restore it from a backup")
    }

    static func making<Value>(_ body: () throws -> Value) throws(ObjectStoreError) -> Value {
        do { return try body() } catch {
            throw error as? ObjectStoreError
                ?? ObjectStoreError(.ioError, "keys for a group of objects could not be generated", cause: error)
        }
    }
}
