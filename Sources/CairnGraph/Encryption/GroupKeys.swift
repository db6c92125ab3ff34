import CairnCore
import Synchronization

/// The keys of a store's groups of objects, and the encryption of their records, within pages that are encrypted themselves.
final class GroupKeys: Sendable {
    /// Reads a value of the store, decrypted.
    typealias Lookup = (_ key: [UInt8]) throws(EngineError) -> [UInt8]?

    private let form: SealedForm
    /// Says whether others may delete keys; if so, each key is looked up again in each new state.
    private let use: EngineUse?
    private let state = Mutex(State())

    private struct State {
        var forms: [GroupReference: (form: SealedForm, seen: EngineVersion)] = [:]
        /// The groups whose keys were deleted while this store is open; earlier views still see them.
        var shredded: Set<GroupReference> = []
    }
    /// The maximum number of keys kept in memory.
    private static var mostForms: Int { 4096 }

    /// - Parameters:
    ///   - form: The form of the store.
    ///   - use: The use of the engine; `nil` if nobody else uses it.
    init(_ form: SealedForm, _ use: EngineUse?) {
        self.form = form
        self.use = use
    }

    /// A key was deleted.
    func forget(_ reference: GroupReference) {
        state.withLock { state in
            state.forms[reference] = nil
            state.shredded.insert(reference)
        }
    }

    /// The form that seals records of a group; `nil` if the key was deleted.
    ///
    /// - Parameter version: The version of the state that must have the key; `nil` if any state will do.
    private func form(_ reference: GroupReference, _ version: EngineVersion?, _ lookup: Lookup) throws -> SealedForm? {
        let (known, isShredded) = state.withLock { ($0.forms[reference], $0.shredded.contains(reference)) }
        if isShredded { return nil }
        if let known, use?.isShared != true || version.map({ $0 <= known.seen }) ?? true { return known.form }
        guard let bytes = try lookup(Keyspace.group(reference.hash)) else {
            // Another store has deleted it.
            if known != nil { forget(reference) }
            return nil
        }
        guard let key = GroupKey(bytes) else { throw EngineError(.corruption, "the key of a group is damaged") }
        guard key.generation == reference.generation else { return nil }
        let form = try known?.form ?? form.with(try form.session.session(groupKey: key.key))
        state.withLock { state in
            if state.forms.count >= Self.mostForms { state.forms = [:] }
            state.forms[reference] = (form, max(known?.seen ?? EngineVersion(rawValue: 0), version ?? EngineVersion(rawValue: 0)))
        }
        return form
    }

    // MARK: Values

    /// Whether a decrypted value of the engine may contain records sealed with group keys.
    @inline(__always)
    static func mayHaveGroups(_ value: [UInt8], at key: RawSpan) -> Bool {
        guard let first = value.first else { return false }
        switch kind(key) {
        case Keyspace.pageKind: return first == GroupedRecord.pageFormat
        case Keyspace.largeKind, Keyspace.chunkKind: return first == GroupedRecord.mark
        default: return false
        }
    }

    /// The kind of a key whose value, or parts of it, may be sealed with the key of a group; `nil` for other keys.
    @inline(__always)
    private static func kind(_ key: RawSpan) -> UInt8? {
        guard key.byteCount == 9 || key.byteCount == Keyspace.chunkSize else { return nil }
        let kind = unsafe key.unsafeLoad(fromByteOffset: 0, as: UInt8.self)
        switch kind {
        case Keyspace.pageKind, Keyspace.largeKind: return key.byteCount == 9 ? kind : nil
        case Keyspace.chunkKind: return key.byteCount == Keyspace.chunkSize ? kind : nil
        default: return nil
        }
    }

    /// What a record or a chunk is bound to. A record may move between its page and a separate value.
    private static func place(_ id: ObjectID, _ key: RawSpan) -> [UInt8] {
        kind(key) == Keyspace.chunkKind ? [UInt8](copying: key) : Keyspace.large(id)
    }

    /// The value as layers above the engine see it. Records that cannot be opened stay sealed, and are marked as such.
    ///
    /// - Parameter version: The version of the state that the value and `lookup` belong to.
    func opened(_ value: [UInt8], at key: RawSpan, _ version: EngineVersion, _ lookup: Lookup) throws(EngineError) -> [UInt8] {
        try changed(value, at: key, to: ObjectPage.format) { id, reference, payload throws(EngineError) in
            guard !payload.isEmpty else { return [] }
            // The reason doesn't matter: the record is not what was stored.
            do {
                guard let form = try form(reference, version, lookup) else { return [] }
                return unsafe try form.open(payload, at: Self.place(id, key).span.bytes)
            } catch {
                if let error = error as? EngineError, error.code != .corruption { throw error }
                return [GroupedRecord.mark] + [UInt8](copying: payload)
            }
        }
    }

    /// The value as the engine stores it, if it has groups, except for the encryption of the whole value.
    ///
    /// - Throws: `EngineError.conflict` if it contains the record of an object whose key was deleted in the meantime; reading it
    ///   again shows that.
    func sealed(_ value: [UInt8], at key: RawSpan, _ lookup: Lookup) throws(EngineError) -> [UInt8] {
        try changed(value, at: key, to: GroupedRecord.pageFormat) { id, reference, payload throws(EngineError) in
            guard !payload.isEmpty else { return [] }
            if payload.byte(0) == GroupedRecord.mark { return [UInt8](copying: payload.extracting(droppingFirst: 1)) }
            do {
                guard let form = try form(reference, nil, lookup) else {
                    throw EngineError(.conflict, "the key of a group of objects was deleted in the meantime")
                }
                return unsafe try form.seal(payload, at: Self.place(id, key).span.bytes)
            } catch {
                throw error as? EngineError ?? EngineError(.other, "a record could not be encrypted", cause: error)
            }
        }
    }

    /// The same without groups; unreadable records stay unreadable.
    static func stripped(_ value: [UInt8], at key: RawSpan) -> [UInt8] {
        let bytes = unsafe value.span.bytes
        guard hasGroups(bytes, at: key) else { return value }
        guard kind(key) != Keyspace.chunkKind else { return [UInt8](copying: plainChunk(bytes)) }
        guard kind(key) == Keyspace.pageKind else { return [UInt8](copying: plain(bytes)) }
        var builder = PageBuilder()
        _ = ObjectPage.forEach(bytes) { slot, record in builder.add(slot, plain(record)) }
        var page: [UInt8] = []
        builder.finish(into: &page)
        return page
    }

    @_lifetime(copy record)
    private static func plain(_ record: RawSpan) -> RawSpan {
        guard GroupedRecord.reference(record) != nil, ObjectRecord.Header(record) != nil else { return record }
        return record.extracting(droppingFirst: GroupedRecord.prefixSize)
    }

    @_lifetime(copy chunk)
    private static func plainChunk(_ chunk: RawSpan) -> RawSpan {
        guard GroupedRecord.reference(chunk) != nil, chunk.byteCount > GroupedRecord.prefixSize,
            chunk.byte(GroupedRecord.prefixSize) == StoredChunk.format
        else { return chunk }
        return chunk.extracting(droppingFirst: GroupedRecord.prefixSize)
    }

    /// Whether a plain value has records with groups, or is a chunk of one.
    static func hasGroups(_ value: RawSpan, at key: RawSpan) -> Bool {
        guard let kind = kind(key) else { return false }
        guard kind == Keyspace.pageKind else { return GroupedRecord.reference(value) != nil }
        var hasGroups = false
        let isWhole = ObjectPage.forEach(value) { _, record in
            if GroupedRecord.reference(record) != nil { hasGroups = true }
        }
        return isWhole && hasGroups
    }

    /// A value whose records have other payloads after their references.
    private func changed(
        _ value: [UInt8],
        at key: RawSpan,
        to format: UInt8,
        _ payload: (ObjectID, GroupReference, RawSpan) throws(EngineError) -> [UInt8]
    ) throws(EngineError) -> [UInt8] {
        func record(_ id: ObjectID, _ record: RawSpan) throws(EngineError) -> [UInt8]? {
            guard let reference = GroupedRecord.reference(record) else { return nil }
            return try GroupedRecord.prefix(reference) + payload(id, reference, record.extracting(droppingFirst: GroupedRecord.prefixSize))
        }
        let id = ObjectID(raw: Keyspace.number(key, at: 1))
        guard unsafe key.unsafeLoad(fromByteOffset: 0, as: UInt8.self) == Keyspace.pageKind else {
            return unsafe try record(id, value.span.bytes) ?? value
        }
        var page = value
        page[0] = ObjectPage.format
        var builder = PageBuilder()
        let isWhole = unsafe try ObjectPage.forEach(page.span.bytes) { slot, bytes throws(EngineError) in
            let id = ObjectID(class: id.classNumber, row: id.row << ObjectPage.rowBits & ObjectID.maximumRow | UInt64(slot))
            guard let record = try record(id, bytes) else { return builder.add(slot, bytes) }
            unsafe builder.add(slot, record.span.bytes)
        }
        // Readers will report that it is damaged.
        guard isWhole else { return value }
        var changed: [UInt8] = []
        builder.finish(into: &changed)
        changed[0] = format
        return changed
    }
}
