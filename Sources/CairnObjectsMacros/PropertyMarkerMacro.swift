import SwiftSyntax
import SwiftSyntaxMacros

/// `@Indexed`, `@Unique`, `@Transient` and the others: they expand to nothing; `@Stored` reads them. Anywhere else, they are an error.
struct PropertyMarkerMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let holder = context.lexicalContext.first?.asProtocol((any WithAttributesSyntax).self)
        if declaration.as(VariableDeclSyntax.self)?.isStored != true {
            context.diagnose(Problem("marker", at: node, "@\(node.simpleName) applies only to stored properties").diagnostic)
        } else if holder?.attributes.first(named: "Stored") == nil {
            let message = "@\(node.simpleName) applies only to properties of a class with @Stored"
            context.diagnose(Problem("marker", at: node, message).diagnostic)
        }
        return []
    }
}
