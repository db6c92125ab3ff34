/// A range of keys, as bytes, from a first key up to, but not including, another.
public struct KeyRange: Hashable, Sendable {
    /// The first key that can be in the range.
    public var lowerBound: [UInt8]
    /// The first key after the range; `nil` if the range has no end.
    public var upperBound: [UInt8]?

    /// Creates the range of keys from `lowerBound` up to, but not including, `upperBound`.
    public init(lowerBound: [UInt8], upperBound: [UInt8]?) {
        self.lowerBound = lowerBound
        self.upperBound = upperBound
    }

    /// Creates the range of all keys whose bytes start with `prefix`, including `prefix` itself. An empty prefix covers all keys.
    public init(prefix: some ByteSource & ~Escapable) {
        let prefix = prefix.withBytes { [UInt8](copying: $0) }
        self.init(lowerBound: prefix, upperBound: Self.successor(ofPrefix: prefix))
    }

    /// Returns the range of strings that start with `text`, as whole keys or as the element that follows the elements of `key`.
    ///
    /// ```swift
    /// let range = KeyRange.strings(startingWith: "Ab", behind: Key("names"))
    /// ```
    ///
    /// Compound keys that continue after such a string are included. Strings are compared with `text` by their Unicode scalars.
    public static func strings(startingWith text: some StringProtocol, behind key: some KeyCodable = KeyTuple([])) -> KeyRange {
        var encoder = KeyEncoder()
        key.encodeKey(into: &encoder)
        String(text).withBytes { encoder.append(KeyTypeCode.string, escaping: $0) }
        return KeyRange(prefix: encoder.bytes)
    }

    /// Returns the first key after all keys that start with `prefix`; `nil` if there is none: every byte is `FF`, or there are no bytes.
    public static func successor(ofPrefix prefix: [UInt8]) -> [UInt8]? {
        guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return nil }
        var successor = Array(prefix[...last])
        successor[last] += 1
        return successor
    }

    /// Returns whether `key` is in the range, by the order of unsigned bytes.
    public func contains(_ key: some ByteSource & ~Escapable) -> Bool {
        key.withBytes { key in
            unsafe key.withUnsafeBytes { key in
                guard unsafe !key.lexicographicallyPrecedes(lowerBound) else { return false }
                guard let upperBound else { return true }
                return unsafe key.lexicographicallyPrecedes(upperBound)
            }
        }
    }
}

extension KeyCodable {
    /// The range of this key and all compound keys that start with its elements.
    ///
    /// ```swift
    /// let visits = Key("users", 42).prefixRange       // ("users", 42), ("users", 42, 2024…), …
    /// ```
    public var prefixRange: KeyRange {
        let start = keyBytes
        return KeyRange(lowerBound: start, upperBound: start + [KeyTypeCode.escape])
    }
}
