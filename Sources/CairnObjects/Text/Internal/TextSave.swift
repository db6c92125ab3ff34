import CairnCore
import Synchronization

/// The part of a save that updates text indexes, shard by shard, as the rows come.
struct TextSave {
    private var stored: StoredClass?
    private var shard: UInt64 = 0
    /// In the order of the class's text indexes.
    private var changes: [TextChanges] = []
    private var readers: [TextReader] = []

    /// Begins the objects of a class, from a row on.
    mutating func begin(
        _ stored: StoredClass,
        _ row: UInt64,
        _ commit: inout EngineCommit,
        _ view: any EngineView
    ) throws(ObjectStoreError) {
        let shard = TextBlock.shard(of: row)
        guard self.stored !== stored || self.shard != shard else { return }
        try finish(&commit, view)
        (self.stored, self.shard) = (stored, shard)
        changes = stored.texts.map { TextChanges($0, shard: shard) }
        readers = stored.texts.map { TextReader(stored, $0.place) }
    }

    /// Writes the collected changes.
    mutating func finish(_ commit: inout EngineCommit, _ view: any EngineView) throws(ObjectStoreError) {
        guard let stored else { return }
        let savedRow = stored.savedRow.load(ordering: .relaxed)
        for change in changes { try change.write(into: &commit, view, savedRow: savedRow) }
        changes = []
        self.stored = nil
    }

    /// Removes an object whose record cannot be read: searches its shard for its postings.
    mutating func removeAll(of id: ObjectID, _ view: any EngineView) throws(ObjectStoreError) {
        let first = id.row & ~UInt64(TextBlock.rowCount - 1)
        let block = Int(first >> TextBlock.rowBits) % TextBlock.blocksInShard
        for place in changes.indices {
            let prefix = Keyspace.texts(changes[place].index, shard: shard)
            var found: [[UInt8]] = []
            try ObjectStoreError.translating { () throws(EngineError) in
                try view.lendEntries(in: KeyRange(prefix: prefix), reverse: false) { key, value in
                    let key = [UInt8](copying: key)
                    guard key.count > prefix.count + 1, Int(key[key.count - 1]) == block else { return true }
                    _ = TextBlock.decode(value) { posting in
                        if first + UInt64(posting.row) == id.row { found.append(Array(key[prefix.count..<key.count - 1])) }
                    }
                    return true
                }
            }
            changes[place].remove(id.row, found)
        }
    }

    /// Notes that an object's record changes.
    ///
    /// - Parameter changed: The bits of the properties that may have changed.
    mutating func change(
        _ id: ObjectID,
        _ old: UnsafeRawBufferPointer?,
        _ new: UnsafeRawBufferPointer?,
        _ changed: UInt64
    ) throws(RecordError) {
        guard let stored else { return }
        for (place, text) in stored.texts.enumerated() where changed & text.properties != 0 {
            guard let old = unsafe old else {
                guard let new = unsafe new else { continue }
                unsafe try readers[place].read(new)
                changes[place].add(id.row, readers[place].form)
                continue
            }
            unsafe try readers[place].read(old)
            let former = TextGrams.distinct(readers[place].form)
            var present: [(gram: TextGram, place: UInt8)] = []
            if let new = unsafe new {
                unsafe try readers[place].read(new)
                present = TextGrams.distinct(readers[place].form)
            }
            changes[place].change(id.row, from: former, to: present)
        }
    }
}
