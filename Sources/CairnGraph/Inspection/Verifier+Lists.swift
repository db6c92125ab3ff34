import CairnCore

/// The parts of long lists and large values.
extension Verifier {
    /// Reads the chunks of a list, and counts their targets. Returns whether all are whole.
    func verify(
        _ list: LongList,
        _ owner: ObjectID,
        _ stored: StoredClass,
        _ field: Int,
        _ links: inout [Link: UInt64]
    ) throws(ObjectStoreError) -> Bool {
        let property = UInt16(truncatingIfNeeded: field)
        var damage: (first: String, count: Int)?
        for chunk in list.chunks {
            guard let name = chunk.name else { continue }
            chunks.insert(Keyspace.chunk(owner, property, name))
            switch try found(chunk, owner, property, list) {
            case .success(let content):
                for id in content.ids where id.raw != 0 { links[Link(field: field, target: id), default: 0] += 1 }
            case .failure(let error): damage = (damage?.first ?? error.message, (damage?.count ?? 0) + 1)
            }
        }
        guard let damage else { return true }
        // Its references cannot be compared with the back references.
        links = links.filter { $0.key.field != field }
        damagedLists.insert(Link(field: field, target: owner))
        let others = damage.count > 1 ? ", and \(damage.count - 1) more of \(list.chunks.count)" : ""
        changeClass(stored) { $0.damagedCount += 1 }
        let name = stored.entry[field: field]?.name ?? "\(field)"
        add(
            .damagedList,
            stored,
            owner,
            name,
            reason: "\(phrase(owner)), property \(name), cannot be read completely: \(damage.first)\(others)"
        )
        return false
    }

    /// A chunk, or what is wrong with it.
    private func found(
        _ chunk: ListChunk,
        _ owner: ObjectID,
        _ property: UInt16,
        _ list: LongList
    ) throws(ObjectStoreError) -> Result<ReferenceList.Content, RecordError> {
        do throws(ObjectStoreError) {
            let found = try StoreReading.chunk(chunk, of: owner, property, hasKeys: list.hasKeys, in: view)
            guard let stored = store.storedClass(number: owner.classNumber), let relation = stored.relation(number: property) else {
                return found
            }
            return Result { () throws(RecordError) in
                let content = try found.get()
                try stored.fields.rule(at: relation.index)?.check(content)
                return content
            }
        } catch {
            guard error.code == .corruption else { throw error }
            return .failure(RecordError(.malformed, error.message))
        }
    }

    /// Whether a list refers to an object; `true` if it is too damaged to tell.
    func leads(_ list: LongList, _ owner: ObjectID, _ property: UInt16, to target: ObjectID) throws(ObjectStoreError) -> Bool {
        if damagedLists.contains(Link(field: Int(property), target: owner)) { return true }
        if lastList?.owner != owner || lastList?.property != property {
            var targets: Set<ObjectID> = []
            for chunk in list.chunks {
                guard case .success(let content) = try found(chunk, owner, property, list) else { return true }
                targets.formUnion(content.ids)
            }
            lastList = (owner, property, targets)
        }
        return lastList?.targets.contains(target) ?? false
    }

    /// The record with its large values, or what is wrong with them.
    func verify(
        _ large: [UInt64: LargeValue],
        _ owner: ObjectID,
        _ stored: StoredClass,
        _ record: RawSpan
    ) throws(ObjectStoreError) -> Result<[UInt8], RecordError> {
        for (number, value) in large {
            for part in value.parts { chunks.insert(Keyspace.chunk(owner, UInt16(truncatingIfNeeded: number), part.name)) }
        }
        return try StoreReading.whole(record, owner, in: view).map { $0 ?? [] }
    }

    func addDamagedValue(_ owner: ObjectID, _ stored: StoredClass, _ error: RecordError) {
        changeClass(stored) { $0.damagedCount += 1 }
        let name = error.field.flatMap { stored.entry[field: $0]?.name }
        add(
            .damagedValue,
            stored,
            owner,
            name,
            reason: "\(phrase(owner)), property \(name ?? "of its class"), cannot be read: \(error.message)"
        )
    }

    /// Finds chunks that no directory names.
    func verifyChunks() throws(ObjectStoreError) {
        try noting("the parts of long lists and large values") { () throws(ObjectStoreError) in
            try view.forEachPortion(of: KeyRange(prefix: [Keyspace.chunkKind]), keysOnly: true) { portion in
                for (key, _) in portion where !chunks.contains(key) { verifyChunk(key) }
            }
        }
    }

    private func verifyChunk(_ key: [UInt8]) {
        guard key.count == Keyspace.chunkSize else { return addUnknown(key) }
        let id = unsafe ObjectID(raw: Keyspace.number(key.span.bytes, at: 1))
        guard let stored = store.storedClass(number: id.classNumber) else { return addUnknown(key) }
        // Whether a damaged record names it is unknown.
        guard !unknownDirectories.contains(id), !hasRow(id) || isReadable(id, stored) else { return }
        let property: UInt16 = unsafe Keyspace.number(key.span.bytes, at: 9)
        let name = stored.entry[field: Int(property)]?.name ?? "\(property)"
        add(.looseChunk, stored, id, name, reason: "a part of \(phrase(id)), \(name), exists, but its record does not refer to it")
        repairs?.delete(key)
    }
}
