import CairnCore

/// Encodes values in the keys of index entries: unchanged or, in an encrypted store, as keyed hashes.
///
/// The hash of a property covers its value and the hashes of the properties before it. Entries with the same first values stay adjacent, so an index
/// on several properties answers equality of the first few, and equal values after different ones have different hashes.
struct IndexKeys: Sendable {
    let session: (any ObjectCipherSession)?

    /// - Parameter engine: The store's engine.
    init(_ engine: any StorageEngine) { session = (engine as? SealedEngine)?.form.session }

    /// Whether the order of entries reveals nothing about the order of values.
    var areHashed: Bool { session != nil }

    /// The first part of an entry's key.
    ///
    /// - Parameters:
    ///   - values: As `KeyEncoder` writes them, one for each of the first `count` properties.
    func bytes(_ number: UInt32, _ values: [UInt8], count: Int) -> [UInt8] {
        var term = Keyspace.entries(number)
        guard let session else { return term + values }
        var key = term
        key.reserveCapacity(key.count + count * SealedForm.hashSize + 6)
        let start = term.count
        term.reserveCapacity(start + values.count)
        term += values
        func add(_ end: Int) {
            let hash = unsafe session.hash(term.span.bytes.extracting(first: start + end))
            unsafe withUnsafeBytes(of: hash.bigEndian) { unsafe key.append(contentsOf: $0) }
        }
        guard count > 1 else {
            add(values.count)
            return key
        }
        var decoder = unsafe KeyDecoder(values.span.bytes)
        // Decoding what was just encoded cannot fail.
        while !decoder.isAtEnd, (try? KeyValue(decoding: &decoder)) != nil { add(decoder.position) }
        return key
    }
}
