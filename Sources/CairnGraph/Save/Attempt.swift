import CairnCore
import Synchronization

extension Save {
    /// The outcome of a change.
    enum Outcome {
        /// The record now has this change count.
        case saved(UInt32)
        /// The object takes the values that another context saved.
        case yielded
        /// The object is deleted.
        case deleted
    }

    /// One attempt of a save: a commit built on one state of the store. It changes neither the objects nor the context.
    struct Attempt: ~Copyable {
        let save: Save
        let context: ObjectContext
        let store: ObjectStore
        let view: StoreView
        var commit = EngineCommit()
        /// In the order of the save's work.
        var outcomes: ContiguousArray<Outcome> = []
        /// The names that keep the values that others saved.
        var yieldedNames: Set<String> = []
        /// The long lists written, with the index of their objects' outcomes.
        var lists: [(outcome: Int, collection: ObjectCollection)] = []
        /// Whether the commit stores chunks.
        var storesChunks = false
        /// The keys of unique indexes that this commit writes, and those that it removes.
        var uniqueKeys: [[UInt8]: ObjectID] = [:]
        var freedKeys: Set<[UInt8]> = []
        /// Newly referenced objects, each with one of the objects that refer to it; recorded only if some may have been deleted.
        var newTargets: [ObjectID: ObjectID] = [:]
        /// Changed objects that another context has deleted, and that stay deleted.
        var gone: Set<ObjectID> = []
        /// The page of the target that was noted last.
        var lastTargetPage: UInt64 = .max
        var texts = TextSave()
        var groups = GroupSave()

        init(_ save: Save) {
            self.save = save
            context = save.context
            store = save.store
            view = save.view
            outcomes.reserveCapacity(save.work.count)
        }
    }
}

extension Save.Attempt {
    /// Builds the commit.
    mutating func build(_ buffers: inout Save.Buffers) throws(ObjectStoreError) {
        try rewritePages(&buffers)
        // Objects may take over each other's unique values, and refer to each other, so these are checked last.
        try checkUnique()
        try checkTargets()
        try saveNames()
        groups.finish(&commit)
        if storesChunks { store.raiseFormat(to: StoreHeader.chunks, in: &commit) }
        view.noteRead(CatalogCheck.classes)
        for id in context.pending.deleted.keys { view.noteRead(Keyspace.references(toAny: id)) }
        view.dependOnReads(&commit)
        if context.isSerializable { context.pinned?.dependOnReads(&commit) }
    }

    /// Writes names. Those that were read here must have the values that were read.
    private mutating func saveNames() throws(ObjectStoreError) {
        let kept = try namesToKeep()
        for (name, value) in context.pending.names where !kept.contains(name) {
            if let value { commit.put(value, for: Keyspace.name(name)) } else { commit.delete(Keyspace.name(name)) }
        }
        yieldedNames = kept
    }

    /// The names whose values stay because others have changed them since they were read here.
    private func namesToKeep() throws(ObjectStoreError) -> Set<String> {
        let names = context.pending.names.filter { context.namesRead[$0.key] != nil }
        guard !names.isEmpty else { return [] }
        var keys = KeyList()
        for name in names.keys { keys.append(Keyspace.name(name)) }
        var kept: Set<String> = []
        for (change, saved) in zip(names, try view.multiGet(keys)) where saved != context.namesRead[change.key] && saved != change.value {
            switch context.options.conflictPolicy {
            case .fail: throw conflict(name: change.key)
            case .keepTheirs: kept.insert(change.key)
            // A name has one value.
            case .keepMine, .merge: break
            }
        }
        return kept
    }

    // MARK: Pages

    private mutating func rewritePages(_ buffers: inout Save.Buffers) throws(ObjectStoreError) {
        let work = save.work
        let old = try oldPages()
        var start = 0
        var group = 0
        while start < work.count {
            let id = work[start].id
            let number = ObjectPage.page(of: id.raw)
            var end = start
            while end < work.count, ObjectPage.page(of: work[end].id.raw) == number { end += 1 }
            guard let stored = store.storedClass(number: id.classNumber) else { preconditionFailure("a class that is not the store's") }
            try texts.begin(stored, id.row, &commit, view)
            try rewritePage(start..<end, stored, Keyspace.page(id.classNumber, ObjectPage.page(of: id.row)), old[group], &buffers)
            start = end
            group += 1
        }
        try texts.finish(&commit, view)
    }

    /// The existing pages, in the order of their first use in the work. Skips those that cannot exist yet. (A page may exist even if its first row is
    /// new: another context may have been assigned the second row and saved first.)
    private func oldPages() throws(ObjectStoreError) -> [[UInt8]?] {
        var keys = KeyList()
        var places: [Int] = []
        var count = 0
        var last: UInt64 = .max
        var unused: (classNumber: UInt16, rows: Range<UInt64>)?
        for item in save.work {
            let number = ObjectPage.page(of: item.id.raw)
            guard number != last else { continue }
            last = number
            if unused?.classNumber != item.id.classNumber {
                unused = store.storedClass(number: item.id.classNumber).map { ($0.number, $0.rows.unused($0)) }
            }
            let page = ObjectPage.page(of: item.id.row)
            let key = Keyspace.page(item.id.classNumber, page)
            if unused?.rows.contains(page << ObjectPage.rowBits) == true {
                // A request that arrives after its outcome was reported as unknown must not replace what was saved since.
                view.noteRead(key)
            } else {
                keys.append(key)
                places.append(count)
            }
            count += 1
        }
        var pages: [[UInt8]?] = Array(repeating: nil, count: count)
        guard !places.isEmpty else { return pages }
        try view.lendValues(for: keys) { index, bytes in
            if let bytes { pages[places[index]] = [UInt8](copying: bytes) }
        }
        return pages
    }

    /// Rewrites a page with the changes of some of its rows.
    private mutating func rewritePage(
        _ range: Range<Int>,
        _ stored: StoredClass,
        _ key: [UInt8],
        _ old: [UInt8]?,
        _ buffers: inout Save.Buffers
    ) throws(ObjectStoreError) {
        buffers.page.reset()
        var next = range.lowerBound
        if let old {
            guard var records = unsafe ObjectPage.Records(old.span.bytes) else {
                throw StoreReading.damagedPage(save.work[next].id, stored)
            }
            while let row = records.next() {
                while next < range.upperBound, ObjectPage.slot(of: save.work[next].id.row) < row.slot {
                    try saveRow(next, stored, nil, &buffers.writer, &buffers.page)
                    next += 1
                }
                if next < range.upperBound, ObjectPage.slot(of: save.work[next].id.row) == row.slot {
                    try saveRow(next, stored, row.record, &buffers.writer, &buffers.page)
                    next += 1
                } else {
                    buffers.page.add(row.slot, row.record)
                }
            }
            guard records.isWhole else { throw StoreReading.damagedPage(save.work[range.lowerBound].id, stored) }
        }
        while next < range.upperBound {
            try saveRow(next, stored, nil, &buffers.writer, &buffers.page)
            next += 1
        }
        if buffers.page.isEmpty {
            if old != nil { commit.delete(key) }
        } else {
            buffers.page.finish(into: &buffers.pageBytes)
            commit.put(buffers.pageBytes, for: key)
        }
    }

    /// Saves the change of a row, whose large record is read first.
    ///
    /// - Parameter old: The record in the page; empty for a large one, `nil` for none.
    private mutating func saveRow(
        _ index: Int,
        _ stored: StoredClass,
        _ old: RawSpan?,
        _ writer: inout RecordWriter,
        _ page: inout PageBuilder
    ) throws(ObjectStoreError) {
        let item = save.work[index]
        guard let old, old.isEmpty else { return try saveObject(item, stored, old, isLarge: false, &writer, &page) }
        guard let large = try view.get(Keyspace.large(item.id)) else { throw StoreReading.damagedPage(item.id, stored) }
        unsafe try saveObject(item, stored, large.span.bytes, isLarge: true, &writer, &page)
    }
}
