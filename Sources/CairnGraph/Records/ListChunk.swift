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

extension StoredChunk {
    static func encode(_ content: ReferenceList.Content, for key: [UInt8]) -> [UInt8] {
        encode(for: key) { ReferenceList.encode(content, to: &$0) }
    }

    /// - Parameters:
    ///   - bytes: What the engine has.
    ///   - chunk: What the directory says of it.
    static func decode(
        _ bytes: RawSpan,
        _ key: [UInt8],
        _ chunk: ListChunk,
        hasKeys: Bool
    ) throws(RecordError) -> ReferenceList.Content {
        var field = FieldReader(try content(bytes, key) { damaged(chunk, $0) })
        let number = try field.varint()
        let content = try ReferenceList.decode(&field, number)
        guard unsafe field.position == field.end, content.ids.count == chunk.count, (content.keys != nil) == hasKeys else {
            throw damaged(chunk, "does not match the directory")
        }
        return content
    }

    /// A chunk that could not be read was changed.
    static var lost: RecordError {
        RecordError(.malformed, "part of its long list could not be read, and would be lost. Roll back")
    }

    static func missing(_ chunk: ListChunk) -> RecordError { damaged(chunk, "is missing") }

    private static func damaged(_ chunk: ListChunk, _ what: String) -> RecordError {
        let name = chunk.name.map { "\($0.save).\($0.number)" } ?? ""
        return RecordError(.malformed, "chunk \(name) of its \(chunk.count) objects \(what)")
    }
}
