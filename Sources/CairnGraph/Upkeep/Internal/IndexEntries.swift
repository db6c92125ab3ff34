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
    mutating func add(_ page: RawSpan, _ number: UInt64, _ view: any EngineView, _ schema: ObjectSchema) throws(ObjectStoreError) {
        try unsafe page.withUnsafeBytes { page throws(ObjectStoreError) in
            let first = number << ObjectPage.rowBits
            guard var records = unsafe ObjectPage.Records(page) else {
                throw StoreReading.damagedPage(ObjectID(class: stored.number, row: first), stored)
            }
            while let (slot, record) = unsafe records.next() {
                let id = ObjectID(class: stored.number, row: first + UInt64(slot))
                if record.count > 0 {
                    unsafe try add(id, record, schema, view)
                } else {
                    var result: Result<Void, ObjectStoreError> = .success(())
                    unsafe try StoreReading.record(id, stored, in: view) { record in
                        result = Result { () throws(ObjectStoreError) in unsafe try add(id, record, schema, view) }
                    }
                    try result.get()
                }
            }
            guard records.isWhole else { throw StoreReading.damagedPage(ObjectID(class: stored.number, row: first), stored) }
        }
    }

    private mutating func add(
        _ id: ObjectID,
        _ record: UnsafeRawBufferPointer,
        _ schema: ObjectSchema,
        _ view: any EngineView
    ) throws(ObjectStoreError) {
        guard unsafe !ObjectRecord.isOlder(record, stored), unsafe !GroupedRecord.isShredded(record) else { return }
        let object = schema.type.init(_$fault: ())
        do throws(RecordError) { _ = unsafe try ObjectRecord.read(record, into: object, stored.fields) } catch {
            throw ObjectStoreError(
                .corruption,
                "an index of \(store.name) cannot be built: \(stored.name) \(id.row) cannot be read (\(error.message)). Delete it, and go on",
                object: id,
                cause: error
            )
        }
        if object._$state.flags.contains(.partial) {
            let bits = indexes.reduce(0) { $0 | $1.properties }
            unsafe try StoreReading.readLargeValues(of: record, into: object, id, stored, in: view, store.name) {
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
    func commit(_ view: any EngineView) throws(ObjectStoreError) -> EngineCommit {
        var commit = writes
        let wanted = Array(owners)
        let keys = KeyList(wanted.map(\.key))
        var failure: ObjectStoreError?
        try ObjectStoreError.translating { () throws(EngineError) in
            try view.lendValues(for: keys) { place, value in
                guard let value, value.byteCount == 8, failure == nil else { return }
                let other = ObjectID(raw: Keyspace.number(value, at: 0))
                let (id, index) = wanted[place].value
                if other != id { failure = notUnique(index, other, id) }
            }
        }
        if let failure { throw failure }
        for (key, owner) in wanted { commit.put(Keyspace.bigEndian(owner.id.raw), for: key) }
        return commit
    }

    private func notUnique(_ index: StoredIndex, _ one: ObjectID, _ other: ObjectID) -> ObjectStoreError {
        ObjectStoreError(
            .notUnique,
            "\(stored.name) \(one.row) and \(stored.name) \(other.row) of \(store.name) have the same \(index.index.properties.joined(separator: " and ")), which is to be unique: change one of them, and go on with buildIndexes()",
            object: other
        )
    }
}
