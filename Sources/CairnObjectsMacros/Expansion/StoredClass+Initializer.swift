import SwiftSyntax
import SwiftSyntaxBuilder

extension StoredClass {
    /// An initializer with a parameter for each property, for classes that declare none.
    ///
    /// A property that is seen in fewer places than the class is a parameter only if it has to be; then the initializer is seen where the property is.
    var memberwiseInitializer: DeclSyntax {
        let parameters = properties.filter {
            !$0.hasDefault || $0.access >= min(access, .internal) && ($0.access >= access || access <= .internal)
        }
        let level = min(access, parameters.map(\.access).min() ?? access)
        let list = parameters.map { property in
            "\(property.name.declared): \(property.type)\(property.defaultArgument)"
        }
        let lines = parameters.map { "self.\($0.name.declared) = \($0.name.declared)" }
        let modifier = level == access ? access.memberModifier : level.modifier
        return "\(raw: modifier)init(\(raw: list.joined(separator: ", "))) \(raw: block(lines))"
    }
}

extension StoredProperty {
    fileprivate var defaultArgument: String {
        switch kind {
        case .value: initialValue.map { " = \($0)" } ?? (beginsWithNil ? " = nil" : "")
        case .toOne: " = nil"
        case .toMany(let collection): collection.isArray ? " = []" : " = \(type)()"
        }
    }
}
