/// The results of a live query, kept in order. After commits that changed a few pages, only their objects are read and tested.
struct LiveList<Object: StoredObject> {
    private let context: ObjectContext
    private let stored: StoredClass
    private let condition: Condition
    private let sort: SortOrder
    private let limit: Int?
    private let order: LiveOrder

    /// Retained, so that they are the same objects the next time.
    private(set) var objects: [Object] = []
    private var items: [LiveItem] = []
    /// The sort keys of the results; unused without an order, where identities are enough to find them.
    private var keys: [ObjectID: [UInt8]] = [:]
    /// Whether the next update must run the whole query: the results are unknown, or include unsaved changes.
    private var isStale = true

    /// A commit to more pages than this runs the whole query again.
    private static var mostPages: Int { 256 }

    init(_ context: ObjectContext, _ condition: Condition, _ sorts: [SortPart], _ limit: Int?) throws(ObjectStoreError) {
        self.context = context
        self.condition = condition
        self.limit = limit
        sort = SortOrder(sorts: sorts)
        order = LiveOrder(isReversed: sort.isReversed)
        stored = try context.knownClass(Object.self)
    }

    /// Brings the results up to date; returns how they differ.
    ///
    /// - Parameter changed: What was changed since, each page of the class once.
    mutating func update(_ changed: RelevantCommits.Changed) throws(ObjectStoreError) -> LiveChanges {
        let wasStale = isStale
        isStale = true
        if case .pages(let pages) = changed, !wasStale, context.pending.isEmpty, pages.count <= Self.mostPages,
            let changes = try replace(pages)
        {
            isStale = false
            return changes
        }
        let changes = try runAgain()
        isStale = !context.pending.isEmpty
        return changes
    }

    // MARK: The whole query

    private mutating func runAgain() throws(ObjectStoreError) -> LiveChanges {
        let found = try context.fetch(Object.self, condition, sort.sorts, limit, 0)
        let run = try testRun(try context.currentView())
        var new: [LiveItem] = []
        new.reserveCapacity(found.count)
        for object in found { new.append(item(object, run.key(object))) }
        let former = items
        (objects, items) = (found, new)
        keys = [:]
        if !sort.sorts.isEmpty { for item in items { keys[item.id] = item.key } }
        return LiveChanges(from: former, to: items)
    }

    private func item(_ object: Object, _ key: [UInt8]) -> LiveItem {
        LiveItem(id: object._$state.id, changeCount: object._$state.changeCount, key: key)
    }

    /// A run of the query that tests all objects it is given.
    private func testRun(_ view: StoreView) throws(ObjectStoreError) -> QueryRun<Object> {
        let condition = try condition.resolved(in: context)
        let plan = QueryPlan(
            condition: condition,
            residual: condition,
            access: .everything(),
            order: sort.sorts.isEmpty ? .identity : .sorted,
            sort: sort
        )
        let run = try QueryRun<Object>(context, stored, view, plan, try QueryTargets(condition, context, stored, view), wantsObjects: true)
        // For the keys of the matches.
        if !sort.sorts.isEmpty { run.keeper = MatchKeeper() }
        return run
    }

    // MARK: A few pages

    /// Tests the objects of a few pages. Returns `nil` if objects beyond the limit would have to be known.
    private mutating func replace(_ pages: [UInt64]) throws(ObjectStoreError) -> LiveChanges? {
        let run = try testRun(try context.currentView())
        var new: [(item: LiveItem, object: Object)] = []
        for page in pages {
            try run.forEachInPages(from: page << ObjectPage.rowBits, to: (page + 1) << ObjectPage.rowBits) { match in
                guard let object = match.object else { return true }
                let found = unsafe unsafeDowncast(object, to: Object.self)
                new.append((item(found, match.key), found))
                return true
            }
        }
        // Most objects of a page have not changed, and may be anywhere among the results.
        var former: [ObjectID: Int] = [:]
        for place in pages.flatMap(places) { former[items[place].id] = place }
        new.removeAll { new in
            guard let place = former[new.item.id], items[place] == new.item else { return false }
            former[new.item.id] = nil
            return true
        }
        new.sort { order.precedes($0.item, $1.item) }
        let places = former.values.sorted()
        guard let limit else { return exchange(places, new) }
        if items.count == limit, let last = items.last {
            // The objects beyond the limit are unknown, and may come before new objects that follow the last result.
            new.removeAll { order.precedes(last, $0.item) }
            guard items.count - places.count + new.count >= limit else { return nil }
        }
        let before = items
        _ = exchange(places, new)
        for item in items.dropFirst(limit) { keys[item.id] = nil }
        items.removeLast(max(0, items.count - limit))
        objects.removeLast(max(0, objects.count - limit))
        return LiveChanges(from: before, to: items)
    }

    /// The positions of the results that are on a page.
    private func places(_ page: UInt64) -> [Int] {
        let first = ObjectID(class: stored.number, row: page << ObjectPage.rowBits)
        guard sort.sorts.isEmpty else {
            return (0..<UInt64(ObjectPage.rowCount)).compactMap { slot in
                let id = ObjectID(class: stored.number, row: first.row + slot)
                guard let key = keys[id] else { return nil }
                let place = order.place(of: LiveItem(id: id, changeCount: 0, key: key), in: items)
                return place < items.count && items[place].id == id ? place : nil
            }
        }
        let start = order.place(of: LiveItem(id: first, changeCount: 0, key: []), in: items)
        return Array((start..<items.count).prefix { ObjectPage.page(of: items[$0].id.row) == page })
    }

    /// Removes the results at some positions, and adds others, both in order.
    private mutating func exchange(_ former: [Int], _ new: [(item: LiveItem, object: Object)]) -> LiveChanges {
        let targets = new.map { order.place(of: $0.item, in: items) }
        // Only what is between the first and the last difference is compared and moved.
        let start = min(former.first ?? items.count, targets.first ?? items.count)
        let end = max(former.last.map { $0 + 1 } ?? 0, targets.last ?? 0, start)
        // A copy, since the array would be copied as a whole if a slice of it existed while it changes.
        let old = Array(items[start..<end])
        var (newItems, newObjects) = ([LiveItem](), [Object]())
        var (gone, added) = (former[...], new.indices[...])
        for place in start...end {
            while let next = added.first, targets[next] == place {
                newItems.append(new[next].item)
                newObjects.append(new[next].object)
                added.removeFirst()
            }
            guard place < end else { break }
            if gone.first == place {
                gone.removeFirst()
            } else {
                newItems.append(items[place])
                newObjects.append(objects[place])
            }
        }
        if !sort.sorts.isEmpty {
            for place in former { keys[items[place].id] = nil }
            for (item, _) in new { keys[item.id] = item.key }
        }
        items.replaceSubrange(start..<end, with: newItems)
        // Replacing copies the array if the previous results are still held, so it is avoided if the objects are the same.
        if !objects[start..<end].elementsEqual(newObjects, by: ===) { objects.replaceSubrange(start..<end, with: newObjects) }
        return LiveChanges(from: old, to: newItems, at: start)
    }
}
