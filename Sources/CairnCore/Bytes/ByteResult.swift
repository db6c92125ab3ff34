/// An owned value that can be created from bytes: what a store can return besides `[UInt8]`.
///
/// ```swift
/// let text: String? = try db.get("Hello")
/// ```
///
/// `[UInt8]`, `String` and `Data` conform.
public protocol ByteResult {
    /// Creates a value from a copy of the bytes.
    ///
    /// - Throws: ``CodecError`` with ``CodecError/Code/invalidText`` if the bytes do not form a value of this type.
    /// - Complexity: O(n) in the number of bytes.
    init(copying bytes: RawSpan) throws(CodecError)
}

extension Array: ByteResult where Element == UInt8 {
    @inlinable
    public init(copying bytes: RawSpan) {
        self = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
    }
}

extension String: ByteResult {
    /// Copies UTF-8 bytes. Invalid UTF-8 is rejected, never repaired: a repaired string would not be what was stored.
    public init(copying bytes: RawSpan) throws(CodecError) {
        guard let text = Self.validated(bytes) else {
            throw CodecError(.invalidText, "the \(bytes.byteCount) bytes are not valid UTF-8; read them as [UInt8]")
        }
        self = text
    }

    /// Returns the text; `nil` unless it is valid UTF-8.
    private static func validated(_ bytes: RawSpan) -> String? {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            // The generic initializer takes three times as long.
            return unsafe bytes.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
        }
        guard let valid = try? UTF8Span(validating: Span(_bytes: bytes)) else { return nil }
        return String(copying: valid)
    }
}
