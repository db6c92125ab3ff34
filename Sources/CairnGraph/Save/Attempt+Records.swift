import CairnCore

extension Save.Attempt {
    /// What to do with an object that another context has saved since it was read, if any has.
    private enum Resolution {
        /// The record gets this change count.
        case write(UInt32)
        /// The values of this context replace those of the other.
        case overwrite(UInt32)
        /// The changed properties of this context replace those of the other.
        case merge(UInt32)
        /// The record of the other context stays.
        case yield

        var isMerge: Bool { if case .merge = self { true } else { false } }
        var isOverwrite: Bool { if case .overwrite = self { true } else { false } }
    }

    /// Saves an object: writes its record, deletes it, or leaves it to another context.
    ///
    /// - Parameters:
    ///   - old: The saved record, `nil` for none.
    ///   - isLarge: Whether it is stored outside its page.
    mutating func saveObject(
        _ item: Save.Work,
        _ stored: StoredClass,
        _ old: RawSpan?,
        isLarge: Bool,
        _ writer: inout RecordWriter,
        _ page: inout PageBuilder
    ) throws(ObjectStoreError) {
        if let old, GroupedRecord.isShredded(old) {
            guard item.kind == .delete else { throw shredded(item, stored) }
            // A shredded object has no other data.
            if isLarge { commit.delete(Keyspace.large(item.id)) }
            try removeAllChunks(of: item.id)
            return outcomes.append(.deleted)
        }
        // Rows are leased, so nobody else has inserted it.
        guard old == nil || item.kind != .insert || !context.hasUnknownSave else { throw alreadyInserted(item, stored) }
        let (flags, _, changeCount) = unsafe item.object._$state.forSave
        let isDamaged = flags.contains(.damaged)
        guard !isDamaged || item.kind == .delete else {
            guard old != nil else { throw conflict(item, stored, isGone: true) }
            throw ObjectStoreError(
                .corruption,
                "\(stored.name) \(item.id.row) of \(store.name) cannot be saved: its record could not be read, and would be lost. Roll back, or delete the object",
                object: item.id
            )
        }
        // Deleting an object that was never read, or whose record cannot be read, depends on nothing in that record.
        let isUnread = isDamaged || item.kind == .delete && flags.contains(.fault)
        let resolution = isUnread || item.kind == .insert ? .write(changeCount &+ 1) : try resolve(item, stored, old, changeCount)
        if case .yield = resolution {
            if let old { page.add(ObjectPage.slot(of: item.id.row), isLarge ? RawSpan() : old) } else { gone.insert(item.id) }
            return outcomes.append(.yielded)
        }
        guard item.kind != .delete else {
            if isLarge { commit.delete(Keyspace.large(item.id)) }
            if isDamaged { try removeAllEntries(of: item.id, stored) } else { try removeEntries(item, stored, old) }
            return outcomes.append(.deleted)
        }
        let written = try writeRecord(item, stored, old, resolution, &writer)
        if let group = written.group {
            let grouped = GroupedRecord.prefix(group) + [UInt8](copying: writer.record)
            unsafe placeRecord(grouped.span.bytes, item.id, replacesLarge: isLarge, in: &page)
        } else {
            placeRecord(writer.record, item.id, replacesLarge: isLarge, in: &page)
        }
        for list in written.lists { lists.append((outcomes.count, list.collection)) }
        outcomes.append(written.isMerged ? .yielded : .saved(written.count))
    }

    /// Applies the conflict policy if another context has saved the object.
    private func resolve(
        _ item: Save.Work,
        _ stored: StoredClass,
        _ old: RawSpan?,
        _ changeCount: UInt32
    ) throws(ObjectStoreError) -> Resolution {
        var saved: UInt32?
        if let old { saved = ObjectRecord.Header(old)?.changeCount }
        let count = max(saved ?? 0, changeCount) &+ 1
        guard saved != changeCount else { return .write(count) }
        let policy = context.options.conflictPolicy
        guard policy == .fail || !partsSides(item, stored, policy) else { throw partedSides(item, stored, isGone: old == nil) }
        switch policy {
        case .fail: throw conflict(item, stored, isGone: old == nil)
        case .keepMine: return item.kind == .update ? .overwrite(count) : .write(count)
        case .keepTheirs: return .yield
        case .merge:
            guard old != nil else { return .yield }
            return item.kind == .update ? .merge(count) : .write(count)
        }
    }

    /// Writes the record of an object into `writer`, and its entries, references and large values into the commit.
    private mutating func writeRecord(
        _ item: Save.Work,
        _ stored: StoredClass,
        _ old: RawSpan?,
        _ resolution: Resolution,
        _ writer: inout RecordWriter
    ) throws(ObjectStoreError) -> Save.Written {
        let (flags, unread, _) = unsafe item.object._$state.forSave
        let (merges, overwrites) = (resolution.isMerge, resolution.isOverwrite)
        let count = try encode(item, stored, old, resolution, &writer)
        let mayHaveLarge = flags.contains(.large) || stored.hasFormerValues || merges || overwrites
        let large = mayHaveLarge ? try largeValues(item.id, stored, old) : [:]
        if unread != 0 { try checkLargeValues(item, stored) }
        if !merges, unread != 0 || !large.isEmpty { try keepLargeValues(item, stored, old, large, overwrites: overwrites, &writer) }
        var written = Save.Written(count: count, isMerged: merges, lists: writer.longLists)
        if overwrites, try !hasSamePairs(item.id, stored, old, writer.record, written) {
            throw partedSides(item, stored, isGone: old == nil)
        }
        if let group = try group(item, stored, writer.record, isMerged: merges) {
            written.group = try groups.reference(group, store, view)
        }
        if let old { written.isRegrouped = GroupedRecord.reference(old) != written.group }
        // Indexes and text indexes need the values that are stored apart next.
        try changeEntries(item, stored, old, new: writer.record, written, overwrites: overwrites)
        if writer.byteCount > save.largeValues.inRecord || !large.isEmpty {
            try setLargeValuesApart(item, stored, large, written, &writer)
        }
        return written
    }

    /// Encodes an object into `writer`, and merges it with the saved record if that is wanted; returns its change count.
    private func encode(
        _ item: Save.Work,
        _ stored: StoredClass,
        _ old: RawSpan?,
        _ resolution: Resolution,
        _ writer: inout RecordWriter
    ) throws(ObjectStoreError) -> UInt32 {
        let count: UInt32
        switch resolution {
        case .write(let new), .overwrite(let new), .merge(let new): count = new
        case .yield: preconditionFailure("nothing to write")
        }
        if resolution.isOverwrite, let old { try takeOverLists(item, stored, old) }
        writer.reset(version: stored.version, changeCount: count)
        writer.beginLists(count, longest: save.longestChunk)
        unsafe item.object._$write(&writer, stored.fields)
        do throws(RecordError) {
            if resolution.isMerge, let old { try RecordMerge.merge(&writer, over: old, changed: changed(item), stored) }
            try writer.check()
        } catch {
            throw ObjectStoreError(
                .corruption,
                "\(stored.name) \(item.id.row) cannot be saved: \(error.message)",
                object: item.id,
                cause: error
            )
        }
        return count
    }

    /// Adds a record to its page, or stores it outside the page if it is large.
    private mutating func placeRecord(_ record: RawSpan, _ id: ObjectID, replacesLarge: Bool, in page: inout PageBuilder) {
        let slot = ObjectPage.slot(of: id.row)
        if record.byteCount > ObjectPage.largestRecord {
            unsafe commit.put(record, for: Keyspace.large(id).span.bytes)
            page.add(slot, RawSpan())
        } else {
            if replacesLarge { commit.delete(Keyspace.large(id)) }
            page.add(slot, record)
        }
    }

    /// The bits of the changed properties.
    func changed(_ item: Save.Work) -> UInt64 { unsafe item.object._$state.changed | (context.pending.changed[item.id] ?? 0) }
}
