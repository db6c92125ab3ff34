import SwiftSyntax

/// A stored property of a class with `@Stored`, as it was written.
struct StoredProperty {
    /// How the store keeps it.
    enum Kind: Equatable {
        /// A value, by way of `StoredValue` or `Codable`.
        case value
        /// `Target?`
        case toOne(target: String)
        /// `[Target]`, `ObjectList<Target>`, `ObjectSet<Target>`, `ObjectDictionary<Key, Target>`
        case toMany(Collection)
    }

    /// A property that leads to many objects.
    struct Collection: Equatable {
        enum Shape: String { case list, set, dictionary }
        let shape: Shape
        /// The type to make of storage and owner: `ObjectList<Song>`.
        let type: String
        /// The class of the objects, or a protocol.
        let target: String
        /// Whether the property is declared as an array, and the live list is a peer.
        let isArray: Bool
    }

    let declaration: VariableDeclSyntax
    let binding: PatternBindingSyntax
    let name: PropertyName
    let type: TypeSyntax
    let kind: Kind
    let markers: PropertyMarkers
    let access: AccessLevel

    /// The declared initial value.
    var initialValue: ExprSyntax? { binding.initializer?.value }

    /// Whether its initial value is `nil`, explicitly or not.
    var beginsWithNil: Bool {
        optionalWrapped(type) != nil && (initialValue == nil || initialValue?.is(NilLiteralExprSyntax.self) == true)
    }

    /// Whether the storage is of the declared type, which is an optional, with `nil` for both "no value" and "not read yet".
    var isStoredAsDeclared: Bool {
        kind == .value && beginsWithNil
    }

    /// Whether making an object needs no value for it.
    var hasDefault: Bool {
        switch kind {
        case .value: initialValue != nil || beginsWithNil
        case .toOne, .toMany: true
        }
    }

    /// The class that a relationship leads to, or a protocol.
    var target: String? {
        switch kind {
        case .value: nil
        case .toOne(let target): target
        case .toMany(let collection): collection.target
        }
    }

    var isRelationship: Bool {
        if case .value = kind { false } else { true }
    }

    /// The initial value as an optional, for use where a value is missing; without one, the blank value is used.
    var fallback: String {
        guard !beginsWithNil, let initialValue else { return "nil" }
        return ".some(\(initialValue.trimmed))"
    }
}

/// The name of a property, in the spellings that the expansion needs.
struct PropertyName: Equatable {
    /// As declared, with backticks where they are.
    let declared: String
    /// Without backticks.
    let text: String

    init(_ token: TokenSyntax) {
        declared = token.text
        text = declared.trimmingBackticks
    }

    /// The name of the storage.
    var storage: String { spelled("_" + text) }
    /// The name of the live list of an array.
    var projected: String { spelled("$" + text) }

    /// Names that are more than letters and digits stay within backticks.
    private func spelled(_ name: String) -> String {
        name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" } ? name : "`\(name)`"
    }
}

extension String {
    var trimmingBackticks: String {
        hasPrefix("`") && hasSuffix("`") && count > 1 ? String(dropFirst().dropLast()) : self
    }
}
