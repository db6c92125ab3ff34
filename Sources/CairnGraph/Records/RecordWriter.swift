internal import CairnCore

/// Writes records, one after another, into memory that is allocated once.
///
/// ```swift
/// var writer = RecordWriter()
/// writer.write(song.artist, field: 1)
/// writer.write(song.seconds, field: 2)
/// let record = try writer.bytes
/// ```
///
/// Fields can be written in any order and are sorted by number, at no cost if they are in order. If a field is written twice, the last value counts.
/// Equal values have equal bytes, including sets and dictionaries; text is equal if its scalars are, and numbers if their bits are.
@safe public struct RecordWriter: ~Copyable {
    @usableFromInline var field = FieldWriter()
    /// The highest number written so far.
    @usableFromInline var last = 0
    /// Where the record begins, after the header.
    @usableFromInline var start = 0

    /// How long lists are written, and the lists written.
    var longForm = LongForm.whole
    var longLists: [LongField] = []
    /// Collections with more references may be long.
    var longest = LongList.longestChunk

    /// Makes a writer with an empty record.
    public init() {}

    /// Writes the value of a field.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - number: The field's number in the store, from 1 and below 2²⁸; other numbers are an error of the record (``check()``).
    /// - Complexity: O(1) plus the cost of the value, if `number` is higher than those before; otherwise O(n) in the bytes written.
    @inlinable
    public mutating func write<Value: StoredValue>(_ value: borrowing Value, field number: Int) {
        let place = begin(number)
        value.write(to: &field)
        end(number, place)
    }

    /// Writes the value of the next field in order: 1, then 2, then 3. For hand-written codecs.
    @inlinable
    public mutating func write<Value: StoredValue>(_ value: borrowing Value) {
        write(value, field: last + 1)
    }

    /// Writes a reference: a class number and a row, which the store interprets.
    @inlinable
    public mutating func write(reference class: UInt64, row: UInt64, field number: Int) {
        let place = begin(number)
        field.begin(Wire.reference, room: 20)
        field.append(varint: `class`)
        field.append(varint: row)
        end(number, place)
    }

    /// Writes encoded references, in the store's format.
    public mutating func write(references bytes: RawSpan, field number: Int) {
        let place = begin(number)
        field.begin(Wire.references, room: bytes.byteCount + 10)
        field.append(varint: UInt64(bytes.byteCount))
        unsafe bytes.withUnsafeBytes { source in
            guard let address = source.baseAddress else { return }
            unsafe (field.base + field.count).copyMemory(from: address, byteCount: source.count)
            field.count += source.count
        }
        end(number, place)
    }

    /// Starts another record in the same memory.
    @inlinable
    public mutating func reset() {
        field.count = 0
        start = 0
        restart()
    }

    /// Starts another record after `header`, which is returned with it.
    public mutating func reset(header: RawSpan) {
        reset()
        field.reserve(header.byteCount)
        for offset in 0..<header.byteCount {
            field.append(byte: unsafe header.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self))
        }
        start = field.count
    }

    @inlinable @inline(__always)
    mutating func restart() {
        last = 0
        if field.failure != nil { field.failure = nil }
        field.form = Wire.none
        field.depth = 0
    }
}

extension RecordWriter {
    /// Throws the first error since the last ``reset()``: a `Codable` type whose coder failed (`failed`), values nested too deeply (`tooDeep`), a
    /// type that wrote itself twice or an invalid field number (`misused`).
    @inlinable
    public func check() throws(RecordError) {
        if let failure = field.failure { throw failure }
    }

    /// The number of bytes written, including the header.
    @inlinable
    public var byteCount: Int { field.count }

    /// The record, in the writer's memory.
    ///
    /// - Throws: ``RecordError`` as ``check()``: incomplete records are not returned.
    @inlinable
    public var span: RawSpan {
        @_lifetime(borrow self)
        get throws(RecordError) {
            try check()
            let span = unsafe RawSpan(_unsafeStart: field.base, byteCount: field.count)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// A copy of the record.
    ///
    /// - Throws: ``RecordError`` as ``check()``.
    public var bytes: [UInt8] {
        get throws(RecordError) { try [UInt8](copying: span) }
    }

    /// Lends the record to `body`.
    ///
    /// - Throws: ``RecordError`` as ``check()``, or what `body` throws.
    @inlinable
    public func withBytes<Result>(_ body: (RawSpan) throws(RecordError) -> Result) throws(RecordError) -> Result {
        try body(span)
    }
}

extension RecordWriter {
    /// Prepares for the value of a field; returns where it begins.
    @inlinable @inline(__always)
    mutating func begin(_ number: Int) -> Int {
        if number &- 1 >= 0, number < Wire.numberLimit {
            field.pending = UInt32(truncatingIfNeeded: number) << 3
        } else {
            field.fail(RecordError(.misused, "field numbers range from 1 to \(Wire.numberLimit - 1), but this one is \(number)"))
        }
        return field.count
    }

    @inlinable @inline(__always)
    mutating func end(_ number: Int, _ place: Int) {
        // The type wrote nothing.
        if field.pending != 0 { field.putNull() }
        if number > last { last = number } else { moveField(number, from: place) }
    }
}
