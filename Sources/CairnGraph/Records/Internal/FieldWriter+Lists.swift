#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

extension FieldWriter {
    /// The writer's state outside a list, saved while the list is written.
    @usableFromInline
    struct List {
        @usableFromInline let form: UInt8
        @usableFromInline let listStart: Int

        init(form: UInt8, listStart: Int) {
            self.form = form
            self.listStart = listStart
        }
    }

    /// Opens a list as the value; then call ``element(_:)`` for each element, and ``endList(_:)``.
    @usableFromInline @inline(never)
    mutating func beginList() -> List {
        begin(Wire.bytes, room: 1)
        if depth >= WireKind.deepest { fail(RecordError.tooDeep()) }
        depth &+= 1
        let outer = List(form: form, listStart: listStart)
        // The length of a short list. Longer ones get more bytes once the length is known.
        append(byte: 0)
        form = Wire.none
        listStart = count
        return outer
    }

    /// Writes the next element.
    @inlinable @inline(__always)
    mutating func element<Value: StoredValue>(_ value: borrowing Value) {
        pending = 1
        value.write(to: &self)
        // The type wrote nothing.
        if pending != 0 { putNull() }
    }

    /// Closes the list.
    @usableFromInline @inline(never)
    mutating func endList(_ outer: List) {
        let length = count - listStart
        let extra = (63 - (length | 1).leadingZeroBitCount) / 7
        if extra > 0 {
            reserve(extra)
            unsafe (base + listStart + extra).copyMemory(from: base + listStart, byteCount: length)
        }
        count = listStart - 1
        append(varint: UInt64(length))
        count += length
        form = outer.form
        listStart = outer.listStart
        depth &-= 1
        pending = 0
    }

    /// Adds a kind byte to each element of the open list, because their kinds now differ.
    mutating func mix() {
        // If a type wrote twice, its elements cannot be distinguished.
        guard failure == nil else { return }
        let start = listStart + 1
        let kind = form
        let elements = unsafe [UInt8](UnsafeRawBufferPointer(start: base + start, count: count - start))
        let ranges = FieldWriter.elements(of: kind, in: elements)
        form = Wire.mixed
        count = listStart
        reserve(1 + elements.count + ranges.count)
        append(byte: Wire.mixed)
        for range in ranges {
            append(byte: kind)
            append(elements[range])
        }
    }

    /// Sorts the elements of the open list by their bytes, so that equal sets have equal bytes.
    ///
    /// - Returns: For each position, the former position of its element.
    @usableFromInline @inline(never)
    mutating func sortElements() -> [Int] {
        let start = listStart + 1
        guard count > start, failure == nil else { return [] }
        let elements = unsafe [UInt8](UnsafeRawBufferPointer(start: base + start, count: count - start))
        let ranges = FieldWriter.elements(of: form, in: elements)
        let order = unsafe elements.withUnsafeBytes { bytes in
            ranges.indices.sorted { first, second in
                unsafe precedes(UnsafeRawBufferPointer(rebasing: bytes[ranges[first]]), .init(rebasing: bytes[ranges[second]]))
            }
        }
        count = start
        for place in order { append(elements[ranges[place]]) }
        return order
    }

    /// Whether the first bytes sort before the second.
    private func precedes(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Bool {
        guard let firstStart = first.baseAddress, let secondStart = second.baseAddress else { return first.count < second.count }
        let order = unsafe memcmp(firstStart, secondStart, min(first.count, second.count))
        return order == 0 ? first.count < second.count : order < 0
    }

    /// The byte ranges of the elements of a list written by this writer.
    private static func elements(of form: UInt8, in bytes: [UInt8]) -> [Range<Int>] {
        var reader = unsafe FieldReader(bytes.span.bytes)
        var ranges: [Range<Int>] = []
        let start = unsafe reader.position
        while unsafe reader.position < reader.end {
            let lower = unsafe reader.position - start
            do throws(RecordError) {
                var kind = form
                if form == Wire.mixed {
                    kind = unsafe reader.position.load(as: UInt8.self)
                    unsafe reader.position += 1
                }
                try reader.skip(kind)
            } catch {
                preconditionFailure("CairnObjects wrote a list that it cannot read: \(error)")
            }
            ranges.append(lower..<(unsafe reader.position - start))
        }
        return ranges
    }

    /// Appends bytes. Requires enough room.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBytes { source in
            guard let address = source.baseAddress else { return }
            unsafe (base + count).copyMemory(from: address, byteCount: source.count)
        }
        count += bytes.count
    }
}
