import CairnCore

/// A property of a class as the store's catalog describes it.
struct StoredProperty {
    enum Kind {
        case value(StoredType)
        /// A relationship to one object, or to many.
        case one, many
        /// A relationship that is stored only with its inverse.
        case derived
        /// Only the program knows the type.
        case unknown
    }

    let name: String
    /// The number of its field.
    let number: Int
    let kind: Kind

    var type: StoredType? { if case .value(let type) = kind { type } else { nil } }
    /// Whether it is text.
    var isSearchable: Bool { type?.wrapped == .string }

    /// The key of its value in an object; that of `nil` if the record does not have it.
    func key(_ object: NumberedDump) -> [UInt8] {
        guard let type, case .value(let value)? = object[number], let element = TypedValue(value, type).keyElement else { return [0x00] }
        return KeySpans.element(element)
    }

    /// Its text in an object.
    func text(_ object: NumberedDump) -> String? {
        if case .value(.text(let text))? = object[number] { text } else { nil }
    }
}

extension CatalogEntry {
    /// The property with a name; `nil` if the class has none.
    func property(named name: String) -> StoredProperty? {
        guard let place = place(of: name) else { return nil }
        let (number, property) = (number(at: place), properties[place])
        let kind: StoredProperty.Kind
        if let relationship = property.relationship {
            kind = relationship.isDerived ? .derived : property.type == ObjectRelationship.Shape.one.rawValue ? .one : .many
        } else {
            kind = types[number].map { .value($0) } ?? .unknown
        }
        return StoredProperty(name: name, number: number, kind: kind)
    }

    /// The message for the name of a property that does not exist.
    func lacks(_ name: String) -> String {
        let names = properties.filter { $0.isGone != true }.map(\.name)
        return "\(self.name) has no property '\(name)'" + (names.isEmpty ? "" : "; it has \(names.joined(separator: ", "))")
    }
}
