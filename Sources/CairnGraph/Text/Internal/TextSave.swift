import CairnCore
import Synchronization

/// The part of a save that updates text indexes, page by page, as the rows come.
struct TextSave {
    private var stored: StoredClass?
    /// In the order of the class's text indexes.
    private var saves: [TextIndexSave] = []
    private var readers: [TextReader] = []

    /// Begins the objects of a page, of which `row` is one.
    mutating func begin(
        _ stored: StoredClass,
        _ row: UInt64,
        _ commit: inout EngineCommit,
        _ view: StoreView
    ) throws(ObjectStoreError) {
        if self.stored !== stored {
            try finish(&commit, view)
            self.stored = stored
            let unused = stored.rows.unused(stored)
            saves = stored.texts.map { TextIndexSave($0, unused: unused) }
            readers = stored.texts.map { TextReader(stored, $0.place) }
        }
        for place in saves.indices {
            // Texts of objects whose key may be destroyed are not kept as a whole, and an index that is being built has only blocks.
            let writesBlocks = stored.isShreddable || !saves[place].text.isComplete
            try saves[place].begin(Self.firstRow(row), writesBlocks: writesBlocks, &commit, view)
        }
    }

    private static func firstRow(_ row: UInt64) -> UInt64 { row & ~UInt64(ObjectPage.rowCount - 1) }

    /// Writes the collected changes.
    mutating func finish(_ commit: inout EngineCommit, _ view: StoreView) throws(ObjectStoreError) {
        for place in saves.indices { try saves[place].finish(&commit, view) }
        saves = []
        stored = nil
    }

    /// Removes an object whose record cannot be read: searches its shard for its postings.
    mutating func removeAll(of id: ObjectID, _ commit: inout EngineCommit, _ view: StoreView) throws(ObjectStoreError) {
        let first = id.row & ~UInt64(TextBlock.rowCount - 1)
        let block = Int(first >> TextBlock.rowBits) % TextBlock.blocksInShard
        for place in saves.indices {
            try saves[place].begin(Self.firstRow(id.row), writesBlocks: true, &commit, view)
            let prefix = Keyspace.texts(saves[place].text.number, shard: TextBlock.shard(of: id.row))
            var found: [[UInt8]] = []
            try view.lendEntries(in: KeyRange(prefix: prefix), reverse: false) { key, value in
                let key = [UInt8](copying: key)
                guard key.count > prefix.count + 1, Int(key[key.count - 1]) == block else { return true }
                _ = TextBlock.decode(value) { posting in
                    if first + UInt64(posting.row) == id.row { found.append(Array(key[prefix.count..<key.count - 1])) }
                }
                return true
            }
            saves[place].remove(id.row, found)
        }
    }

    /// Notes that an object's record changes.
    ///
    /// - Parameter changed: The bits of the properties that may have changed.
    mutating func change(
        _ id: ObjectID,
        _ old: RawSpan?,
        _ new: RawSpan?,
        _ changed: UInt64,
        _ view: StoreView
    ) throws(RecordError) {
        guard let stored else { return }
        for (place, text) in stored.texts.enumerated() where changed & text.properties != 0 {
            let former = try form(place, old, id, view)
            let form = try form(place, new, id, view)
            guard former != form else { continue }
            saves[place].change(id.row, from: former, to: form)
        }
    }

    private mutating func form(
        _ place: Int,
        _ record: RawSpan?,
        _ id: ObjectID,
        _ view: StoreView
    ) throws(RecordError) -> [UInt8]? {
        guard let record else { return nil }
        try readers[place].read(record, id, view)
        return readers[place].form
    }
}
