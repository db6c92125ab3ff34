import CairnCore
import Synchronization

extension IndexBuilder {
    /// Takes one step: removes blocks of a text index that is being rebuilt or, if there are none, adds those of the next objects. Returns
    /// the row up to which texts are indexed, or `nil` once all is done.
    func advanceTexts(_ stored: StoredClass) throws(ObjectStoreError) -> UInt64? {
        let view = try view()
        var entry = try entry(of: stored, in: view)
        guard let former = entry.texts?.first(where: { $0.isToBeCleared ?? false }) else { return try buildTexts(stored, entry, view) }
        var commit = EngineCommit()
        if try !addRemovals(KeyRange(prefix: Keyspace.texts(former.number)), to: &commit, view) {
            entry.changeTexts { text in if text.number == former.number { text.isToBeCleared = nil } }
            commit.put(entry.encoded(), for: Keyspace.storedClass(stored.number))
        }
        _ = try self.commit(commit, view)
        return 0
    }

    /// Adds the texts of the next block of objects.
    ///
    /// A block is written for its objects as they are now. For objects that saves have written, it is what they wrote.
    private func buildTexts(_ stored: StoredClass, _ entry: CatalogEntry, _ view: StoreView) throws(ObjectStoreError) -> UInt64? {
        let texts = stored.texts.filter { !$0.isComplete }
        guard !texts.isEmpty else { return nil }
        var entry = entry
        let isOpen = { (text: CatalogEntry.Text) in texts.contains { $0.number == text.number } }
        let page = (entry.texts ?? []).filter(isOpen).map { $0.nextPage ?? 0 }.min() ?? 0
        let next = try TextScanning.nextRow(of: stored, from: page << ObjectPage.rowBits, view)
        let first = (next ?? 0) & ~UInt64(TextBlock.rowCount - 1)
        let end = first + UInt64(TextBlock.rowCount)
        var commit = EngineCommit()
        // Recent texts of an index that was complete before.
        for text in texts {
            var save = TextIndexSave(text, unused: 0..<0)
            try save.begin(0, writesBlocks: true, &commit, view)
            try save.finish(&commit, view)
        }
        guard commit.isEmpty else {
            _ = try self.commit(commit, view)
            return page << ObjectPage.rowBits
        }
        for text in texts {
            var changes = TextChanges(text, shard: TextBlock.shard(of: first))
            try TextScanning.forEachText(of: stored, text, in: first..<end, view) { row, form throws(ObjectStoreError) in
                do throws(ObjectStoreError) { changes.add(row, try form.get()) } catch {
                    guard error.code != .shredded else { return }
                    throw ObjectStoreError(
                        error.code,
                        "a text index cannot be built: \(error.message)",
                        object: error.object,
                        cause: error.cause
                    )
                }
            }
            changes.forEachAdded { key, block in commit.put(block, for: key) }
        }
        let isDone = try TextScanning.nextRow(of: stored, from: end, view) == nil
        entry.changeTexts { text in
            guard isOpen(text) else { return }
            text.isComplete = isDone
            text.nextPage = isDone ? nil : end >> ObjectPage.rowBits
        }
        commit.put(entry.encoded(), for: Keyspace.storedClass(stored.number))
        let version = try self.commit(commit, view)
        guard isDone else { return end }
        for text in texts { text.completion.since = version.rawValue }
        return nil
    }
}

extension CatalogEntry {
    mutating func changeTexts(_ body: (inout Text) -> Void) {
        guard var texts else { return }
        for place in texts.indices { body(&texts[place]) }
        self.texts = texts
    }
}
