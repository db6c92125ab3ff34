/// Matches declared properties with stored ones, and checks their compatibility.
extension Catalog {
    /// The index of a property, by its name or a former name. Properties that the class still had take precedence.
    static func place(of property: ObjectProperty, in entry: CatalogEntry, except taken: Set<Int>) -> Int? {
        let names = [property.name] + property.formerNames
        for isGone in [nil, true] {
            for name in names {
                let place = entry.properties.indices.first { place in
                    entry.properties[place].name == name && entry.properties[place].isGone == isGone && !taken.contains(place)
                }
                if let place { return place }
            }
        }
        return nil
    }

    /// Throws if a property cannot read its stored values.
    ///
    /// - Parameter new: The entry that replaces the stored one.
    func check(
        _ property: ObjectProperty,
        of schema: ObjectSchema,
        against old: CatalogEntry.Property,
        _ new: inout CatalogEntry.Property
    ) throws(ObjectStoreError) {
        let canRead: Bool
        switch property.kind {
        // The class's own methods read what they wrote.
        case .value where schema.isHandCoded: canRead = old.relationship == nil
        case .value(let type):
            let stored = old.relationship == nil ? try? StoredType(parsing: old.type) : nil
            canRead = stored.map { type.canRead($0) } ?? false
        case .relationship(let relationship):
            canRead = old.type == new.type && Self.leadsTo(relationship, old.relationship)
        }
        guard !canRead else { return }
        let former = old.name == property.name ? "" : " under its former name \(old.name)"
        throw ObjectStoreError(
            .schemaMismatch,
            "\(schema.name).\(property.name) of \(name) is stored\(former) as \(Self.phrase(old)) and declared as \(Self.phrase(new)), which cannot read that; give the new property another name"
        )
    }

    /// Whether the targets of a stored relationship belong to the target class of the declared one.
    private static func leadsTo(_ relationship: ObjectRelationship, _ old: CatalogEntry.Relationship?) -> Bool {
        guard let old else { return false }
        guard let target = relationship.target?.objectSchema else { return true }
        return old.target.map { $0 == target.name || target.formerNames.contains($0) } ?? false
    }

    private static func phrase(_ property: CatalogEntry.Property) -> String {
        guard let relationship = property.relationship else { return property.type }
        return "a relationship (\(property.type)) with \(relationship.target ?? "objects of any class")"
    }
}
