import CairnCore

extension KeySpans {
    /// The values that compare with a value in the given way; `nil` if keys cannot decide that, as for the order of enumerations, which may differ
    /// from that of their raw values.
    init?(_ comparison: ValueComparison, _ value: TypedValue) {
        guard let element = value.keyElement, comparison == .equal || !value.type.isRaw else { return nil }
        switch element {
        case .null: self.init(comparison, Int?.none)
        case .bool(let value): self.init(comparison, value)
        case .integer(let value): self.init(comparison, value)
        case .largeInteger(let value): self.init(comparison, value)
        case .float(let value): self.init(comparison, value)
        case .double(let value): self.init(comparison, value)
        case .string(let value): self.init(comparison, value)
        case .bytes(let value): self.init(comparison, value)
        case .uuid(let value): self.init(comparison, value)
        case .tuple, .versionstamp: return nil
        }
    }
}

extension StoredType {
    /// The type without `optional`.
    var wrapped: StoredType { if case .optional(let type) = self { type.wrapped } else { self } }

    /// Whether its values are stored as raw values of another type.
    var isRaw: Bool { if case .raw = wrapped { true } else { false } }

    /// The type that values are stored as.
    var plain: StoredType {
        switch self {
        case .optional(let type), .raw(let type, _): type.plain
        default: self
        }
    }

    /// Whether keys can represent its values.
    var hasKeys: Bool {
        switch plain {
        case .bool, .integer, .float, .double, .string, .bytes, .date, .uuid: true
        default: false
        }
    }
}
