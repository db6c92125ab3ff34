import CairnCore
import CairnText

/// A condition on what records contain, for which the Swift class is not needed. Values compare as ``ObjectCondition`` says.
indirect enum StoredCondition {
    case always(Bool)
    /// The key of a property lies in spans.
    case value(StoredProperty, KeySpans, text: String)
    /// The texts of properties, taken together, match a query.
    case text(TextQuery, [StoredProperty], isNegated: Bool)
    /// Another test of a property.
    case other(StoredTest)
    case all([StoredCondition])
    case any([StoredCondition])
}

/// A test of a property that its keys cannot decide.
struct StoredTest {
    let property: StoredProperty
    let text: String
    /// The object that the property must refer to, if that is what it tests.
    let target: ObjectID?
    let holds: (ObjectDump.Value?) -> Bool
    var isNegated = false
}

extension StoredCondition {
    func holds(_ object: NumberedDump) -> Bool {
        switch self {
        case .always(let isTrue): return isTrue
        case .value(let property, let spans, _): return spans.contains(property.key(object))
        case .text(let query, let properties, let isNegated):
            let forms = properties.map { TextNormalizer.form(of: $0.text(object) ?? "") }
            return query.holds { pattern in forms.contains { pattern.matches($0) } } != isNegated
        case .other(let test): return test.holds(object[test.property.number]) != test.isNegated
        case .all(let parts): return parts.allSatisfy { $0.holds(object) }
        case .any(let parts): return parts.contains { $0.holds(object) }
        }
    }

    var text: String {
        switch self {
        case .always(let isTrue): "\(isTrue)"
        case .value(_, _, let text): text
        case .text(let query, let properties, let isNegated):
            "\(properties.map(\.name).joined(separator: ", ")) \(isNegated ? "does not match" : "matches") \(query.text)"
        case .other(let test): test.isNegated ? "not (\(test.text))" : test.text
        case .all(let parts): parts.map { if case .any = $0 { "(\($0.text))" } else { $0.text } }.joined(separator: " and ")
        case .any(let parts): parts.map { if case .all = $0 { "(\($0.text))" } else { $0.text } }.joined(separator: " or ")
        }
    }

    /// The conditions that must all hold.
    var parts: [StoredCondition] {
        switch self {
        case .all(let parts): parts
        case .always(true): []
        default: [self]
        }
    }

    /// The negation; it moves inward, so that indexes can answer it.
    var negated: StoredCondition {
        switch self {
        case .always(let isTrue): return .always(!isTrue)
        case .value(let property, let spans, let text): return .value(property, spans.complement, text: "not (\(text))")
        case .text(let query, let properties, let isNegated): return .text(query, properties, isNegated: !isNegated)
        case .other(var test):
            test.isNegated.toggle()
            return .other(test)
        case .all(let parts): return .anyOf(parts.map(\.negated))
        case .any(let parts): return .allOf(parts.map(\.negated))
        }
    }

    /// All of the conditions; those on the values of one property are merged.
    static func allOf(_ conditions: [StoredCondition]) -> StoredCondition {
        let parts = merged(conditions.flatMap(\.parts)) { one, other in
            guard case .value(let property, let spans, let text) = one, case .value(_, let more, let moreText) = other else { return nil }
            return .value(property, spans.intersection(more), text: "\(text) and \(moreText)")
        }
        let isNever = parts.contains {
            switch $0 {
            case .always(let isTrue): !isTrue
            case .value(_, let spans, _): spans.isEmpty
            default: false
            }
        }
        return isNever ? .always(false) : parts.isEmpty ? .always(true) : parts.count == 1 ? parts[0] : .all(parts)
    }

    /// Any of the conditions.
    static func anyOf(_ conditions: [StoredCondition]) -> StoredCondition {
        let sides = conditions.flatMap { if case .any(let sides) = $0 { sides } else { [$0] } }
        let parts = merged(sides.filter { if case .always(false) = $0 { false } else { true } }) { one, other in
            guard case .value(let property, let spans, let text) = one, case .value(_, let more, let moreText) = other else { return nil }
            return .value(property, spans.union(more), text: "(\(text) or \(moreText))")
        }
        if parts.contains(where: { if case .always(true) = $0 { true } else { false } }) { return .always(true) }
        return parts.isEmpty ? .always(false) : parts.count == 1 ? parts[0] : .any(parts)
    }

    private static func merged(_ conditions: [StoredCondition], _ merge: (Self, Self) -> Self?) -> [StoredCondition] {
        var parts: [StoredCondition] = []
        for condition in conditions {
            let place = parts.firstIndex { $0.valueNumber != nil && $0.valueNumber == condition.valueNumber }
            if let place, let both = merge(parts[place], condition) { parts[place] = both } else { parts.append(condition) }
        }
        return parts
    }

    /// The field whose key it tests.
    private var valueNumber: Int? { if case .value(let property, _, _) = self { property.number } else { nil } }
}
