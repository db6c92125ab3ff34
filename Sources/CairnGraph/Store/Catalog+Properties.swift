#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

    /// Evaluates the defaults of properties that are new in a class, once: indexes depend on the values that older records get.
    func setInitial(_ places: [Int], of schema: ObjectSchema, in entry: inout CatalogEntry) {
        guard !places.isEmpty, !schema.isHandCoded else { return }
        let object = schema.type.init(_$fault: ())
        let (nothing, noFields) = ([UInt8](), FieldMap(schema.properties.map { _ in 0 }))
        var reader = unsafe RecordReader(bytes: nothing.span.bytes, fields: noFields)
        // If one property has no value for such records, none gets a value here: the records cannot be read.
        guard (try? object._$read(&reader)) != nil else { return }
        withExtendedLifetime((nothing, noFields)) {}
        var writer = RecordWriter()
        writer.reset(version: schema.version, changeCount: 0)
        object._$write(&writer, FieldMap(schema.properties.map { entry.number(of: $0.name) }))
        guard let record = try? writer.bytes, let fields = unsafe try? RecordMerge.fields(record.span.bytes) else { return }
        for place in places where entry.properties[place].relationship == nil {
            entry.properties[place].initial = fields[UInt64(entry.number(at: place))].map { Data($0) }
        }
    }

    static func isOptional(_ property: CatalogEntry.Property) -> Bool { property.type.hasPrefix("optional(") }

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
            "\(schema.name).\(property.name) of \(name) is stored\(former) as \(Self.phrase(old)) but declared as \(Self.phrase(new)), which cannot read it; give the new property another name"
        )
    }

    /// Throws if a relationship is now stored on the other side than in existing objects: it would read as empty.
    func checkSides(of stored: StoredClass, before entry: CatalogEntry) throws(ObjectStoreError) {
        for relation in stored.allRelations {
            guard let place = stored.entry.place(of: relation.name), entry.properties.indices.contains(place),
                entry.properties[place].isGone == nil, let old = entry.properties[place].relationship,
                old.isDerived != relation.isDerived || relation.isPaired && old.inverse == nil
            else { continue }
            throw ObjectStoreError(
                .schemaMismatch,
                "\(stored.name).\(relation.name) of \(name) was stored \(old.inverse.map { "with the inverse \($0)" } ?? "without an inverse") and is declared \(relation.inverse.map { "with \($0.owner.name).\($0.name)" } ?? "without one"), so one of the two would read as empty; declare new properties, and fill them in a migration"
            )
        }
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
