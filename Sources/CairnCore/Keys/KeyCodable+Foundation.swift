#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Data: KeyCodable {
    /// Appends a byte string, the same as for `[UInt8]`.
    public func encode(into encoder: inout KeyEncoder) {
        encoder.append(KeyTypeCode.bytes, terminating: bytes)
    }

    /// Decodes a byte string.
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        self.init(try [UInt8](decoding: &decoder))
    }

    /// A byte string.
    public static var keyType: KeyType? { .bytes }
}

extension Date: KeyCodable {
    /// Appends the seconds since 2001-01-01 00:00:00 UTC as a double.
    ///
    /// This is the number that a `Date` holds, so it is restored exactly. Seconds since 1970 would be rounded, and two dates could become the
    /// same key. A reader in another language adds 978,307,200 to get Unix time.
    public func encode(into encoder: inout KeyEncoder) {
        timeIntervalSinceReferenceDate.encode(into: &encoder)
    }

    /// Decodes a double of seconds since 2001-01-01 00:00:00 UTC.
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        self.init(timeIntervalSinceReferenceDate: try Double(decoding: &decoder))
    }

    /// A date.
    public static var keyType: KeyType? { .date }
}

extension UUID: KeyCodable {
    /// Appends the 16 bytes in the order of their text form.
    public func encode(into encoder: inout KeyEncoder) {
        encoder.bytes.append(KeyTypeCode.uuid)
        unsafe withUnsafeBytes(of: uuid) { unsafe encoder.bytes.append(contentsOf: $0) }
    }

    /// Decodes a UUID.
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        try decoder.take(code: KeyTypeCode.uuid)
        let start = try decoder.take(16)
        self.init(uuid: unsafe decoder.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: uuid_t.self))
    }

    /// A UUID.
    public static var keyType: KeyType? { .uuid }
}
