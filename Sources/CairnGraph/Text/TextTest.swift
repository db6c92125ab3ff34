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

extension Condition {
    /// The text tests that must all hold, and the rest of the condition.
    var textsApart: (texts: [TextTest], others: Condition) {
        let parts = if case .all(let parts) = self { parts } else { [self] }
        var texts: [TextTest] = []
        var others: [Condition] = []
        for part in parts { if case .text(let test) = part { texts.append(test) } else { others.append(part) } }
        return (texts, .allOf(others))
    }
}
