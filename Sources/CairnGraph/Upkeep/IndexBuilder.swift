import CairnCore
import Synchronization

/// Updates the indexes of a store to match its classes.
///
/// Saves write the entries of their objects in all declared indexes, complete or not. So one pass over the objects in row order suffices: a later
/// object gets its entries when it is saved, an earlier one when the pass reaches it. Each step holds the save lock and starts from the progress
/// recorded in the catalog, in the same commit as the entries. So several builders can run at once, and share the steps.
struct IndexBuilder {
    /// A step that can throw to stop the work.
    typealias Step = (_ part: Double) throws(ObjectStoreError) -> Void

    let store: ObjectStore
    /// The number of pages per step.
    static var pagesInStep: Int { 32 }
    /// The maximum number of entries removed in one commit, if the engine cannot delete ranges.
    static var removalsInStep: Int { 1000 }

    init(_ store: ObjectStore) { self.store = store }

    func run(_ step: Step) throws(ObjectStoreError) {
        try checkWritable()
        let classes = store.classes.filter { $0.schema != nil }
        for stored in classes { try removeFormer(stored) }
        let open = classes.filter { stored in stored.indexes.contains { !$0.isComplete } }
        let openTexts = classes.filter { stored in stored.texts.contains { !$0.isComplete } }
        // Only records of the current version have entries.
        let concerned = classes.filter { stored in (open + openTexts).contains { $0 === stored } }
        var upgrader = try RecordUpgrader(store, concerned.compactMap { $0.schema?.type })
        let share = upgrader.isNeeded && !concerned.isEmpty ? 0.5 : 0
        if share > 0 { _ = try upgrader.run { part throws(ObjectStoreError) in try step(part * share) } }
        let total = (open + openTexts).reduce(0.0) { $0 + Double($1.lastRow.load(ordering: .relaxed)) + 1 }
        var before = 0.0
        for stored in open {
            while let row = try locked({ () throws(ObjectStoreError) in try advance(stored) }) {
                try step(share + (1 - share) * min((before + Double(row)) / total, 1))
            }
            before += Double(stored.lastRow.load(ordering: .relaxed)) + 1
        }
        for stored in openTexts {
            while let row = try locked({ () throws(ObjectStoreError) in try advanceTexts(stored) }) {
                try step(share + (1 - share) * min((before + Double(row)) / total, 1))
            }
            before += Double(stored.lastRow.load(ordering: .relaxed)) + 1
        }
        try step(1)
    }

    /// Marks all entries as invalid.
    func discard() throws(ObjectStoreError) {
        try checkWritable()
        try locked { () throws(ObjectStoreError) in
            // Making the view may find that indexes are complete.
            let view = try view()
            // Done before the commit: readers that still see a complete index made their view before its entries are removed.
            for stored in store.classes where stored.schema != nil {
                for index in stored.indexes { index.completion.since = .max }
                for text in stored.texts { text.completion.since = .max }
            }
            var commit = EngineCommit()
            for stored in store.classes where stored.schema != nil && !(stored.indexes.isEmpty && stored.texts.isEmpty) {
                let entry = try entry(of: stored, in: view).withIndexes(complete: false)
                commit.put(entry.encoded(), for: Keyspace.storedClass(stored.number))
            }
            _ = try self.commit(commit, view)
        }
    }

    // MARK: Removing

    /// Removes the entries of indexes that the class no longer has.
    private func removeFormer(_ stored: StoredClass) throws(ObjectStoreError) {
        let entry = try entry(of: stored, in: try view())
        let known = Set(entry.indexes.map(\.number) + (entry.texts ?? []).map(\.number))
        for count in stride(from: 1, through: Int(entry.lastIndex), by: 1) {
            let number = UInt32(stored.number) << 16 | UInt32(count)
            guard !known.contains(number) else { continue }
            for prefix in [Keyspace.entries(number), Keyspace.texts(number)] {
                while try locked({ () throws(ObjectStoreError) in try removeSome(KeyRange(prefix: prefix)) }) {}
            }
        }
    }

    /// Removes entries of a former index; returns whether there may be more.
    private func removeSome(_ range: KeyRange) throws(ObjectStoreError) -> Bool {
        var commit = EngineCommit()
        let view = try view()
        let goesOn = try addRemovals(range, to: &commit, view)
        if !commit.isEmpty { _ = try self.commit(commit, view) }
        return goesOn
    }

    /// Removes entries of an index that is to be rebuilt.
    private func clear(_ place: Int, of entry: CatalogEntry, _ stored: StoredClass, _ view: StoreView) throws(ObjectStoreError) {
        var (entry, commit) = (entry, EngineCommit())
        guard try !addRemovals(KeyRange(prefix: Keyspace.entries(entry.indexes[place].number)), to: &commit, view) else {
            _ = try self.commit(commit, view)
            return
        }
        entry.indexes[place].isToBeCleared = nil
        commit.put(entry.encoded(), for: Keyspace.storedClass(stored.number))
        _ = try self.commit(commit, view)
    }

    /// Adds the removal of an index's entries to a commit; returns whether there may be more.
    func addRemovals(_ range: KeyRange, to commit: inout EngineCommit, _ view: StoreView) throws(ObjectStoreError) -> Bool {
        let isWhole = store.engine.limits.deletesRanges
        // Values that cannot be decrypted are removed like others.
        let entries = try view.asStored.entries(range, limit: isWhole ? 1 : Self.removalsInStep)
        if isWhole, !entries.isEmpty { commit.deleteRange(range) } else { for entry in entries { commit.delete(entry.key) } }
        return !isWhole && entries.count == Self.removalsInStep
    }

    // MARK: Adding

    /// Performs one step: removes entries of an index to be rebuilt or, if there are none, adds those of the next pages. Returns the last row with
    /// entries, or `nil` when done.
    private func advance(_ stored: StoredClass) throws(ObjectStoreError) -> UInt64? {
        let view = try view()
        let entry = try entry(of: stored, in: view)
        guard let place = entry.indexes.firstIndex(where: { $0.isToBeCleared ?? false }) else { return try build(stored, entry, view) }
        try clear(place, of: entry, stored, view)
        return 0
    }

    /// Adds the entries of the next pages.
    private func build(_ stored: StoredClass, _ entry: CatalogEntry, _ view: StoreView) throws(ObjectStoreError) -> UInt64? {
        let indexes = stored.indexes.filter { !$0.isComplete }
        guard !indexes.isEmpty, let schema = stored.schema else { return nil }
        var entry = entry
        let places = entry.indexes.indices.filter { place in indexes.contains { $0.number == entry.indexes[place].number } }
        let first = places.map { entry.indexes[$0].nextPage ?? 0 }.min() ?? 0
        var entries = IndexEntries(store, stored, indexes)
        var last: UInt64?
        var pages = Keyspace.pages(stored.number)
        pages.lowerBound = Keyspace.page(stored.number, first)
        var count = 0
        try view.lendEntries(in: pages) { key, page throws(ObjectStoreError) in
            guard count < Self.pagesInStep else { return false }
            guard let first = Keyspace.firstRow(ofPage: key) else { return true }
            count += 1
            let number = ObjectPage.page(of: first)
            last = number
            try entries.add(page, number, view, schema)
            return true
        }
        var commit = try entries.commit(view)
        let isDone = count < Self.pagesInStep
        for place in places {
            entry.indexes[place].isComplete = isDone
            entry.indexes[place].nextPage = isDone ? nil : (last ?? 0) + 1
        }
        commit.put(entry.encoded(), for: Keyspace.storedClass(stored.number))
        let version = try self.commit(commit, view)
        if isDone {
            for index in indexes { index.completion.since = version.rawValue }
            return nil
        }
        return ((last ?? 0) + 1) << ObjectPage.rowBits
    }

    // MARK: The store

    private func checkWritable() throws(ObjectStoreError) {
        guard !store.isClosed else { throw ObjectStoreError(.closed, "\(store.name) was closed") }
        guard !store.isReadOnly else {
            throw ObjectStoreError(.readOnly, "\(store.name) was opened for reading only: its indexes cannot be built")
        }
    }

    /// Performs a step while no context saves; repeats it if others changed what it depends on.
    func locked<Value: Sendable>(_ body: () throws(ObjectStoreError) -> Value) throws(ObjectStoreError) -> Value {
        var attempts = 0
        while true {
            attempts += 1
            let outcome = store.saving.withLock { _ in Result { () throws(ObjectStoreError) in try body() } }
            do throws(ObjectStoreError) { return try outcome.get() } catch {
                guard error.code == .conflict, attempts < Save.mostAttempts else { throw error }
            }
        }
    }

    func view() throws(ObjectStoreError) -> StoreView {
        let view = try StoreView(store.engine, notesReads: true)
        try store.catalogCheck.checkBeforeSave(view, store)
        return view
    }

    /// Commits what was built on a view.
    func commit(_ commit: EngineCommit, _ view: StoreView) throws(ObjectStoreError) -> EngineVersion {
        var commit = commit
        view.dependOnReads(&commit)
        let version = try store.engine.perform(commit, durability: store.options.durability)
        store.catalogCheck.committed(version)
        return version
    }

    func entry(of stored: StoredClass, in view: StoreView) throws(ObjectStoreError) -> CatalogEntry {
        try stored.entry(in: view, store.name)
    }
}
