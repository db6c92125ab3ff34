import SwiftSyntax
import SwiftSyntaxBuilder

extension StoredClass {
    /// An initializer with a parameter for each property, for classes that declare none.
    ///
    /// A property that is less visible than the class is a parameter only if it must be; the initializer is then only as visible as the property.
    var memberwiseInitializer: DeclSyntax {
        let parameters = properties.filter { !$0.hasDefault || $0.access >= max(access, .internal) }
        let least = parameters.map(\.access).min() ?? .public
        let modifier = least < access ? max(least, .fileprivate).modifier : access.memberModifier
        let list = parameters.map { "\($0.name.declared): \($0.parameterType)\($0.defaultArgument)" }
        // Assigns to the storage itself: a property with an initial value is initialised already, and assigning to it would run its setter.
        var lines = parameters.map { "self.\($0.memberwiseInitialization)" }
        let given = parameters.compactMap(\.isGiven)
        if !given.isEmpty { lines.append("if \(given.joined(separator: " || ")) { _$follow() }") }
        return "\(raw: modifier)init(\(raw: list.joined(separator: ", "))) \(raw: block(lines))"
    }
}

extension StoredClass {
    /// The initializer that the store calls. Initial values are set by then.
    var faultInitializer: DeclSyntax {
        let lines = properties.filter { !$0.hasDefault }.map { "\($0.name.storage) = nil" }
        return "\(raw: access.memberModifier)init(_$fault: Void) \(raw: block(lines))"
    }
}

extension StoredProperty {
    fileprivate var defaultArgument: String {
        switch kind {
        case .value: initialValue.map { " = \($0.trimmed)" } ?? (beginsWithNil ? " = nil" : "")
        case .toOne: " = nil"
        case .toMany(let collection): collection.isArray ? " = []" : " = nil"
        }
    }

    /// Many objects have no relations: they get no collection before one is wanted.
    private var mayBeLeftOut: Bool {
        if case .toMany(let collection) = kind { !collection.isArray } else { false }
    }

    fileprivate var parameterType: String { mayBeLeftOut ? "\(type.trimmed)?" : "\(type.trimmed)" }

    fileprivate var memberwiseInitialization: String {
        mayBeLeftOut ? "\(name.storage) = \(name.declared)?._$taken" : initialization(from: name.declared)
    }

    /// Whether the initializer was given objects for a relationship, as an expression.
    fileprivate var isGiven: String? {
        switch kind {
        case .value: nil
        case .toOne: "\(name.declared) != nil"
        case .toMany(let collection): collection.isArray ? "!\(name.declared).isEmpty" : "\(name.declared) != nil"
        }
    }

    /// The assignment that gives the storage its first value.
    func initialization(from value: String) -> String {
        switch kind {
        case .value: "\(name.storage) = \(value)"
        case .toOne: "\(name.storage) = CairnGraph.ObjectReference(_$to: \(value))"
        case .toMany(let collection):
            "\(name.storage) = \(collection.isArray ? "\(collection.type)(\(value))" : value)._$taken"
        }
    }
}
