import CairnCore

/// What goes with a record: who it leads to, and its entries in the indexes.
extension Save {
    mutating func removeEntries(
        _ item: Work,
        _ stored: StoredClass,
        _ old: UnsafeRawBufferPointer?,
        _ view: any EngineView
    ) throws(ObjectStoreError) {
        guard let old = unsafe old else { return }
        if stored.hasReferences {
            for (key, _) in unsafe try referenceCounts(item.id, stored, old) { commit.delete(key) }
        }
        guard !stored.indexes.isEmpty else { return }
        let former = unsafe try temporary(stored, item.id, old)
        for index in stored.indexes { try removeEntry(index, former, item.id, view) }
    }

    mutating func changeEntries(
        _ item: Work,
        _ stored: StoredClass,
        _ old: UnsafeRawBufferPointer?,
        new: UnsafeRawBufferPointer,
        isMerged: Bool,
        _ view: any EngineView
    ) throws(ObjectStoreError) {
        let changed = unsafe old == nil || isMerged ? UInt64.max : item.object._$state.changed
        if stored.hasReferences, changed & stored.referenceProperties != 0 {
            var former = unsafe try old.map { old throws(ObjectStoreError) in unsafe try referenceCounts(item.id, stored, old) } ?? [:]
            for (key, count) in unsafe try referenceCounts(item.id, stored, new) where former.removeValue(forKey: key) != count {
                var bytes: [UInt8] = []
                Varint.append(count, to: &bytes)
                commit.put(bytes, for: key)
            }
            for key in former.keys { commit.delete(key) }
        }
        guard stored.indexes.contains(where: { changed & $0.properties != 0 }) else { return }
        let former = unsafe try old.map { old throws(ObjectStoreError) in unsafe try temporary(stored, item.id, old) }
        let object = isMerged ? unsafe try temporary(stored, item.id, new) : item.object
        for index in stored.indexes where changed & index.properties != 0 {
            let key = index.entry(object, item.id)
            if let former {
                guard index.entry(former, item.id) != key else { continue }
                try removeEntry(index, former, item.id, view)
            }
            if key.isUnique {
                if let other = uniqueKeys.updateValue(item.id, forKey: key.bytes) { throw notUnique(index, stored, item.id, other) }
                commit.put(Keyspace.bigEndian(item.id.raw), for: key.bytes)
            } else {
                commit.put([], for: key.bytes)
            }
        }
    }

    private mutating func removeEntry(
        _ index: StoredIndex,
        _ object: any StoredObject,
        _ id: ObjectID,
        _ view: any EngineView
    ) throws(ObjectStoreError) {
        let key = index.entry(object, id)
        guard key.isUnique else {
            commit.delete(key.bytes)
            return
        }
        if !index.isComplete {
            // An object that is not in the index yet may have the value of one that is.
            let owner = try ObjectStoreError.translating { () throws(EngineError) in try view.get(key.bytes) }
            guard let owner, owner == Keyspace.bigEndian(id.raw) else { return }
        }
        freedKeys.insert(key.bytes)
        // Another object may take the place in the same save.
        if uniqueKeys[key.bytes] == nil { commit.delete(key.bytes) }
    }

    /// Whether nobody else has the values that a unique index is to have.
    func checkUnique(_ view: any EngineView) throws(ObjectStoreError) {
        for (key, id) in uniqueKeys where !freedKeys.contains(key) {
            let found = try ObjectStoreError.translating { () throws(EngineError) in try view.get(key) }
            guard let found, found.count == 8 else { continue }
            let other = ObjectID(raw: Keyspace.number(found.span.bytes, at: 0))
            guard other != id, let stored = store.storedClass(number: id.classNumber) else { continue }
            let number: UInt32 = Keyspace.number(key.span.bytes, at: 1)
            guard let index = stored.indexes.first(where: { $0.number == number }) else { continue }
            throw notUnique(index, stored, id, other)
        }
    }

    private func notUnique(_ index: StoredIndex, _ stored: StoredClass, _ id: ObjectID, _ other: ObjectID) -> ObjectStoreError {
        ObjectStoreError(
            .notUnique,
            "\(stored.name) \(id.row) has the same \(index.index.properties.joined(separator: " and ")) as \(stored.name) \(other.row), and that is unique",
            object: id
        )
    }

    /// The object of a record, for its values only.
    private func temporary(_ stored: StoredClass, _ id: ObjectID, _ record: UnsafeRawBufferPointer) throws(ObjectStoreError) -> any StoredObject {
        guard let schema = stored.schema else { preconditionFailure("no class for \(stored.name)") }
        let object = schema.type.init(_$fault: ())
        do throws(RecordError) { _ = unsafe try ObjectRecord.read(record, into: object, stored.fields) } catch {
            throw context.damage(id, stored, error)
        }
        return object
    }

    /// How often a record leads to others, by the keys that say so.
    private func referenceCounts(
        _ owner: ObjectID,
        _ stored: StoredClass,
        _ record: UnsafeRawBufferPointer
    ) throws(ObjectStoreError) -> [[UInt8]: UInt64] {
        var counts: [[UInt8]: UInt64] = [:]
        do throws(RecordError) {
            unsafe try RecordReferences.forEach(record) { field, id in
                counts[Keyspace.reference(to: id, from: owner, UInt16(truncatingIfNeeded: field)), default: 0] += 1
            }
        } catch {
            throw context.damage(owner, stored, error)
        }
        return counts
    }
}

extension StoredIndex {
    struct Entry: Equatable {
        var bytes: [UInt8]
        /// Whether the key has no row, so that there can be only one.
        var isUnique: Bool
    }

    /// The key of an object's entry.
    func entry(_ object: any StoredObject, _ id: ObjectID) -> Entry {
        var encoder = KeyEncoder(capacity: 64)
        index.encode(object, &encoder)
        var bytes = Keyspace.entries(number)
        let values = encoder.bytes
        bytes += values
        let isUnique = index.isUnique && !Self.hasNull(values)
        if !isUnique { bytes += Keyspace.bigEndian(id.row).suffix(6) }
        return Entry(bytes: bytes, isUnique: isUnique)
    }

    private static func hasNull(_ key: [UInt8]) -> Bool {
        var decoder = KeyDecoder(key.span.bytes)
        while !decoder.isAtEnd {
            guard let value = try? KeyValue(decoding: &decoder) else { return false }
            if case .null = value { return true }
        }
        return false
    }
}

/// Finds the references in a record, without its class.
enum RecordReferences {
    static func forEach(_ record: UnsafeRawBufferPointer, _ body: (_ field: UInt64, ObjectID) -> Void) throws(RecordError) {
        guard let header = unsafe ObjectRecord.Header(record) else { throw RecordError.truncated() }
        let rest = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: record[header.size...]))
        var field = FieldReader(rest)
        while unsafe field.position < field.end {
            let tag = try field.varint()
            let kind = UInt8(truncatingIfNeeded: tag & 7)
            field.kind = kind
            switch kind {
            case Wire.reference:
                let id = try field.takeReference()
                if id.raw != 0 { body(tag >> 3, id) }
            case Wire.references: for id in try field.takeReferences().ids { body(tag >> 3, id) }
            default: try field.skip(kind)
            }
        }
    }
}

/// Puts a record together of one context's changes and another's.
enum RecordMerge {
    /// What `writer` holds becomes a record with the changed properties of it, and the others of `old`.
    static func merge(
        _ writer: inout RecordWriter,
        over old: UnsafeRawBufferPointer,
        changed: UInt64,
        _ stored: StoredClass
    ) throws(RecordError) {
        let mine = try writer.bytes
        var changedFields: Set<UInt64> = []
        for index in 0..<stored.fields.count where changed & ObjectState.bit(index) != 0 { changedFields.insert(UInt64(stored.fields[index])) }
        let mineFields = unsafe try fields(mine.span.bytes.withUnsafeBytes { unsafe $0 })
        let theirs = unsafe try fields(old)
        guard let header = unsafe ObjectRecord.Header(mine.span.bytes.withUnsafeBytes { unsafe $0 }) else { throw RecordError.truncated() }
        writer.reset(version: header.version, changeCount: header.changeCount)
        for number in Set(mineFields.keys).union(theirs.keys).sorted() {
            guard let bytes = changedFields.contains(number) ? mineFields[number] : theirs[number] else { continue }
            writer.field.reserve(bytes.count)
            for byte in bytes { writer.field.append(byte: byte) }
        }
    }

    /// The fields of a record with their tags, by their numbers.
    private static func fields(_ record: UnsafeRawBufferPointer) throws(RecordError) -> [UInt64: [UInt8]] {
        guard let header = unsafe ObjectRecord.Header(record) else { throw RecordError.truncated() }
        let rest = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: record[header.size...]))
        var field = FieldReader(rest)
        var fields: [UInt64: [UInt8]] = [:]
        while unsafe field.position < field.end {
            let start = unsafe field.position
            let tag = try field.varint()
            try field.skip(UInt8(truncatingIfNeeded: tag & 7))
            fields[tag >> 3] = unsafe Array(UnsafeRawBufferPointer(start: start, count: field.position - start))
        }
        return fields
    }
}
