extension KeyValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral {
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An integer.
    public init(integerLiteral value: Int128) { self = .integer(value) }
    /// A double.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A bool.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension KeyValue: ExpressibleByNilLiteral, ExpressibleByArrayLiteral {
    /// A null.
    public init(nilLiteral: ()) { self = .null }
    /// A nested tuple.
    public init(arrayLiteral elements: KeyValue...) { self = .tuple(elements) }
}
