import CairnCore

/// The parts of the key space as an encrypted store keeps them.
enum SealedRange {
    static let names = KeyRange(prefix: [Keyspace.nameKind])
    /// All keys except those of the encryption, which are hidden.
    private static let all: [(range: KeyRange, holdsNames: Bool)] = [
        (KeyRange(lowerBound: [], upperBound: Keyspace.encryption), false),
        (KeyRange(lowerBound: Keyspace.encryption + [0], upperBound: names.lowerBound), false),
        (names, true),
        (KeyRange(lowerBound: [Keyspace.nameKind + 1], upperBound: nil), false),
    ]

    /// The visible parts of a range, in order.
    static func parts(of range: KeyRange) -> [(range: KeyRange, holdsNames: Bool)] {
        all.compactMap { part in
            let common = intersection(range, part.range)
            return common.isEmpty ? nil : (common, part.holdsNames)
        }
    }

    /// Whether a range may have keys of names.
    static func hasNames(_ range: KeyRange) -> Bool { parts(of: range).contains { $0.holdsNames } }

    /// Whether all keys of a range are visible, and none is that of a name.
    static func isPlainPart(_ range: KeyRange) -> Bool {
        let parts = parts(of: range)
        return parts.count == 1 && !parts[0].holdsNames && parts[0].range == range
    }

    private static func intersection(_ one: KeyRange, _ other: KeyRange) -> KeyRange {
        let lower = one.lowerBound.lexicographicallyPrecedes(other.lowerBound) ? other.lowerBound : one.lowerBound
        guard let end = one.upperBound else { return KeyRange(lowerBound: lower, upperBound: other.upperBound) }
        guard let otherEnd = other.upperBound, otherEnd.lexicographicallyPrecedes(end) else {
            return KeyRange(lowerBound: lower, upperBound: end)
        }
        return KeyRange(lowerBound: lower, upperBound: otherEnd)
    }

    /// What messages call the value for a key.
    static func phrase(of key: RawSpan, className: (UInt16) -> String) -> String {
        guard key.byteCount > 0 else { return "a value" }
        let kind = [UInt8](copying: key.extracting(first: 1))[0]
        let count = key.byteCount
        func id() -> ObjectID { ObjectID(raw: Keyspace.number(key, at: 1)) }
        switch kind {
        case 0x00 where count == 4: return "class \(Keyspace.number(key, at: 2) as UInt16) in the catalog"
        case 0x00: return "the catalog"
        case 0x01 where count == 9:
            let first = id().row << ObjectPage.rowBits
            // Rows are counted from 1.
            return "\(className(id().classNumber)) \(max(first, 1)) to \(first + UInt64(ObjectPage.rowCount) - 1)"
        case 0x02 where count == 9: return "\(className(id().classNumber)) \(id().row)"
        case Keyspace.chunkKind where count == Keyspace.chunkSize:
            return "a part of a long list or large value of \(className(id().classNumber)) \(id().row)"
        case Keyspace.entryKind where count >= 5:
            return "an entry of an index of \(className(Keyspace.number(key, at: 1)))"
        case Keyspace.textKind where count >= 5:
            return "a block of a text index of \(className(Keyspace.number(key, at: 1)))"
        case 0x05 where count == Keyspace.referenceSize: return "the references to \(className(id().classNumber)) \(id().row)"
        case Keyspace.nameKind: return "a named value"
        case Keyspace.groupKind: return "the key of a group of objects"
        default: return "a value"
        }
    }
}
