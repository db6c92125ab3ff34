extension FieldReader {
    /// Whether the value is null; if so, consumes it.
    @inlinable @inline(__always)
    mutating func takeNull() -> Bool {
        guard kind == Wire.null else { return false }
        kind = Wire.none
        return true
    }

    /// Reads the payload of a varint field as is.
    @inlinable @inline(__always)
    mutating func takeVarint(as type: Any.Type) throws(RecordError) -> UInt64 {
        guard kind == Wire.varint else { throw RecordError.mismatch(kind, "\(type)") }
        kind = Wire.none
        return try varint()
    }

    /// Reads a payload of four, eight or sixteen bytes, the size of `Bits`.
    @inlinable @inline(__always)
    mutating func takeFixed<Bits: FixedWidthInteger & BitwiseCopyable>(_ wanted: UInt8, as type: Any.Type) throws(RecordError) -> Bits {
        guard kind == wanted else { throw RecordError.mismatch(kind, "\(type)") }
        guard unsafe end - position >= MemoryLayout<Bits>.size else { throw RecordError.truncated() }
        kind = Wire.none
        let bits = unsafe Bits(littleEndian: position.loadUnaligned(as: Bits.self))
        unsafe position += MemoryLayout<Bits>.size
        return bits
    }

    /// Reads a payload with a length; the result points into the record.
    @inlinable @inline(__always)
    mutating func takeBytes(as type: Any.Type) throws(RecordError) -> UnsafeRawBufferPointer {
        guard kind == Wire.bytes else { throw RecordError.mismatch(kind, "\(type)") }
        let count = try varint()
        guard unsafe count <= UInt64(UInt(bitPattern: end - position)) else { throw RecordError.truncated() }
        kind = Wire.none
        let bytes = unsafe UnsafeRawBufferPointer(start: position, count: Int(truncatingIfNeeded: count))
        unsafe position += bytes.count
        return unsafe bytes
    }

    /// Reads a varint.
    @inlinable @inline(__always)
    mutating func varint() throws(RecordError) -> UInt64 {
        if unsafe position < end {
            let byte = unsafe position.load(as: UInt8.self)
            if byte < 0x80 {
                unsafe position += 1
                return UInt64(byte)
            }
        }
        return try longVarint()
    }

    /// Reads a varint of any length.
    @usableFromInline @inline(never)
    mutating func longVarint() throws(RecordError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        var next = unsafe position
        while unsafe next < end {
            let byte = unsafe next.load(as: UInt8.self)
            unsafe next += 1
            // The tenth byte contains only the 64th bit.
            if shift == 63, byte > 1 { throw RecordError.malformed("an integer exceeds 64 bits") }
            value |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 {
                if byte == 0, shift > 0 { throw RecordError.malformed("an integer is padded with zeros") }
                unsafe position = next
                return value
            }
            shift &+= 7
        }
        throw RecordError.truncated()
    }

    /// Skips the payload of a value of any `kind`.
    @usableFromInline @inline(never)
    mutating func skip(_ kind: UInt8) throws(RecordError) {
        switch kind {
        case Wire.null: break
        case Wire.varint: _ = try varint()
        case Wire.four: try skip(bytes: 4)
        case Wire.eight: try skip(bytes: 8)
        case Wire.sixteen: try skip(bytes: 16)
        case Wire.bytes, Wire.references: try skip(bytes: varint())
        case Wire.reference:
            _ = try varint()
            _ = try varint()
        default: throw RecordError.malformed("a value of unknown kind")
        }
    }

    private mutating func skip(bytes count: UInt64) throws(RecordError) {
        guard unsafe count <= UInt64(UInt(bitPattern: end - position)) else { throw RecordError.truncated() }
        unsafe position += Int(truncatingIfNeeded: count)
    }
}
