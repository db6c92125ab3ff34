import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@_StoredProperty(index)`, which `@Stored` writes at each stored property: accessors that keep track, and the storage.
struct StoredPropertyMacro {}

extension StoredPropertyMacro: AccessorMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let (property, index) = property(node, declaration) else { return [] }
        return property.accessors(index: index)
    }
}

extension StoredPropertyMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let (property, index) = property(node, declaration) else { return [] }
        return property.peers(index: index)
    }
}

extension StoredPropertyMacro {
    private static func property(_ node: AttributeSyntax, _ declaration: some DeclSyntaxProtocol) -> (StoredProperty, index: Int)? {
        guard case .argumentList(let arguments) = node.arguments, let first = arguments.first,
            let index = Int(first.expression.trimmedDescription),
            let variable = declaration.as(VariableDeclSyntax.self), case .stored(let property) = StoredProperty.read(variable)
        else { return nil }
        return (property, index)
    }
}
