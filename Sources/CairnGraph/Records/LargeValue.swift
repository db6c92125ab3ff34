import CairnCore

/// A value that is stored apart from its record, in parts: changing another property does not write it, and it is read when it is first used.
///
/// The record has a directory instead, of the kind of references:
///
/// ```
/// varint      65537, in place of a class (``ReferenceList``)
/// varint      the size of the value, in bytes
/// each part   how many bytes it has, and its name (``ChunkNames``)
/// ```
///
/// A part is never changed: a value that is set gets new parts, and the same commit deletes the former ones.
struct LargeValue: Equatable {
    static let mark = ReferenceList.longMark + 1
    /// Values with a length that have more bytes are stored apart, unless a store's options say otherwise.
    static let longestInRecord = 64 << 10
    static let longestPart = 1 << 20

    struct Part: Equatable {
        var name: ListChunk.Name
        var size: Int
    }

    let size: Int
    let parts: [Part]

    init(size: Int, parts: [Part]) {
        self.size = size
        self.parts = parts
    }

    /// Reads the payload of a field; `nil` if that holds references.
    init?(_ payload: RawSpan) throws(RecordError) {
        var field = FieldReader(payload)
        guard unsafe field.position < field.end, try field.varint() == Self.mark else { return nil }
        let size = try field.varint()
        var parts: [Part] = []
        var total: UInt64 = 0
        var names = ChunkNames()
        while unsafe field.position < field.end {
            let (count, name) = try names.next(&field)
            guard count <= size - total else { throw RecordError.malformed("the parts of a large value have more bytes than the value") }
            parts.append(Part(name: name, size: Int(count)))
            total += count
        }
        guard total == size else { throw RecordError.malformed("the parts of a large value have fewer bytes than the value") }
        self.size = Int(size)
        self.parts = parts
    }

    /// As a field of a record.
    func field(_ number: UInt64) -> [UInt8] {
        var directory: [UInt8] = []
        Varint.append(Self.mark, to: &directory)
        Varint.append(UInt64(size), to: &directory)
        var names = ChunkNames()
        for part in parts { names.append(part.size, part.name, to: &directory) }
        var bytes: [UInt8] = []
        Varint.append(number << 3 | UInt64(Wire.references), to: &bytes)
        Varint.append(UInt64(directory.count), to: &bytes)
        return bytes + directory
    }

    /// The large values of a record, by field number.
    static func all(_ record: RawSpan) throws(RecordError) -> [UInt64: LargeValue] {
        var found: [UInt64: LargeValue] = [:]
        try RecordFields.forEach(record) { field throws(RecordError) in
            guard field.kind == Wire.references, let value = try LargeValue(field.payload) else { return }
            found[field.number] = value
        }
        return found
    }
}
