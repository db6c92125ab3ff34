extension StoreInspector {
    /// A query on the objects of a class, in terms of the store's catalog. It finds without Swift classes what ``ObjectContext`` finds with
    /// them.
    ///
    /// ```swift
    /// var query = StoreInspector.Query(where: #"artist = "Katrina" and year >= 1985"#)
    /// query.sorts = [.init("year"), .init("title", isDescending: true)]
    /// query.limit = 10
    /// try store.inspect { inspector in
    ///     try inspector.find(query, in: song) { result in
    ///         print(try result.get())
    ///         return true
    ///     }
    /// }
    /// ```
    ///
    /// ## Conditions
    /// | condition | matches |
    /// | --- | --- |
    /// | `year = 1985`, `==`, `!=`, `<`, `<=`, `>`, `>=` | values that compare with it in this way |
    /// | `year in (1985, 1986, nil)` | one of several values |
    /// | `rating is nil`, `rating is not nil` | a missing value or object; any other |
    /// | `title begins with "W"`, `title ends with "g"` | text with this beginning or end |
    /// | `title contains "sun"` | text with this part |
    /// | `tags contains "pop"`, `songs contains "1/17"` | lists and sets of values or objects, dictionaries of objects |
    /// | `album = "2/7"` | a reference to an object, by class number and row |
    /// | `not x`, `x and y`, `x or y`, `(x)` | combinations; `not` binds most tightly, `or` least |
    ///
    /// `not` can also be written before `in`, `contains`, `begins` and `ends`. Keywords may be in upper case. Text, dates, UUIDs and bytes are
    /// in quotation marks, double or single, with the escape sequences of Swift (``RecordValue/init(_:as:)`` describes the text of values); numbers and
    /// Booleans can be in quotation marks too. A property whose name is a keyword or not a word is in backquotes.
    ///
    /// Values compare as ``ObjectCondition`` says. The order of enumerations is known only to the program, so they can be compared with `=`,
    /// `!=` and `in` only, with their raw values. If an object was saved before its class had a property, its value counts as `nil`, except
    /// where the query is answered from an index, which has the default.
    public struct Query: Hashable, Sendable {
        /// The condition; `nil`: all objects match.
        public var condition: String?
        /// A query in the language of `TextQuery` that the texts of the object must match, taken together; `nil`: none.
        public var search: String?
        /// The properties to search; if empty, those with a text index.
        public var searchedProperties: [String] = []
        /// The order of the results, most significant first; if empty, that of insertion. Objects that are equal by all criteria are in the
        /// order of insertion, reversed if the last criterion is descending.
        public var sorts: [Sort] = []
        /// The maximum number of results; `nil`: all.
        public var limit: Int?
        /// The number of results to skip at the beginning.
        public var offset = 0

        /// Makes a query.
        public init(where condition: String? = nil, search: String? = nil) {
            self.condition = condition
            self.search = search
        }
    }

    /// A sort criterion.
    public struct Sort: Hashable, Sendable {
        /// The name of the property.
        public var property: String
        /// Whether the greatest value comes first, and `nil` last.
        public var isDescending: Bool

        /// Makes a criterion.
        public init(_ property: String, isDescending: Bool = false) {
            self.property = property
            self.isDescending = isDescending
        }
    }

    /// Calls `body` with each object that a query finds, in order, until it returns `false`. Unreadable objects among those examined are
    /// passed as errors, as ``forEach(_:from:_:)`` does; if there is an order, before the results. If an index is damaged, that is passed as an
    /// error too, and the other objects are found by reading all.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - stored: The class, from this store's catalog.
    ///   - body: Returns whether to continue.
    /// - Throws: Any error that `body` throws; ``ObjectStoreError``: `malformedQuery`, whose cause is the ``ConditionTextError`` or
    ///   `TextQueryError` with the position; `invalidPredicate` for properties that cannot be searched or sorted by, and for a negative limit
    ///   or offset; `unknownClass`, `ioError`.
    /// - Complexity: Depends on the plan that ``explain(_:in:)`` shows: without a usable index, all objects of the class are read. With an
    ///   order and a limit, an index of the properties sorted by is read in its order; else the keys of as many objects are kept as the limit allows.
    public func find(
        _ query: Query,
        in stored: ObjectCatalog.Class,
        _ body: (Result<ObjectDump, ObjectStoreError>) throws -> Bool
    ) throws {
        let plan = try plan(query, stored)
        let limit = query.limit ?? .max
        guard limit > 0 else { return }
        guard plan.isOrdered else { return try findInOrder(plan, query.offset, limit, body) }
        var (skipped, left) = (query.offset, limit)
        try forEachMatch(of: plan) { result in
            guard case .success(let object) = result else { return try body(result.map(\.dump)) }
            guard skipped == 0 else {
                skipped -= 1
                return true
            }
            left -= 1
            let goesOn = try body(.success(object.dump))
            return goesOn && left > 0
        }
    }

    /// Returns the number of objects that a query finds, whatever its limit and offset. Reads no objects if an index answers the whole
    /// query.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - stored: The class, from this store's catalog.
    ///   - unreadable: Called with each object that cannot be read, and is not counted, and with the error of an index that is damaged.
    /// - Throws: Same as ``find(_:in:_:)``.
    public func count(
        _ query: Query,
        in stored: ObjectCatalog.Class,
        unreadable: (ObjectStoreError) throws -> Void = { _ in }
    ) throws -> Int {
        let plan = try plan(query, stored)
        if case .always(true) = plan.residual, plan.access.hasEntries, !plan.stored.isShreddable {
            do throws(ObjectStoreError) { return try plan.access.count(view, plan.stored, upTo: .max) } catch {
                // Reported below, and counted by reading the objects.
                guard error.code == .corruption else { throw error }
            }
        }
        var count = 0
        try forEachMatch(of: plan) { result in
            switch result {
            case .success: count += 1
            case .failure(let error): try unreadable(error)
            }
            return true
        }
        return count
    }

    /// Explains how ``find(_:in:_:)`` would find its objects. Reads a few index entries, or pages.
    ///
    /// - Throws: Same as ``find(_:in:_:)``.
    public func explain(_ query: Query, in stored: ObjectCatalog.Class) throws(ObjectStoreError) -> QueryExplanation {
        let plan = try plan(query, stored)
        let most = QueryPlanner.countedEntries
        let count = try plan.access.count(view, plan.stored, upTo: most)
        let filter: String? = if case .always(true) = plan.residual { nil } else { plan.residual.text }
        return QueryExplanation(
            access: plan.access.text(plan.stored),
            examined: count,
            isMore: count == most,
            filter: filter,
            order: plan.order(limit: query.limit),
            values: nil,
            pendingCount: 0
        )
    }
}
