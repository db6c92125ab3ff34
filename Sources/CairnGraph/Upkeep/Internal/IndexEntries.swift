import CairnCore

/// The entries of several objects in several indexes.
struct IndexEntries {
    private let store: ObjectStore
    private let stored: StoredClass
    private let indexes: [StoredIndex]
    private var writes = EngineCommit()
    /// The owner of each key of unique indexes.
    private var owners: [[UInt8]: (id: ObjectID, index: StoredIndex)] = [:]

    init(_ store: ObjectStore, _ stored: StoredClass, _ indexes: [StoredIndex]) {
        self.store = store
        self.stored = stored
        self.indexes = indexes
    }

    /// Adds the objects of a page.
    mutating func add(_ page: RawSpan, _ number: UInt64, _ view: StoreView, _ schema: ObjectSchema) throws(ObjectStoreError) {
        let first = number << ObjectPage.rowBits
        guard var records = ObjectPage.Records(page) else {
            throw StoreReading.damagedPage(ObjectID(class: stored.number, row: first), stored)
        }
        while let row = records.next() {
            let id = ObjectID(class: stored.number, row: first + UInt64(row.slot))
            if row.record.isEmpty {
                try StoreReading.record(id, stored, in: view) { record throws(ObjectStoreError) in try add(id, record, schema, view) }
            } else {
                try add(id, row.record, schema, view)
            }
        }
        guard records.isWhole else { throw StoreReading.damagedPage(ObjectID(class: stored.number, row: first), stored) }
    }

    private mutating func add(
        _ id: ObjectID,
        _ record: RawSpan,
        _ schema: ObjectSchema,
        _ view: StoreView
    ) throws(ObjectStoreError) {
        guard !ObjectRecord.isOlder(record, stored), !GroupedRecord.isShredded(record) else { return }
        let object = schema.type.init(_$fault: ())
        do throws(RecordError) { _ = try ObjectRecord.read(record, into: object, stored.fields) } catch {
            throw ObjectStoreError(
                .corruption,
                "an index of \(store.name) cannot be built: \(stored.name) \(id.row) cannot be read (\(error.message)). Make it readable, or delete it, and try again",
                object: id,
                cause: error
            )
        }
        if object._$state.flags.contains(.partial) {
            let bits = indexes.reduce(0) { $0 | $1.properties }
            try StoreReading.readLargeValues(of: record, into: object, id, stored, in: view, store.name) {
                bits & ObjectState.bit($0) != 0
            }
        }
        for index in indexes {
            let entry = index.entry(object, id)
            guard entry.isUnique else {
                writes.put([], for: entry.bytes)
                continue
            }
            if let (other, _) = owners.updateValue((id, index), forKey: entry.bytes) { throw notUnique(index, other, id) }
        }
    }

    /// The entries as a commit.
    ///
    /// - Throws: `notUnique` if another object has the same key.
    func commit(_ view: StoreView) throws(ObjectStoreError) -> EngineCommit {
        var commit = writes
        let wanted = Array(owners)
        let keys = KeyList(wanted.map(\.key))
        try view.lendValues(for: keys) { place, value throws(ObjectStoreError) in
            guard let value, value.byteCount == 8 else { return }
            let other = ObjectID(raw: Keyspace.number(value, at: 0))
            let (id, index) = wanted[place].value
            if other != id { throw notUnique(index, other, id) }
        }
        for (key, owner) in wanted { commit.put(Keyspace.bigEndian(owner.id.raw), for: key) }
        return commit
    }

    private func notUnique(_ index: StoredIndex, _ one: ObjectID, _ other: ObjectID) -> ObjectStoreError {
        ObjectStoreError(
            .notUnique,
            "\(stored.name) \(one.row) and \(stored.name) \(other.row) of \(store.name) have the same \(index.index.properties.joined(separator: " and ")), which must be unique: change one of them, and continue with buildIndexes()",
            object: other
        )
    }
}
