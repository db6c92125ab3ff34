public import CairnGraph

extension BNRLayout {
    /// The classes for a new store that is created without the Swift classes. Relationships have no inverses; a program that opens the store with its
    /// classes adds them.
    ///
    /// - Throws: ``BNRError``: `invalidLayout` for classes that are read by closures, whose properties are not known, and as in ``BNRImporter``.
    public func catalog() throws(BNRError) -> ObjectCatalog {
        try check()
        var catalog = ObjectCatalog(classes: [])
        for (index, layout) in classes.enumerated() {
            guard case .fields(let fields) = layout.content else {
                throw BNRError(.invalidLayout, "the properties of \(layout.name) are not known, because a closure reads it")
            }
            var properties: [ObjectCatalog.Property] = []
            for field in fields {
                guard let name = field.property else { continue }
                let relationship = field.kind.shape.map { shape in
                    let target = field.kind.target.flatMap { target in classes.first { $0.name == target }?.storedName }
                    return ObjectCatalog.Relationship(shape: shape, target: target)
                }
                let type = field.storedType ?? field.kind.storedType
                let property = ObjectCatalog.Property(name: name, typeText: type.map { "\($0)" } ?? "", relationship: relationship)
                if let known = properties.first(where: { $0.name == name }) {
                    guard known == property else {
                        throw BNRError(
                            .invalidLayout,
                            "\(layout.name).\(name) has the types \(known.typeText) and \(property.typeText) in different versions; choose one with 'as'"
                        )
                    }
                } else {
                    properties.append(property)
                }
            }
            catalog.classes.append(
                ObjectCatalog.Class(number: UInt16(truncatingIfNeeded: index + 1), name: layout.storedName, properties: properties)
            )
        }
        return catalog
    }

    /// Throws if the layout is invalid regardless of the files.
    func check() throws(BNRError) {
        for (index, layout) in classes.enumerated() {
            for other in classes[..<index] {
                guard other.name != layout.name else { throw BNRError(.invalidLayout, "the layout has the class \(layout.name) twice") }
                guard other.storedName != layout.storedName else {
                    throw BNRError(.invalidLayout, "\(other.name) and \(layout.name) both become \(layout.storedName)")
                }
            }
            guard case .fields(let fields) = layout.content else { continue }
            for field in fields where field.property != nil { try check(field.kind, "\(layout.name).\(field.property ?? "")") }
        }
        for name in names { try check(name.kind, "a name") }
    }

    private func check(_ kind: BNRFieldKind, _ owner: String) throws(BNRError) {
        guard let target = kind.target, !classes.contains(where: { $0.name == target }) else { return }
        throw BNRError(.invalidLayout, "\(owner) refers to \(target), which is not a class of the layout")
    }
}
