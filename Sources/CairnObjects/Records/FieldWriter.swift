/// Takes the value of one field, or of one element of a collection: what ``StoredValue/write(to:)`` is given.
///
/// It has no methods of its own: types write themselves by way of exactly one value of another type that can be stored.
@safe public struct FieldWriter: ~Copyable {
    @usableFromInline var base: UnsafeMutableRawPointer
    @usableFromInline var capacity: Int
    @usableFromInline var count = 0
    /// What goes before the next value: 0 nothing, as no value is expected; 1 it is an element of the list; else the tag of a field.
    @usableFromInline var pending: UInt32 = 0
    /// Of the list that is being written: the kind of all elements so far, `Wire.mixed`, or `Wire.none` while there are no elements.
    @usableFromInline var form: UInt8 = 0xFF
    /// How many lists are open.
    @usableFromInline var depth: UInt8 = 0
    /// Where the payload of the list begins.
    @usableFromInline var listStart = 0
    /// The first thing that went wrong. What is in the memory then is no record.
    @usableFromInline var failure: RecordError?

    init(capacity: Int = 256) {
        self.capacity = capacity
        unsafe base = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { unsafe base.deallocate() }
}
