import CairnCore

/// The state of the store in which the chunks of long lists are read: the same as for the owners' records. Shared by the lists that a context reads from one
/// state, and emptied when the context closes.
final class ListViews {
    let link: ContextLink
    var view: StoreView?

    init(_ link: ContextLink, _ view: StoreView) {
        self.link = link
        self.view = view
    }

    /// The maximum number of references in a chunk.
    var longestChunk: Int { link.store.options.longestChunk }
}

/// Where the chunks of a list are.
struct ListOrigin {
    let views: ListViews
    let owner: ObjectID
    let relation: Relation

    func key(_ name: ListChunk.Name) -> [UInt8] { Keyspace.chunk(owner, relation.number, name) }

    var context: ObjectContext? { unsafe views.link.context }

    /// The error for a chunk that cannot be read.
    func damage(_ cause: RecordError) -> ObjectStoreError {
        StoreReading.damage(owner, relation.owner, cause.about(field: Int(relation.number)), views.link.store.name)
    }
}

extension LongList {
    /// The references of a chunk, which is read if necessary. Errors are recorded; the references then lead to nothing.
    mutating func content(of chunk: Int) -> ReferenceList.Content {
        if let content = chunks[chunk].content { return content }
        read(chunk)
        return chunks[chunk].content ?? ReferenceList.Content()
    }

    mutating func read(_ chunk: Int) {
        guard chunks[chunk].content == nil else { return }
        do throws(ObjectStoreError) { _ = try tryRead(chunk) } catch { fail(chunk, error) }
    }

    private mutating func fail(_ chunk: Int, _ error: ObjectStoreError?) {
        let count = chunks[chunk].count
        let ids = ContiguousArray(repeating: ObjectID(raw: 0), count: count)
        setContent(.init(ids: ids, keys: hasKeys ? .init(repeating: [], count: count) : nil), of: chunk, isUnreadable: true)
        if let error { origin?.context?.faultErrors.append(error) }
    }

    /// The references of a chunk, which is read if necessary.
    mutating func tryRead(_ chunk: Int) throws(ObjectStoreError) -> ReferenceList.Content {
        if let content = chunks[chunk].content, !chunks[chunk].isUnreadable { return content }
        guard let origin, let view = origin.views.view, let name = chunks[chunk].name else {
            // The context is gone, or closed.
            if chunks[chunk].content == nil { fail(chunk, nil) }
            return chunks[chunk].content ?? ReferenceList.Content()
        }
        let key = origin.key(name)
        var result: Result<ReferenceList.Content, RecordError>?
        try unsafe view.lendValue(for: key.span.bytes) { bytes in result = decoded(bytes, key, chunk) }
        try take(result, chunk)
        return chunks[chunk].content ?? ReferenceList.Content()
    }

    private func decoded(_ bytes: RawSpan, _ key: [UInt8], _ chunk: Int) -> Result<ReferenceList.Content, RecordError> {
        Result { () throws(RecordError) in
            let content = try StoredChunk.decode(bytes, key, chunks[chunk], hasKeys: hasKeys)
            if let relation = origin?.relation { try relation.owner.fields.rule(at: relation.index)?.check(content) }
            return content
        }
    }

    private mutating func take(_ result: Result<ReferenceList.Content, RecordError>?, _ chunk: Int) throws(ObjectStoreError) {
        do throws(RecordError) {
            guard let result else { throw StoredChunk.missing(chunks[chunk]) }
            setContent(try result.get(), of: chunk)
        } catch {
            throw origin?.damage(error) ?? ObjectStoreError(.corruption, error.message, cause: error)
        }
    }

    /// Reads all chunks. Errors are recorded.
    mutating func readAll() {
        while true {
            do throws(ObjectStoreError) { return try tryReadAll() } catch {
                // The chunk that failed is read alone, and recorded as an error; then the others.
                guard let chunk = chunks.indices.first(where: { chunks[$0].content == nil }) else { return }
                read(chunk)
            }
        }
    }

    /// Reads all chunks, or throws for the first that cannot be read.
    mutating func tryReadAll() throws(ObjectStoreError) {
        guard unreadCount > 0 else { return }
        guard let origin, let view = origin.views.view else {
            for chunk in chunks.indices { read(chunk) }
            return
        }
        var unread = chunks.indices.filter { chunks[$0].content == nil }[...]
        while !unread.isEmpty {
            let some = Array(unread.prefix(256))
            unread = unread.dropFirst(256)
            var keys = KeyList()
            for chunk in some { if let name = chunks[chunk].name { keys.append(origin.key(name)) } }
            var results: [Result<ReferenceList.Content, RecordError>?] = Array(repeating: nil, count: some.count)
            try view.lendValues(for: keys) { index, bytes in
                if let bytes { results[index] = decoded(bytes, [UInt8](copying: keys[index]), some[index]) }
            }
            for (index, chunk) in some.enumerated() { try take(results[index], chunk) }
        }
    }

    /// How many references to an object there are.
    ///
    /// - Complexity: One lookup of the object's back reference, unless all chunks have been read.
    mutating func occurrences(of id: ObjectID) -> Int {
        if unreadCount > 0, let origin, let view = origin.views.view {
            do throws(ObjectStoreError) {
                let saved = try StoreReading.referenceCount(to: id, from: origin.owner, origin.relation.number, in: view)
                return max(0, saved + change(of: id))
            } catch {
                origin.context?.faultErrors.append(error)
            }
        }
        readAll()
        return chunks.reduce(0) { $0 + ($1.content?.ids.count { $0 == id } ?? 0) }
    }
}

extension StoreReading {
    /// How often a property of an object refers to another object, according to the back reference.
    static func referenceCount(
        to target: ObjectID,
        from owner: ObjectID,
        _ property: UInt16,
        in view: StoreView
    ) throws(ObjectStoreError) -> Int {
        let bytes = try view.get(Keyspace.reference(to: target, from: owner, property))
        guard let bytes else { return 0 }
        var offset = 0
        let count = unsafe try? Varint.decode(bytes.span.bytes, at: &offset)
        return Int(clamping: count ?? 1)
    }

    /// Reads a chunk of a list. The result is a failure if the chunk is missing or damaged.
    static func chunk(
        _ chunk: ListChunk,
        of owner: ObjectID,
        _ property: UInt16,
        hasKeys: Bool,
        in view: StoreView
    ) throws(ObjectStoreError) -> Result<ReferenceList.Content, RecordError> {
        guard let name = chunk.name else { return .success(chunk.content ?? ReferenceList.Content()) }
        let key = Keyspace.chunk(owner, property, name)
        var result: Result<ReferenceList.Content, RecordError> = .failure(StoredChunk.missing(chunk))
        try unsafe view.lendValue(for: key.span.bytes) { bytes in
            result = Result { () throws(RecordError) in try StoredChunk.decode(bytes, key, chunk, hasKeys: hasKeys) }
        }
        return result
    }
}
