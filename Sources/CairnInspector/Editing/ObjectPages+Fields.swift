import CairnForms
import CairnGraph
import CairnToolKit

extension ObjectPages {
    /// The properties of an object, or of a new one of a class, as text to edit.
    func fields(_ inspector: StoreInspector, _ query: PageQuery) throws -> JSONValue {
        guard let text = query["id"] else { return json(try stored(query), nil) }
        guard let id = ObjectID(text), let stored = store.catalog[id], let object = try inspector.object(id) else {
            throw PageFault(.notFound, "There is no object \(text).")
        }
        return json(stored, object)
    }

    private func json(_ stored: ObjectCatalog.Class, _ object: ObjectDump?) -> JSONValue {
        let fields = stored.properties.filter { !$0.isGone }.map { property in
            let text = object?[property.name].map { property.field($0) }
            let isLarge = text.map { $0.utf8.count > Shown.alone } ?? false
            let shown: JSONValue = isLarge ? .null : text.map { .string($0) } ?? .null
            return JSONValue.object([
                ("name", .string(property.name)), ("type", .string(property.phrase)), ("text", shown), ("large", .bool(isLarge)),
                ("required", .bool(property.isRequired)), ("nil", .bool(object != nil && (text ?? "").isEmpty && !property.isRequired)),
                ("derived", .bool(property.relationship?.isDerived == true)),
            ])
        }
        return .object([("class", .string(stored.name)), ("fields", .array(fields))])
    }
}
