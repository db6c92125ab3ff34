import SwiftSyntax
import SwiftSyntaxBuilder

extension StoredClass {
    /// `objectSchema`, which the store reads when it is opened.
    var schema: DeclSyntax {
        var arguments = ["\(name).self", "name: \(attribute.argument("name")?.trimmedDescription ?? "\"\(name.trimmingBackticks)\"")"]
        if let formerNames = attribute.argument("formerNames") { arguments.append("formerNames: \(formerNames.trimmed)") }
        if let version = attribute.argument("version") { arguments.append("version: \(version.trimmed)") }
        arguments.append("properties: \(list(properties.map { $0.descriptor(in: name) }))")
        if !indexes.isEmpty { arguments.append("indexes: \(list(indexes))") }
        let searchable = properties.filter { $0.markers.searchable != nil }.map { "\"\($0.name.text)\"" }
        if !searchable.isEmpty { arguments.append("searchable: [\(searchable.joined(separator: ", "))]") }
        if isHandCoded { arguments.append("isHandCoded: true") }
        return """
            \(raw: access.memberModifier)static let objectSchema = CairnGraph.ObjectSchema(
                \(raw: arguments.joined(separator: ",\n    "))
            )
            """
    }

    /// The indexes on single properties in the order of declaration, then the compound ones.
    private var indexes: [String] {
        let single = properties.compactMap { property -> String? in
            guard property.markers.indexed != nil || property.markers.unique != nil else { return nil }
            return index([property], isUnique: property.markers.unique != nil)
        }
        let compound = (compoundIndexes ?? []).map { names in
            index(names.compactMap { name in properties.first { $0.name.text == name.name } }, isUnique: false)
        }
        return single + compound
    }

    private func index(_ properties: [StoredProperty], isUnique: Bool) -> String {
        let names = properties.map { "\"\($0.name.text)\"" }.joined(separator: ", ")
        let lines = properties.map { property in
            let storage = "object.\(property.name.storage)"
            guard !property.isStoredAsDeclared, let index = self.index(of: property.declaration) else {
                return "encoder.encode(\(storage))"
            }
            return "encoder.encode(\(storage) ?? \(property.missing(index: index, of: "object.")))"
        }
        return "CairnGraph.ObjectIndex([\(names)]\(isUnique ? ", isUnique: true" : "")) { (object: \(name), encoder) in\n"
            + lines.map { "    \($0)\n" }.joined() + "}"
    }

    private func list(_ items: [String]) -> String {
        guard !items.isEmpty else { return "[]" }
        return "[\n" + items.map { "    " + $0.replacing("\n", with: "\n    ") + ",\n" }.joined() + "]"
    }
}

extension StoredProperty {
    /// The key path of the other side, even if only its name is given.
    private var inverse: String? {
        guard let given = markers.inverse else { return nil }
        guard let name = given.literalText, let target else { return given.trimmedDescription }
        return "\\\(target).\(name)"
    }

    /// What the schema says of the property.
    fileprivate func descriptor(in className: String) -> String {
        let function: String
        switch kind {
        case .value: function = "value"
        case .toOne: function = "toOne"
        case .toMany(let collection): function = collection.shape.rawValue
        }
        var arguments = ["\"\(name.text)\"", "\\\(className).\(name.declared)"]
        if let originalName = markers.originalName { arguments.append("formerNames: [\(originalName.trimmed)]") }
        if let inverse { arguments.append("inverse: \(inverse)") }
        if let rule = markers.deleteRule { arguments.append("onDelete: \(rule.trimmed)") }
        switch kind {
        case .value: if fallback != "nil" { arguments.append("hasDefault: true") }
        case .toOne: arguments += ["get: { $0.\(name.storage) }", "set: { $0.\(name.storage) = $1 }"]
        case .toMany: arguments.append("storage: { $0.\(name.storage) }")
        }
        return ".\(function)(\(arguments.joined(separator: ", ")))"
    }
}
