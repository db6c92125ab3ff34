import CairnCore

/// Merges the changes of one context with a record saved by another.
enum RecordMerge {
    /// Replaces the record in `writer` by one with its changed properties and the other properties of `old`.
    static func merge(
        _ writer: inout RecordWriter,
        over old: RawSpan,
        changed: UInt64,
        _ stored: StoredClass
    ) throws(RecordError) {
        let mine = try writer.bytes
        var changedFields: Set<UInt64> = []
        for index in 0..<stored.fields.count where changed & ObjectState.bit(index) != 0 {
            changedFields.insert(UInt64(stored.fields[index]))
        }
        let mineFields = unsafe try fields(mine.span.bytes)
        let theirs = try fields(old)
        let header = unsafe try ObjectRecord.header(mine.span.bytes)
        writer.reset(version: header.version, changeCount: header.changeCount)
        for number in Set(mineFields.keys).union(theirs.keys).sorted() {
            guard let bytes = changedFields.contains(number) ? mineFields[number] : theirs[number] else { continue }
            writer.field.reserve(bytes.count)
            for byte in bytes { writer.field.append(byte: byte) }
        }
    }

    /// The fields of a record with their tags, by number.
    static func fields(_ record: RawSpan) throws(RecordError) -> [UInt64: [UInt8]] {
        var fields: [UInt64: [UInt8]] = [:]
        try RecordFields.forEach(record) { field in fields[field.number] = [UInt8](copying: field.bytes) }
        return fields
    }
}

extension RecordMerge {
    /// Replaces some fields of the record in `writer` by those of another record, which may lack them.
    static func take(_ numbers: Set<UInt64>, of other: RawSpan, into writer: inout RecordWriter) throws(RecordError) {
        writer.replace(with: try taking(numbers, of: other, writer.record))
    }

    private static func taking(_ numbers: Set<UInt64>, of other: RawSpan, _ record: RawSpan) throws(RecordError) -> [UInt8] {
        var taken: [(number: UInt64, bytes: [UInt8])] = []
        try RecordFields.forEach(other) { field in
            if numbers.contains(field.number) { taken.append((field.number, [UInt8](copying: field.bytes))) }
        }
        var bytes = [UInt8](copying: record.extracting(first: try ObjectRecord.header(record).size))
        var next = 0
        try RecordFields.forEach(record) { field in
            while next < taken.count, taken[next].number <= field.number {
                bytes += taken[next].bytes
                next += 1
            }
            if !numbers.contains(field.number) { bytes += [UInt8](copying: field.bytes) }
        }
        for field in taken[next...] { bytes += field.bytes }
        return bytes
    }
}

extension RecordWriter {
    /// What was written, header included, without a check for errors.
    var record: RawSpan {
        @_lifetime(borrow self)
        get {
            let span = unsafe RawSpan(_unsafeStart: field.base, byteCount: field.count)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// Replaces the record, header included.
    mutating func replace(with bytes: [UInt8]) {
        field.count = 0
        field.reserve(bytes.count)
        unsafe bytes.withUnsafeBytes { source in
            guard let address = source.baseAddress else { return }
            unsafe field.base.copyMemory(from: address, byteCount: source.count)
        }
        field.count = bytes.count
    }
}
