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
