extension ObjectContext {
    /// The objects whose text is what a query looks for (``TextQuery`` has its language), those with unsaved changes as they are here.
    ///
    /// ```swift
    /// let songs = try context.search(Song.self, \.title, "[[sun*]] !! rain", limit: 20)
    /// ```
    ///
    /// The text index of an `@Searchable` property finds them, and what it cannot prove is compared with the text: what is found is so, and nothing else is.
    /// Without a text index, and while one is not complete (``ObjectStore/incompleteIndexes``), each object of the class is asked.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - keyPath: A property that holds `String` or `String?`.
    ///   - query: What is looked for, in the language of ``TextQuery``.
    ///   - sorts: Their order; by default that in which they were inserted, in which no more are looked for than the limit.
    ///   - limit: How many at most; `nil`: all.
    ///   - offset: How many to leave out at the beginning.
    /// - Throws: ``ObjectStoreError``: `malformedQuery`, whose ``ObjectStoreError/cause`` is the ``TextQueryError`` with the position; as
    ///   `fetch`.
    /// - Complexity: Reads the part of the index that holds the query's groups of three characters, and the objects.
    public func search<Object: StoredObject, Text: SearchableText>(
        _ type: Object.Type = Object.self,
        _ keyPath: KeyPath<Object, Text>,
        _ query: String,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [Object] {
        try fetch(type, where: .matches(keyPath, try TextQuery(reading: query)), sortedBy: sorts, limit: limit, offset: offset)
    }

    /// As above in several properties, taken together: each word of the query may be in another of them, and none may have what is excluded.
    ///
    /// - Throws: As above, and `invalidPredicate` for a key path that is that of no stored text.
    public func search<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        _ keyPaths: [PartialKeyPath<Object>],
        _ query: String,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [Object] {
        try fetch(type, where: condition(keyPaths, query), sortedBy: sorts, limit: limit, offset: offset)
    }

    /// Who the objects are that `search` with the same arguments would return. Makes no objects.
    ///
    /// - Throws: As `search`.
    public func searchIDs<Object: StoredObject, Text: SearchableText>(
        _ type: Object.Type = Object.self,
        _ keyPath: KeyPath<Object, Text>,
        _ query: String,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [ObjectID] {
        try fetchIDs(type, where: .matches(keyPath, try TextQuery(reading: query)), sortedBy: sorts, limit: limit, offset: offset)
    }

    /// As above in several properties.
    ///
    /// - Throws: As `search`.
    public func searchIDs<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        _ keyPaths: [PartialKeyPath<Object>],
        _ query: String,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [ObjectID] {
        try fetchIDs(type, where: condition(keyPaths, query), sortedBy: sorts, limit: limit, offset: offset)
    }

    private func condition<Object: StoredObject>(_ keyPaths: [PartialKeyPath<Object>], _ query: String) throws(ObjectStoreError)
        -> ObjectCondition<Object>
    {
        let query = try TextQuery(reading: query)
        guard !keyPaths.isEmpty, let condition = ObjectCondition.text(keyPaths, query) else {
            throw ObjectStoreError(.invalidPredicate, "a search of \(Object.self) names a property that is no stored text, or none at all")
        }
        return condition
    }
}

extension TextQuery {
    /// Reads a query, whose errors are those of a store.
    fileprivate init(reading text: String) throws(ObjectStoreError) {
        do throws(TextQueryError) { try self.init(text) } catch {
            throw ObjectStoreError(.malformedQuery, "\(error)", userData: text, cause: error)
        }
    }
}
