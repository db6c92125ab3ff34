import CairnCore

extension ObjectContext {
    /// Computes aggregates of the objects that meet a condition.
    func results<Object: StoredObject>(
        _ type: Object.Type,
        _ condition: Condition,
        _ query: AggregateQuery
    ) throws(ObjectStoreError) -> [(key: [UInt8], tallies: ArraySlice<AggregateTally>)] {
        try store.calls.measure(.fetch, type, count: { $0.count }) { () throws(ObjectStoreError) in try aggregate(type, condition, query) }
    }

    private func aggregate<Object: StoredObject>(
        _ type: Object.Type,
        _ condition: Condition,
        _ query: AggregateQuery
    ) throws(ObjectStoreError) -> [(key: [UInt8], tallies: ArraySlice<AggregateTally>)] {
        let (planner, condition) = try planner(type, condition)
        let source = try planner.source(condition, query)
        let plan = planner.plan(source, condition, query)
        let run = try QueryRun<Object>(self, planner.stored, planner.view, plan, planner.targets, wantsObjects: false)
        let keeper = AggregateKeeper(query)
        switch source {
        case .matches: try run.add(to: keeper)
        case .entries(let scan, let places): try run.add(entriesOf: scan, places, to: keeper)
        case .end(let scan, let place, let isLast): try run.add(endOf: scan, place, isLast: isLast, to: keeper)
        }
        return keeper.results
    }

    func explanation<Object: StoredObject>(
        _ type: Object.Type,
        _ condition: Condition,
        _ query: AggregateQuery
    ) throws(ObjectStoreError) -> QueryExplanation {
        let (planner, condition) = try planner(type, condition)
        let source = try planner.source(condition, query)
        let plan = planner.plan(source, condition, query)
        let values =
            switch source {
            case .end(_, _, let isLast): isLast ? "the last entry of the index" : "the first entry of the index"
            case .entries: "entries of the index, no objects"
            case .matches:
                try RecordJudge.make(plan, planner.targets, planner.stored).judge.needsObjects ? "objects" : "records"
            }
        let group = query.isGrouped ? "by \(query.properties[0].name)" : ""
        return try explanation(plan, planner.stored, planner.view, order: group, values: values)
    }
}

extension QueryRun {
    /// Adds all matches, with the keys that they are sorted by.
    func add(to keeper: AggregateKeeper) throws(ObjectStoreError) {
        try gatherPending()
        self.keeper = keeper
        try forEach { match in
            keeper.add(match)
            return true
        }
    }

    /// Adds all entries of an index that has the values.
    func add(entriesOf scan: IndexScan, _ places: [Int], to keeper: AggregateKeeper) throws(ObjectStoreError) {
        try gatherPending()
        let start = Keyspace.entries(scan.index.number).count
        for range in scan.ranges {
            try view.lendEntries(in: range) { key, value throws(ObjectStoreError) in
                _ = try add(key, value, of: scan, from: start, places, to: keeper)
                return true
            }
        }
        for match in pending { keeper.add(match) }
    }

    /// Adds the first or last entry of each range: one of them has the least or greatest value.
    func add(endOf scan: IndexScan, _ place: Int, isLast: Bool, to keeper: AggregateKeeper) throws(ObjectStoreError) {
        try gatherPending()
        let start = Keyspace.entries(scan.index.number).count
        // If each earlier property of the index has a single value, the ranges are in the order of this one.
        let isOrdered = scan.equalCount >= place
        for range in isLast ? scan.ranges.reversed() : scan.ranges {
            var isFound = false
            try view.lendEntries(in: range, reverse: isLast) { key, value throws(ObjectStoreError) in
                isFound = try add(key, value, of: scan, from: start, [place], to: keeper)
                return !isFound
            }
            if isFound, isOrdered { break }
        }
        for match in pending { keeper.add(match) }
    }

    /// Adds the values of an entry; returns whether its object has no unsaved changes.
    private func add(
        _ key: RawSpan,
        _ value: RawSpan,
        of scan: IndexScan,
        from start: Int,
        _ places: [Int],
        to keeper: AggregateKeeper
    ) throws(ObjectStoreError) -> Bool {
        guard let (id, end) = scan.index.object(key, value, stored), !isChanged(id) else { return false }
        guard keeper.add(key.extracting(first: end), from: start, places) else { throw damaged(scan.index, id) }
        return true
    }

    private func damaged(_ index: StoredIndex, _ id: ObjectID) -> ObjectStoreError {
        ObjectStoreError(
            .corruption,
            "an entry of the index (\(index.index.properties.joined(separator: ", "))) of \(stored.name) is damaged; rebuild the indexes",
            object: id
        )
    }
}
