extension RecordWriter {
    /// Moves the last field, which begins at `place`, to the position of its number, replacing a field with the same number.
    @usableFromInline @inline(never)
    mutating func moveField(_ number: Int, from place: Int) {
        guard field.failure == nil else { return }
        let moved = unsafe [UInt8](UnsafeRawBufferPointer(start: field.base + place, count: field.count - place))
        let others = unsafe [UInt8](UnsafeRawBufferPointer(start: field.base + start, count: place - start))
        var reader = unsafe FieldReader(others.span.bytes)
        let origin = unsafe reader.position
        var before = others.count
        var behind = others.count
        do throws(RecordError) {
            while unsafe reader.position < reader.end {
                let here = unsafe reader.position - origin
                let head = try reader.varint()
                if head >> 3 >= UInt64(number) {
                    before = here
                    if head >> 3 == UInt64(number) {
                        try reader.skip(UInt8(head & 7))
                        behind = unsafe reader.position - origin
                    } else {
                        behind = here
                    }
                    break
                }
                try reader.skip(UInt8(head & 7))
            }
        } catch {
            preconditionFailure("CairnObjects wrote a record that it cannot read: \(error)")
        }
        field.count = start
        field.append(others[..<before])
        field.append(moved[...])
        field.append(others[behind...])
    }
}
