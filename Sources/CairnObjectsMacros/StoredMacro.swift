import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Stored` on a class, and `@Stored(originalName:)` on one of its properties.
///
/// - Members: state, codec, schema, initializers. This role reports what is wrong with a class; the others then do nothing.
/// - Attributes of members: `@_StoredProperty(index)` at each property that is stored.
/// - Extension: the conformance.
struct StoredMacro {}

extension StoredMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let declaration = declaration.as(ClassDeclSyntax.self) else { return [] }
        let stored = StoredClass(declaration, attribute: node)
        let problems = stored.problems + Self.contextProblems(of: declaration, in: context)
        for problem in problems + stored.initializerWarnings(of: declaration) { context.diagnose(problem.diagnostic) }
        return problems.isEmpty ? stored.members : []
    }

    /// What is wrong with the place where the class is declared.
    private static func contextProblems(of declaration: ClassDeclSyntax, in context: some MacroExpansionContext) -> [Problem] {
        for outer in context.lexicalContext {
            if outer.isCode { return [.local(declaration)] }
            if outer.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil {
                return [.genericContext(declaration)]
            }
        }
        return []
    }

    fileprivate static func isSound(_ declaration: ClassDeclSyntax, _ node: AttributeSyntax, in context: some MacroExpansionContext)
        -> StoredClass?
    {
        let stored = StoredClass(declaration, attribute: node)
        return stored.problems.isEmpty && contextProblems(of: declaration, in: context).isEmpty ? stored : nil
    }
}

extension StoredMacro: MemberAttributeMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        guard let declaration = declaration.as(ClassDeclSyntax.self), let variable = member.as(VariableDeclSyntax.self), variable.isStored,
            variable.attributes.first(named: "Transient") == nil,
            let stored = isSound(declaration, node, in: context), let index = stored.index(of: variable)
        else { return [] }
        return ["@_StoredProperty(\(raw: index))"]
    }
}

extension StoredMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let declaration = declaration.as(ClassDeclSyntax.self) else {
            // Here, because the members of an enumeration are expanded only when one is used.
            context.diagnose(Problem.notClass(declaration).diagnostic)
            return []
        }
        guard !protocols.isEmpty, isSound(declaration, node, in: context) != nil else { return [] }
        return [try ExtensionDeclSyntax("extension \(type.trimmed): nonisolated CairnGraph.StoredObject {}")]
    }
}

extension Syntax {
    /// Whether it is something that runs: a function, an initializer, an accessor, a closure.
    fileprivate var isCode: Bool {
        self.is(FunctionDeclSyntax.self) || self.is(InitializerDeclSyntax.self) || self.is(DeinitializerDeclSyntax.self)
            || self.is(AccessorDeclSyntax.self) || self.is(SubscriptDeclSyntax.self) || self.is(ClosureExprSyntax.self)
            || self.is(VariableDeclSyntax.self)
    }
}
