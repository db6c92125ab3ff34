extension ObjectContext {
    /// Returns a query's plan, and the view of the store that it is for.
    func plan(
        _ type: any StoredObject.Type,
        _ condition: Condition,
        _ sorts: [SortPart],
        isBounded: Bool
    ) throws(ObjectStoreError) -> (plan: QueryPlan, targets: QueryTargets, stored: StoredClass, view: StoreView) {
        let (planner, condition) = try planner(type, condition)
        return (try planner.plan(condition, sorts, isBounded: isBounded), planner.targets, planner.stored, planner.view)
    }

    /// Returns a planner for a query of the store as it is now, and the condition with its objects looked up.
    func planner(_ type: any StoredObject.Type, _ condition: Condition) throws(ObjectStoreError) -> (QueryPlanner, Condition) {
        try checkOpen()
        let stored = try knownClass(type)
        let view = try currentView()
        let condition = try condition.resolved(in: self)
        try bringUpToDate(condition, view)
        let targets = try QueryTargets(condition, self, stored, view)
        return (QueryPlanner(context: self, stored: stored, view: view, targets: targets), condition)
    }

    func query<Object: StoredObject>(
        _ type: Object.Type,
        _ condition: Condition,
        _ sorts: [SortPart] = [],
        isBounded: Bool = false,
        after cursor: FetchCursor? = nil,
        wantsObjects: Bool
    ) throws(ObjectStoreError) -> QueryRun<Object> {
        let (plan, targets, stored, view) = try plan(type, condition, sorts, isBounded: isBounded || !wantsObjects)
        return try QueryRun(self, stored, view, plan, targets, after: cursor, wantsObjects: wantsObjects)
    }

    /// Refreshes the objects that a condition names: like the objects found, they must match the store.
    func bringUpToDate(_ condition: Condition, _ view: StoreView) throws(ObjectStoreError) {
        switch condition {
        case .all(let parts), .any(let parts): for part in parts { try bringUpToDate(part, view) }
        case .link(let test):
            guard let target = test.target, let id = target.objectID else { return }
            guard target._$state.link === link else {
                throw ObjectStoreError(
                    .invalidPredicate,
                    "the object that \(test.name) is compared with belongs to another context; find it here by its objectID",
                    object: id
                )
            }
            try refresh(target, view)
        default: break
        }
    }

    /// The object with an identity, with the values that the store has now, unless it has unsaved changes; `nil` if there is none.
    func current<Object: StoredObject>(_ id: ObjectID, as type: Object.Type) throws(ObjectStoreError) -> Object? {
        let isKnown = unsafe link.table[id] != nil
        guard let object = try object(id, as: type) else { return nil }
        if isKnown { try refresh(object, try currentView()) }
        return object
    }

    /// Gives an object without unsaved changes the values that it has in a state of the store.
    func refresh(_ object: any StoredObject, _ view: StoreView) throws(ObjectStoreError) {
        guard !object.hasUnsavedChanges, let stored = store.storedClass(number: object._$state.id.classNumber) else { return }
        var result: Result<Void, ObjectStoreError> = .success(())
        try StoreReading.record(object._$state.id, stored, in: view) { record in
            guard object._$state.wantsRecord(ObjectRecord.Header(record)?.changeCount) else { return }
            result = Result { () throws(ObjectStoreError) in try self.read(object, stored, record) }
        }
        try result.get()
    }

    func explanation(
        _ type: any StoredObject.Type,
        _ condition: Condition,
        _ sorts: [SortPart],
        _ limit: Int?
    ) throws(ObjectStoreError) -> QueryExplanation {
        let (plan, _, stored, view) = try plan(type, condition, sorts, isBounded: limit != nil)
        let order =
            switch plan.order {
            case .identity: "as inserted"
            case .access(let isReversed): "as in the index\(isReversed ? ", backwards" : "")"
            case .sorted: "sorted in memory by \(plan.sort.text)\(limit.map { ", the first \($0) kept" } ?? "")"
            }
        return try explanation(plan, stored, view, order: order)
    }

    func explanation(
        _ plan: QueryPlan,
        _ stored: StoredClass,
        _ view: StoreView,
        order: String,
        values: String? = nil
    ) throws(ObjectStoreError) -> QueryExplanation {
        let most = QueryPlanner.countedEntries
        let count = try plan.access.count(view, stored, upTo: most)
        let changed = pending.inserted + pending.updated
        return QueryExplanation(
            access: plan.access.text(stored),
            examined: count,
            isMore: count == most,
            filter: plan.residual.isAlways ? nil : plan.residual.text,
            order: order,
            values: values,
            pendingCount: changed.filter { $0._$state.id.classNumber == stored.number && !$0.isDeleted }.count
        )
    }
}
