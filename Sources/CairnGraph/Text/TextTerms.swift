import CairnCore

/// How keys of a text index represent grams: as they are or, in an encrypted store, as keyed hashes. Nothing else in the code knows.
///
/// Two grams with the same hash would share their blocks, so a search would find too many candidates, or miss a text after another changes.
/// Among a million grams, the chance is one in thirty million.
struct TextTerms: Sendable {
    private let session: (any ObjectCipherSession)?
    private let index: UInt32
    /// Whether terms are hashes, which are costly enough to be worth caching.
    let areHashed: Bool

    init(_ index: UInt32, _ session: (any ObjectCipherSession)?) {
        self.index = index
        self.session = session
        areHashed = session != nil
    }

    func term(_ gram: TextGram) -> TextTerm {
        guard let session else { return gram }
        let bytes = [Keyspace.textKind] + Keyspace.bigEndian(index) + Keyspace.bigEndian(gram)
        return unsafe TextTerm(truncatingIfNeeded: session.hash(bytes.span.bytes) >> 64)
    }

    /// Appends the bytes of a term. They sort like terms, and none begins with those of another.
    @inline(__always)
    func append(_ term: TextTerm, to key: inout [UInt8]) {
        guard !areHashed else {
            for shift in stride(from: 56, through: 0, by: -8) { key.append(UInt8(truncatingIfNeeded: term >> UInt64(shift))) }
            return
        }
        for shift: UInt64 in [42, 21, 0] {
            let scalar = UInt32(truncatingIfNeeded: term >> shift & 0x1F_FFFF)
            if scalar < 0x80 { key.append(UInt8(scalar)) } else { UTF8Reading.encode(scalar) { key.append($0) } }
        }
    }

    /// The term for bytes of a key.
    func term(_ bytes: [UInt8]) -> TextTerm {
        guard session == nil else { return bytes.prefix(8).reduce(0) { $0 << 8 | TextTerm($1) } }
        return TextGrams.gram(UTF8Reading.scalars(bytes).prefix(3))
    }

    /// The prefix of the terms of all grams that begin with one or two scalars; `nil` if they cannot be distinguished from others.
    func prefix(_ scalars: some Collection<UInt32>) -> [UInt8]? {
        guard session == nil else { return nil }
        var prefix: [UInt8] = []
        for scalar in scalars { UTF8Reading.encode(scalar) { prefix.append($0) } }
        return prefix
    }
}
