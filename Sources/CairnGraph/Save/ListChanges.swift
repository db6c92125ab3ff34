import CairnCore

/// What a save changes in the references of an object, including those of its long lists: found from the directories before and after, and from the
/// chunks that only one of them has.
struct ListChanges {
    let owner: ObjectID
    let stored: StoredClass
    let storeName: String
    let view: StoreView
    /// The lists in memory that were written, and the change count that the record gets.
    let written: [LongField]
    let save: UInt32
    /// Whether all chunks are written again, because the object has another group.
    let writesAll: Bool
    /// The chunks to store, and the keys of those to delete.
    private(set) var new: [(key: [UInt8], content: ReferenceList.Content)] = []
    private(set) var former: [[UInt8]] = []

    init(
        _ owner: ObjectID,
        _ stored: StoredClass,
        _ storeName: String,
        _ view: StoreView,
        written: [LongField] = [],
        save: UInt32 = 0,
        writesAll: Bool = false
    ) {
        self.owner = owner
        self.stored = stored
        self.storeName = storeName
        self.view = view
        self.written = written
        self.save = save
        self.writesAll = writesAll
    }

    /// The references whose count differs.
    mutating func find(
        _ old: RecordReferences.Found,
        _ new: RecordReferences.Found
    ) throws(ObjectStoreError) -> [RecordReferences.Change] {
        guard !old.lists.isEmpty || !new.lists.isEmpty else { return RecordReferences.changes(old.references, new.references) }
        var (old, new) = (old, new)
        var changes: [RecordReferences.Change] = []
        for property in Set((old.lists + new.lists).map(\.property)).sorted() {
            changes += try find(property, old.take(property), new.take(property))
        }
        return changes + RecordReferences.changes(old.references, new.references)
    }

    private typealias Side = (references: ContiguousArray<RecordReferences.Reference>, list: LongList?)

    private mutating func find(_ property: UInt16, _ old: Side, _ new: Side) throws(ObjectStoreError) -> [RecordReferences.Change] {
        var (removed, added) = (old.references, new.references)
        let (before, after) = (old.list?.chunks ?? [], new.list?.chunks ?? [])
        let (gone, come) = Self.difference(before, after)
        for index in gone {
            guard let name = before[index].name else { continue }
            former.append(Keyspace.chunk(owner, property, name))
            add(try stored(before[index], property, old.list?.hasKeys ?? false), property, to: &removed)
        }
        for index in come {
            let content = try content(of: index, after[index], property, new.list?.hasKeys ?? false)
            add(content, property, to: &added)
            put(content, after[index], property)
        }
        if writesAll {
            let others = Set(after.indices).subtracting(come)
            for index in others.sorted() {
                put(try content(of: index, after[index], property, new.list?.hasKeys ?? false), after[index], property)
            }
        }
        let changes = RecordReferences.changes(removed, added)
        return come.count < after.count ? try adding(toOthersThan: changes) : changes
    }

    private func add(
        _ content: ReferenceList.Content,
        _ property: UInt16,
        to references: inout ContiguousArray<RecordReferences.Reference>
    ) {
        references.reserveCapacity(references.count + content.ids.count)
        for id in content.ids where id.raw != 0 { references.append(.init(target: id, property: property)) }
    }

    private mutating func put(_ content: ReferenceList.Content, _ chunk: ListChunk, _ property: UInt16) {
        if let name = chunk.name { new.append((Keyspace.chunk(owner, property, name), content)) }
    }

    /// The changes, counting the references in unchanged chunks, which the back references include.
    private func adding(toOthersThan changes: [RecordReferences.Change]) throws(ObjectStoreError) -> [RecordReferences.Change] {
        var changes = changes
        for index in changes.indices {
            let reference = changes[index].reference
            let saved = try StoreReading.referenceCount(to: reference.target, from: owner, reference.property, in: view)
            let others = max(0, saved - changes[index].former)
            changes[index].former += others
            changes[index].present += others
        }
        return changes
    }

    /// The positions of the chunks that only one of two directories has. A name means the same content everywhere.
    private static func difference(_ old: ContiguousArray<ListChunk>, _ new: ContiguousArray<ListChunk>) -> (old: [Int], new: [Int]) {
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter, old[start].name == new[start].name { start += 1 }
        var rest = 0
        while rest < shorter - start, old[old.count - 1 - rest].name == new[new.count - 1 - rest].name { rest += 1 }
        let (oldRange, newRange) = (start..<old.count - rest, start..<new.count - rest)
        let (oldNames, newNames) = (Set(old[oldRange].map(\.name)), Set(new[newRange].map(\.name)))
        return (oldRange.filter { !newNames.contains(old[$0].name) }, newRange.filter { !oldNames.contains(new[$0].name) })
    }

    // MARK: Chunks

    /// A chunk of the list in memory or, if the record has another context's list, of that list.
    private func content(
        of index: Int,
        _ chunk: ListChunk,
        _ property: UInt16,
        _ hasKeys: Bool
    ) throws(ObjectStoreError) -> ReferenceList.Content {
        guard let mine = written.first(where: { $0.field == Int(property) })?.collection, let long = mine.long,
            long.chunks.indices.contains(index), long.chunks[index].name ?? chunk.name == chunk.name,
            long.chunks[index].name != nil || chunk.name?.save == save, !mine.lacksOrigin
        else { return try stored(chunk, property, hasKeys) }
        return try mine.content(ofChunk: index)
    }

    private func stored(_ chunk: ListChunk, _ property: UInt16, _ hasKeys: Bool) throws(ObjectStoreError) -> ReferenceList.Content {
        let result = try StoreReading.chunk(chunk, of: owner, property, hasKeys: hasKeys, in: view)
        do throws(RecordError) { return try result.get() } catch {
            throw StoreReading.damage(owner, stored, error.about(field: Int(property)), storeName)
        }
    }
}
