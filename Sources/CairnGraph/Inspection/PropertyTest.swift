import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes the tests of a property that a condition asks for.
struct PropertyTest {
    /// Where a part of a text must be.
    enum End { case start, end }

    private let property: StoredProperty

    init(_ property: StoredProperty) { self.property = property }

    private func failure(_ message: String, _ token: ConditionToken) -> ConditionTextError {
        ConditionTextError(message: message, position: token.place)
    }

    private func other(_ text: String, target: ObjectID? = nil, _ holds: @escaping (ObjectDump.Value?) -> Bool) -> StoredCondition {
        .other(StoredTest(property: property, text: "\(property.name) \(text)", target: target, holds: holds))
    }

    // MARK: Comparing

    func compared(_ comparison: ValueComparison, _ token: ConditionToken) throws(ConditionTextError) -> StoredCondition {
        let text = "\(comparison.text) \(Self.text(token))"
        let isNil = token.isKeyword("nil")
        guard !isNil || comparison == .equal else { throw failure("nil can only be compared with = and !=", token) }
        switch property.kind {
        case .value(let type):
            if isNil {
                guard !type.hasKeys else { return .value(property, .null, text: "\(property.name) \(text)") }
                guard type.wrapped != type else { return .always(false) }
                return other(text) { ($0 ?? .value(.null)) == .value(.null) }
            }
            let value = try value(token, type)
            if let spans = KeySpans(comparison, TypedValue(value, type)) {
                return .value(property, spans, text: "\(property.name) \(text)")
            }
            if case .decimal(let digits) = value, let number = DecimalText.number(digits) {
                return other(text) { Self.decimal($0).map { comparison.holds($0, number) } ?? false }
            }
            guard comparison == .equal else { throw failure("values of type \(type.phrase) have no order here", token) }
            return other(text) { $0 == .value(value) }
        case .one:
            guard comparison == .equal else { throw failure("references can only be compared with = and !=", token) }
            let id = isNil ? nil : try identity(token)
            return other(text, target: id) { ($0 ?? .one(nil)) == .one(id) }
        case .many: throw failure("'\(property.name)' refers to several objects; test it with 'contains'", token)
        case .derived: throw derived(token)
        case .unknown: throw unknown(token)
        }
    }

    func isIn(_ tokens: [ConditionToken]) throws(ConditionTextError) -> StoredCondition {
        var values: [StoredCondition] = []
        for token in tokens { values.append(try compared(.equal, token)) }
        var spans = KeySpans.none
        for value in values {
            guard case .value(_, let more, _) = value else { return .anyOf(values) }
            spans = spans.union(more)
        }
        let shown = tokens.prefix(5).map(Self.text).joined(separator: ", ")
        return .value(property, spans, text: "\(property.name) in (\(shown)\(tokens.count > 5 ? ", … \(tokens.count) values" : ""))")
    }

    private static func decimal(_ value: ObjectDump.Value?) -> Decimal? {
        if case .value(.decimal(let digits))? = value { DecimalText.number(digits) } else { nil }
    }

    // MARK: Parts

    func has(_ token: ConditionToken, at end: End) throws(ConditionTextError) -> StoredCondition {
        guard let type = property.type, type.isText else { throw failure("'\(property.name)' is not text", token) }
        let part = try value(token, .string)
        guard case .text(let part) = part else { return .always(false) }
        if end == .start, type.plain == .string {
            return .value(property, KeySpans(prefix: part), text: "\(property.name) begins with \(Self.text(token))")
        }
        return other("\(end == .start ? "begins" : "ends") with \(Self.text(token))") { value in
            guard case .value(.text(let text))? = value else { return false }
            return end == .start ? text.utf8.starts(with: part.utf8) : text.utf8.ends(with: part.utf8)
        }
    }

    func contains(_ token: ConditionToken) throws(ConditionTextError) -> StoredCondition {
        let text = "contains \(Self.text(token))"
        switch property.kind {
        case .value(let type):
            switch type.wrapped {
            case .array(let element), .set(let element):
                let wanted = token.isKeyword("nil") ? RecordValue.null : try value(token, element)
                guard let spans = KeySpans(.equal, TypedValue(wanted, element)) else {
                    throw failure("values of type \(element.phrase) cannot be compared here", token)
                }
                return other(text) { value in
                    guard case .value(.list(let values))? = value else { return false }
                    return values.contains { TypedValue($0, element).keyElement.map { spans.contains(KeySpans.element($0)) } ?? false }
                }
            case _ where type.isText:
                guard case .text(let part) = try value(token, .string) else { return .always(false) }
                return other(text) { value in
                    if case .value(.text(let text))? = value { text.utf8.contains(part.utf8) } else { false }
                }
            default: throw failure("'\(property.name)' is neither text nor a list of values or objects", token)
            }
        case .many:
            let id = try identity(token)
            return other(text, target: id) { value in
                switch value {
                case .many(let ids): ids.contains(id)
                case .keyed(let entries): entries.contains { $0.object == id }
                default: false
                }
            }
        case .one: throw failure("'\(property.name)' refers to one object; test it with =", token)
        case .derived: throw derived(token)
        case .unknown: throw unknown(token)
        }
    }

    // MARK: Values

    /// The value of a token, in the form of records.
    private func value(_ token: ConditionToken, _ type: StoredType) throws(ConditionTextError) -> RecordValue {
        guard token.kind == .text || !type.isText else { throw failure("text must be in quotes", token) }
        if let value = RecordValue(token.text, as: type) { return value }
        switch type.plain {
        case .array, .set, .dictionary, .codable: throw failure("values of type \(type.phrase) cannot be compared here", token)
        default: throw failure("the value \(type.refusal(of: token.text))", token)
        }
    }

    private func identity(_ token: ConditionToken) throws(ConditionTextError) -> ObjectID {
        guard let id = ObjectID(token.text) else {
            throw failure("an object is identified by the number of its class and its row, such as \"1/17\"", token)
        }
        return id
    }

    private func derived(_ token: ConditionToken) -> ConditionTextError {
        failure("'\(property.name)' is derived from its inverse, and not stored", token)
    }

    private func unknown(_ token: ConditionToken) -> ConditionTextError {
        failure("only the program knows the type of '\(property.name)'", token)
    }

    /// A value as written in the condition.
    private static func text(_ token: ConditionToken) -> String { token.kind == .text ? String(reflecting: token.text) : token.text }
}

extension StoredType {
    /// Whether its values are stored as text.
    fileprivate var isText: Bool { plain == .string || plain == .url }
}
