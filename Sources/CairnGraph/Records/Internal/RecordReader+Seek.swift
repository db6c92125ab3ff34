extension RecordReader {
    /// Searches for the field with a tag: forward if it comes after the last one, otherwise from the start.
    @usableFromInline @inline(never)
    mutating func seek(_ tag: UInt32) throws(RecordError) -> Bool {
        let wanted = FieldMap.number(tag)
        guard wanted > 0 else { return false }
        var last = FieldMap.number(passed)
        if wanted <= last {
            unsafe field.position = unsafe start
            last = 0
        }
        do throws(RecordError) {
            while unsafe field.position < end {
                let here = unsafe field.position
                let head = try field.varint()
                let number = head >> 3
                guard number > last, number < Wire.numberLimit else { throw RecordError.malformed("fields are not in order") }
                if number > wanted {
                    unsafe field.position = unsafe here
                    break
                }
                last = UInt32(truncatingIfNeeded: number)
                let kind = UInt8(truncatingIfNeeded: head & 7)
                if number == wanted {
                    field.kind = kind
                    passed = tag
                    return true
                }
                try field.skip(kind)
            }
        } catch {
            throw failed(error, tag, nil)
        }
        passed = FieldMap.tag(Int(last))
        return false
    }

    private mutating func restart() {
        unsafe field.position = unsafe start
        unsafe field.end = unsafe end
        field.kind = Wire.none
        field.depth = 0
        passed = .max
    }

    /// Whether the value of a property is stored apart from the record. If so, this notes it and skips the field.
    @usableFromInline @inline(never)
    mutating func skipsLarge(_ tag: UInt32, _ index: Int) throws(RecordError) -> Bool {
        restart()
        guard try seek(tag), field.kind == Wire.references else { return false }
        field.kind = Wire.bytes
        guard unsafe try LargeValue(RawSpan(_unsafeBytes: field.takeBytes(as: LargeValue.self))) != nil else { return false }
        large |= FieldMap.bit(index)
        return true
    }

    /// The value that a property has in records from before it was added to the class; `nil` if the class decides.
    @usableFromInline @inline(never)
    func initial<Value: StoredValue>(_ tag: UInt32, _ index: Int) throws(RecordError) -> Value? {
        guard large & FieldMap.bit(index) == 0 else { return nil }
        let map = unsafe fields.takeUnretainedValue()
        let record = map.initial
        var reader = unsafe RecordReader(bytes: record.span.bytes, fields: map)
        return try reader.find(tag) ? try reader.take(tag, index, as: Value.self) : nil
    }

    /// Adds the field to an error. Reading other fields then restarts at the beginning.
    @usableFromInline @inline(never)
    mutating func failed(_ error: RecordError, _ tag: UInt32, _ index: Int?) -> RecordError {
        restart()
        return error.about(field: Int(FieldMap.number(tag)), index: index)
    }
}
