import CairnCore
import Synchronization

extension Verifier {
    /// Compares the text indexes of a class with the texts, shard by shard.
    func verifyTexts(_ stored: StoredClass) throws(ObjectStoreError) {
        let known = Set((stored.entry.texts ?? []).map(\.number))
        try noting("the text indexes", stored) { () throws(ObjectStoreError) in
            try view.forEachPortion(of: KeyRange(prefix: [0x07] + Keyspace.bigEndian(stored.number)), 4096, keysOnly: true) { portion in
                for (key, _) in portion where key.count < 5 || !known.contains(unsafe Keyspace.number(key.span.bytes, at: 1)) {
                    report.formerIndexEntryCount += 1
                }
            }
        }
        for text in stored.texts {
            try noting("the text index on \(text.name)", stored) { () throws(ObjectStoreError) in
                let recent = try verifyRecent(text, stored)
                var next: UInt64 = 0
                while let shard = try nextShard(text, stored, from: next) {
                    next = shard + 1
                    try verify(text, stored, shard, recent)
                }
                // After the last possible row.
                var range = KeyRange(prefix: Keyspace.texts(text.number))
                range.lowerBound = Keyspace.texts(text.number, shard: TextScanning.lastShard + 1)
                let keys = Set(recent.keys(text))
                try view.forEachPortion(of: range) { portion in
                    for (key, block) in portion where !keys.contains(key) { compare(text, stored, key, block, nil, []) }
                }
            }
        }
    }

    /// The recent texts of an index. Empty if they cannot be read, or are not the texts of their objects: blocks must then have all texts.
    private func verifyRecent(_ text: StoredText, _ stored: StoredClass) throws(ObjectStoreError) -> RecentTexts {
        let recent: RecentTexts
        do throws(ObjectStoreError) { recent = try RecentTexts.read(text, view, usesKnown: false) } catch {
            guard error.code == .corruption else { throw error }
            return RecentTexts()
        }
        var reader = TextReader(stored, text.place)
        var isRight = true
        try recent.forEach { entry throws(ObjectStoreError) in
            let id = ObjectID(class: stored.number, row: entry.row)
            var form: Result<[UInt8]?, RecordError> = .success(nil)
            do throws(ObjectStoreError) {
                try StoreReading.record(id, stored, in: view) { record in
                    form = Result { () throws(RecordError) in
                        try reader.read(record, id, view)
                        return reader.form
                    }
                }
            } catch {
                guard error.code == .corruption else { throw error }
                return
            }
            guard case .success(let form) = form, form != recent.text(entry.form) else { return }
            isRight = false
            add(
                .textOutOfStep,
                stored,
                id,
                text.name,
                reason: "the text index on \(stored.name).\(text.name) differs from the text of \(phrase(id))"
            )
        }
        return isRight ? recent : RecentTexts()
    }

    /// The first shard, from the given one on, that has objects or blocks.
    private func nextShard(_ text: StoredText, _ stored: StoredClass, from shard: UInt64) throws(ObjectStoreError) -> UInt64? {
        let blocks = try TextScanning.nextShard(of: [text], from: shard, view)
        let row = try TextScanning.nextRow(of: stored, from: shard << TextBlock.shardBits, view)
        return [blocks, row.map(TextBlock.shard)].compactMap(\.self).min()
    }

    private func verify(_ text: StoredText, _ stored: StoredClass, _ shard: UInt64, _ recent: RecentTexts) throws(ObjectStoreError) {
        var changes = TextChanges(text, shard: shard)
        var unreadable: Set<UInt64> = []
        let rows = shard << TextBlock.shardBits..<(shard + 1) << TextBlock.shardBits
        // Blocks still have the former versions of recent texts.
        var waiting = recent.edits.filter { rows.contains($0.row) }[...]
        func addFormer(before row: UInt64) {
            while let edit = waiting.first, edit.row < row {
                if let former = edit.former { changes.add(edit.row, former) }
                waiting.removeFirst()
            }
        }
        try TextScanning.forEachText(of: stored, text, in: rows, view) { row, form in
            addFormer(before: row)
            guard waiting.first?.row != row else { return addFormer(before: row + 1) }
            switch form {
            case .success(let form): changes.add(row, form)
            case .failure(let error) where error.code == .shredded: break
            case .failure: unreadable.insert(row)
            }
        }
        addFormer(before: .max)
        var wanted: [(key: [UInt8], block: [UInt8])] = []
        changes.forEachAdded { wanted.append(($0, $1)) }
        var next = 0
        try view.forEachPortion(of: KeyRange(prefix: Keyspace.texts(text.number, shard: shard))) { portion in
            for (key, block) in portion {
                while next < wanted.count, wanted[next].key.lexicographicallyPrecedes(key) {
                    compare(text, stored, wanted[next].key, nil, wanted[next].block, unreadable)
                    next += 1
                }
                let isWanted = next < wanted.count && wanted[next].key == key
                compare(text, stored, key, block, isWanted ? wanted[next].block : nil, unreadable)
                if isWanted { next += 1 }
            }
        }
        for (key, block) in wanted[next...] { compare(text, stored, key, nil, block, unreadable) }
    }

    /// - Parameters:
    ///   - block: The block found.
    ///   - wanted: The expected block, for the rows that can be read.
    private func compare(
        _ text: StoredText,
        _ stored: StoredClass,
        _ key: [UInt8],
        _ block: [UInt8]?,
        _ wanted: [UInt8]?,
        _ unreadable: Set<UInt64>
    ) {
        if block != nil { changeClass(stored) { $0.textBlockCount += 1 } }
        guard block != wanted else { return }
        let first = Self.firstRow(of: key)
        guard let first, let found = Self.rows(block, first), var texts = Self.rows(wanted, first) else {
            add(.textOutOfStep, stored, nil, text.name, reason: "the text index on \(stored.name).\(text.name) has an invalid block")
            return repair(key, wanted)
        }
        // A block that had more or other rows may lack places, but the places that it has must be right.
        let lacking = texts.filter { row, place in found[row] != place && found[row] != .unknown }.keys
        let needless = found.keys.filter { texts[$0] == nil && !unreadable.contains($0) }
        if let row = lacking.min(), text.isComplete(in: view) {
            let id = ObjectID(class: stored.number, row: row)
            add(
                .textOutOfStep,
                stored,
                id,
                text.name,
                reason: "the text index on \(stored.name).\(text.name) lacks entries for \(phrase(id))"
            )
        } else if let row = needless.min() {
            let id = ObjectID(class: stored.number, row: row)
            add(
                .textOutOfStep,
                stored,
                id,
                text.name,
                reason: "the text index on \(stored.name).\(text.name) has entries that do not belong to \(phrase(id))"
            )
        } else {
            // The index is incomplete, the rows are unreadable, or the block is an equivalent encoding.
            return
        }
        var bytes: [UInt8] = []
        texts.merge(found.filter { unreadable.contains($0.key) }) { wanted, _ in wanted }
        TextBlock.encode(texts.sorted { $0.key < $1.key }.map { TextPosting(row: UInt32($0 - first), places: $1) }, into: &bytes)
        repair(key, bytes.isEmpty ? nil : bytes)
    }

    private func repair(_ key: [UInt8], _ block: [UInt8]?) {
        if let block { repairs?.put(block, for: key) } else { repairs?.delete(key) }
    }

    static func firstRow(of key: [UInt8]) -> UInt64? {
        guard key.count >= 11, !Keyspace.isRecentTexts(key), let block = key.last, block < TextBlock.blocksInShard else { return nil }
        let shard: UInt32 = unsafe Keyspace.number(key.span.bytes, at: 5)
        return UInt64(shard) << TextBlock.shardBits | UInt64(block) << TextBlock.rowBits
    }

    /// The rows of a block and their places; empty if there is no block, `nil` if it is invalid.
    private static func rows(_ block: [UInt8]?, _ first: UInt64) -> [UInt64: TextPlaces]? {
        var rows: [UInt64: TextPlaces] = [:]
        guard let block else { return rows }
        return unsafe TextBlock.decode(block.span.bytes) { rows[first + UInt64($0.row)] = $0.places } ? rows : nil
    }
}
