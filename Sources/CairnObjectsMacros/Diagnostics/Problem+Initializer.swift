import SwiftDiagnostics
import SwiftSyntax

extension StoredClass {
    /// Warnings about relationships that an initializer assigns before the object has all its values. Until then, the compiler calls init accessors, which
    /// do not have the object: then it is not inserted into the context of the objects that it refers to.
    func initializerWarnings(of declaration: ClassDeclSyntax) -> [Problem] {
        declaration.memberBlock.members.compactMap { $0.decl.as(InitializerDeclSyntax.self)?.body }.flatMap { body -> [Problem] in
            let finder = AssignmentFinder(viewMode: .sourceAccurate)
            finder.walk(body)
            let assigned = finder.targets.compactMap { target in
                properties.first { $0.name.text == target.name }.map { (property: $0, node: target.node) }
            }
            guard let last = assigned.lastIndex(where: { !$0.property.hasDefault }) else { return [] }
            return assigned[..<last].filter(\.property.isRelationship).map { property, node in
                Problem(
                    "initializer-order",
                    at: node,
                    "assign '\(property.name.text)' after '\(assigned[last].property.name.text)': a new object joins the context of the objects that it refers to only once it has all its values",
                    severity: .warning
                )
            }
        }
    }
}

/// Finds what a function assigns, in the order of the text.
private final class AssignmentFinder: SyntaxVisitor {
    private(set) var targets: [(name: String, node: Syntax)] = []

    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
        if let first = node.elements.first, node.elements.dropFirst().first?.is(AssignmentExprSyntax.self) == true { add(first) }
        return .visitChildren
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.is(AssignmentExprSyntax.self) { add(node.leftOperand) }
        return .visitChildren
    }

    private func add(_ target: ExprSyntax) {
        if let member = target.as(MemberAccessExprSyntax.self), member.base?.trimmedDescription == "self" {
            targets.append((member.declName.baseName.text.trimmingBackticks, Syntax(target)))
        } else if let name = target.as(DeclReferenceExprSyntax.self)?.baseName.text {
            targets.append((name.trimmingBackticks, Syntax(target)))
        }
    }
}
