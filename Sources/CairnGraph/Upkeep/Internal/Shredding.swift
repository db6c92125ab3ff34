import CairnCore

/// Builds a commit that deletes the key of a group and what other parts of the store reveal about its objects: index and text index
/// entries, and back references. Needs no Swift classes. The objects' records stay in place, unreadable.
///
/// Entries and blocks that cannot be decrypted may be those of the objects. They are deleted too, and their indexes are then incomplete.
struct Shredding {
    private let store: ObjectStore
    private let view: StoreView
    private let reference: GroupReference
    private(set) var commit = EngineCommit()
    /// The group's rows of one class.
    private var rows: Set<UInt64> = []
    /// The numbers of the class's indexes with parts that cannot be decrypted.
    private var damagedIndexes: Set<UInt32> = []
    private(set) var count = 0

    init(_ store: ObjectStore, _ view: StoreView, _ reference: GroupReference) {
        self.store = store
        self.view = view
        self.reference = reference
    }

    mutating func run(_ step: (Double) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) {
        let classes = store.classes.filter(\.isShreddable)
        for (index, stored) in classes.enumerated() {
            try step(Double(index) / Double(classes.count))
            try findObjects(stored)
            guard !rows.isEmpty else { continue }
            count += rows.count
            try removeEntries(stored)
            try removeTexts(stored)
            try discardDamaged(stored)
            (rows, damagedIndexes) = ([], [])
        }
        let key = Keyspace.group(reference.hash)
        commit.delete(key)
        commit.put([], for: Keyspace.formerGroups)
        try step(1)
    }

    private mutating func findObjects(_ stored: StoredClass) throws(ObjectStoreError) {
        var found: [ObjectID] = []
        var targets: [[UInt8]] = []
        var lists: [(owner: ObjectID, property: UInt16, list: LongList)] = []
        let (view, reference) = (view, reference)
        func look(_ id: ObjectID, _ record: RawSpan) {
            guard GroupedRecord.reference(record) == reference, !GroupedRecord.isShredded(record) else { return }
            found.append(id)
            // The references of a damaged record are unknown.
            guard let found = try? RecordReferences.all(record) else { return }
            for reference in Set(found.references) {
                targets.append(Keyspace.reference(to: reference.target, from: id, reference.property))
            }
            for (property, list) in found.lists { lists.append((id, property, list)) }
        }
        // Unreadable pages count as shredded, and don't prevent shredding the rest.
        try view.forEachPage(of: stored) { page, bytes throws(ObjectStoreError) in
            let first = (page & ObjectID.maximumRow) << ObjectPage.rowBits
            _ = unsafe try ObjectPage.forEach(bytes.span.bytes) { slot, record throws(ObjectStoreError) in
                let id = ObjectID(class: stored.number, row: first + UInt64(slot))
                guard record.isEmpty else { return look(id, record) }
                do throws(ObjectStoreError) { try StoreReading.record(id, stored, in: view) { look(id, $0) } } catch {
                    guard error.code == .corruption else { throw error }
                }
            }
            return true
        }
        for id in found { rows.insert(id.row) }
        for key in targets { commit.delete(key) }
        for (owner, property, list) in lists { try removeReferences(owner, property, list) }
    }

    /// Removes the back references of references in chunks; the chunks stay in place, as records do.
    private mutating func removeReferences(_ owner: ObjectID, _ property: UInt16, _ list: LongList) throws(ObjectStoreError) {
        for chunk in list.chunks {
            do throws(ObjectStoreError) {
                let found = try StoreReading.chunk(chunk, of: owner, property, hasKeys: list.hasKeys, in: view)
                guard case .success(let content) = found else { continue }
                for target in content.ids { commit.delete(Keyspace.reference(to: target, from: owner, property)) }
            } catch {
                guard error.code == .corruption else { throw error }
            }
        }
    }

    /// Also removes entries of indexes that the class no longer has.
    private mutating func removeEntries(_ stored: StoredClass) throws(ObjectStoreError) {
        let entries = KeyRange(prefix: [Keyspace.entryKind] + Keyspace.bigEndian(stored.number))
        view.noteRead(entries)
        try view.asStored.forEachPortion(of: entries, 4096) { portion in
            for (key, sealed) in portion {
                guard let value = view.opened(sealed, at: key) else {
                    removeDamaged(key)
                    continue
                }
                guard let id = Verifier.object(of: key, value, stored), rows.contains(id.row) else { continue }
                commit.delete(key)
            }
        }
    }

    private mutating func removeTexts(_ stored: StoredClass) throws(ObjectStoreError) {
        let blocks = Set(rows.map { $0 >> TextBlock.rowBits })
        let texts = KeyRange(prefix: [Keyspace.textKind] + Keyspace.bigEndian(stored.number))
        view.noteRead(texts)
        try view.asStored.forEachPortion(of: texts) { portion in
            for (key, sealed) in portion {
                guard let first = Verifier.firstRow(of: key), blocks.contains(first >> TextBlock.rowBits) else { continue }
                guard let block = view.opened(sealed, at: key) else {
                    removeDamaged(key)
                    continue
                }
                var left: [TextPosting] = []
                var isLess = false
                let isBlock = unsafe TextBlock.decode(block.span.bytes) { posting in
                    if rows.contains(first + UInt64(posting.row)) { isLess = true } else { left.append(posting) }
                }
                guard isBlock, isLess else { continue }
                guard !left.isEmpty else {
                    commit.delete(key)
                    continue
                }
                var bytes: [UInt8] = []
                TextBlock.encode(left, into: &bytes)
                commit.put(bytes, for: key)
            }
        }
    }

    private mutating func removeDamaged(_ key: [UInt8]) {
        commit.delete(key)
        if key.count >= 5 { damagedIndexes.insert(unsafe Keyspace.number(key.span.bytes, at: 1)) }
    }

    /// Lets the damaged indexes of a class be built again.
    private mutating func discardDamaged(_ stored: StoredClass) throws(ObjectStoreError) {
        guard !damagedIndexes.isEmpty else { return }
        var entry = try stored.entry(in: view, store.name)
        for place in entry.indexes.indices where damagedIndexes.contains(entry.indexes[place].number) {
            entry.indexes[place].isComplete = false
            entry.indexes[place].nextPage = nil
            entry.indexes[place].isToBeCleared = true
        }
        entry.changeTexts { text in
            guard damagedIndexes.contains(text.number) else { return }
            (text.isComplete, text.nextPage, text.isToBeCleared) = (false, nil, true)
        }
        commit.put(entry.encoded(), for: Keyspace.storedClass(stored.number))
        // Before the commit, as for a rebuild of all indexes.
        for index in stored.indexes where damagedIndexes.contains(index.number) { index.completion.since = .max }
        for text in stored.texts where damagedIndexes.contains(text.number) { text.completion.since = .max }
    }
}
