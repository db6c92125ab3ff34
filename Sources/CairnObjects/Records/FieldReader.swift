/// Takes the value of one field, or of one element of a collection, from lent bytes: what ``StoredValue/init(reading:)`` is given.
///
/// It has no methods of its own: types take a value of another type that can be stored, and make themselves of it. If that fails because of the
/// type that is stored, another may be tried.
@safe public struct FieldReader: ~Copyable, ~Escapable {
    /// What is read next. Never beyond `end`.
    @usableFromInline var position: UnsafeRawPointer
    /// Behind the record, or the list that is being read.
    @usableFromInline var end: UnsafeRawPointer
    /// The kind of the value to take; `Wire.none` once it is taken.
    @usableFromInline var kind: UInt8 = 0xFF
    /// How many lists are open.
    @usableFromInline var depth: UInt8 = 0

    @inlinable @inline(__always)
    @_lifetime(copy bytes)
    init(_ bytes: RawSpan) {
        // The span of no bytes has no address; any will do, as nothing is read.
        let start = unsafe bytes.withUnsafeBytes { $0.baseAddress } ?? UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
        unsafe position = start
        unsafe end = start + bytes.byteCount
    }
}
