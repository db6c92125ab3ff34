import CairnCore

/// Identifies the key of a group of objects in records; different each time a group gets a key.
struct GroupReference: Hashable, Sendable {
    /// The hash of the group's name.
    var hash: UInt128
    /// Random.
    var generation: UInt64

    static let size = 16 + 8

    init(hash: UInt128, generation: UInt64) {
        self.hash = hash
        self.generation = generation
    }

    init(_ bytes: RawSpan, at offset: Int) {
        hash = Keyspace.number(bytes, at: offset)
        generation = Keyspace.number(bytes, at: offset + 16)
    }

    var bytes: [UInt8] { Keyspace.bigEndian(hash) + Keyspace.bigEndian(generation) }
}

/// The record of an object that has a group.
///
/// ```
/// byte 0      0, which is the version of no record
/// 1..<25      the group's key: a GroupReference
/// 25…         above the engine: the record; nothing where the key was deleted; 0 and what is sealed where that cannot be opened
///             in the engine: the record, sealed with the key; nothing where the key was deleted
/// ```
enum GroupedRecord {
    static let mark: UInt8 = 0
    static let prefixSize = 1 + GroupReference.size
    /// The first byte of an engine page that contains such records; other pages begin with ``ObjectPage/format``.
    static let pageFormat: UInt8 = 2

    static func prefix(_ reference: GroupReference) -> [UInt8] { [mark] + reference.bytes }

    /// `nil` for the record of an object without a group.
    @inline(__always)
    static func reference(_ record: RawSpan) -> GroupReference? {
        guard record.byteCount >= prefixSize, record.byte(0) == mark else { return nil }
        return GroupReference(record, at: 1)
    }

    /// Whether the key of an object was deleted.
    @inline(__always)
    static func isShredded(_ record: RawSpan) -> Bool { record.byteCount == prefixSize && record.byte(0) == mark }

    /// Whether a record could not be opened although its key exists, or may exist.
    static func isSealed(_ record: RawSpan) -> Bool {
        record.byteCount > prefixSize && record.byte(0) == mark && record.byte(prefixSize) == mark
    }
}

extension ObjectRecord {
    /// The header of a record.
    ///
    /// - Throws: `shredded` if the key of the object was deleted.
    @inline(__always)
    static func header(_ record: RawSpan) throws(RecordError) -> Header {
        if let header = Header(record) { return header }
        throw unreadable(record)
    }

    /// Why a record has no header.
    @inline(never)
    private static func unreadable(_ record: RawSpan) -> RecordError {
        if GroupedRecord.isShredded(record) { return RecordError(.shredded, "it was shredded, by deleting the key of its group") }
        if GroupedRecord.isSealed(record) {
            return RecordError(
                .malformed,
                "it cannot be decrypted with the key of its group: one of them was modified; restore a backup"
            )
        }
        return RecordError.truncated()
    }
}
