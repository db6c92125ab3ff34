import CairnCore

extension QueryRun {
    /// Calls `body` with the saved objects that match, until it returns false.
    func forEachSaved(_ body: (Match) -> Bool) throws(ObjectStoreError) {
        if case .everything = plan.access {
            if let parts = try parts() { return try forEach(in: parts, body) }
            return try forEachInPages(from: 0, body)
        }
        var isReversed = false
        var isOrdered = plan.access.isByIdentity
        if case .access(let reversed) = plan.order { (isReversed, isOrdered) = (reversed, true) }
        guard isOrdered else {
            var ids: [ObjectID] = []
            try plan.access.forEach(view, stored) { id, _, _ in
                if !isChanged(id), isAfterPlace(id, []) { ids.append(id) }
                return true
            }
            ids.sort()
            if plan.access.mayRepeat { ids = ids.enumerated().filter { $0 == 0 || ids[$0 - 1] != $1 }.map(\.element) }
            return try forEach(ids, body)
        }
        var batch = QueryBatch(wanted, isExact: asksNothing)
        let (reads, readsProven) = (readsRecords, readsProvenRecords)
        var outcome: Result<Bool, ObjectStoreError> = .success(true)
        let wantsFew = wanted <= 1000
        try plan.access.forEach(view, stored, isReversed: isReversed, wantsKeys: wantsKeys, wantsFew: wantsFew) { id, key, isProven in
            guard !isChanged(id), isAfterPlace(id, key) else { return true }
            guard skipped == 0 else {
                skipped -= 1
                return true
            }
            let isRead = isProven ? readsProven : reads
            guard isRead || !batch.ids.isEmpty else { return body(Match(id: id, object: nil, key: key)) }
            batch.add(id, key, isRead: isRead)
            guard batch.isFull else { return true }
            outcome = Result { () throws(ObjectStoreError) in try examine(&batch, body) }
            if case .success(true) = outcome { return true }
            return false
        }
        guard try outcome.get() else { return }
        _ = try examine(&batch, body)
    }

    /// Whether a saved object comes after the place where the results begin, in the order in which the access finds them.
    private func isAfterPlace(_ id: ObjectID, _ key: [UInt8]) -> Bool {
        guard let place else { return true }
        if case .sorted = plan.order { return true }
        return place.precedes(id, key)
    }

    private func forEach(_ ids: [ObjectID], _ body: (Match) -> Bool) throws(ObjectStoreError) {
        var batch = QueryBatch(wanted, isExact: asksNothing)
        for id in ids.dropFirst(skipped) {
            guard readsRecords else {
                guard body(Match(id: id, object: nil, key: [])) else { return }
                continue
            }
            batch.add(id, [])
            guard batch.isFull else { continue }
            guard try examine(&batch, body) else { return }
        }
        _ = try examine(&batch, body)
    }

    // MARK: Records by identity

    /// Reads the records of a batch page by page, and passes on the matches in the order in which they were added.
    private func examine(_ batch: inout QueryBatch, _ body: (Match) -> Bool) throws(ObjectStoreError) -> Bool {
        guard !batch.ids.isEmpty else { return true }
        let (order, groups, keys) = batch.pages()
        var matches = batch.ids.indices.map { batch.isRead[$0] ? nil : Match(id: batch.ids[$0], object: nil, key: []) }
        var large: [Int] = []
        try view.lendValues(for: keys) { group, page throws(ObjectStoreError) in
            guard let page else { throw missing(batch.ids[order[groups[group].lowerBound]]) }
            try examine(page, order[groups[group]], batch.ids, &matches, &large)
        }
        for place in large { matches[place] = try examineLarge(batch.ids[place]) }
        let entryKeys = batch.keys
        batch.removeAll()
        for (place, match) in matches.enumerated() {
            guard let match else { continue }
            let goesOn = entryKeys[place].isEmpty ? body(match) : body(Match(id: match.id, object: match.object, key: entryKeys[place]))
            guard goesOn else { return false }
        }
        return true
    }

    private func examine(
        _ page: RawSpan,
        _ places: ArraySlice<Int>,
        _ ids: [ObjectID],
        _ matches: inout [Match?],
        _ large: inout [Int]
    ) throws(ObjectStoreError) {
        var places = places
        guard let first = places.first, var records = ObjectPage.Records(page) else {
            throw StoreReading.damagedPage(ids[places.first ?? 0], stored)
        }
        while let place = places.first, let row = records.next() {
            let wanted = ObjectPage.slot(of: ids[place].row)
            guard row.slot >= wanted else { continue }
            guard row.slot == wanted else { throw missing(ids[place]) }
            places.removeFirst()
            if row.record.isEmpty { large.append(place) } else { matches[place] = try examine(ids[place], row.record) }
        }
        guard records.isWhole else { throw StoreReading.damagedPage(ids[first], stored) }
        if let place = places.first { throw missing(ids[place]) }
    }

    /// The matches of a scan with their objects.
    func withObjects(_ found: ArraySlice<Match>) throws(ObjectStoreError) -> ArraySlice<Match> {
        keeper = nil
        areKnown = true
        defer { areKnown = false }
        var batch = QueryBatch(found.count, isExact: true)
        var made: [Match] = []
        let keep: (Match) -> Bool = { match in
            let known = found[found.startIndex + made.count]
            made.append(Match(id: known.id, object: known.object ?? match.object, key: known.key))
            return true
        }
        for match in found {
            batch.add(match.id, [], isRead: match.object == nil)
            if batch.isFull { _ = try examine(&batch, keep) }
        }
        _ = try examine(&batch, keep)
        return made[...]
    }

    private func examineLarge(_ id: ObjectID) throws(ObjectStoreError) -> Match? {
        var match: Match?
        try StoreReading.record(id, stored, in: view) { record throws(ObjectStoreError) in match = try examine(id, record) }
        return match
    }

    private func missing(_ id: ObjectID) -> ObjectStoreError {
        ObjectStoreError(
            .corruption,
            "an index of \(context.store.name) refers to \(stored.name) \(id.row), which does not exist; rebuild the indexes",
            object: id
        )
    }

    // MARK: All records

    /// - Parameters:
    ///   - start: The first row, unless the results begin later.
    ///   - end: The row after the last one; the first of a page.
    func forEachInPages(from start: UInt64, to end: UInt64? = nil, _ body: (Match) -> Bool) throws(ObjectStoreError) {
        var start = start
        if let place, case .identity = plan.order { start = max(start, place.id.row) }
        let pages = Keyspace.pages(stored.number, from: start, to: end)
        try view.lendEntries(in: pages) { key, page throws(ObjectStoreError) in
            guard let first = Keyspace.firstRow(ofPage: key) else { return true }
            return try examine(page, first, from: start, body)
        }
    }

    private func examine(
        _ page: RawSpan,
        _ first: UInt64,
        from start: UInt64,
        _ body: (Match) -> Bool
    ) throws(ObjectStoreError) -> Bool {
        guard var records = ObjectPage.Records(page) else {
            throw StoreReading.damagedPage(ObjectID(class: stored.number, row: first), stored)
        }
        if skipped >= ObjectPage.rowCount, hasNoChanges {
            skipped -= records.bits.nonzeroBitCount
            return true
        }
        let takesAll = hasNoChanges && place == nil && skipped == 0
        let reads = readsRecords
        while let row = records.next() {
            let id = ObjectID(class: stored.number, row: first + UInt64(row.slot))
            guard id.row >= start else { continue }
            if !takesAll {
                guard !isChanged(id), isAfterPlace(id, []) else { continue }
                guard skipped == 0 else {
                    skipped -= 1
                    continue
                }
            }
            let match =
                if !reads { Match(id: id, object: nil, key: []) } else if row.record.isEmpty { try examineLarge(id) } else {
                    try examine(id, row.record)
                }
            if let match { guard body(match) else { return false } }
        }
        guard records.isWhole else { throw StoreReading.damagedPage(ObjectID(class: stored.number, row: first), stored) }
        return true
    }

    // MARK: One record

    /// Tests a record with the rest of the condition. Makes its object only if it is wanted.
    func examine(_ id: ObjectID, _ record: RawSpan) throws(ObjectStoreError) -> Match? {
        if areKnown { return Match(id: id, object: try context.materialize(Object.self, id, stored, record), key: []) }
        switch try judged(record, id) {
        case .no: return nil
        case .unknown: return try match(context.materialize(Object.self, id, stored, record), id)
        case .passes: break
        case .yes:
            let object = wantsObjects && !makesObjectsLast ? try context.materialize(Object.self, id, stored, record) : nil
            return Match(id: id, object: object, key: keeper == nil ? [] : judge.key)
        }
        guard !isForeign, unsafe context.link.table[id] == nil else {
            return try match(context.materialize(Object.self, id, stored, record), id)
        }
        let object = blank ?? Object(_$fault: ())
        blank = object
        object._$state.flags = []
        object._$state.id = id
        do throws(RecordError) { _ = try ObjectRecord.read(record, into: object, stored.fields) } catch {
            throw context.damage(id, stored, error)
        }
        // Only an object of a context can read its large values.
        guard !object._$state.flags.contains(.partial) else {
            return try match(context.materialize(Object.self, id, stored, record), id)
        }
        guard try rest(object, &encoder) else { return nil }
        let key = keeper == nil ? [] : key(object)
        if let keeper, !keeper.accepts(key, id) { return nil }
        guard wantsObjects else { return Match(id: id, object: nil, key: key) }
        blank = nil
        context.take(object, id, ObjectRecord.Header(record)?.changeCount ?? 0)
        return Match(id: id, object: object, key: key)
    }

    private func judged(_ record: RawSpan, _ id: ObjectID) throws(ObjectStoreError) -> RecordJudge.Verdict {
        do throws(RecordError) { return try judge.judge(record, id, for: keeper) } catch {
            throw context.damage(id, stored, error)
        }
    }

    private func match(_ object: Object, _ id: ObjectID) throws(ObjectStoreError) -> Match? {
        if !asksNothing { guard try asks(residual, object) else { return nil } }
        let key = keeper == nil ? [] : key(object)
        if let keeper, !keeper.accepts(key, id) { return nil }
        return Match(id: id, object: wantsObjects ? object : nil, key: key)
    }
}

extension ObjectContext {
    /// Makes an object that has just been read part of the context.
    func take(_ object: some StoredObject, _ id: ObjectID, _ changeCount: UInt32) {
        object._$state.become(id, link, options.isObserved ? .observed : [])
        object._$state.loaded(changeCount)
        unsafe link.table.insert(object, id)
    }
}

/// IDs whose records are read together.
struct QueryBatch {
    private(set) var ids: [ObjectID] = []
    private(set) var keys: [[UInt8]] = []
    /// Whether a record must be read, or only waits for those before it.
    private(set) var isRead: [Bool] = []
    private var size: Int
    /// How many matches are still wanted, where each of the IDs is one.
    private var wanted: Int

    /// - Parameter wanted: How many matches are wanted: no more records are read at first.
    /// - Parameter isExact: Whether each ID is a match.
    init(_ wanted: Int, isExact: Bool) {
        self.wanted = isExact ? wanted : .max
        size = max(1, min(wanted, isExact && wanted != .max ? 1024 : 32))
    }

    var isFull: Bool { ids.count >= size }

    mutating func add(_ id: ObjectID, _ key: [UInt8], isRead: Bool = true) {
        ids.append(id)
        keys.append(key)
        self.isRead.append(isRead)
    }

    /// Empties the batch; the next one is larger.
    mutating func removeAll() {
        if wanted != .max { wanted -= min(wanted, ids.count) }
        ids.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        isRead.removeAll(keepingCapacity: true)
        size = max(1, min(size * 2, wanted, 1024))
    }

    /// The indices of the records to read in ID order, the range of each page, and the keys of the pages.
    func pages() -> (order: [Int], groups: [Range<Int>], keys: KeyList) {
        let order = ids.indices.filter { isRead[$0] }.sorted { ids[$0] < ids[$1] }
        var groups: [Range<Int>] = []
        var keys = KeyList()
        keys.isSorted = true
        var start = 0
        while start < order.count {
            let id = ids[order[start]]
            let page = ObjectPage.page(of: id.raw)
            var end = start + 1
            while end < order.count, ObjectPage.page(of: ids[order[end]].raw) == page { end += 1 }
            groups.append(start..<end)
            keys.append(Keyspace.page(id.classNumber, ObjectPage.page(of: id.row)))
            start = end
        }
        return (order, groups, keys)
    }
}
