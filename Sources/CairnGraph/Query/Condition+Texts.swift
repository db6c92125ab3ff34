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
