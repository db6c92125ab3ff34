/// Tests whether the texts of properties, taken together, match a query.
struct TextTest {
    let query: TextQuery
    /// The class.
    let type: any StoredObject.Type
    /// Their indices in the class.
    let properties: [Int]
    var isNegated = false

    private var schema: ObjectSchema { type.objectSchema }

    var text: String {
        let names = properties.map { schema.properties[$0].name }.joined(separator: ", ")
        return "\(names) \(isNegated ? "does not match" : "matches") \(query.text)"
    }

    func holds(_ object: any StoredObject) -> Bool {
        let forms = properties.map { TextNormalizer.form(of: schema.properties[$0].text?(object) ?? "") }
        return query.holds { pattern in forms.contains { pattern.matches($0) } } != isNegated
    }
}
