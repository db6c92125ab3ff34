import CairnCore

/// What an aggregate computes, and from which property.
struct AggregatePart {
    enum Kind {
        case count, sum, average, min, max
    }

    let kind: Kind
    /// `nil` to count objects.
    let property: ConditionProperty?
    /// The values that may be the least or the greatest.
    let values: KeySpans

    init(_ kind: Kind, _ property: ConditionProperty?, _ values: KeySpans = .notNull) {
        (self.kind, self.property, self.values) = (kind, property, values)
    }

    var isExtreme: Bool { kind == .min || kind == .max }
}

/// What is computed from the matches of a query.
struct AggregateQuery {
    let parts: [AggregatePart]
    let isGrouped: Bool
    /// The properties needed, each once; the property of the groups comes first.
    let properties: [ConditionProperty]
    /// The place of each property in a key of these properties alone.
    let places: [Int]
    /// The place of each part's property in `properties`; -1 if the part has none.
    let propertyOfPart: [Int]
    // The kinds of the parts: taking a part out of its array would count references.
    let kinds: [AggregatePart.Kind]
    let values: [KeySpans]

    init(_ parts: [AggregatePart], by group: ConditionProperty?) {
        self.parts = parts
        kinds = parts.map(\.kind)
        values = parts.map(\.values)
        isGrouped = group != nil
        var properties = group.map { [$0] } ?? []
        propertyOfPart = parts.map { part in
            guard let property = part.property else { return -1 }
            if let place = properties.firstIndex(where: { $0.keyPath == property.keyPath }) { return place }
            properties.append(property)
            return properties.count - 1
        }
        self.properties = properties
        places = Array(properties.indices)
    }

    /// The only part, if it asks for the least or greatest value of all.
    var extreme: AggregatePart? { !isGrouped && parts.count == 1 && parts[0].isExtreme ? parts[0] : nil }
}
