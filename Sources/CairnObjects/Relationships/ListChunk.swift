import CairnCore

/// A chunk of a long list: some of its references, in order. Stored apart from the owner's record, and never changed there: a changed chunk is
/// written under a new name.
struct ListChunk {
    /// What a chunk is stored under, besides its list: the change count that the owner got from the save that wrote it, and a number.
    struct Name: Hashable {
        var save: UInt32
        var number: UInt32
    }

    /// `nil` until the chunk is saved, and again when it is changed.
    var name: Name?
    /// The number of references.
    var count: Int
    /// `nil` until they are read.
    var content: ReferenceList.Content?
    /// Whether they could not be read. The content then leads to nothing, and is never saved.
    var isUnreadable = false

    init(name: Name, count: Int) {
        self.name = name
        self.count = count
    }

    init(_ content: ReferenceList.Content) {
        count = content.ids.count
        self.content = content
    }
}

/// How a chunk is stored.
///
/// ```
/// byte 0      1, the format
/// 1..<5       CRC32C of the key and of all that follows, little-endian
/// 5…          the references, as of a short list
/// ```
enum StoredChunk {
    static let format: UInt8 = 1
    private static let headSize = 5

    static func encode(_ content: ReferenceList.Content, for key: [UInt8]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: headSize)
        ReferenceList.encode(content, to: &bytes)
        bytes[0] = format
        let sum = checksum(key, unsafe bytes.span.bytes.extracting(droppingFirst: headSize))
        for index in 0..<4 { bytes[1 + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(index))) }
        return bytes
    }

    private static func checksum(_ key: [UInt8], _ references: RawSpan) -> UInt32 {
        var sum = CRC32C()
        sum.update(key)
        sum.update(references)
        return sum.value
    }

    /// - Parameters:
    ///   - bytes: What the engine has, which for an object with a group begins with a reference to it.
    ///   - chunk: What the directory says of it.
    static func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ key: [UInt8],
        _ chunk: ListChunk,
        hasKeys: Bool
    ) throws(RecordError) -> ReferenceList.Content {
        if unsafe GroupedRecord.isShredded(bytes) { throw RecordError(.shredded, "it was shredded, by deleting the key of its group") }
        let start = unsafe GroupedRecord.reference(bytes) == nil ? 0 : GroupedRecord.prefixSize
        guard bytes.count >= start + headSize, unsafe bytes[start] == format else { throw damaged(chunk, "is damaged") }
        let rest = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: bytes[(start + headSize)...]))
        let sum = unsafe UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 1, as: UInt32.self))
        guard sum == checksum(key, rest) else { throw damaged(chunk, "is damaged, or belongs elsewhere: its checksum is another") }
        var field = FieldReader(rest)
        let number = try field.varint()
        let content = try ReferenceList.decode(&field, number)
        guard unsafe field.position == field.end, content.ids.count == chunk.count, (content.keys != nil) == hasKeys else {
            throw damaged(chunk, "does not have what the directory says")
        }
        return content
    }

    /// A chunk that could not be read was changed.
    static var lost: RecordError {
        RecordError(.malformed, "a part of its long list could not be read, and would be lost. Roll back")
    }

    static func missing(_ chunk: ListChunk) -> RecordError { damaged(chunk, "is missing") }

    private static func damaged(_ chunk: ListChunk, _ what: String) -> RecordError {
        let name = chunk.name.map { "\($0.save).\($0.number)" } ?? ""
        return RecordError(.malformed, "chunk \(name) of its \(chunk.count) objects \(what)")
    }
}
