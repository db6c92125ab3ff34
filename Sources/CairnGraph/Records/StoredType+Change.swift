extension StoredType {
    /// Returns whether a property of this type can read values stored as `stored`: all of them, or those that this type can represent; others then
    /// throw.
    ///
    /// Records do not contain types, and some types look the same in them: text and a URL, but also signed and unsigned integers, which would read as
    /// other values. So a store compares the types in its catalog with the program's, and refuses to read if this is `false`; the class then needs a
    /// migration.
    ///
    /// - Integers read integers of any width and the same sign; `Float` and `Double` read each other.
    /// - A type reads its optional, whose `nil` counts as missing; an optional reads what its type reads.
    /// - Arrays and sets read each other, as do a raw type and the type of its raw values.
    /// - Names of types do not matter and can change.
    public func canRead(_ stored: StoredType) -> Bool {
        switch (self, stored) {
        case (.raw(let type, _), _): type.canRead(stored)
        case (_, .raw(let type, _)): canRead(type)
        case (.optional(let type), .optional(let other)):
            // A nested optional has a different format.
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

    /// Elements have no default that could replace a null.
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

extension StoredType {
    /// Whether values are stored with a length, so that they may be large.
    var hasLength: Bool {
        switch self {
        case .string, .bytes, .url, .decimal, .array, .set, .dictionary, .codable: true
        case .optional(let type), .raw(let type, _): type.hasLength
        case .bool, .integer, .float, .double, .date, .uuid: false
        }
    }
}
