/// A compound key whose elements are known only at run time: reads every key that ``Key`` or any single value writes.
///
/// ```swift
/// print(try KeyTuple(keyBytes: bytes))         // ("users", 42, 7.2e8)
/// ```
public struct KeyTuple: Hashable, Sendable {
    /// The elements in order.
    public var elements: [KeyValue]

    /// Creates a key from these elements.
    public init(_ elements: [KeyValue]) {
        self.elements = elements
    }
}

extension KeyTuple: KeyCodable {
    /// Appends a nested tuple.
    public func encode(into encoder: inout KeyEncoder) {
        elements.encode(into: &encoder)
    }

    /// Decodes a nested tuple.
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        elements = try decoder.decode()
    }

    /// Appends the elements one after the other.
    public func encodeKey(into encoder: inout KeyEncoder) {
        for element in elements { element.encode(into: &encoder) }
    }

    /// Decodes all elements up to the end of the key; a key without elements is a tuple too.
    public init(decodingKey decoder: inout KeyDecoder) throws(CodecError) {
        elements = []
        while !decoder.isAtEnd { elements.append(try decoder.decode()) }
    }
}

extension KeyTuple: ExpressibleByArrayLiteral, Comparable, CustomStringConvertible {
    /// Creates a key from these elements.
    public init(arrayLiteral elements: KeyValue...) {
        self.elements = elements
    }

    /// Compares by the order of the bytes.
    public static func < (left: KeyTuple, right: KeyTuple) -> Bool {
        left.keyBytes.lexicographicallyPrecedes(right.keyBytes)
    }

    /// The elements in parentheses: `("users", 42)`.
    public var description: String { KeyValue.tuple(elements).description }
}
