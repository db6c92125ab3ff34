extension ObjectSort {
    /// Sorts by how well a query matches the text: first texts equal to the query, then those that begin with it as a word, those that
    /// contain it as a word elsewhere, those with a word that begins with it, and the others; shorter texts before longer ones.
    ///
    /// ```swift
    /// let query = try TextQuery("sun")
    /// try context.search(Song.self, \.title, "sun", sortedBy: [.relevance(of: query, in: \.title)], limit: 10)
    /// ```
    ///
    /// For a query with several words, the ranks are added up. Every match is examined; only as many as the limit allows are kept.
    public static func relevance<Text: SearchableText>(of query: TextQuery, in keyPath: KeyPath<Object, Text>) -> ObjectSort {
        let name = "relevance in \(PropertyPlace(keyPath).name)"
        let property = ConditionProperty(keyPath, name) { (object: Object, encoder) in
            let form = TextNormalizer.form(of: object[keyPath: keyPath].searchedText ?? "")
            encoder.encode(query.rank(of: form))
            encoder.encode(form.count)
        }
        return ObjectSort(property: property, isDescending: false)
    }
}

extension TextQuery {
    /// How well the query matches the form of a text; less is better.
    func rank(of form: [UInt8]) -> Int {
        required.reduce(0) { $0 + ($1.map { $0.rank(in: form) }.min() ?? TextPattern.worstRank) }
    }
}

extension TextPattern {
    fileprivate static let worstRank = 5

    fileprivate func rank(in text: [UInt8]) -> Int {
        guard first(in: text, from: 0) != nil else { return Self.worstRank }
        if text == form { return 0 }
        let bounds: [(Bound, Bound)] = [(.text, .word), (.word, .word), (.word, .anywhere)]
        return 1 + (bounds.firstIndex { bounded($0, $1).matches(text) } ?? bounds.count)
    }
}
