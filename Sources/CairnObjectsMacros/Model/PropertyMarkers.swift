import SwiftSyntax

/// The attributes that say how a property is stored.
struct PropertyMarkers {
    var indexed: AttributeSyntax?
    var unique: AttributeSyntax?
    var transient: AttributeSyntax?
    var searchable: AttributeSyntax?
    var relationship: AttributeSyntax?
    var stored: AttributeSyntax?

    static let names: Set<String> = ["Indexed", "Unique", "Transient", "Searchable", "Relationship", "Stored"]

    init(_ attributes: AttributeListSyntax) {
        for element in attributes {
            guard let attribute = element.as(AttributeSyntax.self) else { continue }
            switch attribute.simpleName {
            case "Indexed": indexed = attribute
            case "Unique": unique = attribute
            case "Transient": transient = attribute
            case "Searchable": searchable = attribute
            case "Relationship": relationship = attribute
            case "Stored": stored = attribute
            default: continue
            }
        }
    }

    /// The attributes that ask for something to be stored.
    var storing: [AttributeSyntax] { [indexed, unique, searchable, relationship, stored].compactMap(\.self) }

    /// `\Album.songs`
    var inverse: ExprSyntax? { relationship?.argument("inverse") }
    var deleteRule: ExprSyntax? { relationship?.argument("onDelete") }
    /// The name that the property had before, a literal.
    var originalName: ExprSyntax? { stored?.argument("originalName") }
}

extension AttributeSyntax {
    /// The name without a module.
    var simpleName: String {
        if let identifier = attributeName.as(IdentifierTypeSyntax.self) { return identifier.name.text }
        if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
        return ""
    }

    /// The argument with a label, unless it is `nil`.
    func argument(_ label: String) -> ExprSyntax? {
        guard case .argumentList(let list) = arguments, let argument = list.first(where: { $0.label?.text == label }) else { return nil }
        return argument.expression.is(NilLiteralExprSyntax.self) ? nil : argument.expression
    }
}

extension AttributeListSyntax {
    func first(named name: String) -> AttributeSyntax? {
        lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.simpleName == name }
    }
}
