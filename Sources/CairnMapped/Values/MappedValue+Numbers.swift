#if canImport(Darwin)
public import Foundation
#endif

extension Bool: MappedValue {
    @inlinable
    public init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        guard type == .bool else { throw .mismatch(type, Bool.self) }
        guard bytes.byteCount == 1 else { throw .malformed(type) }
        self = unsafe bytes.unsafeLoad(as: UInt8.self) != 0
    }

    @inlinable
    public func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        try withLittleEndian(UInt8(self ? 1 : 0), .bool, body)
    }
}

extension MappedStoreError {
    /// The bytes are not a valid value of their type.
    @inline(never)
    @usableFromInline
    static func malformed(_ type: MappedValueType) -> MappedStoreError {
        MappedStoreError(.codec, "the stored bytes are not \(type.phrase)")
    }

    /// The stored integer is not one of the type.
    @inline(never)
    @usableFromInline
    static func tooWide(_ wanted: any Any.Type) -> MappedStoreError {
        MappedStoreError(.typeMismatch, "the stored integer does not fit in \(wanted); read it as a wider type")
    }
}

/// Lends `number`, little-endian, to `body`.
@inlinable
func withLittleEndian<Number: FixedWidthInteger & BitwiseCopyable, Result>(
    _ number: Number,
    _ type: MappedValueType,
    _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
) throws(MappedStoreError) -> Result {
    var number = number.littleEndian
    return try unsafe withUnsafeBytes(of: &number) { bytes throws(MappedStoreError) in
        try unsafe body(RawSpan(_unsafeBytes: bytes), type)
    }
}

// MARK: - Integers

/// The common implementation of the integer types. They are stored the same way, so any of them reads what another wrote, if the value fits.
extension MappedValue where Self: FixedWidthInteger & BitwiseCopyable & Codable {
    @inlinable
    public init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        guard type == .int, let value = Self(short: bytes) else {
            self = try Self(long: bytes, as: type)
            return
        }
        self = value
    }

    /// An integer of at most 8 bytes; `nil` if it is not one, or does not fit.
    @inlinable
    @inline(__always)
    init?(short bytes: RawSpan) {
        // Not a switch: that would be a jump through a table.
        let count = bytes.byteCount
        if count >= 4 {
            if count == 8 {
                unsafe self.init(exactly: Int64(littleEndian: bytes.unsafeLoadUnaligned(as: Int64.self)))
            } else {
                guard count == 4 else { return nil }
                unsafe self.init(exactly: Int32(littleEndian: bytes.unsafeLoadUnaligned(as: Int32.self)))
            }
        } else if count == 2 {
            unsafe self.init(exactly: Int16(littleEndian: bytes.unsafeLoadUnaligned(as: Int16.self)))
        } else {
            guard count == 1 else { return nil }
            unsafe self.init(exactly: bytes.unsafeLoad(as: Int8.self))
        }
    }

    /// Any other: an integer of 16 or 17 bytes, or an error.
    @inlinable
    @inline(never)
    init(long bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        guard type == .int else { throw .mismatch(type, Self.self) }
        let value: Self? =
            switch bytes.byteCount {
            case 1, 2, 4, 8: nil
            case 16: unsafe Self(exactly: Int128(littleEndian: bytes.unsafeLoadUnaligned(as: Int128.self)))
            // Beyond `Int128`: a `UInt128` followed by a sign byte, 0.
            case 17 where unsafe bytes.unsafeLoad(fromByteOffset: 16, as: UInt8.self) == 0:
                unsafe Self(exactly: UInt128(littleEndian: bytes.unsafeLoadUnaligned(as: UInt128.self)))
            default: throw .malformed(.int)
            }
        guard let value else { throw .tooWide(Self.self) }
        self = value
    }

    @inlinable
    public func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        if let number = Int8(exactly: self) { return try withLittleEndian(number, .int, body) }
        if let number = Int16(exactly: self) { return try withLittleEndian(number, .int, body) }
        if let number = Int32(exactly: self) { return try withLittleEndian(number, .int, body) }
        if let number = Int64(exactly: self) { return try withLittleEndian(number, .int, body) }
        if let number = Int128(exactly: self) { return try withLittleEndian(number, .int, body) }
        // What is left is a UInt128 with its highest bit set: 16 bytes and a sign.
        var bytes = InlineArray<17, UInt8>(repeating: 0)
        let number = UInt128(truncatingIfNeeded: self)
        for index in 0..<16 { bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        return try unsafe body(bytes.span.bytes, .int)
    }
}

extension Int: MappedValue {}
extension Int8: MappedValue {}
extension Int16: MappedValue {}
extension Int32: MappedValue {}
extension Int64: MappedValue {}
extension Int128: MappedValue {}
extension UInt: MappedValue {}
extension UInt8: MappedValue {}
extension UInt16: MappedValue {}
extension UInt32: MappedValue {}
extension UInt64: MappedValue {}
extension UInt128: MappedValue {}

// MARK: - Floating point

/// Reads an integer as a number with a fraction: JSON, property lists and command lines write 1.0 as 1.
@usableFromInline
func exactNumber<Number: BinaryFloatingPoint>(_ bytes: RawSpan) throws(MappedStoreError) -> Number {
    guard let number = Number(exactly: try Int128(stored: bytes, as: .int)) else {
        throw MappedStoreError(.typeMismatch, "the stored integer cannot be represented exactly as a \(Number.self); read it as an integer")
    }
    return number
}

extension Float: MappedValue {
    /// Reads a `Float`, or an integer that is exactly a `Float`.
    @inlinable
    public init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        if type == .int {
            self = try exactNumber(bytes)
            return
        }
        guard type == .float else { throw .mismatch(type, Float.self) }
        guard bytes.byteCount == 4 else { throw .malformed(type) }
        self = unsafe Float(bitPattern: UInt32(littleEndian: bytes.unsafeLoadUnaligned(as: UInt32.self)))
    }

    @inlinable
    public func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        try withLittleEndian(bitPattern, .float, body)
    }
}

extension Double: MappedValue {
    /// Reads a `Double`, a `Float`, or an integer that is exactly a `Double`.
    @inlinable
    public init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        switch type {
        case .int: self = try exactNumber(bytes)
        case .float: self = Double(try Float(stored: bytes, as: type))
        default: self = try Self(bits: bytes, stored: type, wanted: .double)
        }
    }

    /// Reads the eight bytes of a `Double` that is stored as `wanted`.
    @inlinable
    init(bits bytes: RawSpan, stored type: MappedValueType, wanted: MappedValueType) throws(MappedStoreError) {
        guard type == wanted else { throw .mismatch(type, Double.self) }
        guard bytes.byteCount == 8 else { throw .malformed(type) }
        self = unsafe Double(bitPattern: UInt64(littleEndian: bytes.unsafeLoadUnaligned(as: UInt64.self)))
    }

    @inlinable
    public func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        try withLittleEndian(bitPattern, .double, body)
    }
}

#if canImport(Darwin)
/// Stored as a `Double`. On other platforms, the type belongs to a part of Foundation that this module does not use.
extension CGFloat: MappedValue {
    /// Reads what `Double` reads.
    public init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        self = CGFloat(try Double(stored: bytes, as: type))
    }

    public func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        try Double(self).withStoredBytes(body)
    }
}
#endif
