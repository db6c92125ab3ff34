/// Reads the value of one field, or of one element of a collection, from borrowed bytes: the argument of ``StoredValue/init(reading:)``.
///
/// It has no public methods: types read a value of another storable type and convert it. If that fails because another type is stored, a second
/// type can be tried.
@safe public struct FieldReader: ~Copyable, ~Escapable {
    /// The next byte to read. Never beyond `end`.
    @usableFromInline var position: UnsafeRawPointer
    /// The end of the record, or of the list being read.
    @usableFromInline var end: UnsafeRawPointer
    /// The kind of the value to read; `Wire.none` once it has been read.
    @usableFromInline var kind: UInt8 = 0xFF
    /// The number of open lists.
    @usableFromInline var depth: UInt8 = 0

    @inlinable @inline(__always)
    @_lifetime(copy bytes)
    init(_ bytes: RawSpan) {
        // An empty span has no address; any will do, because nothing is read.
        let start = unsafe bytes.withUnsafeBytes { $0.baseAddress } ?? UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
        unsafe position = start
        unsafe end = start + bytes.byteCount
    }
}
