/// A compound key of any number of elements, each with its own type.
///
/// ```swift
/// let key = Key("users", 42, Date.now)
/// try db.put(visit, for: key.keyBytes)
/// let (table, user, time) = try Key<String, Int, Date>(keyBytes: bytes).elements
/// ```
///
/// Keys sort by the first element, then the second, and so on. A key sorts before all longer keys that start with its elements;
/// ``KeyCodable/prefixRange`` covers it and them. As a whole key, the elements follow one another without a wrapper; within another key
/// they are a nested tuple.
public struct Key<each Element: KeyCodable>: KeyCodable {
    /// The elements, as a tuple.
    public var elements: (repeat each Element)

    /// Creates a key from these elements.
    @inlinable
    public init(_ element: repeat each Element) {
        elements = (repeat each element)
    }

    /// Appends a nested tuple of the elements.
    @inlinable
    public func encode(into encoder: inout KeyEncoder) {
        encoder.beginTuple()
        encodeKey(into: &encoder)
        encoder.endTuple()
    }

    /// Decodes a nested tuple of exactly these elements.
    @inlinable
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        try decoder.beginTuple()
        try self.init(decodingKey: &decoder)
        try decoder.endTuple()
    }

    /// Appends the elements one after the other.
    @inlinable
    public func encodeKey(into encoder: inout KeyEncoder) {
        repeat (each elements).encode(into: &encoder)
    }

    /// Decodes the elements one after the other.
    @inlinable
    public init(decodingKey decoder: inout KeyDecoder) throws(CodecError) {
        elements = (repeat try (each Element)(decoding: &decoder))
    }

    /// The types of the elements; `nil` if one of them is not known.
    public static var keyType: KeyType? {
        var types: [KeyType] = []
        for type in repeat (each Element).keyType {
            guard let type else { return nil }
            types.append(type)
        }
        return .compound(types)
    }
}

extension Key: Sendable where repeat each Element: Sendable {}

extension Key: Equatable where repeat each Element: Equatable {
    /// Whether all elements are equal.
    public static func == (left: Key, right: Key) -> Bool {
        for (one, other) in repeat (each left.elements, each right.elements) {
            guard one == other else { return false }
        }
        return true
    }
}

extension Key: Hashable where repeat each Element: Hashable {
    /// Feeds the elements to the hasher.
    public func hash(into hasher: inout Hasher) {
        repeat hasher.combine(each elements)
    }
}

extension Key: CustomStringConvertible {
    /// The elements in parentheses: `("users", 42)`.
    public var description: String {
        var parts: [String] = []
        for element in repeat each elements { parts.append(String(reflecting: element)) }
        return "(" + parts.joined(separator: ", ") + ")"
    }
}
