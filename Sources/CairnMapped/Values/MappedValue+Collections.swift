public import CairnCore

extension Array: MappedContent, MappedValue where Element: MappedValue {
    /// Reads an array; for `[UInt8]`, reads bytes.
    @inlinable
    public init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        if Element.self == UInt8.self {
            guard type == .bytes else { throw .mismatch(type, Self.self) }
            self = [UInt8](copying: bytes) as! Self
        } else {
            guard type == .array else { throw .mismatch(type, Self.self) }
            self = []
            // An element has two bytes at least. A long array grows: counting its elements first would take about as long as decoding integers.
            reserveCapacity(Swift.min(bytes.byteCount / 2, 16))
            try MappedArray.forEach(bytes) { bytes, type throws(MappedStoreError) in append(try Element(stored: bytes, as: type)) }
        }
    }

    @inlinable
    public func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        if Element.self == UInt8.self { return try unsafe body((self as! [UInt8]).span.bytes, .bytes) }
        var bytes: [UInt8] = []
        for element in self {
            try element.withStoredBytes { element, type throws(MappedStoreError) in MappedArray.append(element, type, to: &bytes) }
        }
        return try unsafe body(bytes.span.bytes, .array)
    }
}

/// The stored form of arrays: for each element its type, its length as a varint, and its bytes.
@usableFromInline
package enum MappedArray {
    @usableFromInline
    static func append(_ element: RawSpan, _ type: MappedValueType, to bytes: inout [UInt8]) {
        bytes.append(type.rawValue)
        Varint.append(UInt64(element.byteCount), to: &bytes)
        unsafe element.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }

    @usableFromInline
    package static func forEach(
        _ bytes: RawSpan,
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Void
    ) throws(MappedStoreError) {
        var offset = 0
        while offset < bytes.byteCount {
            let (range, type) = try element(bytes, at: &offset)
            try body(bytes.extracting(range), type)
        }
    }

    /// Returns the range of the element at `offset` and its type, and moves `offset` to the next one.
    @usableFromInline
    @inline(__always)
    static func element(_ bytes: RawSpan, at offset: inout Int) throws(MappedStoreError) -> (range: Range<Int>, type: MappedValueType) {
        let type = unsafe MappedValueType(rawValue: bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
        offset += 1
        let count: UInt64
        // Most elements are short: their length is one byte.
        if offset < bytes.byteCount, case let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self), byte < 0x80 {
            count = UInt64(byte)
            offset += 1
        } else {
            do throws(CodecError) { count = try Varint.decode(bytes, at: &offset) } catch { throw .malformed(.array) }
        }
        guard count <= UInt64(bytes.byteCount - offset) else { throw .malformed(.array) }
        let start = offset
        offset += Int(count)
        return (start..<offset, type)
    }
}

/// Stored as JSON.
extension Dictionary: MappedContent, MappedValue where Key: Codable, Value: Codable {}
/// Stored as JSON.
extension Set: MappedContent, MappedValue where Element: Codable {}
