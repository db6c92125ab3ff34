#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Parts of predicates as text, for explanations and errors.
///
/// Foundation's own descriptions are trees with addresses in them. The parts are read through their mirrors, because a protocol for them
/// would need a conformance for each.
enum PredicateText {
    static func text(_ part: Any) -> String {
        let mirror = Mirror(reflecting: part)
        var parts: [String: Any] = [:]
        for child in mirror.children { if let label = child.label { parts[label] = child.value } }
        func text(_ label: String) -> String { parts[label].map { Self.text($0) } ?? "?" }
        let type = String("\(mirror.subjectType)".prefix { $0 != "<" })
        if let symbol = symbols[type] { return "\(text("lhs")) \(symbol) \(text("rhs"))" }
        switch type {
        case "Comparison", "Arithmetic": return "\(text("lhs")) \(operators["\(parts["op"] ?? "")"] ?? "?") \(text("rhs"))"
        case "Negation": return "not (\(text("wrapped")))"
        case "UnaryMinus": return "-\(text("wrapped"))"
        case "Variable": return "it"
        case "Value": return parts["value"].map { ConditionText.value($0) } ?? "?"
        case "NilLiteral": return "nil"
        case "KeyPath": return parts["root"].map { property(parts["keyPath"], of: $0) } ?? "?"
        case "ForcedUnwrap", "ForceCast", "ConditionalCast": return text(parts["inner"] == nil ? "input" : "inner")
        case "OptionalFlatMap": return "\(text("wrapped")): \(text("transform"))"
        case "NilCoalesce": return "\(text("lhs")) ?? \(text("rhs"))"
        case "Conditional": return "\(text("test")) ? \(text("trueBranch")) : \(text("falseBranch"))"
        case "SequenceContains": return "\(text("sequence")) contains \(text("element"))"
        case "SequenceContainsWhere": return "\(text("sequence")) contains one with (\(text("test")))"
        case "SequenceAllSatisfy": return "all of \(text("sequence")): (\(text("test")))"
        case "Filter": return "those of \(text("sequence")) with (\(text("filter")))"
        case "CollectionContainsCollection": return "\(text("base")) contains \(text("other"))"
        case "SequenceStartsWith": return "\(text("base")) begins with \(text("prefix"))"
        case "RangeExpressionContains": return "\(text("range")) contains \(text("element"))"
        case "Range", "ClosedRange": return "\(text("lower"))\(type == "Range" ? "..<" : "...")\(text("upper"))"
        case "LeadsToObject": return "\(text("relationship")) refers to \(text("object"))"
        case "ContainsObject": return "\(text("sequence")) contains \(text("object"))"
        case "StoredObjectValue": return "\(part)"
        default: return "\(type)(\(mirror.children.filter { $0.label != "variable" }.map { Self.text($0.value) }.joined(separator: ", ")))"
        }
    }

    private static let symbols = ["Equal": "=", "NotEqual": "!=", "Conjunction": "and", "Disjunction": "or"]
    private static let operators = [
        "lessThan": "<", "lessThanOrEqual": "<=", "greaterThan": ">", "greaterThanOrEqual": ">=", "add": "+", "subtract": "-",
        "multiply": "*",
    ]

    private static func property(_ keyPath: Any?, of root: Any) -> String {
        guard let keyPath = keyPath as? AnyKeyPath else { return text(root) }
        let name = name(keyPath)
        let root = text(root)
        return root == "it" ? name : "\(root).\(name)"
    }

    private static func name(_ keyPath: AnyKeyPath) -> String {
        if let type = type(of: keyPath).rootType as? any StoredObject.Type {
            let schema = type.objectSchema
            if let index = schema.indexOfKeyPath[keyPath] { return schema.properties[index].name }
        }
        return KeyPathText.computed("\(type(of: keyPath).valueType)", of: type(of: keyPath).rootType)
    }
}
