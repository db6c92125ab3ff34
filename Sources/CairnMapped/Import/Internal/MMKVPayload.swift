/// The part of an MMKV file that is in use: a number that says nothing, then `key length, key, value length, value`, lengths as varints.
struct MMKVPayload {
    /// As many whole records as there are from the front.
    var records: [ForeignRecord] = []
    /// Where the last of them ends.
    var end: Int
    /// Whether the number in front is one that MMKV writes there.
    var beginsWell = false

    /// Reads records from `start` to `end` at most. What follows a record that is not whole, or has no key, is not read.
    init(_ bytes: [UInt8], from start: Int, to end: Int) {
        var reader = ByteReader(bytes, from: start, to: end)
        self.end = start
        guard let holder = reader.varint() else { return }
        // It takes four bytes, or once was a size.
        beginsWell = reader.position == start + 4 || holder <= UInt64(end - start)
        self.end = reader.position
        while let record = Self.record(&reader) {
            records.append(record)
            self.end = record.end
        }
    }

    private static func record(_ reader: inout ByteReader) -> ForeignRecord? {
        guard
            let keyCount = reader.varint(), keyCount > 0, keyCount <= UInt64(UInt16.max), let key = reader.take(keyCount),
            let valueCount = reader.varint(), let value = reader.take(valueCount)
        else { return nil }
        return ForeignRecord(key: key, value: value, end: reader.position)
    }

    /// Whether all keys are text: by chance, those of bytes decrypted with a wrong key hardly ever are.
    var hasTextKeys: Bool { records.allSatisfy { String(validating: $0.key, as: UTF8.self) != nil } }
}
