import CairnCore

extension StoredIndex {
    struct Entry: Equatable {
        var bytes: [UInt8]
        /// Whether the key has no row, so that only one object can have it.
        var isUnique: Bool
    }

    /// The key of an object's index entry.
    func entry(_ object: any StoredObject, _ id: ObjectID) -> Entry {
        var encoder = KeyEncoder(capacity: 64)
        index.encode(object, &encoder)
        let values = encoder.bytes
        var bytes = keys.bytes(number, values, count: index.properties.count)
        let isUnique = index.isUnique && !Self.hasNull(values)
        if !isUnique { bytes += Keyspace.bigEndian(id.row).suffix(6) }
        return Entry(bytes: bytes, isUnique: isUnique)
    }

    private static func hasNull(_ key: [UInt8]) -> Bool {
        var decoder = unsafe KeyDecoder(key.span.bytes)
        while !decoder.isAtEnd {
            guard let value = try? KeyValue(decoding: &decoder) else { return false }
            if case .null = value { return true }
        }
        return false
    }
}
