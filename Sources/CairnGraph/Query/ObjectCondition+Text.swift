#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ObjectCondition {
    /// Matches text that begins with `prefix`, compared by Unicode scalars. Can use an index.
    public static func hasPrefix(_ keyPath: KeyPath<Object, String>, _ prefix: String) -> ObjectCondition {
        ObjectCondition(keyPath, KeySpans(prefix: prefix), "begins with \(ConditionText.value(prefix))")
    }

    /// Matches text that begins with `prefix`; `nil` doesn't match.
    public static func hasPrefix(_ keyPath: KeyPath<Object, String?>, _ prefix: String) -> ObjectCondition {
        ObjectCondition(keyPath, KeySpans(prefix: prefix), "begins with \(ConditionText.value(prefix))")
    }

    /// Matches text that ends with `suffix`, compared by Unicode scalars. Evaluated for each object.
    public static func hasSuffix(_ keyPath: KeyPath<Object, String>, _ suffix: String) -> ObjectCondition {
        text(keyPath, "ends with", .ends, suffix)
    }

    /// Matches text that ends with `suffix`; `nil` doesn't match.
    public static func hasSuffix(_ keyPath: KeyPath<Object, String?>, _ suffix: String) -> ObjectCondition {
        text(keyPath, "ends with", .ends, suffix)
    }

    /// Matches text that contains `part`, compared by Unicode scalars. Evaluated for each object.
    ///
    /// - Parameters:
    ///   - keyPath: A property that holds text.
    ///   - part: The text to find. Any text contains the empty text.
    ///   - ignoringCase: Whether to treat upper and lower case as equal, by Unicode's mapping, whatever the language. Default: false.
    public static func contains(_ keyPath: KeyPath<Object, String>, _ part: String, ignoringCase: Bool = false) -> ObjectCondition {
        text(keyPath, ignoringCase ? "contains, ignoring case," : "contains", .contains, part, ignoringCase: ignoringCase)
    }

    /// Matches text that contains `part`; `nil` doesn't match.
    public static func contains(_ keyPath: KeyPath<Object, String?>, _ part: String, ignoringCase: Bool = false) -> ObjectCondition {
        text(keyPath, ignoringCase ? "contains, ignoring case," : "contains", .contains, part, ignoringCase: ignoringCase)
    }

    /// Matches text equal to `value` except for case, by Unicode's mapping. Evaluated for each object.
    public static func isEqualIgnoringCase(_ keyPath: KeyPath<Object, String>, _ value: String) -> ObjectCondition {
        text(keyPath, "is, ignoring case,", .equals, value, ignoringCase: true)
    }

    /// Matches text equal to `value` except for case; `nil` doesn't match.
    public static func isEqualIgnoringCase(_ keyPath: KeyPath<Object, String?>, _ value: String) -> ObjectCondition {
        text(keyPath, "is, ignoring case,", .equals, value, ignoringCase: true)
    }

    private static func text<Value>(
        _ keyPath: KeyPath<Object, Value>,
        _ what: String,
        _ test: TextPartTest,
        _ wanted: String,
        ignoringCase: Bool = false
    ) -> ObjectCondition {
        let part = ignoringCase ? wanted.lowercased() : wanted
        let place = PropertyPlace(keyPath)
        let isOptional = Value.self is any OptionalType.Type
        var recordTest: (() -> RecordTest)?
        if let index = place.index, place.isValue {
            recordTest = { RecordTest.TextPart(index, test, part, ignoresCase: ignoringCase, isOptional: isOptional) }
        }
        return ObjectCondition(
            .other(
                OtherTest(
                    "\(place.name) \(what) \(ConditionText.value(wanted))",
                    isForeign: !place.isValue,
                    recordTest: recordTest
                ) { (object: Object) in
                    guard let value = object[keyPath: keyPath] as? String else { return false }
                    return test.holds((ignoringCase ? value.lowercased() : value).utf8, part.utf8)
                }
            )
        )
    }
}

extension String.UTF8View {
    /// Whether the text contains `part`.
    func contains(_ part: String.UTF8View) -> Bool {
        guard let first = part.first else { return true }
        var rest = self[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: part) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    func ends(with part: String.UTF8View) -> Bool { suffix(part.count).elementsEqual(part) }
}
