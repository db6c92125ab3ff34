extension FieldReader {
    /// The reader's state outside a list, saved while the list is read.
    @usableFromInline
    @safe struct List {
        /// The kind of all elements, or `Wire.mixed`.
        @usableFromInline let form: UInt8
        /// The number of elements, which has been verified.
        @usableFromInline let count: Int
        /// The end of the bytes that contain the list.
        @usableFromInline let outerEnd: UnsafeRawPointer

        init(form: UInt8, count: Int, outerEnd: UnsafeRawPointer) {
            self.form = form
            self.count = count
            unsafe self.outerEnd = unsafe outerEnd
        }
    }

    /// Enters the list that is the value; then call ``nextElement(_:)`` for each element, and ``endList(_:)``.
    @usableFromInline @inline(never)
    mutating func beginList(as type: Any.Type) throws(RecordError) -> List {
        let payload = try unsafe takeBytes(as: type)
        guard depth < WireKind.deepest else { throw RecordError.tooDeep() }
        depth += 1
        let outerEnd = unsafe end
        unsafe end = unsafe position
        unsafe position = unsafe position - payload.count
        guard unsafe position < end else { return unsafe List(form: Wire.mixed, count: 0, outerEnd: outerEnd) }
        let form = unsafe position.load(as: UInt8.self)
        unsafe position += 1
        let start = unsafe position
        let count = try countElements(form)
        unsafe position = unsafe start
        return unsafe List(form: form, count: count, outerEnd: outerEnd)
    }

    /// Counts the elements up to `end`, each of which takes at least one byte.
    private mutating func countElements(_ form: UInt8) throws(RecordError) -> Int {
        let room = unsafe end - position
        var count = 0
        switch form {
        case Wire.four, Wire.eight, Wire.sixteen:
            let size = 1 << Int(form)
            let width = form == Wire.sixteen ? 16 : size
            guard room % width == 0 else { throw RecordError.truncated() }
            return room / width
        case Wire.varint:
            for offset in 0..<room where unsafe position.load(fromByteOffset: offset, as: UInt8.self) < 0x80 { count += 1 }
            guard room > 0, unsafe (end - 1).load(as: UInt8.self) < 0x80 else { throw RecordError.truncated() }
        case Wire.bytes:
            while unsafe position < end {
                try skip(Wire.bytes)
                count += 1
            }
        case Wire.mixed:
            while unsafe position < end {
                let kind = unsafe position.load(as: UInt8.self)
                unsafe position += 1
                try skip(kind)
                count += 1
            }
        default: throw RecordError.malformed("a list of unknown form")
        }
        return count
    }

    /// Moves to the next element, which must exist.
    @inlinable @inline(__always)
    mutating func nextElement(_ list: borrowing List) throws(RecordError) {
        if list.form != Wire.mixed {
            kind = list.form
            return
        }
        guard unsafe position < end else { throw RecordError.truncated() }
        kind = unsafe position.load(as: UInt8.self)
        unsafe position += 1
    }

    /// Reads the next element.
    @inlinable @inline(__always)
    mutating func element<Value: StoredValue>(_ list: borrowing List, as type: Value.Type = Value.self) throws(RecordError) -> Value {
        try nextElement(list)
        let value = try Value(reading: &self)
        // The type read nothing.
        if kind != Wire.none { try skip(kind) }
        return value
    }

    /// Leaves the list.
    @inlinable @inline(__always)
    mutating func endList(_ list: borrowing List) throws(RecordError) {
        guard unsafe position == end else { throw RecordError.malformed("extra bytes follow a list") }
        unsafe end = unsafe list.outerEnd
        depth -= 1
        kind = Wire.none
    }
}

extension FieldReader {
    /// Reads the next element, a list, whatever its element type: elsewhere, `[UInt8]` is stored as bytes.
    @inlinable
    mutating func list<Value: StoredValue>(_ outer: borrowing List) throws(RecordError) -> [Value] {
        try nextElement(outer)
        let list = try beginList(as: [Value].self)
        var elements: [Value] = []
        elements.reserveCapacity(list.count)
        for _ in 0..<list.count { elements.append(try element(list)) }
        try endList(list)
        return elements
    }
}
