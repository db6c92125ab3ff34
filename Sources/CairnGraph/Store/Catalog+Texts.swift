/// Text indexes in the catalog.
extension Catalog {
    /// Assigns numbers to new text indexes; returns those that the class no longer has, or that have another form.
    func addTexts(of schema: ObjectSchema, to entry: inout CatalogEntry, _ number: UInt16, areComplete: Bool) throws(ObjectStoreError)
        -> [UInt32]
    {
        var texts: [CatalogEntry.Text] = []
        for property in schema.searchable {
            guard schema.properties.contains(where: { $0.name == property && $0.text != nil }) else {
                throw ObjectStoreError(.schemaMismatch, "\(schema.name).\(property) is @Searchable, which only a String or String? can be")
            }
            if let known = entry.texts?.first(where: { $0.property == property && $0.form == StoredText.form }) {
                texts.append(known)
                continue
            }
            let index = UInt32(number) << 16 | UInt32(try entry.nextIndex(name))
            texts.append(CatalogEntry.Text(number: index, property: property, form: StoredText.form, isComplete: areComplete))
        }
        let gone = (entry.texts ?? []).map(\.number).filter { number in !texts.contains { $0.number == number } }
        entry.texts = texts.isEmpty ? nil : texts
        return gone
    }
}
