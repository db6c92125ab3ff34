extension StoredType {
    /// The type in words, for people: `int?`, `list of string`, `dictionary of string to int8`. Integers of 64 bits are `int` and `uint`.
    package var phrase: String {
        switch self {
        case .integer(bits: 64, let isSigned): isSigned ? "int" : "uint"
        case .optional(let wrapped): wrapped.phrase + "?"
        case .array(let element): "list of \(element.phrase)"
        case .set(let element): "set of \(element.phrase)"
        case .dictionary(let key, let value): "dictionary of \(key.phrase) to \(value.phrase)"
        case .codable(let name): name
        case .raw(let type, let name): "\(name) (\(type.phrase))"
        default: description
        }
    }

    /// What is wrong with a text that is not a value of the type.
    package func refusal(of text: String) -> String {
        if case .integer = plain, Int128(text) == nil, Double(text) != nil { return "\(refusal): integers have digits only" }
        return refusal
    }

    /// What is wrong with a value that is not of the type.
    package var refusal: String {
        switch plain {
        case .bytes: "is not bytes: write pairs of hexadecimal digits"
        case .date: "is not a valid date, such as 2026-03-01 or 2026-03-01T12:30:00Z"
        case .url: "is not a URL"
        default: "is not a valid \(wrapped.phrase)"
        }
    }
}
