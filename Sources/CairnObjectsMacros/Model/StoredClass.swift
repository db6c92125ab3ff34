import SwiftSyntax

/// A class with `@Stored`, as it was written, and what is wrong with it.
///
/// Every role of the macro makes its own instance. Only the role that adds members reports problems; if there are any, the other roles do nothing,
/// so that each problem is reported once and causes no further errors.
struct StoredClass {
    let name: String
    let access: AccessLevel
    let attribute: AttributeSyntax
    private(set) var properties: [StoredProperty] = []
    private(set) var hasInitializer = false
    /// Whether the class writes its values by methods of its own.
    let isHandCoded: Bool
    private(set) var problems: [Problem] = []

    init(_ declaration: ClassDeclSyntax, attribute: AttributeSyntax) {
        name = declaration.name.text
        access = AccessLevel(declaration.modifiers)
        self.attribute = attribute
        isHandCoded = declaration.inheritanceClause?.inherits("HandCodedObject") ?? false
        for member in declaration.memberBlock.members { read(member.decl) }
        problems += classProblems(of: declaration) + propertyProblems() + argumentProblems()
    }

    private mutating func read(_ member: DeclSyntax) {
        if let variable = member.as(VariableDeclSyntax.self) {
            guard variable.isStored else { return }
            switch StoredProperty.read(variable) {
            case .stored(let property): properties.append(property)
            case .ignored: break
            case .wrong(let found): problems += found
            }
        } else if let initializer = member.as(InitializerDeclSyntax.self) {
            if !initializer.modifiers.contains(where: { $0.name.tokenKind == .keyword(.convenience) }) { hasInitializer = true }
        } else if let conditional = member.as(IfConfigDeclSyntax.self) {
            problems += conditional.storedVariables.map { .conditional($0) }
        }
    }

    /// The index of the property that `declaration` declares.
    func index(of declaration: VariableDeclSyntax) -> Int? {
        guard let name = declaration.onlyName else { return nil }
        return properties.firstIndex { $0.name == PropertyName(name) }
    }

    /// The properties that the macro writes, with their indexes: all, or only relationships where the class writes values itself.
    var written: [(index: Int, property: StoredProperty)] {
        properties.enumerated().map { ($0, $1) }.filter { !isHandCoded || $0.property.isRelationship }
    }

    /// The arguments of `indexes:`: lists of literals with the names of properties.
    var compoundIndexes: [[(name: String, literal: ExprSyntax)]]? {
        guard let argument = attribute.argument("indexes") else { return [] }
        guard let lists = argument.as(ArrayExprSyntax.self) else { return nil }
        var result: [[(name: String, literal: ExprSyntax)]] = []
        for list in lists.elements {
            guard let names = list.expression.as(ArrayExprSyntax.self) else { return nil }
            var index: [(name: String, literal: ExprSyntax)] = []
            for name in names.elements {
                guard let text = name.expression.literalText else { return nil }
                index.append((text, name.expression))
            }
            result.append(index)
        }
        return result
    }
}

extension InheritanceClauseSyntax {
    func inherits(_ name: String) -> Bool {
        inheritedTypes.contains { inherited in
            inherited.type.as(IdentifierTypeSyntax.self)?.name.text == name || inherited.type.as(MemberTypeSyntax.self)?.name.text == name
        }
    }
}

extension ExprSyntax {
    /// The text of a string literal without interpolations and escapes.
    var literalText: String? {
        guard let literal = self.as(StringLiteralExprSyntax.self), literal.segments.count <= 1 else { return nil }
        guard let segment = literal.segments.first else { return "" }
        guard let text = segment.as(StringSegmentSyntax.self)?.content.text, !text.contains("\\") else { return nil }
        return text
    }
}

extension VariableDeclSyntax {
    /// Whether it declares storage in each object: neither static nor computed. Observers and `lazy` do not matter.
    var isStored: Bool {
        for modifier in modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.static), .keyword(.class): return false
            default: continue
            }
        }
        return bindings.contains { $0.accessorBlock?.isObserving ?? true }
    }

    /// The name, where it declares one only.
    var onlyName: TokenSyntax? {
        bindings.count == 1 ? bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier : nil
    }
}

extension AccessorBlockSyntax {
    /// Whether it consists of `willSet` and `didSet`.
    var isObserving: Bool {
        guard case .accessors(let list) = accessors else { return false }
        return list.allSatisfy { [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind) }
    }
}

extension IfConfigDeclSyntax {
    /// The stored properties in all its clauses.
    var storedVariables: [VariableDeclSyntax] {
        clauses.flatMap { clause -> [VariableDeclSyntax] in
            guard case .decls(let members) = clause.elements else { return [] }
            return members.flatMap { member -> [VariableDeclSyntax] in
                if let nested = member.decl.as(IfConfigDeclSyntax.self) { return nested.storedVariables }
                guard let variable = member.decl.as(VariableDeclSyntax.self), variable.isStored,
                    variable.attributes.first(named: "Transient") == nil
                else { return [] }
                return [variable]
            }
        }
    }
}
