public import CairnCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension String: MappedValue {
    @inlinable
    public init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        guard type == .string else { throw .mismatch(type, String.self) }
        self = try String(text: bytes)
    }

    /// Creates text from the bytes of any type stored as UTF-8.
    @inlinable
    init(text bytes: RawSpan) throws(MappedStoreError) {
        do throws(CodecError) { try self.init(copying: bytes) } catch { throw MappedStoreError(.codec, error.message, cause: error) }
    }

    @inlinable
    public func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        try withBytes { bytes throws(MappedStoreError) in try body(bytes, .string) }
    }
}

extension Data: MappedValue {
    @inlinable
    public init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        guard type == .bytes else { throw .mismatch(type, Data.self) }
        self.init(copying: bytes)
    }

    @inlinable
    public func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        try withBytes { bytes throws(MappedStoreError) in try body(bytes, .bytes) }
    }
}

extension Date: MappedValue {
    @inlinable
    public init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        guard type == .date else { throw .mismatch(type, Date.self) }
        self.init(timeIntervalSinceReferenceDate: try Double(bits: bytes, stored: type, wanted: .date))
    }

    @inlinable
    public func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        try withLittleEndian(timeIntervalSinceReferenceDate.bitPattern, .date, body)
    }
}

extension UUID: MappedValue {
    @inlinable
    public init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        guard type == .uuid else { throw .mismatch(type, UUID.self) }
        guard bytes.byteCount == 16 else { throw .malformed(type) }
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        unsafe withUnsafeMutableBytes(of: &uuid) { target in
            unsafe bytes.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
        }
        self.init(uuid: uuid)
    }

    @inlinable
    public func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        var uuid = uuid
        return try unsafe withUnsafeBytes(of: &uuid) { bytes throws(MappedStoreError) in
            try unsafe body(RawSpan(_unsafeBytes: bytes), .uuid)
        }
    }
}

extension URL: MappedValue {
    public init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        guard type == .url else { throw .mismatch(type, URL.self) }
        guard let url = URL(string: try String(text: bytes)) else { throw .malformed(type) }
        self = url
    }

    /// Stores the text of the URL, as an absolute URL if it has a base.
    public func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        try absoluteString.withBytes { bytes throws(MappedStoreError) in try body(bytes, .url) }
    }
}
