import SwiftSyntax

/// The type within an optional: `Song` of `Song?` and `Optional<Song>`; `nil` for another type.
func optionalWrapped(_ type: TypeSyntax) -> TypeSyntax? {
    if let optional = type.as(OptionalTypeSyntax.self) { return withoutParentheses(optional.wrappedType) }
    guard let (name, arguments) = generic(type), name == "Optional", arguments.count == 1 else { return nil }
    return arguments[0]
}

/// The elements' type of `[Song]` and `Array<Song>`.
func arrayElement(_ type: TypeSyntax) -> TypeSyntax? {
    if let array = type.as(ArrayTypeSyntax.self) { return array.element.trimmed }
    guard let (name, arguments) = generic(type), name == "Array", arguments.count == 1 else { return nil }
    return arguments[0]
}

/// Name and arguments of a generic type, without a module or outer type.
func generic(_ type: TypeSyntax) -> (name: String, arguments: [TypeSyntax])? {
    let name: String
    let clause: GenericArgumentClauseSyntax?
    if let identifier = type.as(IdentifierTypeSyntax.self) {
        (name, clause) = (identifier.name.text, identifier.genericArgumentClause)
    } else if let member = type.as(MemberTypeSyntax.self) {
        (name, clause) = (member.name.text, member.genericArgumentClause)
    } else {
        return nil
    }
    guard let clause else { return nil }
    return (name, clause.arguments.compactMap { Syntax($0.argument).as(TypeSyntax.self)?.trimmed })
}

/// `any Song` of `(any Song)`.
func withoutParentheses(_ type: TypeSyntax) -> TypeSyntax {
    guard let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first, only.firstName == nil
    else {
        return type.trimmed
    }
    return withoutParentheses(only.type)
}
