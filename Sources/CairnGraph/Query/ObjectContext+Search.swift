extension ObjectContext {
    /// Returns the objects whose text matches a query in the language of `TextQuery`. Objects with unsaved changes count as they are in
    /// this context.
    ///
    /// ```swift
    /// let songs = try context.search(Song.self, \.title, "[[sun*]] !! rain", limit: 20)
    /// ```
    ///
    /// The text index of an `@Searchable` property finds candidates; if it cannot prove a match, the text is compared, so the results are
    /// exact. Without a text index, or while it is incomplete (``ObjectStore/incompleteIndexes``), every object of the class is tested.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - keyPath: A property that holds `String` or `String?`.
    ///   - query: The query, in the language of `TextQuery`.
    ///   - sorts: The order of the results; by default, the order in which the objects were inserted, where the search stops at the limit.
    ///   - limit: The maximum number of results; `nil`: all.
    ///   - offset: The number of results to skip at the beginning.
    /// - Throws: ``ObjectStoreError``: `malformedQuery`, whose ``ObjectStoreError/cause`` is the `TextQueryError` with the position; as `fetch`.
    /// - Complexity: Reads the part of the index that holds the query's groups of three characters, and the objects.
    public func search<Object: StoredObject, Text: SearchableText>(
        _ type: Object.Type = Object.self,
        _ keyPath: KeyPath<Object, Text>,
        _ query: String,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [Object] {
        try search(type, keyPath, TextQuery(reading: query), sortedBy: sorts, limit: limit, offset: offset)
    }

    /// As above, in several properties taken together: each word of the query may be in a different property, and none may contain what is excluded.
    ///
    /// - Throws: As above, and `invalidPredicate` for a key path of a property that is not stored text, or if there are no key paths.
    public func search<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        _ keyPaths: [PartialKeyPath<Object>],
        _ query: String,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [Object] {
        try search(type, keyPaths, TextQuery(reading: query), sortedBy: sorts, limit: limit, offset: offset)
    }

    /// Returns the IDs of the objects that `search` with the same arguments would return. Makes no objects.
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
        try searchIDs(type, keyPath, TextQuery(reading: query), sortedBy: sorts, limit: limit, offset: offset)
    }

    /// As above, in several properties.
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
        try searchIDs(type, keyPaths, TextQuery(reading: query), sortedBy: sorts, limit: limit, offset: offset)
    }

    /// As `search` with text, but with a parsed query. `TextQuery(containing:)` makes one from any text, such as what a user typed.
    ///
    /// - Throws: As `fetch`.
    public func search<Object: StoredObject, Text: SearchableText>(
        _ type: Object.Type = Object.self,
        _ keyPath: KeyPath<Object, Text>,
        _ query: TextQuery,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [Object] {
        try fetch(type, where: .matches(keyPath, query), sortedBy: sorts, limit: limit, offset: offset)
    }

    /// As above, in several properties.
    ///
    /// - Throws: As `fetch`, and `invalidPredicate` as with text.
    public func search<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        _ keyPaths: [PartialKeyPath<Object>],
        _ query: TextQuery,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [Object] {
        try fetch(type, where: condition(keyPaths, query), sortedBy: sorts, limit: limit, offset: offset)
    }

    /// Returns the IDs of the objects that `search` with the same arguments would return. Makes no objects.
    ///
    /// - Throws: As `search`.
    public func searchIDs<Object: StoredObject, Text: SearchableText>(
        _ type: Object.Type = Object.self,
        _ keyPath: KeyPath<Object, Text>,
        _ query: TextQuery,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [ObjectID] {
        try fetchIDs(type, where: .matches(keyPath, query), sortedBy: sorts, limit: limit, offset: offset)
    }

    /// As above, in several properties.
    ///
    /// - Throws: As `search`.
    public func searchIDs<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        _ keyPaths: [PartialKeyPath<Object>],
        _ query: TextQuery,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws(ObjectStoreError) -> [ObjectID] {
        try fetchIDs(type, where: condition(keyPaths, query), sortedBy: sorts, limit: limit, offset: offset)
    }

    private func condition<Object: StoredObject>(_ keyPaths: [PartialKeyPath<Object>], _ query: TextQuery)
        throws(ObjectStoreError) -> ObjectCondition<Object>
    {
        guard !keyPaths.isEmpty, let condition = ObjectCondition.text(keyPaths, query) else {
            throw ObjectStoreError(
                .invalidPredicate,
                "a search of \(Object.self) names no property, or one that is not stored text"
            )
        }
        return condition
    }
}

extension TextQuery {
    /// Reads a query; throws the store's errors.
    init(reading text: String) throws(ObjectStoreError) {
        do throws(TextQueryError) { try self.init(text) } catch {
            throw ObjectStoreError(.malformedQuery, "\(error)", userData: text, cause: error)
        }
    }
}
