import CairnCore

/// The content of a long list, set or dictionary: chunks, which are read when they are used. A value; copies share the chunks in memory.
///
/// The owner's record has the directory:
///
/// ```
/// varint      65536, in place of a class (``ReferenceList``)
/// varint      how many references there are; the lowest bit says whether each has a key
/// each chunk  how many references it has, and its name (``ChunkNames``)
/// ```
struct LongList {
    /// A list with more references becomes long, and a chunk with more is divided, unless a store's options say otherwise.
    static let longestChunk = 1024
    /// A damaged directory must not allocate much memory.
    private static let longestReadable = 1 << 16

    private(set) var chunks: ContiguousArray<ListChunk>
    /// The number of references.
    private(set) var count: Int
    let hasKeys: Bool
    /// The number of chunks that have not been read yet.
    private(set) var unreadCount: Int
    /// Where the chunks are read; `nil` if that is not known yet, or if none are left to read.
    private(set) var origin: ListOrigin?
    /// A chunk with more references is divided.
    var longest: Int
    /// How many references to an object were added since the state of `origin`, less those that were removed.
    private var changes: [UInt64: Int] = [:]
    /// The positions at which the chunks begin, empty if not known.
    private var starts: ContiguousArray<Int> = []
    /// A chunk used lately, and its position.
    private var recent = (chunk: 0, start: 0)

    /// A list in memory, to be saved.
    init(_ content: ReferenceList.Content, longest: Int) {
        self.longest = longest
        count = content.ids.count
        hasKeys = content.keys != nil
        unreadCount = 0
        chunks = []
        add(content)
    }

    /// Reads a directory, after its mark.
    init(directory field: inout FieldReader) throws(RecordError) {
        longest = Self.longestChunk
        let head = try field.varint()
        hasKeys = head & 1 != 0
        chunks = []
        unsafe chunks.reserveCapacity((field.end - field.position) / 4)
        var total: UInt64 = 0
        var names = ChunkNames()
        while unsafe field.position < field.end {
            let (count, name) = try names.next(&field)
            guard count <= Self.longestReadable else {
                throw RecordError.malformed("the directory of a long list has an invalid chunk")
            }
            chunks.append(ListChunk(name: name, count: Int(count)))
            total += count
        }
        guard total == head >> 1 else {
            throw RecordError.malformed("the directory of a long list has the wrong number of objects")
        }
        count = Int(total)
        unreadCount = chunks.count
    }

    /// Calls `body` with each chunk and its name; a changed chunk has the name that a save gives it.
    @inline(__always)
    func forEachName<Failure: Error>(
        _ save: UInt32,
        _ body: (Int, ListChunk.Name) throws(Failure) -> Void
    ) throws(Failure) {
        var number: UInt32 = 0
        for index in chunks.indices {
            if let name = chunks[index].name {
                try body(index, name)
            } else {
                try body(index, ListChunk.Name(save: save, number: number))
                number += 1
            }
        }
    }

    /// The directory, as a save writes it.
    func directory(_ save: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(chunks.count * 6 + 16)
        Varint.append(ReferenceList.longMark, to: &bytes)
        Varint.append(UInt64(count) << 1 | (hasKeys ? 1 : 0), to: &bytes)
        var names = ChunkNames()
        forEachName(save) { index, name in names.append(chunks[index].count, name, to: &bytes) }
        return bytes
    }

    /// Whether a save must write chunks.
    var hasChangedChunks: Bool { chunks.contains { $0.name == nil } }
    /// Whether chunks were changed although they could not be read.
    var hasLostChunks: Bool { chunks.contains { $0.name == nil && $0.isUnreadable } }

    /// A save has written the changed chunks.
    ///
    /// - Parameter views: For reading the saved state; `nil` if that state is not known.
    mutating func saved(_ save: UInt32, _ views: ListViews?) {
        var number: UInt32 = 0
        for index in chunks.indices where chunks[index].name == nil {
            chunks[index].name = ListChunk.Name(save: save, number: number)
            number += 1
        }
        guard let views, let origin else { return }
        self.origin = ListOrigin(views: views, owner: origin.owner, relation: origin.relation)
        changes = [:]
    }
}

// MARK: Positions

extension LongList {
    /// The chunk of a position, and the position in it.
    mutating func place(of position: Int) -> (chunk: Int, offset: Int) {
        let near = position - recent.start
        if near >= 0, recent.chunk < chunks.count, near < chunks[recent.chunk].count { return (recent.chunk, near) }
        let last = chunks.count - 1
        if position >= count - chunks[last].count { return (last, position - (count - chunks[last].count)) }
        if starts.isEmpty {
            starts.reserveCapacity(chunks.count)
            var start = 0
            for chunk in chunks {
                starts.append(start)
                start += chunk.count
            }
        }
        var (low, high) = (0, last)
        while low < high {
            let middle = (low + high + 1) / 2
            if starts[middle] <= position { low = middle } else { high = middle - 1 }
        }
        recent = (low, starts[low])
        return (low, position - starts[low])
    }

    mutating func forgetPositions() {
        starts.removeAll(keepingCapacity: true)
        recent = (0, 0)
    }

    mutating func id(at position: Int) -> ObjectID {
        let (chunk, offset) = place(of: position)
        return content(of: chunk).ids[offset]
    }

    mutating func key(at position: Int) -> [UInt8] {
        let (chunk, offset) = place(of: position)
        return content(of: chunk).keys?[offset] ?? []
    }

    mutating func ids(in range: Range<Int>) -> [ObjectID] {
        var ids: [ObjectID] = []
        ids.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            let (chunk, offset) = place(of: position)
            let end = min(chunks[chunk].count, offset + range.upperBound - position)
            ids += content(of: chunk).ids[offset..<end]
            position += end - offset
        }
        return ids
    }

    /// All references, in order.
    mutating func all() -> ReferenceList.Content {
        readAll()
        var all = ReferenceList.Content(ids: [], keys: hasKeys ? [] : nil)
        all.ids.reserveCapacity(count)
        for chunk in chunks {
            all.ids += chunk.content?.ids ?? []
            if hasKeys { all.keys? += chunk.content?.keys ?? [] }
        }
        return all
    }

    mutating func firstPosition(of id: ObjectID) -> Int? {
        var start = 0
        for index in chunks.indices {
            if let offset = content(of: index).ids.firstIndex(of: id) { return start + offset }
            start += chunks[index].count
        }
        return nil
    }
}

// MARK: For the parts of this type

extension LongList {
    /// Replaces a chunk by one that was read.
    mutating func setContent(_ content: ReferenceList.Content, of chunk: Int, isUnreadable: Bool = false) {
        if chunks[chunk].content == nil { unreadCount -= 1 }
        chunks[chunk].content = content
        chunks[chunk].isUnreadable = isUnreadable
    }

    mutating func setOrigin(_ new: ListOrigin) {
        origin = new
        longest = new.views.longestChunk
        changes = [:]
    }

    /// How many more references to an object there are than in the state of `origin`.
    func change(of id: ObjectID) -> Int { changes[id.raw] ?? 0 }

    mutating func note(_ id: ObjectID, _ change: Int) {
        guard unreadCount > 0 else { return }
        changes[id.raw, default: 0] += change
    }

    /// Adds chunks to the end.
    mutating func add(_ content: ReferenceList.Content) {
        for start in stride(from: 0, to: content.ids.count, by: longest) {
            chunks.append(ListChunk(content[start..<min(start + longest, content.ids.count)]))
        }
        if !starts.isEmpty { forgetPositions() }
    }

    /// Changes the content of a chunk, which has been read.
    mutating func change(_ chunk: Int, _ body: (inout ReferenceList.Content) -> Void) {
        let former = chunks[chunk].count
        // The content is taken out of the chunk, so that it is not copied.
        var content = chunks[chunk].content ?? ReferenceList.Content()
        chunks[chunk].content = nil
        body(&content)
        chunks[chunk].count = content.ids.count
        chunks[chunk].name = nil
        count += content.ids.count - former
        chunks[chunk].content = content
        if chunk < chunks.count - 1 { forgetPositions() }
    }

    mutating func setChunks(_ range: Range<Int>, _ new: [ListChunk]) {
        for chunk in chunks[range] {
            count -= chunk.count
            if chunk.content == nil { unreadCount -= 1 }
        }
        for chunk in new { count += chunk.count }
        chunks.replaceSubrange(range, with: new)
        forgetPositions()
    }

    mutating func addCount(_ more: Int) { count += more }

    /// Notes that a chunk has lost references that could not be read.
    mutating func loseChunk(_ chunk: Int) { chunks[chunk].isUnreadable = true }
}

extension ReferenceList.Content {
    subscript(range: Range<Int>) -> ReferenceList.Content {
        ReferenceList.Content(ids: ContiguousArray(ids[range]), keys: keys.map { ContiguousArray($0[range]) })
    }

    mutating func replace(_ range: Range<Int>, with new: ReferenceList.Content) {
        ids.replaceSubrange(range, with: new.ids)
        keys?.replaceSubrange(range, with: new.keys ?? [])
    }
}
