extension FieldWriter {
    /// Writes a value without a payload.
    @inlinable @inline(__always)
    mutating func putNull() { begin(Wire.null, room: 0) }

    /// Writes an integer as is.
    @inlinable @inline(__always)
    mutating func put(varint value: UInt64) {
        begin(Wire.varint, room: 10)
        append(varint: value)
    }

    /// Writes four, eight or sixteen bytes, the size of `Bits`.
    @inlinable @inline(__always)
    mutating func put<Bits: FixedWidthInteger & BitwiseCopyable>(_ kind: UInt8, fixed bits: Bits) {
        begin(kind, room: MemoryLayout<Bits>.size)
        unsafe base.storeBytes(of: bits.littleEndian, toByteOffset: count, as: Bits.self)
        count &+= MemoryLayout<Bits>.size
    }

    /// Writes bytes preceded by their length.
    @inlinable @inline(__always)
    mutating func put(bytes: UnsafeRawBufferPointer) {
        begin(Wire.bytes, room: bytes.count &+ 10)
        append(varint: UInt64(truncatingIfNeeded: bytes.count))
        if let source = bytes.baseAddress {
            unsafe (base + count).copyMemory(from: source, byteCount: bytes.count)
            count &+= bytes.count
        }
    }

    /// Writes what precedes a payload, and reserves `room` bytes for it.
    @inlinable @inline(__always)
    mutating func begin(_ kind: UInt8, room: Int) {
        // A tag takes at most five bytes.
        reserve(room &+ 8)
        if pending &- 8 < 120 {
            append(byte: UInt8(truncatingIfNeeded: pending) | kind)
        } else if pending != 1 || form != kind || kind == Wire.null {
            beginOther(kind, room)
        }
        pending = 0
    }

    /// Reserves `room` bytes.
    @inlinable @inline(__always)
    mutating func reserve(_ room: Int) {
        if capacity &- count < room { grow(room) }
    }

    @usableFromInline @inline(never)
    mutating func grow(_ room: Int) {
        let larger = max(capacity * 2, count + room)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        unsafe memory.copyMemory(from: base, byteCount: count)
        unsafe base.deallocate()
        unsafe base = unsafe memory
        capacity = larger
    }

    /// Appends a byte. Requires enough room.
    @inlinable @inline(__always)
    mutating func append(byte: UInt8) {
        unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    /// Appends a varint. Requires enough room.
    @inlinable @inline(__always)
    mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(byte: UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(byte: UInt8(truncatingIfNeeded: rest))
    }

    /// The slow path of ``begin(_:room:)``: long tags, and elements of another kind than those before.
    @usableFromInline @inline(never)
    mutating func beginOther(_ kind: UInt8, _ room: Int) {
        switch pending {
        case 0:
            fail(RecordError(.misused, "a type wrote more than one value for itself; write a collection"))
        case 1:
            if form == Wire.none {
                form = kind
                append(byte: kind)
            } else if form != Wire.mixed {
                mix()
                reserve(room + 8)
            }
            if form == Wire.mixed { append(byte: kind) }
        default:
            append(varint: UInt64(pending & ~7 | UInt32(kind)))
        }
    }

    @usableFromInline @inline(never)
    mutating func fail(_ error: RecordError) {
        if failure == nil { failure = error }
    }
}
