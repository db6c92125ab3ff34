import CairnCore

/// A number that stands for a gram in a text index: the gram itself or, in an encrypted store, a hash of it.
typealias TextTerm = UInt64

/// How the grams of a text index stand in keys: as they are, or, in an encrypted store, as keyed hashes. The only place that knows.
///
/// Two grams of one hash would share their blocks, and a search would find too many candidates, or miss a text after a change of another: among a million
/// grams that is one chance in thirty million.
struct TextTerms: Sendable {
    private let session: (any ObjectCipherSession)?
    private let index: UInt32
    /// Whether terms are hashes: making one of a gram costs so much that it is worth keeping.
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

    /// Appends what stands for a term, in the order of terms: no other begins with it.
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

    /// The term that bytes of a key stand for.
    func term(_ bytes: [UInt8]) -> TextTerm {
        guard session == nil else { return bytes.prefix(8).reduce(0) { $0 << 8 | TextTerm($1) } }
        return TextGrams.gram(UTF8Reading.scalars(bytes).prefix(3))
    }

    /// What the terms of all grams stand behind that begin with one scalar or two; `nil` where they cannot be told from others.
    func prefix(_ scalars: some Collection<UInt32>) -> [UInt8]? {
        guard session == nil else { return nil }
        var prefix: [UInt8] = []
        for scalar in scalars { UTF8Reading.encode(scalar) { prefix.append($0) } }
        return prefix
    }
}
