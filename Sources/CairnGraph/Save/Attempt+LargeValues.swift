import CairnCore

/// Large values, which are stored apart from their records.
extension Save.Attempt {
    /// The large values of a saved record.
    func largeValues(
        _ id: ObjectID,
        _ stored: StoredClass,
        _ record: RawSpan?
    ) throws(ObjectStoreError) -> [UInt64: LargeValue] {
        guard let record else { return [:] }
        do throws(RecordError) { return try LargeValue.all(record) } catch { throw context.damage(id, stored, error) }
    }

    /// Throws if a large value was changed although it could not be read.
    func checkLargeValues(_ item: Save.Work, _ stored: StoredClass) throws(ObjectStoreError) {
        let unread = unsafe item.object._$state.unread
        guard let schema = stored.schema else { return }
        let changed = changed(item)
        for index in schema.properties.indices where unread & schema.largeBit(index) != 0 && changed & ObjectState.bit(index) != 0 {
            throw context.damage(item.id, stored, LargeValue.lost.about(field: stored.fields[index]))
        }
    }

    /// Gives the record in `writer` the directories of the saved one, for large values that were not changed here. A value that was not read here has
    /// only a substitute in `writer`.
    ///
    /// - Parameter overwrites: Whether another context has saved the record, and all values that were read here replace that context's values.
    func keepLargeValues(
        _ item: Save.Work,
        _ stored: StoredClass,
        _ old: RawSpan?,
        _ former: [UInt64: LargeValue],
        overwrites: Bool,
        _ writer: inout RecordWriter
    ) throws(ObjectStoreError) {
        let unread = unsafe item.object._$state.unread
        guard let old, let schema = stored.schema else {
            throw ObjectStoreError(
                .conflict,
                "\(stored.name) \(item.id.row) of \(store.name) was deleted by another context, and one of its large values was not read here; roll back",
                object: item.id
            )
        }
        let changed = changed(item)
        var kept: Set<UInt64> = []
        for index in schema.properties.indices where schema.largeBit(index) != 0 {
            let number = UInt64(stored.fields[index])
            let isUnread = unread & schema.largeBit(index) != 0
            let isChanged = changed & ObjectState.bit(index) != 0
            guard former[number] != nil || overwrites && isUnread else { continue }
            if isUnread || !isChanged && !overwrites { kept.insert(number) }
        }
        guard !kept.isEmpty else { return }
        do throws(RecordError) { try RecordMerge.take(kept, of: old, into: &writer) } catch {
            throw context.damage(item.id, stored, error)
        }
    }

    /// Takes large values out of the record in `writer`, and stores their parts. Deletes the parts that the record no longer has.
    mutating func setLargeValuesApart(
        _ item: Save.Work,
        _ stored: StoredClass,
        _ former: [UInt64: LargeValue],
        _ written: Save.Written,
        _ writer: inout RecordWriter
    ) throws(ObjectStoreError) {
        var present = try largeValues(item.id, stored, writer.record)
        if written.isRegrouped { for (number, value) in present { try writeAgain(value, item.id, stored, number, written) } }
        if !stored.isHandCoded {
            let cut = LargeValue.Cut(item.id, written.count, save.largeValues)
            do throws(RecordError) {
                let new = try cut.apply(to: &writer) { key, part in commit.put(written.sealed(part), for: key) }
                present.merge(new) { $1 }
            } catch {
                throw context.damage(item.id, stored, error)
            }
        }
        for (number, value) in former {
            let names = Set((present[number]?.parts ?? []).map(\.name))
            remove(value.parts.filter { !names.contains($0.name) }, item.id, number)
        }
        guard !present.isEmpty else { return }
        storesChunks = true
        unsafe item.object._$state.flags.insert(.large)
    }

    /// Deletes the large values of a deleted object.
    mutating func removeLargeValues(
        _ id: ObjectID,
        _ stored: StoredClass,
        _ record: RawSpan
    ) throws(ObjectStoreError) {
        for (number, value) in try largeValues(id, stored, record) { remove(value.parts, id, number) }
    }

    private mutating func remove(_ parts: [LargeValue.Part], _ id: ObjectID, _ number: UInt64) {
        for part in parts { commit.delete(Keyspace.chunk(id, UInt16(truncatingIfNeeded: number), part.name)) }
    }

    /// Stores the parts of a value under their names, for another group.
    private mutating func writeAgain(
        _ value: LargeValue,
        _ id: ObjectID,
        _ stored: StoredClass,
        _ number: UInt64,
        _ written: Save.Written
    ) throws(ObjectStoreError) {
        let property = UInt16(truncatingIfNeeded: number)
        let found = try StoreReading.record(of: value, id, property, in: view)
        let record: [UInt8]
        do throws(RecordError) { record = try found.get() } catch {
            throw context.damage(id, stored, error)
        }
        var start = record.count - value.size
        for part in value.parts {
            let key = Keyspace.chunk(id, property, part.name)
            commit.put(written.sealed(StoredChunk.encode(for: key) { $0 += record[start..<start + part.size] }), for: key)
            start += part.size
        }
    }
}

extension LargeValue {
    /// A value that could not be read was changed.
    static var lost: RecordError {
        RecordError(.malformed, "its large value could not be read, and would be lost. Roll back")
    }

    /// The maximum sizes of a store's records and parts.
    struct Limits {
        let inRecord: Int
        let part: Int

        init(_ store: ObjectStore) {
            let longest = store.options.longestValue
            // An engine may allow less for a value; the group and the chunk's header take some of that.
            let most = (store.engine.limits.maximumValueSize ?? .max) - 64
            inRecord = min(longest.inRecord, most)
            part = max(1, min(longest.part, most))
        }
    }

    /// Takes the large values out of a new record.
    struct Cut {
        private let id: ObjectID
        private let save: UInt32
        private let limits: Limits

        /// - Parameter save: The change count that the record gets.
        init(_ id: ObjectID, _ save: UInt32, _ limits: Limits) {
            self.id = id
            self.save = save
            self.limits = limits
        }

        /// Replaces the values in `writer` by their directories, and passes their parts, with the keys, to `put`.
        func apply(
            to writer: inout RecordWriter,
            _ put: (_ key: [UInt8], _ part: [UInt8]) -> Void
        ) throws(RecordError) -> [UInt64: LargeValue] {
            guard writer.byteCount > limits.inRecord else { return [:] }
            let (rest, values) = try cut(writer.record, put)
            if !values.isEmpty { writer.replace(with: rest) }
            return values
        }

        private func cut(
            _ record: RawSpan,
            _ put: (_ key: [UInt8], _ part: [UInt8]) -> Void
        ) throws(RecordError) -> (rest: [UInt8], values: [UInt64: LargeValue]) {
            var rest = [UInt8](copying: record.extracting(first: try ObjectRecord.header(record).size))
            var values: [UInt64: LargeValue] = [:]
            try RecordFields.forEach(record) { field in
                guard field.kind == Wire.bytes, field.payload.byteCount > limits.inRecord else {
                    rest += [UInt8](copying: field.bytes)
                    return
                }
                let value = parts(of: field, put)
                rest += value.field(field.number)
                values[field.number] = value
            }
            return (rest, values)
        }

        private func parts(of field: borrowing RecordFields.Field, _ put: (_ key: [UInt8], _ part: [UInt8]) -> Void) -> LargeValue {
            var parts: [Part] = []
            for start in stride(from: 0, to: field.payload.byteCount, by: limits.part) {
                let content = field.payload.extracting(start..<min(start + limits.part, field.payload.byteCount))
                let part = Part(name: .init(save: save, number: UInt32(parts.count)), size: content.byteCount)
                let key = Keyspace.chunk(id, UInt16(truncatingIfNeeded: field.number), part.name)
                put(key, StoredChunk.encode(for: key) { $0 += [UInt8](copying: content) })
                parts.append(part)
            }
            return LargeValue(size: field.payload.byteCount, parts: parts)
        }
    }
}
