// Makes a sorted list, a line for each public declaration, of what `swift symbolgraph-extract` wrote.
// usage: api MODULE HOW-MADE FILE...
import Foundation

struct Graph: Decodable {
    let symbols: [Symbol]
    let relationships: [Relationship]
}

struct Symbol: Decodable {
    struct Identifier: Decodable { let precise: String }
    struct Fragment: Decodable { let spelling: String }
    struct Extension: Decodable { let constraints: [Constraint]? }
    let identifier: Identifier
    let pathComponents: [String]
    let declarationFragments: [Fragment]
    let swiftExtension: Extension?

    var path: String { pathComponents.joined(separator: ".") }
}

struct Constraint: Decodable {
    let kind: String
    let lhs: String
    let rhs: String
    var text: String { "\(lhs)\(kind == "sameType" ? " ==" : ":") \(rhs)" }
}

struct Relationship: Decodable {
    let kind: String
    let source: String
    let target: String
    let targetFallback: String?
    let swiftConstraints: [Constraint]?
}

func conditions(_ constraints: [Constraint]?) -> String {
    let texts = (constraints ?? []).map(\.text).sorted()
    return texts.isEmpty ? "" : " where " + texts.joined(separator: ", ")
}

let arguments = Array(CommandLine.arguments.dropFirst())
var lines: Set<String> = []
for file in arguments.dropFirst(2) {
    let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    var names: [String: String] = [:]
    for symbol in graph.symbols {
        names[symbol.identifier.precise] = symbol.path
        let declaration = symbol.declarationFragments.map(\.spelling).joined().split { $0 == "\n" || $0 == " " }.joined(separator: " ")
        // Where an extension has conditions, the declaration alone does not tell them.
        lines.insert("\(symbol.path) | \(declaration)\(conditions(symbol.swiftExtension?.constraints))")
    }
    for relationship in graph.relationships where relationship.kind == "conformsTo" {
        guard let source = names[relationship.source] else { continue }
        let target = names[relationship.target] ?? relationship.targetFallback ?? relationship.target
        lines.insert("\(source) : \(target)\(conditions(relationship.swiftConstraints))")
    }
}
print("# Public declarations of \(arguments[0]), made by scripts/api/run \(arguments[1])")
for line in lines.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) { print(line) }
