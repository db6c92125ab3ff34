import CairnCore

/// Makes the schema of an ``UntypedObject`` from a catalog.
struct UntypedSchema {
    let entry: CatalogEntry
    let tag: any UntypedTag.Type
    /// The tags of all classes, by name.
    let tags: [String: any UntypedTag.Type]
    let entries: [CatalogEntry]

    init(_ entry: CatalogEntry, _ tag: any UntypedTag.Type, _ tags: [String: any UntypedTag.Type], _ entries: [CatalogEntry]) {
        self.entry = entry
        self.tag = tag
        self.tags = tags
        self.entries = entries
    }

    var schema: ObjectSchema { schema(tag) }

    /// The properties that the class still has, in the order of their numbers.
    private var properties: [CatalogEntry.Property] { entry.properties.filter { $0.isGone == nil } }

    private func schema<Tag: UntypedTag>(_ tag: Tag.Type) -> ObjectSchema {
        let types = entry.types
        let properties = properties.enumerated().map { index, property in
            property.relationship.map { relation(property, $0, index, tag) }
                ?? value(property.name, types[entry.number(of: property.name)] ?? .bytes, index, tag)
        }
        return ObjectSchema(
            UntypedObject<Tag>.self,
            name: entry.name,
            version: entry.version,
            properties: properties,
            indexes: entry.indexes.map { self.index($0, properties, tag) },
            searchable: (entry.texts ?? []).map(\.property)
        )
    }

    private func value<Tag: UntypedTag>(_ name: String, _ type: StoredType, _ index: Int, _ tag: Tag.Type) -> ObjectProperty {
        var property = ObjectProperty(name, [], .value(type), \UntypedObject<Tag>.[index])
        property.assign = { object, reader, index throws(RecordError) in
            let value = try reader.value(index, of: type)
            unsafe unsafeDowncast(object, to: UntypedObject<Tag>.self)[index] = value
        }
        if type == .string || type == .optional(.string) {
            property.text = { object in
                guard case .text(let text) = unsafe unsafeDowncast(object, to: UntypedObject<Tag>.self)[index] else { return nil }
                return text
            }
        }
        return property
    }

    private func index<Tag: UntypedTag>(
        _ index: CatalogEntry.Index,
        _ properties: [ObjectProperty],
        _ tag: Tag.Type
    ) -> ObjectIndex {
        let places = index.properties.compactMap { name in properties.firstIndex { $0.name == name } }
        let types = places.map { place in if case .value(let type) = properties[place].kind { type } else { StoredType.bytes } }
        return ObjectIndex(index.properties, isUnique: index.isUnique) { (object: UntypedObject<Tag>, encoder) in
            for (place, type) in zip(places, types) {
                // A missing value is null: the editor refuses to save null where it is not allowed.
                encoder.encode(TypedValue(object[place] ?? .null, type).keyElement ?? .null)
            }
        }
    }

    // MARK: Relationships

    private func relation<Tag: UntypedTag>(
        _ property: CatalogEntry.Property,
        _ stored: CatalogEntry.Relationship,
        _ index: Int,
        _ tag: Tag.Type
    ) -> ObjectProperty {
        let shape = ObjectRelationship.Shape(rawValue: property.type) ?? .list
        let target = stored.target.flatMap { tags[$0] }.map(Self.type)
        let relationship = ObjectRelationship(
            shape: shape,
            deleteRule: DeleteRule(stored.deleteRule),
            target: target,
            inverse: inverse(property, stored),
            targetName: stored.target ?? "any class",
            accepts: { object in target.map { Swift.type(of: object) == $0 } ?? true },
            isKey: shape == .dictionary ? { (try? KeyTuple(keyBytes: $0)) != nil } : nil,
            access: shape == .one
                ? .one(
                    get: { unsafe unsafeDowncast($0, to: UntypedObject<Tag>.self).references[index] ?? .none },
                    set: { unsafe unsafeDowncast($0, to: UntypedObject<Tag>.self).references[index] = $1 }
                )
                : .many(
                    get: { unsafe unsafeDowncast($0, to: UntypedObject<Tag>.self).collections[index] },
                    make: {
                        unsafe unsafeDowncast($0, to: UntypedObject<Tag>.self).makeCollection(index, isDictionary: shape == .dictionary)
                    }
                )
        )
        return ObjectProperty(property.name, [], .relationship(relationship), \UntypedObject<Tag>.[index])
    }

    private static func type(_ tag: any UntypedTag.Type) -> any StoredObject.Type {
        func type<Tag: UntypedTag>(_ tag: Tag.Type) -> any StoredObject.Type { UntypedObject<Tag>.self }
        return type(tag)
    }

    /// The inverse, if this side declares it. If both sides are sets, the stored one does.
    private func inverse(_ property: CatalogEntry.Property, _ stored: CatalogEntry.Relationship) -> AnyKeyPath? {
        guard let name = stored.inverse, let target = stored.target, let tag = tags[target],
            let other = entries.first(where: { $0.name == target }), let place = other.place(of: name)
        else { return nil }
        let isOtherDerived = other.properties[place].relationship?.isDerived == true
        guard isOtherDerived || !stored.isDerived && (entry.name, property.name) <= (other.name, name) else { return nil }
        func path<Tag: UntypedTag>(_ tag: Tag.Type, _ index: Int) -> AnyKeyPath { \UntypedObject<Tag>.[index] }
        return path(tag, other.properties[..<place].count { $0.isGone == nil })
    }
}

extension DeleteRule {
    /// The rule with a name in a catalog.
    fileprivate init(_ name: String) {
        self = [DeleteRule.cascade, .deny].first { "\($0)" == name } ?? .nullify
    }
}
