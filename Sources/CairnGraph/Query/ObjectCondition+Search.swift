extension ObjectCondition {
    /// Matches text that a full-text query finds.
    ///
    /// ```swift
    /// try context.fetch(where: .matches(\.title, TextQuery("[[sun*]]")) && \.seconds < 180)
    /// ```
    ///
    /// Uses the text index of an `@Searchable` property once it is complete. Without one, the condition is evaluated for each object.
    public static func matches<Text: SearchableText>(_ keyPath: KeyPath<Object, Text>, _ query: TextQuery) -> ObjectCondition {
        if let condition = text([keyPath], query) { return condition }
        return ObjectCondition(keyPath, "matches \(query.text)") { object in query.matches(object[keyPath: keyPath].searchedText ?? "") }
    }

    /// The condition on stored texts; `nil` if a property is not a stored text.
    static func text(_ keyPaths: [PartialKeyPath<Object>], _ query: TextQuery) -> ObjectCondition? {
        let schema = Object.objectSchema
        var places: [Int] = []
        for keyPath in keyPaths {
            guard let place = schema.indexOfKeyPath[keyPath], schema.properties[place].text != nil else { return nil }
            if !places.contains(place) { places.append(place) }
        }
        return ObjectCondition(.text(TextTest(query: query, type: Object.self, properties: places)))
    }
}
