/// The part of an MMKV file that is in use: a meaningless number, then `key length, key, value length, value`, with lengths as varints.
struct MMKVPayload {
    /// The intact records from the front.
    var records: [ForeignRecord] = []
    /// The end of the last of them.
    var end: Int
    /// Whether the number at the front is one that MMKV writes there.
    var beginsWell = false

    /// Reads records from `start` to `end` at most. Stops at a record that is incomplete or has no key.
    init(_ bytes: [UInt8], from start: Int, to end: Int) {
        var reader = ByteReader(bytes, from: start, to: end)
        self.end = start
        guard let holder = reader.varint() else { return }
        // It takes four bytes, or was once a size.
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

    /// Whether all keys are text: those of bytes decrypted with a wrong key hardly ever are.
    var hasTextKeys: Bool { records.allSatisfy { String(validating: $0.key, as: UTF8.self) != nil } }
}
