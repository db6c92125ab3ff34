import SwiftSyntax
import SwiftSyntaxBuilder

extension Problem {
    static func storedTransient(_ marker: AttributeSyntax, _ transient: AttributeSyntax) -> Problem {
        Problem("stored-transient", at: marker, "@\(marker.simpleName) has no effect with @Transient: the property is not stored")
    }
}

extension StoredProperty {
    /// What a property that is not stored needs: an initial value, since objects are made without values.
    static func transientProblems(_ declaration: VariableDeclSyntax) -> [Problem] {
        let isConstant = declaration.bindingSpecifier.tokenKind == .keyword(.let)
        return declaration.bindings.compactMap { binding in
            guard binding.initializer == nil else { return nil }
            if !isConstant, let type = binding.typeAnnotation?.type {
                if type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return nil }
            }
            return Problem(
                "transient-default",
                at: binding.pattern,
                "a @Transient property needs an initial value: the store creates objects without calling an initializer of the class"
            )
        }
    }

    /// What its attributes ask for that is not possible.
    var markerProblems: [Problem] {
        var problems: [Problem] = []
        if isRelationship {
            for marker in [markers.indexed, markers.unique].compactMap(\.self) {
                problems.append(
                    Problem(
                        "indexed-relationship",
                        at: marker,
                        "a relationship cannot be in an index; use the inverse to find the same objects"
                    )
                )
            }
            if let marker = markers.searchable {
                problems.append(Problem("searchable-relationship", at: marker, "@Searchable is for text, not for relationships"))
            }
            if let initialValue, !initialValue.isEmptyLiteral {
                problems.append(Problem("relationship-default", at: initialValue, "a relationship starts empty; set it in an initializer"))
            }
            if let inverse = markers.inverse, !isInverse(inverse) {
                let message =
                    "the inverse must be a key path with its class, such as \\Album.songs, or, for a relationship with a single class, "
                    + "the name of a property"
                problems.append(Problem("inverse", at: inverse, message))
            }
        }
        if markers.unique != nil, let indexed = markers.indexed, !isRelationship {
            problems.append(
                Problem("indexed-unique", at: indexed, "@Unique already creates an index", repairs: [.remove(indexed)])
            )
        }
        if let stored = markers.stored {
            let literal = markers.originalName?.literalText
            if markers.originalName == nil {
                problems.append(
                    Problem(
                        "stored-property",
                        at: stored,
                        "every 'var' of the class is stored; use @Stored on a property only for its originalName:"
                    )
                )
            } else if literal == nil || literal == "" {
                problems.append(
                    Problem("original-name", at: markers.originalName ?? ExprSyntax("\"\""), "originalName: \(Problem.literalRule)")
                )
            } else if literal == name.text, let given = markers.originalName {
                problems.append(Problem("original-name", at: given, "the property already has this name"))
            }
        }
        return problems
    }
}

extension StoredProperty {
    private func isInverse(_ expression: ExprSyntax) -> Bool {
        if let path = expression.as(KeyPathExprSyntax.self) { return path.root != nil }
        guard let name = expression.literalText, let target else { return false }
        return !name.isEmpty && !target.hasPrefix("any ")
    }
}

extension ExprSyntax {
    /// `nil`, `[]`, `[:]`
    var isEmptyLiteral: Bool {
        if self.is(NilLiteralExprSyntax.self) { return true }
        if let array = self.as(ArrayExprSyntax.self) { return array.elements.isEmpty }
        if let dictionary = self.as(DictionaryExprSyntax.self), case .colon = dictionary.content { return true }
        return false
    }
}
