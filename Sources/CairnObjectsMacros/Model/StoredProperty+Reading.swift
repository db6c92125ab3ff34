import SwiftSyntax

extension StoredProperty {
    /// How the macro treats a declaration of storage.
    enum Reading {
        case stored(StoredProperty)
        /// Not kept by the store.
        case ignored
        case wrong([Problem])
    }

    /// Looks at a declaration of storage in a class.
    static func read(_ declaration: VariableDeclSyntax) -> Reading {
        let markers = PropertyMarkers(declaration.attributes)
        if let transient = markers.transient {
            let problems = markers.storing.map { Problem.storedTransient($0, transient) } + transientProblems(declaration)
            return problems.isEmpty ? .ignored : .wrong(problems)
        }
        guard let binding = declaration.bindings.first, declaration.bindings.count == 1 else { return .wrong([.severalNames(declaration)]) }
        guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else { return .wrong([.pattern(binding.pattern)]) }

        var problems: [Problem] = []
        if declaration.bindingSpecifier.tokenKind == .keyword(.let) { problems.append(.constant(declaration)) }
        for modifier in declaration.modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.lazy), .keyword(.weak), .keyword(.unowned): problems.append(.modifier(modifier, declaration))
            default: continue
            }
        }
        if let observers = binding.accessorBlock { problems.append(.observers(observers)) }
        let name = PropertyName(pattern.identifier)
        if name.text.hasPrefix("_$") || Problem.takenNames.contains(name.text) { problems.append(.takenName(pattern.identifier)) }

        guard let type = binding.typeAnnotation?.type else { return .wrong(problems + [.missingType(binding)]) }
        switch kind(of: type, markers: markers) {
        case .failure(let found): problems += found.problems
        case .success(let kind):
            let property = StoredProperty(
                declaration: declaration,
                binding: binding,
                name: name,
                type: type,
                kind: kind,
                markers: markers,
                access: AccessLevel(declaration.modifiers)
            )
            problems += property.markerProblems
            if problems.isEmpty { return .stored(property) }
        }
        return .wrong(problems)
    }

    private static func kind(of type: TypeSyntax, markers: PropertyMarkers) -> Result<Kind, Problems> {
        if markers.relationship != nil { return relationship(type) }
        if let problem = Problem.unsupported(type) { return .failure(Problems(problems: [problem])) }
        return .success(.value)
    }

    private static func relationship(_ type: TypeSyntax) -> Result<Kind, Problems> {
        if let target = optionalWrapped(type) {
            guard arrayElement(target) == nil, collectionShape(target) == nil else {
                return .failure(Problems(problems: [.optionalCollection(type, wrapped: target)]))
            }
            return .success(.toOne(target: target.description))
        }
        if let element = arrayElement(type).map(withoutParentheses) {
            return .success(.toMany(Collection(shape: .list, type: "ObjectList<\(element)>", target: element.description, isArray: true)))
        }
        if let shape = collectionShape(type), let target = generic(type)?.arguments.last {
            let target = withoutParentheses(target).description
            return .success(.toMany(Collection(shape: shape, type: type.trimmedDescription, target: target, isArray: false)))
        }
        return .failure(Problems(problems: [.relationshipType(type)]))
    }

    private static func collectionShape(_ type: TypeSyntax) -> Collection.Shape? {
        switch generic(type).map({ ($0.name, $0.arguments.count) }) {
        case ("ObjectList", 1)?: .list
        case ("ObjectSet", 1)?: .set
        case ("ObjectDictionary", 2)?: .dictionary
        default: nil
        }
    }

    struct Problems: Error {
        let problems: [Problem]
    }
}
