import CairnForms
import CairnGraph
import CairnToolKit

extension ObjectPages {
    /// The properties of an object, or of a new one of a class, as text to edit.
    func fields(_ inspector: StoreInspector, _ query: PageQuery) throws -> JSONValue {
        guard let text = query["id"] else { return json(try stored(query), nil) }
        guard let id = ObjectID(text), let stored = store.catalog[id], let object = try inspector.present(id) else {
            throw PageFault(.notFound, "There is no object \(text).")
        }
        return json(stored, object)
    }

    private func json(_ stored: ObjectCatalog.Class, _ object: ObjectDump?) -> JSONValue {
        let fields = stored.properties.filter { !$0.isGone }.map { property in
            let value = object?[property.name]
            let isNil = value == nil || value == .value(.null) || value == .one(nil)
            let text = value.map { property.field($0) }
            let obstacle = text.flatMap(Shown.obstacle)
            let shown: JSONValue = obstacle == nil ? text.map { .string($0) } ?? .null : .null
            return JSONValue.object([
                ("name", .string(property.name)), ("type", .string(property.phrase)), ("text", shown),
                ("obstacle", obstacle.map { .string($0) } ?? .null), ("required", .bool(property.isRequired)),
                ("nullable", .bool(property.missingValue != nil)), ("nil", .bool(object != nil && isNil && property.missingValue != nil)),
                ("derived", .bool(property.relationship?.isDerived == true)),
            ])
        }
        return .object([("class", .string(stored.name)), ("fields", .array(fields))])
    }
}
