import CairnCore

extension ObjectImporter {
    /// The record of an object in this store. Adds its back references and index entries.
    func record(_ dump: ObjectDump, _ stored: inout ImportedClass) throws(ObjectStoreError) -> [UInt8] {
        let row = dump.id.row + stored.offset
        guard row <= ObjectID.lastRow else {
            throw ObjectStoreError(.tooLarge, "\(store.name) has no row for \(stored.name) \(dump.id.row)", object: dump.id)
        }
        let id = ObjectID(class: stored.own.number, row: row)
        try checkVersion(of: dump, stored)
        var writer = RecordWriter()
        let changeCount = max(1, dump.changeCount)
        writer.reset(version: dump.version, changeCount: changeCount)
        writer.beginLists(changeCount, longest: store.options.longestChunk)
        var values: [String: TypedValue] = [:]
        var counts: [[UInt8]: UInt64] = [:]
        for field in dump.fields {
            guard let known = stored.fields[field.name] else {
                throw ObjectStoreError(.schemaMismatch, "\(stored.name) has no property \(field.name)", object: dump.id)
            }
            if let type = known.type {
                guard case .value(let value) = field.value else { throw mismatch(dump, field, nil) }
                let typed = TypedValue(value, type)
                values[field.name] = typed
                writer.write(typed, field: known.number)
            } else {
                let collection = try write(field, known.number, known.property, dump, &stored, &writer)
                for target in collection {
                    counts[Keyspace.reference(to: target, from: id, UInt16(truncatingIfNeeded: known.number)), default: 0] += 1
                    references.append((dump.id, field.name, target))
                }
            }
            do throws(RecordError) { try writer.check() } catch { throw mismatch(dump, field, error) }
        }
        addReferences(counts)
        addChunks(id, writer.longLists, changeCount)
        try addEntries(id, values, &stored)
        do throws(RecordError) {
            if !stored.own.isHandCoded {
                let large = try LargeValue.Cut(id, changeCount, LargeValue.Limits(store)).apply(to: &writer) { commit.put($1, for: $0) }
                if !large.isEmpty { storesChunks = true }
            }
            return try writer.bytes
        } catch {
            throw ObjectStoreError(
                .schemaMismatch,
                "\(stored.name) \(dump.id.row) cannot be stored: \(error.message)",
                object: dump.id,
                cause: error
            )
        }
    }

    private func checkVersion(of dump: ObjectDump, _ stored: ImportedClass) throws(ObjectStoreError) {
        guard dump.version <= stored.own.entry.version else {
            throw ObjectStoreError(
                .unsupportedVersion,
                "\(stored.name) \(dump.id.row) has version \(dump.version), but \(store.name) has \(stored.own.entry.version)",
                object: dump.id
            )
        }
        guard dump.version > 0 else {
            throw ObjectStoreError(
                .schemaMismatch,
                "\(stored.name) \(dump.id.row) has version 0: versions start at 1",
                object: dump.id
            )
        }
    }

    /// Adds back references, with how often each property refers to each object.
    private func addReferences(_ counts: [[UInt8]: UInt64]) {
        for (key, count) in counts {
            var bytes: [UInt8] = []
            Varint.append(count, to: &bytes)
            commit.put(bytes, for: key)
        }
    }

    /// Writes the objects that a property refers to, and returns them.
    private func write(
        _ field: ObjectDump.Field,
        _ number: Int,
        _ property: CatalogEntry.Property,
        _ dump: ObjectDump,
        _ stored: inout ImportedClass,
        _ writer: inout RecordWriter
    ) throws(ObjectStoreError) -> ContiguousArray<ObjectID> {
        // The class itself has been removed from the dictionary.
        classes[dump.id.classNumber] = stored
        defer { classes[dump.id.classNumber] = nil }
        let owner = "\(dump.className) \(dump.id.row).\(field.name)"
        let shape = ObjectRelationship.Shape(rawValue: property.type)
        switch (shape, field.value) {
        case (.one, .one(nil)):
            writer.write(ObjectReference(ObjectID(raw: 0)), field: number)
            return []
        case (.one, .one(let id?)):
            try checkTargets(of: property, [id], owner)
            let target = try moved(id, owner)
            writer.write(ObjectReference(target), field: number)
            return [target]
        case (.list, .many(let ids)), (.set, .many(let ids)):
            try checkTargets(of: property, ids, owner)
            let targets = try moved(ids, owner)
            writer.write(ObjectCollection(ids: targets), field: number)
            return targets
        case (.dictionary, .keyed(let entries)):
            try checkTargets(of: property, entries.map(\.object), owner)
            let collection = try collection(entries, owner)
            writer.write(collection, field: number)
            return collection.ids
        default: throw mismatch(dump, field, nil)
        }
    }

    /// Adds the chunks of the long lists of an object.
    private func addChunks(_ id: ObjectID, _ lists: [LongField], _ save: UInt32) {
        for field in lists {
            guard let long = field.collection.long else { continue }
            storesChunks = true
            long.forEachName(save) { index, name in
                let key = Keyspace.chunk(id, UInt16(truncatingIfNeeded: field.field), name)
                if let content = long.chunks[index].content { commit.put(StoredChunk.encode(content, for: key), for: key) }
            }
        }
    }

    private func mismatch(_ dump: ObjectDump, _ field: ObjectDump.Field, _ cause: RecordError?) -> ObjectStoreError {
        ObjectStoreError(
            .schemaMismatch,
            "the value of \(dump.className) \(dump.id.row).\(field.name) does not fit the property: \(cause?.message ?? "it is of another kind")",
            object: dump.id,
            cause: cause
        )
    }

    // MARK: Indexes

    private func addEntries(_ id: ObjectID, _ values: [String: TypedValue], _ stored: inout ImportedClass) throws(ObjectStoreError) {
        for index in stored.own.entry.indexes where !stored.incomplete.contains(index.number) {
            let elements = index.properties.map { values[$0]?.keyElement }
            guard !elements.contains(where: { $0 == nil }) else {
                stored.incomplete.insert(index.number)
                continue
            }
            let tuple = KeyTuple(elements.compactMap(\.self))
            var key = IndexKeys(store.engine).bytes(index.number, tuple.keyBytes, count: index.properties.count)
            let isUnique = index.isUnique && !tuple.elements.contains(.null)
            guard isUnique else {
                key += Keyspace.bigEndian(id.row).suffix(6)
                commit.put([], for: key)
                continue
            }
            let isTaken = try view.contains(key)
            guard !isTaken, uniqueKeys.insert(key).inserted else {
                throw ObjectStoreError(
                    .notUnique,
                    "two objects of \(stored.name) have the same \(index.properties.joined(separator: " and ")), which must be unique",
                    object: id
                )
            }
            commit.put(Keyspace.bigEndian(id.raw), for: key)
        }
    }
}
