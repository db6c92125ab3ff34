import CairnCore

/// Merges the changes of one context with a record saved by another.
enum RecordMerge {
    /// Replaces the record in `writer` by one with its changed properties and the other properties of `old`.
    static func merge(
        _ writer: inout RecordWriter,
        over old: UnsafeRawBufferPointer,
        changed: UInt64,
        _ stored: StoredClass
    ) throws(RecordError) {
        let mine = try writer.bytes
        var changedFields: Set<UInt64> = []
        for index in 0..<stored.fields.count where changed & ObjectState.bit(index) != 0 {
            changedFields.insert(UInt64(stored.fields[index]))
        }
        let mineFields = unsafe try fields(mine.span.bytes.withUnsafeBytes { unsafe $0 })
        let theirs = unsafe try fields(old)
        guard let header = unsafe ObjectRecord.Header(mine.span.bytes.withUnsafeBytes { unsafe $0 }) else { throw RecordError.truncated() }
        writer.reset(version: header.version, changeCount: header.changeCount)
        for number in Set(mineFields.keys).union(theirs.keys).sorted() {
            guard let bytes = changedFields.contains(number) ? mineFields[number] : theirs[number] else { continue }
            writer.field.reserve(bytes.count)
            for byte in bytes { writer.field.append(byte: byte) }
        }
    }

    /// The fields of a record with their tags, by number.
    static func fields(_ record: UnsafeRawBufferPointer) throws(RecordError) -> [UInt64: [UInt8]] {
        var fields: [UInt64: [UInt8]] = [:]
        unsafe try RecordFields.forEach(record) { field in fields[field.number] = [UInt8](copying: field.bytes) }
        return fields
    }
}

extension RecordMerge {
    /// Replaces some fields of the record in `writer` by those of another record, which may lack them.
    static func take(_ numbers: Set<UInt64>, of other: UnsafeRawBufferPointer, into writer: inout RecordWriter) throws(RecordError) {
        let record = unsafe UnsafeRawBufferPointer(start: writer.field.base, count: writer.field.count)
        var taken: [(number: UInt64, bytes: [UInt8])] = []
        unsafe try RecordFields.forEach(other) { field in
            if numbers.contains(field.number) { taken.append((field.number, [UInt8](copying: field.bytes))) }
        }
        var bytes: [UInt8] = unsafe Array(record[..<(try ObjectRecord.header(record).size)])
        var next = 0
        unsafe try RecordFields.forEach(record) { field in
            while next < taken.count, taken[next].number <= field.number {
                bytes += taken[next].bytes
                next += 1
            }
            if !numbers.contains(field.number) { bytes += [UInt8](copying: field.bytes) }
        }
        for field in taken[next...] { bytes += field.bytes }
        writer.replace(with: bytes)
    }
}

extension RecordWriter {
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
