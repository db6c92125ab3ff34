import CairnCore

/// The values of an object at some time: a record and, separately, its long lists. The lists share their memory with the object, and retain the state of
/// the store that has the rest.
struct ObjectSnapshot {
    var record: [UInt8] = []
    /// By field number.
    var lists: [UInt16: LongList] = [:]
    /// The large values that could not be read (``ObjectState/unread``): they stay as they are.
    var unread: UInt16 = 0
}

extension ObjectSnapshot {
    private var fields: [UInt64: [UInt8]] {
        get throws(RecordError) { unsafe try RecordMerge.fields(record.span.bytes) }
    }

    /// The numbers of the fields that are not the same in two snapshots.
    func difference(from other: ObjectSnapshot) throws(RecordError) -> Set<UInt64> {
        let (mine, others) = (try fields, try other.fields)
        var numbers = Set(mine.keys).union(others.keys).filter { mine[$0] != others[$0] }
        for number in Set(lists.keys).union(other.lists.keys) {
            guard let list = lists[number], let another = other.lists[number], list.isSame(as: another) else {
                numbers.insert(UInt64(number))
                continue
            }
        }
        return numbers
    }

    /// Applies what others have changed in lists and sets: what they have added is added at the end, and what they have removed is removed.
    ///
    /// - Parameters:
    ///   - relations: The relationships to merge.
    ///   - former: What they were changed from, and to what.
    /// - Returns: The first relationship that others have changed and that cannot be merged; `nil` if there is none.
    mutating func merge(
        _ relations: [Relation],
        changedFrom former: ObjectSnapshot,
        to now: ObjectSnapshot
    ) throws(RecordError) -> Relation? {
        guard !relations.isEmpty else { return nil }
        let (before, after) = (try former.fields, try now.fields)
        for relation in relations {
            let (field, number) = (relation.number, UInt64(relation.number))
            switch (former.lists[field], now.lists[field]) {
            case (nil, nil) where before[number] == after[number]: continue
            case (nil, nil) where lists[field] == nil && (relation.shape == .list || relation.shape == .set): break
            case (nil, nil): return relation
            default:
                // A save may have made it long.
                let list = try former.list(field, before[number])
                guard try list.hasSameReferences(as: now.list(field, after[number])) else { return relation }
                continue
            }
            let (removed, added) = Self.difference(try content(before[number], field).ids, try content(after[number], field).ids)
            var ids = try content(fields[number], field).ids
            for id in removed { if let position = ids.lastIndex(of: id) { ids.remove(at: position) } }
            ids += relation.shape == .set ? added.filter { !ids.contains($0) } : added
            var list = RecordWriter()
            list.reset(version: 1, changeCount: 0)
            unsafe list.write(references: ReferenceList.encode(ReferenceList.Content(ids: ids)).span.bytes, field: Int(field))
            var writer = RecordWriter()
            writer.replace(with: record)
            try RecordMerge.take([number], of: list.record, into: &writer)
            record = try writer.bytes
        }
        return nil
    }

    /// A collection as a long list, whether it is long or short.
    private func list(_ number: UInt16, _ field: [UInt8]?) throws(RecordError) -> LongList {
        if let list = lists[number] { return list }
        return LongList(try content(field, number), longest: LongList.longestChunk)
    }

    /// The content of a short list, from its field.
    private func content(_ field: [UInt8]?, _ number: UInt16) throws(RecordError) -> ReferenceList.Content {
        guard let field else { return ReferenceList.Content() }
        let fields = FieldMap([Int(number)])
        var reader = unsafe RecordReader(bytes: field.span.bytes, fields: fields)
        defer { withExtendedLifetime(fields) {} }
        return try reader.readCollection(0)?.short ?? ReferenceList.Content()
    }

    /// The references that one of two lists has more often than the other, as many times as the counts differ.
    private static func difference(
        _ old: ContiguousArray<ObjectID>,
        _ new: ContiguousArray<ObjectID>
    ) -> (removed: ContiguousArray<ObjectID>, added: ContiguousArray<ObjectID>) {
        func rest(_ ids: ContiguousArray<ObjectID>, _ others: ContiguousArray<ObjectID>) -> ContiguousArray<ObjectID> {
            var counts: [ObjectID: Int] = [:]
            for id in others { counts[id, default: 0] += 1 }
            return ids.filter { id in
                counts[id, default: 0] -= 1
                return counts[id, default: 0] < 0
            }
        }
        return (rest(old, new), rest(new, old))
    }

    /// This snapshot with some fields of another one.
    func taking(_ numbers: Set<UInt64>, of other: ObjectSnapshot, _ stored: StoredClass) throws(RecordError) -> ObjectSnapshot {
        var taken = self
        var writer = RecordWriter()
        writer.replace(with: record)
        unsafe try RecordMerge.take(numbers, of: other.record.span.bytes, into: &writer)
        taken.record = try writer.bytes
        for number in numbers { taken.lists[UInt16(truncatingIfNeeded: number)] = other.lists[UInt16(truncatingIfNeeded: number)] }
        for index in stored.schema?.properties.indices ?? 0..<0 where numbers.contains(UInt64(stored.fields[index])) {
            let bit = stored.schema?.largeBit(index) ?? 0
            taken.unread = taken.unread & ~bit | other.unread & bit
        }
        return taken
    }
}

extension LongList {
    /// Whether two states of a list have the same references.
    fileprivate func hasSameReferences(as other: LongList) -> Bool {
        guard count == other.count, hasKeys == other.hasKeys else { return false }
        var (mine, others) = (self, other)
        guard chunks.elementsEqual(other.chunks, by: { $0.count == $1.count }) else {
            let (contents, another) = (chunks.indices.map { mine.content(of: $0) }, other.chunks.indices.map { others.content(of: $0) })
            return contents.flatMap(\.ids) == another.flatMap(\.ids)
                && contents.flatMap { $0.keys ?? [] } == another.flatMap { $0.keys ?? [] }
        }
        return chunks.indices.allSatisfy { index in
            // These need not be read.
            if let name = chunks[index].name, name == other.chunks[index].name { return true }
            let (content, another) = (mine.content(of: index), others.content(of: index))
            return content.ids == another.ids && content.keys == another.keys
        }
    }

    /// Whether two states of a list certainly have the same references: unchanged chunks have names, and a name means a content.
    fileprivate func isSame(as other: LongList) -> Bool {
        count == other.count && chunks.elementsEqual(other.chunks) { $0.name != nil && $0.name == $1.name }
    }
}

extension StoredClass {
    /// The bits of the properties with some field numbers.
    func bits(of numbers: Set<UInt64>) -> UInt64 {
        (0..<fields.count).reduce(0) { numbers.contains(UInt64(fields[$1])) ? $0 | ObjectState.bit($1) : $0 }
    }
}
