/// An owned value that can be made from bytes: what a store can return beside `[UInt8]`.
///
/// ```swift
/// let text: String? = try db.get("Hello")
/// ```
///
/// `[UInt8]`, `String` and `Data` conform.
public protocol ByteResult {
    /// Copies the bytes into a value of its own.
    ///
    /// - Throws: ``CodecError`` with ``CodecError/Code/invalidText`` where the bytes do not form a value of this type.
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
    /// Copies UTF-8 bytes. Invalid UTF-8 is refused, never repaired: a repaired string would not be what was stored.
    @inlinable
    public init(copying bytes: RawSpan) throws(CodecError) {
        let text = unsafe bytes.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
        guard let text else {
            throw CodecError(.invalidText, "the \(bytes.byteCount) bytes are not valid UTF-8; read them as [UInt8]")
        }
        self = text
    }
}
