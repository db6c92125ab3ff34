import SwiftDiagnostics
import SwiftSyntax

/// Something that `@Stored` cannot do or warns about, its place, and the repair if that is obvious.
struct Problem {
    struct Repair {
        let message: String
        let changes: [FixIt.Change]
    }

    let node: Syntax
    /// A name for tests and tools; never changes.
    let id: String
    let message: String
    let repairs: [Repair]
    let severity: DiagnosticSeverity

    init(
        _ id: String,
        at node: some SyntaxProtocol,
        _ message: String,
        repairs: [Repair] = [],
        severity: DiagnosticSeverity = .error
    ) {
        self.node = Syntax(node)
        self.id = id
        self.message = message
        self.repairs = repairs
        self.severity = severity
    }

    var diagnostic: Diagnostic {
        Diagnostic(node: node, message: Message(id: id, message: message, severity: severity), fixIts: repairs.map(\.fixIt))
    }

    private struct Message: DiagnosticMessage {
        let id: String
        let message: String
        var diagnosticID: MessageID { MessageID(domain: "CairnObjects", id: id) }
        let severity: DiagnosticSeverity
    }
}

extension Problem.Repair {
    /// Replaces `old` with `new`; the text around it stays.
    static func replace(_ old: some SyntaxProtocol, with new: some SyntaxProtocol, _ message: String) -> Self {
        var new = Syntax(new)
        new.leadingTrivia = old.leadingTrivia
        new.trailingTrivia = old.trailingTrivia
        return Self(message: message, changes: [.replace(oldNode: Syntax(old), newNode: new)])
    }

    /// Writes a word and a space before `token`.
    static func prefix(_ token: TokenSyntax?, with word: String) -> [FixIt.Change] {
        guard let token else { return [] }
        let prefixed = TokenSyntax.identifier(
            "\(word) \(token.text)",
            leadingTrivia: token.leadingTrivia,
            trailingTrivia: token.trailingTrivia
        )
        return [.replace(oldNode: Syntax(token), newNode: Syntax(prefixed))]
    }

    /// Removes an attribute, and the space after it.
    static func remove(_ attribute: AttributeSyntax) -> Self {
        let nothing = TokenSyntax.identifier("", leadingTrivia: attribute.leadingTrivia)
        return Self(
            message: "remove '@\(attribute.simpleName)'",
            changes: [.replace(oldNode: Syntax(attribute), newNode: Syntax(nothing))]
        )
    }

    fileprivate var fixIt: FixIt {
        FixIt(message: Message(message: message), changes: changes)
    }

    private struct Message: FixItMessage {
        let message: String
        var fixItID: MessageID { MessageID(domain: "CairnObjects", id: message) }
    }
}
