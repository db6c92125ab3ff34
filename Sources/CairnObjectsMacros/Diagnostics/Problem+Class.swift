import SwiftSyntax
import SwiftSyntaxBuilder

extension StoredClass {
    /// What is wrong with the class itself.
    func classProblems(of declaration: ClassDeclSyntax) -> [Problem] {
        var problems: [Problem] = []
        if !declaration.modifiers.contains(where: { $0.name.tokenKind == .keyword(.final) }) {
            problems.append(.notFinal(declaration))
        }
        if let clause = declaration.genericParameterClause {
            let message = "a generic class cannot be stored: the store identifies a class by a single name"
            problems.append(Problem("generic", at: clause, message))
        }
        if let actor = declaration.attributes.first(where: \.isActor) {
            problems.append(
                Problem(
                    "isolated",
                    at: actor,
                    "a stored class cannot be isolated to an actor: its objects are used where their context is; isolate the context instead"
                )
            )
        }
        if let superclass = declaration.plainSuperclass {
            problems.append(
                Problem("superclass", at: superclass, "a stored class cannot have a superclass; use a protocol for what classes share")
            )
        }
        return problems
    }

    /// Two properties under one name.
    func propertyProblems() -> [Problem] {
        var names: [String: Int] = [:]
        for property in properties { names[property.name.text, default: 0] += 1 }
        var formerNames: Set<String> = []
        return properties.compactMap { property in
            guard let given = property.markers.originalName, let former = given.literalText else { return nil }
            if names[former] != nil || !formerNames.insert(former).inserted {
                return Problem("original-name", at: given, "'\(former)' is the name of another property")
            }
            return nil
        }
    }

    /// What is wrong with the arguments of `@Stored`.
    func argumentProblems() -> [Problem] {
        var problems: [Problem] = []
        if let argument = attribute.argument("name"), argument.literalText?.isEmpty ?? true {
            problems.append(Problem("class-name", at: argument, "the name in the store \(Problem.literalRule)"))
        }
        if let argument = attribute.argument("version"), argument.trimmedDescription == "0" {
            problems.append(Problem("version", at: argument, "versions begin with 1"))
        }
        if let argument = attribute.argument("indexes") { problems += indexProblems(argument) }
        return problems
    }

    private func indexProblems(_ argument: ExprSyntax) -> [Problem] {
        guard let indexes = compoundIndexes else {
            return [Problem("indexes", at: argument, "indexes: must be an array of arrays of literals, such as [[\"artist\", \"title\"]]")]
        }
        var problems: [Problem] = []
        var seen: Set<[String]> = Set(properties.filter { $0.markers.indexed != nil || $0.markers.unique != nil }.map { [$0.name.text] })
        for index in indexes {
            var names: Set<String> = []
            for (name, literal) in index {
                if let problem = problem(with: name, literal, isFirst: names.insert(name).inserted) { problems.append(problem) }
            }
            guard let first = index.first else {
                problems.append(Problem("indexes", at: argument, "an index needs at least one property"))
                continue
            }
            if !seen.insert(index.map(\.name)).inserted {
                problems.append(Problem("indexes", at: first.literal, "this index is declared twice"))
            }
        }
        return problems
    }

    private func problem(with name: String, _ literal: ExprSyntax, isFirst: Bool) -> Problem? {
        guard let property = properties.first(where: { $0.name.text == name }) else {
            return Problem("indexes", at: literal, "'\(self.name)' has no stored property '\(name)'")
        }
        if property.isRelationship { return Problem("indexes", at: literal, "'\(name)' is a relationship, which cannot be in an index") }
        return isFirst ? nil : Problem("indexes", at: literal, "'\(name)' is already in this index")
    }
}

extension Problem {
    /// What ``ExprSyntax/literalText`` reads, and is not empty.
    static let literalRule = "must be a non-empty string literal without escapes or interpolations"

    static func notFinal(_ declaration: ClassDeclSyntax) -> Problem {
        var changes = Repair.prefix(declaration.classKeyword, with: "final")
        if let open = declaration.modifiers.first(where: { $0.name.tokenKind == .keyword(.open) }) {
            changes += Repair.replace(open.name, with: TokenSyntax.keyword(.public), "").changes
        }
        return Problem(
            "not-final",
            at: declaration.classKeyword,
            "a stored class must be final: '@Stored final class \(declaration.name.text)'",
            repairs: [Repair(message: "add 'final'", changes: changes)]
        )
    }

    static func notClass(_ declaration: some DeclGroupSyntax) -> Problem {
        Problem(
            "not-class",
            at: declaration.introducer,
            "@Stored applies only to final classes: an object is shared by the code that uses it, and tracks its changes"
        )
    }

    static func local(_ declaration: ClassDeclSyntax) -> Problem {
        Problem("local", at: declaration.name, "a class inside a function cannot be stored; declare it at file scope or in a type")
    }

    static func genericContext(_ declaration: ClassDeclSyntax) -> Problem {
        Problem(
            "generic",
            at: declaration.name,
            "a class inside a generic type cannot be stored: the store identifies a class by a single name"
        )
    }
}

extension AttributeListSyntax.Element {
    /// `@MainActor`, or an attribute named like a global actor.
    fileprivate var isActor: Bool {
        guard let name = self.as(AttributeSyntax.self)?.simpleName else { return false }
        return name.hasSuffix("Actor")
    }
}

extension ClassDeclSyntax {
    /// The superclass, if there clearly is one: by its syntax, it could be a protocol. `override` gives it away, and so does the name of Foundation's root
    /// class.
    fileprivate var plainSuperclass: TypeSyntax? {
        guard let first = inheritanceClause?.inheritedTypes.first?.type else { return nil }
        let overrides = memberBlock.members.contains { member in
            member.decl.asProtocol((any WithModifiersSyntax).self)?.modifiers.contains { $0.name.tokenKind == .keyword(.override) } ?? false
        }
        return overrides || first.trimmedDescription == "NSObject" ? first : nil
    }
}
