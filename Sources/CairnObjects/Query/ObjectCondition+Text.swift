#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ObjectCondition {
    /// Text that begins with `prefix`, by Unicode scalars. An index is used.
    public static func hasPrefix(_ keyPath: KeyPath<Object, String>, _ prefix: String) -> ObjectCondition {
        ObjectCondition(keyPath, KeySpans(prefix: prefix), "begins with \(ConditionText.value(prefix))")
    }

    /// Text that begins with `prefix`; not `nil`.
    public static func hasPrefix(_ keyPath: KeyPath<Object, String?>, _ prefix: String) -> ObjectCondition {
        ObjectCondition(keyPath, KeySpans(prefix: prefix), "begins with \(ConditionText.value(prefix))")
    }

    /// Text that ends with `suffix`, by Unicode scalars. Each object is asked.
    public static func hasSuffix(_ keyPath: KeyPath<Object, String>, _ suffix: String) -> ObjectCondition {
        text(keyPath, "ends with", suffix, { $0 }) { $0.ends(with: $1) }
    }

    /// Text that ends with `suffix`; not `nil`.
    public static func hasSuffix(_ keyPath: KeyPath<Object, String?>, _ suffix: String) -> ObjectCondition {
        text(keyPath, "ends with", suffix, { $0 }) { $0.ends(with: $1) }
    }

    /// Text with `part` in it, by Unicode scalars. Each object is asked.
    ///
    /// - Parameters:
    ///   - keyPath: A property that holds text.
    ///   - part: What must be in it; empty text is in any.
    ///   - ignoringCase: Whether upper and lower case are the same, by Unicode's mapping, whatever the language. Default: false.
    public static func contains(_ keyPath: KeyPath<Object, String>, _ part: String, ignoringCase: Bool = false) -> ObjectCondition {
        text(keyPath, ignoringCase ? "contains, in any case," : "contains", part, ignoringCase ? { $0.lowercased() } : { $0 }) {
            $0.contains($1)
        }
    }

    /// Text with `part` in it; not `nil`.
    public static func contains(_ keyPath: KeyPath<Object, String?>, _ part: String, ignoringCase: Bool = false) -> ObjectCondition {
        text(keyPath, ignoringCase ? "contains, in any case," : "contains", part, ignoringCase ? { $0.lowercased() } : { $0 }) {
            $0.contains($1)
        }
    }

    /// Text that is `value` but for upper and lower case, by Unicode's mapping. Each object is asked.
    public static func isEqualIgnoringCase(_ keyPath: KeyPath<Object, String>, _ value: String) -> ObjectCondition {
        text(keyPath, "is, in any case,", value, { $0.lowercased() }) { $0.elementsEqual($1) }
    }

    /// Text that is `value` but for upper and lower case; not `nil`.
    public static func isEqualIgnoringCase(_ keyPath: KeyPath<Object, String?>, _ value: String) -> ObjectCondition {
        text(keyPath, "is, in any case,", value, { $0.lowercased() }) { $0.elementsEqual($1) }
    }

    private static func text<Value>(
        _ keyPath: KeyPath<Object, Value>,
        _ what: String,
        _ wanted: String,
        _ fold: @escaping (String) -> String,
        _ test: @escaping (String.UTF8View, String.UTF8View) -> Bool
    ) -> ObjectCondition {
        let folded = fold(wanted)
        return ObjectCondition(keyPath, "\(what) \(ConditionText.value(wanted))") { object in
            guard let value = object[keyPath: keyPath] as? String else { return false }
            return test(fold(value).utf8, folded.utf8)
        }
    }
}

extension String.UTF8View {
    /// Whether `part` is in here.
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
