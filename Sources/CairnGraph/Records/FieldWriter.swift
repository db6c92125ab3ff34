/// Writes the value of one field, or of one element of a collection: the argument of ``StoredValue/write(to:)``.
///
/// It has no public methods: types write themselves as exactly one value of another storable type.
@safe public struct FieldWriter: ~Copyable {
    @usableFromInline var base: UnsafeMutableRawPointer
    @usableFromInline var capacity: Int
    @usableFromInline var count = 0
    /// What precedes the next value: 0 if no value is expected, 1 for a list element, otherwise the tag of a field.
    @usableFromInline var pending: UInt32 = 0
    /// The kind of all elements so far of the list being written, `Wire.mixed`, or `Wire.none` if there are none yet.
    @usableFromInline var form: UInt8 = 0xFF
    /// The number of open lists.
    @usableFromInline var depth: UInt8 = 0
    /// Where the list's payload begins.
    @usableFromInline var listStart = 0
    /// The first error. If there is one, the bytes written are not a record.
    @usableFromInline var failure: RecordError?

    init(capacity: Int = 256) {
        self.capacity = capacity
        unsafe base = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { unsafe base.deallocate() }
}
