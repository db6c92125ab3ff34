import CairnText

// Finding the results of a query.

extension StoreInspector {
    func plan(_ query: Query, _ stored: ObjectCatalog.Class) throws(ObjectStoreError) -> StoredQueryPlan {
        guard query.offset >= 0, query.limit ?? 0 >= 0 else {
            throw ObjectStoreError(.invalidPredicate, "the limit or offset of a query is negative")
        }
        let known = try known(stored)
        let entry = try currentEntry(of: known)
        var parts: [StoredCondition] = []
        if let text = query.condition {
            do throws(ConditionTextError) { parts.append(try ConditionParser.condition(text, on: entry)) } catch {
                throw ObjectStoreError(.malformedQuery, "\(error)", userData: text, cause: error)
            }
        }
        if let search = query.search {
            parts.append(.text(try TextQuery(reading: search), try searched(query, entry), isNegated: false))
        }
        var sorts: [(property: StoredProperty, isDescending: Bool)] = []
        for sort in query.sorts {
            let property = try property(sort.property, entry)
            guard property.type?.hasKeys == true else {
                throw ObjectStoreError(
                    .invalidPredicate,
                    "objects of \(entry.name) cannot be sorted by '\(sort.property)', whose values have no order"
                )
            }
            sorts.append((property, sort.isDescending))
        }
        let planner = StoredQueryPlanner(stored: known, entry: entry, keys: IndexKeys(store.engine), view: view)
        return try planner.plan(.allOf(parts), sorts, isBounded: query.limit != nil)
    }

    /// The class as the view has it: its indexes may have been completed since the store was opened.
    private func currentEntry(of stored: StoredClass) throws(ObjectStoreError) -> CatalogEntry {
        guard let bytes = try view.get(Keyspace.storedClass(stored.number)) else { return stored.entry }
        guard let entry = try? CatalogEntry(decoding: bytes) else {
            throw ObjectStoreError(.corruption, "the catalog of \(store.name) is damaged: class \(stored.number) cannot be read")
        }
        return entry
    }

    private func property(_ name: String, _ entry: CatalogEntry) throws(ObjectStoreError) -> StoredProperty {
        guard let property = entry.property(named: name) else { throw ObjectStoreError(.invalidPredicate, entry.lacks(name)) }
        return property
    }

    private func searched(_ query: Query, _ entry: CatalogEntry) throws(ObjectStoreError) -> [StoredProperty] {
        var names = query.searchedProperties
        if names.isEmpty { names = entry.texts?.map(\.property) ?? [] }
        let texts = entry.properties.filter { $0.isGone != true && entry.property(named: $0.name)?.isSearchable == true }.map(\.name)
        let choice = texts.isEmpty ? "no property is text" : "its text properties are \(texts.joined(separator: ", "))"
        guard !names.isEmpty else {
            throw ObjectStoreError(
                .invalidPredicate,
                "\(entry.name) has no text index, so the properties to search must be named: \(choice)"
            )
        }
        var properties: [StoredProperty] = []
        for name in names {
            let property = try property(name, entry)
            guard property.isSearchable else {
                throw ObjectStoreError(.invalidPredicate, "'\(name)' of \(entry.name) is not text, so it cannot be searched: \(choice)")
            }
            properties.append(property)
        }
        return properties
    }

    func findInOrder(
        _ plan: StoredQueryPlan,
        _ offset: Int,
        _ limit: Int,
        _ body: (Result<ObjectDump, ObjectStoreError>) throws -> Bool
    ) throws {
        let (end, isTooLarge) = offset.addingReportingOverflow(limit)
        let sorter = QuerySorter(isReversed: plan.isReversed, limit: isTooLarge ? .max : end)
        var goesOn = true
        try forEachMatch(of: plan) { result in
            switch result {
            case .success(let object): sorter.add(QueryMatch(id: object.dump.id, object: nil, key: plan.key(object)))
            case .failure(let error): goesOn = try body(.failure(error))
            }
            return goesOn
        }
        guard goesOn else { return }
        for match in sorter.sorted().dropFirst(offset) {
            if let object = try object(match.id) { guard try body(.success(object)) else { return } }
        }
    }

    /// Calls `body` with each object that matches, or cannot be read, in the order of the access, until it returns false. If what the access reads is damaged,
    /// such as an index, passes that error, and finds the other objects by reading all.
    func forEachMatch(of plan: StoredQueryPlan, _ body: (Result<NumberedDump, ObjectStoreError>) throws -> Bool) throws {
        func examine(_ result: Result<NumberedDump, ObjectStoreError>) throws -> Bool {
            if case .success(let object) = result, !plan.residual.holds(object) { return true }
            return try body(result)
        }
        if case .everything = plan.access { return try forEachNumbered(plan.stored, examine) }
        var outcome: Result<Bool, any Error> = .success(true)
        var (count, unreadable) = (0, Set<ObjectID>())
        do throws(ObjectStoreError) {
            try plan.access.forEach(view, plan.stored, isReversed: plan.direction ?? false) { id, _, _ in
                count += 1
                outcome = Result {
                    let found: NumberedDump?
                    do throws(ObjectStoreError) { found = try numbered(id) } catch {
                        guard error.code == .corruption || error.code == .shredded else { throw error }
                        unreadable.insert(id)
                        return try examine(.failure(error))
                    }
                    return try found.map { try examine(.success($0)) } ?? true
                }
                if case .success(true) = outcome { return true }
                return false
            }
        } catch {
            guard error.code == .corruption else { throw error }
            guard try body(.failure(Self.damagedAccess(plan, error))) else { return }
            return try forEachMatch(of: plan, after: count, unreadable, body)
        }
        _ = try outcome.get()
    }

    /// Calls `body` with each match that is not among the first `count` objects of the access: reads all objects. In the plan's order if the access has one.
    ///
    /// - Parameter unreadable: Those of the first objects that cannot be read, which are not passed again.
    private func forEachMatch(
        of plan: StoredQueryPlan,
        after count: Int,
        _ unreadable: Set<ObjectID>,
        _ body: (Result<NumberedDump, ObjectStoreError>) throws -> Bool
    ) throws {
        // Again, since they are kept only in this case.
        var known: Set<ObjectID> = []
        if count > 0 {
            var left = count
            try plan.access.forEach(view, plan.stored, isReversed: plan.direction ?? false) { id, _, _ in
                known.insert(id)
                left -= 1
                return left > 0
            }
        }
        let sorter = plan.direction.map { _ in QuerySorter(isReversed: plan.isReversed, limit: .max) }
        var goesOn = true
        try forEachNumbered(plan.stored) { result in
            switch result {
            case .success(let object):
                guard !known.contains(object.dump.id), plan.condition.holds(object) else { return true }
                if let sorter {
                    sorter.add(QueryMatch(id: object.dump.id, object: nil, key: plan.key(object)))
                } else {
                    goesOn = try body(result)
                }
            case .failure(let error):
                if let id = error.object, unreadable.contains(id) { return true }
                goesOn = try body(result)
            }
            return goesOn
        }
        guard goesOn, let sorter else { return }
        for match in sorter.sorted() {
            if let object = try numbered(match.id) { guard try body(.success(object)) else { return } }
        }
    }

    /// The error of an index that cannot be read. It loses no objects.
    private static func damagedAccess(_ plan: StoredQueryPlan, _ error: ObjectStoreError) -> ObjectStoreError {
        let message = "an index that finds objects of \(plan.stored.name) is damaged, so all of them were read: \(error.message)"
        var damage = ObjectStoreError(.corruption, message, cause: error.cause ?? error)
        damage.objectCount = 0
        return damage
    }
}
