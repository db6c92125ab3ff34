extension StoredType {
    /// Whether a property of this type reads what was stored as `stored`: every value, or those that this type can hold, and others as an error.
    ///
    /// Records do not carry types, and some types look the same in them: a text and a URL, but also a signed and an unsigned integer, whose values
    /// would be others. So a store compares the types in its catalog with the program's, and refuses to read where this is `false`; the class then
    /// needs a migration.
    ///
    /// - Integers read integers of any width and the same sign; `Float` and `Double` read each other.
    /// - A type reads its optional, whose `nil` counts as missing, and an optional what its type reads.
    /// - Arrays and sets read each other, a raw type what its raw value's type reads and the other way round.
    /// - Names of types do not matter: they may change.
    public func canRead(_ stored: StoredType) -> Bool {
        switch (self, stored) {
        case (.raw(let type, _), _): type.canRead(stored)
        case (_, .raw(let type, _)): canRead(type)
        case (.optional(let type), .optional(let other)):
            // An optional within an optional has a form of its own.
            type.isNullable == other.isNullable && type.canRead(other)
        case (.optional(let type), _): !type.isNullable && type.canRead(stored)
        case (_, .optional(let type)): !type.isNullable && canRead(type)
        case (.integer(_, let isSigned), .integer(_, let other)): isSigned == other
        case (.float, .double), (.double, .float), (.string, .url), (.url, .string), (.string, .decimal), (.bytes, .string),
            (.string, .bytes):
            true
        case (.codable, .codable): true
        case (.array(let element), .array(let other)), (.array(let element), .set(let other)), (.set(let element), .array(let other)),
            (.set(let element), .set(let other)):
            element.canReadElement(other)
        case (.dictionary(let key, let value), .dictionary(let otherKey, let otherValue)):
            key.canReadElement(otherKey) && value.canReadElement(otherValue)
        default: self == stored
        }
    }

    /// Elements have no default to take the place of a null.
    private func canReadElement(_ stored: StoredType) -> Bool {
        (isNullable || !stored.isNullable) && canRead(stored)
    }

    /// Whether values may be stored as null.
    var isNullable: Bool {
        switch self {
        case .optional: true
        case .raw(let type, _): type.isNullable
        default: false
        }
    }
}
