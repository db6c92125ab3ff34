import SwiftSyntax
import SwiftSyntaxBuilder

extension Problem {
    /// Names that every stored object already has.
    static let takenNames: Set<String> = ["objectID", "objectContext", "objectSchema", "isFault", "isDeleted", "hasUnsavedChanges", "self"]

    static func severalNames(_ declaration: VariableDeclSyntax) -> Problem {
        Problem("several-names", at: declaration.bindings, "@Stored needs a separate declaration for each property")
    }

    static func pattern(_ pattern: PatternSyntax) -> Problem {
        Problem("pattern", at: pattern, "@Stored needs a property with one name; declare each part separately")
    }

    static func constant(_ declaration: VariableDeclSyntax) -> Problem {
        let specifier = declaration.bindingSpecifier
        return Problem(
            "constant",
            at: specifier,
            "stored properties must be 'var': their values are read after the object is created; use 'private(set) var' to keep other code from changing one",
            repairs: [.replace(specifier, with: TokenSyntax.keyword(.var), "replace 'let' with 'var'")]
        )
    }

    static func modifier(_ modifier: DeclModifierSyntax, _ declaration: VariableDeclSyntax) -> Problem {
        Problem(
            "modifier",
            at: modifier,
            "a property with '\(modifier.name.text)' cannot be stored; keep it in memory only, with @Transient",
            repairs: [
                Repair(
                    message: "add '@Transient'",
                    changes: Repair.prefix(declaration.firstToken(viewMode: .sourceAccurate), with: "@Transient")
                )
            ]
        )
    }

    static func observers(_ block: AccessorBlockSyntax) -> Problem {
        Problem("observers", at: block, "stored properties cannot have 'willSet' or 'didSet'; use Observation to observe changes")
    }

    static func takenName(_ name: TokenSyntax) -> Problem {
        let reason = name.text.hasPrefix("_$") || name.text.hasPrefix("`_$") ? "names that begin with '_$' are" : "this name is"
        return Problem("taken-name", at: name, "\(reason) reserved for the implementation of stored objects")
    }

    static func missingType(_ binding: PatternBindingSyntax) -> Problem {
        var repairs: [Repair] = []
        if let type = binding.initializer?.value.inferredType {
            var annotated = binding
            annotated.pattern.trailingTrivia = []
            annotated.typeAnnotation = TypeAnnotationSyntax(
                colon: .colonToken(trailingTrivia: .space),
                type: TypeSyntax("\(raw: type)"),
                trailingTrivia: binding.pattern.trailingTrivia
            )
            repairs = [.replace(binding, with: annotated, "add ': \(type)'")]
        }
        return Problem("missing-type", at: binding.pattern, "stored properties need an explicit type", repairs: repairs)
    }

    /// A type whose values clearly cannot be stored.
    static func unsupported(_ type: TypeSyntax) -> Problem? {
        let inner = optionalWrapped(type) ?? withoutParentheses(type)
        let reason: String
        if inner.is(TupleTypeSyntax.self) {
            reason = "tuples cannot be stored; use a Codable struct"
        } else if inner.is(FunctionTypeSyntax.self) || inner.as(AttributedTypeSyntax.self)?.baseType.is(FunctionTypeSyntax.self) == true {
            reason = "functions cannot be stored; keep them in memory with @Transient"
        } else if inner.is(SomeOrAnyTypeSyntax.self) || ["Any", "AnyObject"].contains(inner.description) {
            reason = "values without a specific type cannot be stored; for objects of several classes, use @Relationship"
        } else if inner.is(MetatypeTypeSyntax.self) {
            reason = "types cannot be stored"
        } else if let (name, _) = generic(inner), ["ObjectList", "ObjectSet", "ObjectDictionary"].contains(name) {
            return Problem("missing-relationship", at: type, "a property that holds stored objects needs @Relationship")
        } else if inner.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return implicitlyUnwrapped(type)
        } else {
            return nil
        }
        return Problem("unsupported-type", at: type, reason)
    }

    static func optionalCollection(_ type: TypeSyntax, wrapped: TypeSyntax) -> Problem {
        Problem(
            "optional-collection",
            at: type,
            "a to-many relationship cannot be optional; without objects it is empty",
            repairs: [.replace(type, with: wrapped, "replace '\(type.trimmed)' with '\(wrapped)'")]
        )
    }

    /// `Album`, `Set<Album>`, `[String: Album]`: where a relationship must be declared differently.
    static func relationshipType(_ type: TypeSyntax) -> Problem {
        if type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return implicitlyUnwrapped(type) }
        let replacement: String
        let reason: String
        if let dictionary = type.as(DictionaryTypeSyntax.self) {
            replacement = "ObjectDictionary<\(dictionary.key.trimmed), \(dictionary.value.trimmed)>"
            reason = "a relationship with keys must be an ObjectDictionary"
        } else if let (name, arguments) = generic(type), name == "Dictionary", arguments.count == 2 {
            replacement = "ObjectDictionary<\(arguments[0]), \(arguments[1])>"
            reason = "a relationship with keys must be an ObjectDictionary"
        } else if let (name, arguments) = generic(type), name == "Set", arguments.count == 1 {
            replacement = "ObjectSet<\(arguments[0])>"
            reason = "an unordered relationship must be an ObjectSet"
        } else {
            replacement = type.is(SomeOrAnyTypeSyntax.self) ? "(\(type.trimmed))?" : "\(type.trimmed)?"
            reason = "a to-one relationship must be optional: the object may be deleted"
        }
        return Problem(
            "relationship-type",
            at: type,
            reason,
            repairs: [.replace(type, with: TypeSyntax("\(raw: replacement)"), "replace '\(type.trimmed)' with '\(replacement)'")]
        )
    }

    private static func implicitlyUnwrapped(_ type: TypeSyntax) -> Problem {
        let wrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType.trimmed.description ?? type.trimmed.description
        return Problem(
            "implicitly-unwrapped",
            at: type,
            "an implicitly unwrapped optional would trap if the value were missing",
            repairs: [.replace(type, with: TypeSyntax("\(raw: wrapped)?"), "replace '!' with '?'")]
        )
    }

    static func conditional(_ declaration: VariableDeclSyntax) -> Problem {
        Problem(
            "conditional",
            at: declaration.bindingSpecifier,
            "a stored property cannot be inside '#if': the macro cannot see which branch is compiled; a @Transient one can"
        )
    }
}

extension ExprSyntax {
    /// The type that the expression clearly has: that of a literal, or of `Type(…)`.
    var inferredType: String? {
        if let prefix = self.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "-" { return prefix.expression.inferredType }
        if self.is(IntegerLiteralExprSyntax.self) { return "Int" }
        if self.is(FloatLiteralExprSyntax.self) { return "Double" }
        if self.is(BooleanLiteralExprSyntax.self) { return "Bool" }
        if self.is(StringLiteralExprSyntax.self) { return "String" }
        if let array = self.as(ArrayExprSyntax.self) {
            let types = Set(array.elements.map { $0.expression.inferredType })
            guard types.count == 1, let only = types.first, let element = only else { return nil }
            return "[\(element)]"
        }
        guard let call = self.as(FunctionCallExprSyntax.self) else { return nil }
        let callee = call.calledExpression.trimmed
        let isType =
            callee.is(ArrayExprSyntax.self) || callee.is(DictionaryExprSyntax.self)
            || callee.lastName.first?.isUppercase == true
        return isType ? callee.description : nil
    }

    private var lastName: String {
        if let reference = self.as(DeclReferenceExprSyntax.self) { return reference.baseName.text }
        if let member = self.as(MemberAccessExprSyntax.self), member.base != nil { return member.declName.baseName.text }
        if let generic = self.as(GenericSpecializationExprSyntax.self) { return generic.expression.lastName }
        return ""
    }
}
