import CairnCore

/// A text index of an open store.
struct StoredText: CompletedInTime, Sendable {
    /// The version of the form of text and of the blocks. Stored with each text index; an index of another version is rebuilt.
    ///
    /// 1: blocks without places. 2: with one place of each gram; blocks of many rows without. 3: with up to eight; recent texts. 4: Tibetan vowel signs
    /// stay, and the order of marks makes no difference.
    static let form = 4

    let number: UInt32
    let name: String
    /// The index of the property in the Swift class, and its bit.
    let place: Int
    let properties: UInt64
    let completion: IndexCompletion
    let terms: TextTerms
    let recent = RecentTextsCache()

    static func texts(of schema: ObjectSchema, _ entry: CatalogEntry, _ session: (any ObjectCipherSession)?) -> [StoredText] {
        (entry.texts ?? []).compactMap { text in
            guard let place = schema.properties.firstIndex(where: { $0.name == text.property }) else { return nil }
            return StoredText(
                number: text.number,
                name: text.property,
                place: place,
                properties: ObjectState.bit(place),
                completion: IndexCompletion(text.isComplete),
                terms: TextTerms(text.number, session)
            )
        }
    }
}
