import CairnCore

/// What is stored apart from a record: a chunk of a long list, or a part of a large value.
///
/// ```
/// byte 0      1, the format
/// 1..<5       CRC32C of the key and of all that follows, little-endian
/// 5…          references as of a short list, or bytes of the value
/// ```
enum StoredChunk {
    static let format: UInt8 = 1
    static let headSize = 5

    /// - Parameter append: Appends the content.
    static func encode(for key: [UInt8], _ append: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: headSize)
        append(&bytes)
        bytes[0] = format
        let sum = checksum(key, unsafe bytes.span.bytes.extracting(droppingFirst: headSize))
        for index in 0..<4 { bytes[1 + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(index))) }
        return bytes
    }

    private static func checksum(_ key: [UInt8], _ content: RawSpan) -> UInt32 {
        var sum = CRC32C()
        sum.update(key)
        sum.update(content)
        return sum.value
    }

    /// The content, which points into `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: The engine's value; for an object with a group, it begins with a reference to the group.
    ///   - damaged: Makes the error that says what is wrong.
    @_lifetime(copy bytes)
    static func content(
        _ bytes: RawSpan,
        _ key: [UInt8],
        _ damaged: (_ what: String) -> RecordError
    ) throws(RecordError) -> RawSpan {
        if GroupedRecord.isShredded(bytes) { throw RecordError(.shredded, "it was shredded, by deleting the key of its group") }
        let start = GroupedRecord.reference(bytes) == nil ? 0 : GroupedRecord.prefixSize
        guard bytes.byteCount >= start + headSize, bytes.byte(start) == format else { throw damaged("is damaged") }
        let content = bytes.extracting(droppingFirst: start + headSize)
        let sum = unsafe UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: start + 1, as: UInt32.self))
        guard sum == checksum(key, content) else {
            throw damaged("is damaged, or comes from another place or store: its checksum differs")
        }
        return content
    }
}

/// The names of chunks as a directory has them.
///
/// ```
/// each chunk  how much it has; the save that wrote it less that of the chunk before, zigzag; its number in that save: varints
/// ```
struct ChunkNames {
    private var save: UInt64 = 0

    /// Reads the next one.
    mutating func next(_ field: inout FieldReader) throws(RecordError) -> (count: UInt64, name: ListChunk.Name) {
        let count = try field.varint()
        save &+= UInt64(bitPattern: ReferenceList.unzigzag(try field.varint()))
        let number = try field.varint()
        guard count > 0, save <= UInt32.max, number <= UInt32.max else { throw RecordError.malformed("a directory has an invalid part") }
        return (count, ListChunk.Name(save: UInt32(save), number: UInt32(number)))
    }

    mutating func append(_ count: Int, _ name: ListChunk.Name, to bytes: inout [UInt8]) {
        Varint.append(UInt64(count), to: &bytes)
        Varint.append(ReferenceList.zigzag(Int64(name.save) - Int64(save)), to: &bytes)
        Varint.append(UInt64(name.number), to: &bytes)
        save = UInt64(name.save)
    }
}
