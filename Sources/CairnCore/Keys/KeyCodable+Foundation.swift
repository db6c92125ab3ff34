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

    /// Takes a byte string.
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        self.init(try [UInt8](decoding: &decoder))
    }
}

extension Date: KeyCodable {
    /// Appends the seconds since 2001-01-01 00:00:00 UTC as a double.
    ///
    /// That is the number a `Date` holds: it comes back exactly. Seconds since 1970 would be rounded, and two dates could become one key.
    /// A reader in another language adds 978,307,200 for Unix time.
    public func encode(into encoder: inout KeyEncoder) {
        timeIntervalSinceReferenceDate.encode(into: &encoder)
    }

    /// Takes a double of seconds since 2001-01-01 00:00:00 UTC.
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        self.init(timeIntervalSinceReferenceDate: try Double(decoding: &decoder))
    }
}

extension UUID: KeyCodable {
    /// Appends the 16 bytes in the order in which they are written as text.
    public func encode(into encoder: inout KeyEncoder) {
        encoder.bytes.append(KeyTypeCode.uuid)
        unsafe withUnsafeBytes(of: uuid) { unsafe encoder.bytes.append(contentsOf: $0) }
    }

    /// Takes a UUID.
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        try decoder.take(code: KeyTypeCode.uuid)
        let start = try decoder.take(16)
        self.init(uuid: unsafe decoder.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: uuid_t.self))
    }
}
