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
        // Several times as fast as `String(validating:as:)`, which is generic, and fastest with a pointer to `UInt8`: decodes, and compares what is
        // not ASCII, since decoding repairs.
        self = unsafe bytes.withUnsafeBytes { bytes in
            unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe String(decoding: $0, as: UTF8.self) }
        }
        guard bytes.isASCII || hasBytes(bytes) else {
            throw CodecError(.invalidText, "the \(bytes.byteCount) bytes are not valid UTF-8; read them as [UInt8]")
        }
    }
}

extension RawSpan {
    /// Whether every byte is below 128, a word at a time; the last word overlaps the previous one.
    fileprivate var isASCII: Bool {
        unsafe withUnsafeBytes { bytes in
            guard bytes.count >= 8, let start = bytes.baseAddress else { return unsafe bytes.allSatisfy { $0 < 128 } }
            let last = bytes.count &- 8
            var all = unsafe start.loadUnaligned(fromByteOffset: last, as: UInt64.self)
            var offset = 0
            while offset < last {
                unsafe all |= start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                offset &+= 8
            }
            return all & 0x8080_8080_8080_8080 == 0
        }
    }
}

extension String {
    /// Whether these are the bytes of the text, which is not bridged.
    func hasBytes(_ bytes: RawSpan) -> Bool {
        let isEqual = unsafe utf8.withContiguousStorageIfAvailable { utf8 in
            unsafe bytes.withUnsafeBytes { bytes in
                guard utf8.count == bytes.count else { return false }
                return unsafe UnsafeRawBufferPointer(utf8).hasBytes(of: bytes)
            }
        }
        return isEqual ?? false
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the same number of bytes are equal, compared a word at a time; the last word overlaps the previous one.
    func hasBytes(of other: UnsafeRawBufferPointer) -> Bool {
        guard count >= 8, let one = baseAddress, let two = other.baseAddress else {
            return unsafe elementsEqual(other)
        }
        var difference: UInt64 = 0
        var offset = 0
        while offset < count &- 8 {
            unsafe difference |=
                one.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ two.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        let last = count &- 8
        unsafe difference |=
            one.loadUnaligned(fromByteOffset: last, as: UInt64.self) ^ two.loadUnaligned(fromByteOffset: last, as: UInt64.self)
        return difference == 0
    }
}
