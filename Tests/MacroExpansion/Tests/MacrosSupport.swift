import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import CairnObjectsMacros

/// The macros by the names under which `CairnObjects` declares them.
private let macroSpecs: [String: MacroSpec] = {
    var specs = ["_StoredProperty": MacroSpec(type: StoredPropertyMacro.self)]
    specs["Stored"] = MacroSpec(type: StoredMacro.self, conformances: ["StoredObject"])
    for name in ["Indexed", "Unique", "Searchable", "Transient", "Relationship"] { specs[name] = MacroSpec(type: PropertyMarkerMacro.self) }
    return specs
}()

/// Expects that `source` becomes `expanded`.
func expect(
    _ source: String,
    becomes expanded: String,
    diagnostics: [DiagnosticSpec] = [],
    applying fixIts: [String]? = nil,
    fixed: String? = nil,
    location: Testing.SourceLocation = #_sourceLocation
) {
    assertMacroExpansion(
        source,
        expandedSource: expanded,
        diagnostics: diagnostics,
        macroSpecs: macroSpecs,
        applyFixIts: fixIts,
        fixedSource: fixed,
        failureHandler: { Issue.record(Comment(rawValue: $0.message), sourceLocation: location) }
    )
}

/// A declaration that the macro refuses.
struct Refusal: CustomTestStringConvertible, Sendable {
    /// The text, with `‸` before what is refused.
    let marked: String
    let id: String
    let message: String
    var fixIt: String?
    var fixed: String?

    init(_ marked: String, _ id: String, _ message: String, fixIt: String? = nil, fixed: String? = nil) {
        self.marked = marked
        self.id = id
        self.message = message
        self.fixIt = fixIt
        self.fixed = fixed
    }

    var testDescription: String { "\(id): \(source)" }
    var source: String { marked.replacing("‸", with: "") }

    private var place: (line: Int, column: Int) {
        let before = marked.prefix { $0 != "‸" }
        let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
        return (lines.count, lines[lines.count - 1].utf8.count + 1)
    }

    /// Expects one diagnostic at the mark, that nothing is added to the declaration, and that the fix-it repairs it.
    func check() {
        let diagnostic = DiagnosticSpec(
            id: .init(domain: "CairnObjects", id: id),
            message: message,
            line: place.line,
            column: place.column,
            fixIts: fixIt.map { [FixItSpec(message: $0)] } ?? []
        )
        let unchanged = source.replacing(/@(Stored|Indexed|Unique|Searchable|Transient|Relationship)(\([^)]*\))?\s/, with: "")
        expect(source, becomes: unchanged, diagnostics: [diagnostic], applying: fixIt.map { [$0] }, fixed: fixed)
    }
}
