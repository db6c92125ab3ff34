import CairnCore
import Synchronization

/// A save in progress: builds one commit from the changes of a context.
struct Save: ~Copyable {
    let context: ObjectContext
    let store: ObjectStore
    var commit = EngineCommit()
    var writer = RecordWriter()
    private var page = PageBuilder()
    private var pageBytes: [UInt8] = []
    let work: ContiguousArray<Work>
    private(set) var outcomes: ContiguousArray<Outcome> = []
    /// The long lists written, with the index of their objects' outcomes.
    private(set) var lists: [(outcome: Int, collection: ObjectCollection)] = []
    /// Whether the commit stores chunks.
    var storesChunks = false
    /// The keys of unique indexes that this commit writes, and those that it removes.
    var uniqueKeys: [[UInt8]: ObjectID] = [:]
    var freedKeys: Set<[UInt8]> = []
    /// Newly referenced objects, each with one of the objects that refer to it; recorded only if some may have been deleted.
    var newTargets: [ObjectID: ObjectID] = [:]
    let mayMissTargets: Bool
    var texts = TextSave()
    private let longestChunk: Int
    let largeValues: LargeValue.Limits
    private var groups = GroupSave()

    enum Outcome {
        /// The record now has this change count.
        case saved(UInt32)
        /// The object takes the values that another context saved.
        case yielded
        /// The object is deleted.
        case deleted
    }

    init(_ context: ObjectContext) {
        self.context = context
        store = context.store
        work = Self.work(context.pending)
        longestChunk = store.options.longestChunk
        largeValues = LargeValue.Limits(store)
        mayMissTargets = !context.pending.deleted.isEmpty || store.deletions.load(ordering: .acquiring) != context.ownDeletions
    }

    /// The maximum number of attempts in case of conflicts.
    static var mostAttempts: Int { 1000 }

    mutating func run() throws(ObjectStoreError) {
        // An engine with other writers may report a conflict; then this starts over.
        var attempts = 0
        let committed: EngineVersion
        while true {
            commit = EngineCommit()
            outcomes.removeAll(keepingCapacity: true)
            outcomes.reserveCapacity(work.count)
            uniqueKeys = [:]
            freedKeys = []
            newTargets = [:]
            texts = TextSave()
            groups = GroupSave()
            lists = []
            storesChunks = false
            let engine = store.engine
            let view = try ObjectStoreError.translating { () throws(EngineError) in try engine.makeView() }
            try addPages(view)
            try checkUnique(view)
            try checkTargets(view)
            for (name, value) in context.pending.names {
                if let value { commit.put(value, for: Keyspace.name(name)) } else { commit.delete(Keyspace.name(name)) }
            }
            groups.finish(&commit, view)
            if storesChunks { store.raiseFormat(to: StoreHeader.chunks, in: &commit) }
            do throws(EngineError) {
                committed = try engine.commit(commit, durability: store.options.durability)
                break
            } catch {
                attempts += 1
                guard error.code == .conflict, attempts < Self.mostAttempts else { throw ObjectStoreError(error) }
            }
        }
        for item in work where item.kind == .insert { store.storedClass(number: item.id.classNumber)?.saved(item.id.row) }
        if !context.pending.deleted.isEmpty {
            store.deletions.wrappingAdd(1, ordering: .releasing)
            context.ownDeletions += 1
        }
        let version = store.version.wrappingAdd(1, ordering: .releasing).newValue
        if storesChunks { store.formatIsRaised(to: StoreHeader.chunks) }
        finish()
        if !lists.isEmpty { finishLists(committed, version) }
    }

    /// Marks the context's objects as saved.
    private func finish() {
        var commit = ObjectCommit()
        let isHeard = store.hasListeners
        if isHeard { commit.names = Array(context.pending.names.keys) }
        let done = context.pending
        context.pending = PendingChanges()
        // `work` does not retain its objects; these do.
        defer { withExtendedLifetime(done) {} }
        for (index, item) in work.enumerated() {
            if isHeard { Self.note(item, outcomes[index], in: &commit) }
            switch outcomes[index] {
            case .saved(let count): unsafe item.object._$state.saved(count)
            case .yielded:
                unsafe item.object._$state.revert()
                unsafe item.object._$clear()
            case .deleted:
                unsafe context.forgetRelations(of: item.object)
                unsafe item.object._$state.leaveContext()
            }
        }
        // Objects that were inserted and then deleted were never saved.
        for object in done.inserted where object._$state.flags.contains(.deleted) && object._$state.isIn(context.link) {
            context.forgetRelations(of: object)
            object._$state.leaveContext()
        }
        if isHeard { store.announce(commit) }
    }

    private static func note(_ item: Work, _ outcome: Outcome, in commit: inout ObjectCommit) {
        switch (outcome, item.kind) {
        case (.yielded, _): break
        case (.deleted, _): commit.deleted.append(item.id)
        case (.saved, .insert): commit.inserted.append(item.id)
        case (.saved, _): commit.updated.append(item.id)
        }
    }

    // MARK: Pages

    private mutating func addPages(_ view: any EngineView) throws(ObjectStoreError) {
        let old = try oldPages(view)
        var start = 0
        var group = 0
        var classes: Set<UInt16> = []
        while start < work.count {
            let id = work[start].id
            let number = ObjectPage.page(of: id.raw)
            var end = start
            var inserts = false
            while end < work.count, ObjectPage.page(of: work[end].id.raw) == number {
                if work[end].kind == .insert { inserts = true }
                end += 1
            }
            guard let stored = store.storedClass(number: id.classNumber) else { preconditionFailure("a class that is not the store's") }
            try texts.begin(stored, id.row, &commit, view)
            try addPage(start..<end, stored, Keyspace.page(id.classNumber, ObjectPage.page(of: id.row)), old[group], view)
            if inserts { classes.insert(id.classNumber) }
            start = end
            group += 1
        }
        try texts.finish(&commit, view)
        for number in classes {
            guard let stored = store.storedClass(number: number) else { continue }
            let row = stored.lastRow.load(ordering: .relaxed)
            guard row <= ObjectID.lastRow else { throw ObjectStoreError(.tooLarge, "\(stored.name) has had all rows that there are") }
            commit.put(Keyspace.bigEndian(row), for: Keyspace.lastRow(number))
        }
    }

    /// The existing pages, in the order of their first use in `work`. Skips pages after the last saved row, which cannot exist. (A page may exist
    /// even if its first row is new: another context may have been assigned the second row and saved first.)
    private func oldPages(_ view: any EngineView) throws(ObjectStoreError) -> [[UInt8]?] {
        var keys = KeyList()
        var places: [Int] = []
        var count = 0
        var last: UInt64 = .max
        for item in work {
            let number = ObjectPage.page(of: item.id.raw)
            guard number != last else { continue }
            last = number
            if item.kind != .insert || ObjectPage.page(of: item.id.row) <= lastPage(item.id.classNumber) {
                keys.append(Keyspace.page(item.id.classNumber, ObjectPage.page(of: item.id.row)))
                places.append(count)
            }
            count += 1
        }
        var pages: [[UInt8]?] = Array(repeating: nil, count: count)
        guard !places.isEmpty else { return pages }
        try ObjectStoreError.translating { () throws(EngineError) in
            try view.lendValues(for: keys) { index, bytes in
                if let bytes { pages[places[index]] = [UInt8](copying: bytes) }
            }
        }
        return pages
    }

    /// The last page of a class that has ever been saved.
    private func lastPage(_ number: UInt16) -> UInt64 {
        ObjectPage.page(of: store.storedClass(number: number)?.savedRow.load(ordering: .relaxed) ?? ObjectID.maximumRow)
    }

    /// Rewrites a page with the changes of some of its rows.
    private mutating func addPage(
        _ range: Range<Int>,
        _ stored: StoredClass,
        _ key: [UInt8],
        _ old: [UInt8]?,
        _ view: any EngineView
    ) throws(ObjectStoreError) {
        page.reset()
        var next = range.lowerBound
        if let old {
            let span = unsafe old.span.bytes
            // The bytes stay in place while `old` is in use.
            let bytes = unsafe span.withUnsafeBytes { unsafe $0 }
            guard var records = unsafe ObjectPage.Records(bytes) else { throw StoreReading.damagedPage(work[next].id, stored) }
            while let (slot, record) = unsafe records.next() {
                while next < range.upperBound, ObjectPage.slot(of: work[next].id.row) < slot {
                    unsafe try addRecord(next, stored, nil, view)
                    next += 1
                }
                if next < range.upperBound, ObjectPage.slot(of: work[next].id.row) == slot {
                    unsafe try addRecord(next, stored, record, view)
                    next += 1
                } else {
                    unsafe page.add(slot, record)
                }
            }
            guard records.isWhole else { throw StoreReading.damagedPage(work[range.lowerBound].id, stored) }
        }
        while next < range.upperBound {
            unsafe try addRecord(next, stored, nil, view)
            next += 1
        }
        if page.isEmpty {
            if old != nil { commit.delete(key) }
        } else {
            page.finish(into: &pageBytes)
            commit.put(pageBytes, for: key)
        }
    }

    // MARK: Records

    /// - Parameter old: the record as saved; empty for a large one, `nil` for none.
    private mutating func addRecord(
        _ index: Int,
        _ stored: StoredClass,
        _ old: UnsafeRawBufferPointer?,
        _ view: any EngineView
    ) throws(ObjectStoreError) {
        let item = work[index]
        guard let found = unsafe old else {
            unsafe try addRecord(item, stored, nil, isLarge: false, view)
            return
        }
        guard unsafe found.isEmpty else {
            unsafe try addRecord(item, stored, found, isLarge: false, view)
            return
        }
        let large = try ObjectStoreError.translating { () throws(EngineError) in try view.get(Keyspace.large(item.id)) }
        guard let large else { throw StoreReading.damagedPage(item.id, stored) }
        let span = unsafe large.span.bytes
        let bytes = unsafe span.withUnsafeBytes { unsafe $0 }
        unsafe try addRecord(item, stored, bytes, isLarge: true, view)
        _ = large.count
    }

    private mutating func addRecord(
        _ item: Work,
        _ stored: StoredClass,
        _ old: UnsafeRawBufferPointer?,
        isLarge: Bool,
        _ view: any EngineView
    ) throws(ObjectStoreError) {
        let (flags, unread, changeCount) = unsafe item.object._$state.forSave
        var count = changeCount &+ 1
        var merges = false
        var overwrites = false
        if let old = unsafe old, unsafe GroupedRecord.isShredded(old) {
            guard item.kind == .delete else { throw shredded(item, stored) }
            // A shredded object has no other data.
            if isLarge { commit.delete(Keyspace.large(item.id)) }
            try removeAllChunks(of: item.id, view)
            return outcomes.append(.deleted)
        }
        let isDamaged = flags.contains(.damaged)
        guard !isDamaged || item.kind == .delete else {
            guard unsafe old != nil else { throw conflict(item, stored, isGone: true) }
            throw ObjectStoreError(
                .corruption,
                "\(stored.name) \(item.id.row) of \(store.name) cannot be saved: its record could not be read, and would be lost. Roll back, or delete the object",
                object: item.id
            )
        }
        // The change count of an unreadable record is unknown.
        if item.kind != .insert, !isDamaged {
            let saved = unsafe old.flatMap { unsafe ObjectRecord.Header($0)?.changeCount }
            if saved != changeCount {
                let policy = context.options.conflictPolicy
                guard policy == .fail || !partsSides(item, stored, policy) else { throw partedSides(item, stored) }
                switch policy {
                case .fail: throw conflict(item, stored, isGone: unsafe old == nil)
                case .keepMine: overwrites = item.kind == .update
                case .keepTheirs: return unsafe yield(item, old, isLarge)
                case .merge:
                    guard unsafe old != nil else { return unsafe yield(item, old, isLarge) }
                    merges = item.kind == .update
                }
            }
            count = max(saved ?? 0, changeCount) &+ 1
        }
        let slot = ObjectPage.slot(of: item.id.row)
        if item.kind == .delete {
            if isLarge { commit.delete(Keyspace.large(item.id)) }
            if isDamaged { try removeAllEntries(of: item.id, stored, view) } else { unsafe try removeEntries(item, stored, old, view) }
            outcomes.append(.deleted)
            return
        }
        if overwrites, let old = unsafe old { unsafe try takeOverLists(item, stored, old) }
        writer.reset(version: stored.version, changeCount: count)
        writer.beginLists(count, longest: longestChunk)
        unsafe item.object._$write(&writer, stored.fields)
        do throws(RecordError) {
            if merges, let old = unsafe old {
                unsafe try RecordMerge.merge(&writer, over: old, changed: changed(item), stored)
            }
            try writer.check()
        } catch {
            throw ObjectStoreError(
                .corruption,
                "\(stored.name) \(item.id.row) cannot be saved: \(error.message)",
                object: item.id,
                cause: error
            )
        }
        let mayHaveLarge = flags.contains(.large) || stored.hasFormerValues || merges || overwrites
        let large = unsafe mayHaveLarge ? try largeValues(item.id, stored, old) : [:]
        if unread != 0 { try checkLargeValues(item, stored) }
        if !merges, unread != 0 || !large.isEmpty { unsafe try keepLargeValues(item, stored, old, large, overwrites: overwrites) }
        if overwrites, unsafe try !hasSamePairs(stored, old, item.id, count, view) { throw partedSides(item, stored) }
        let whole = unsafe UnsafeRawBufferPointer(start: writer.field.base, count: writer.field.count)
        var written = Written(count: count, isMerged: merges)
        if let group = unsafe try group(item, stored, whole, isMerged: merges, view) {
            written.group = try groups.reference(group, store, view)
        }
        written.isRegrouped = unsafe old.map { unsafe GroupedRecord.reference($0) != written.group } ?? false
        // Indexes and text indexes need the values that are stored apart next.
        unsafe try changeEntries(item, stored, old, new: whole, written, overwrites: overwrites, view)
        if writer.field.count > largeValues.inRecord || !large.isEmpty {
            try setLargeValuesApart(item, stored, large, written, view)
        }
        let record = unsafe UnsafeRawBufferPointer(start: writer.field.base, count: writer.field.count)
        if let group = written.group {
            let prefix = GroupedRecord.prefix(group)
            unsafe (prefix + Array(record)).withUnsafeBytes { unsafe addRecord(item.id, slot, $0, isLarge) }
        } else {
            unsafe addRecord(item.id, slot, record, isLarge)
        }
        for list in writer.longLists { lists.append((outcomes.count, list.collection)) }
        outcomes.append(merges ? .yielded : .saved(count))
    }

    /// Adds a record to its page, or stores it outside the page if it is large.
    private mutating func addRecord(_ id: ObjectID, _ slot: Int, _ record: UnsafeRawBufferPointer, _ isLarge: Bool) {
        if record.count > ObjectPage.largestRecord {
            unsafe commit.put(RawSpan(_unsafeBytes: record), for: Keyspace.large(id).span.bytes)
            unsafe page.add(slot, UnsafeRawBufferPointer(start: nil, count: 0))
        } else {
            if isLarge { commit.delete(Keyspace.large(id)) }
            unsafe page.add(slot, record)
        }
    }

    /// The bits of the changed properties.
    func changed(_ item: Work) -> UInt64 { unsafe item.object._$state.changed | (context.pending.changed[item.id] ?? 0) }

    /// Keeps the record that another context saved.
    private mutating func yield(_ item: Work, _ old: UnsafeRawBufferPointer?, _ isLarge: Bool) {
        if let old = unsafe old {
            unsafe page.add(ObjectPage.slot(of: item.id.row), isLarge ? UnsafeRawBufferPointer(start: nil, count: 0) : old)
        }
        outcomes.append(.yielded)
    }
}
