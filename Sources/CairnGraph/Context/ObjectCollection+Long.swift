import CairnCore

extension ObjectCollection {
    /// Whether the location of its chunks is not known yet.
    @inline(__always) var lacksOrigin: Bool { long != nil && long?.origin == nil && long?.unreadCount ?? 0 > 0 }

    /// Becomes long or short, according to its length, before its owner is saved: long if it has more than `longest` references, short if it has
    /// half as many or fewer.
    func settle(_ longest: Int) {
        if let long {
            // If the collection was not used, only its directory is known.
            guard !lacksOrigin, long.count <= longest / 2, !long.hasLostChunks, let all = self.long?.all() else { return }
            // A chunk that cannot be read stays where it is.
            guard self.long?.chunks.contains(where: { $0.isUnreadable }) == false else { return }
            short = all
            self.long = nil
        } else if objects == nil, short.ids.count > longest {
            long = LongList(short, longest: longest)
            short = ReferenceList.Content()
        }
    }

    /// Takes over what another context saved, if the collection was not used here.
    func takeOver(_ record: RawSpan, _ number: UInt16) throws(RecordError) {
        guard lacksOrigin else { return }
        let other = try RecordReferences.collection(number, of: record)
        (short, long) = (other?.short ?? ReferenceList.Content(), other?.long)
    }

    /// Restores the former content.
    func restore(_ former: LongList) {
        short = ReferenceList.Content()
        long = former
        forgetCounts()
    }

    /// A save has written the chunks.
    func saved(_ save: UInt32, _ views: ListViews?) { long?.saved(save, views) }

    /// The content of a chunk, which is read if necessary.
    func content(ofChunk chunk: Int) throws(ObjectStoreError) -> ReferenceList.Content {
        try long?.tryRead(chunk) ?? ReferenceList.Content()
    }

    /// Reads all chunks, or throws for the first that cannot be read.
    func readAll() throws(ObjectStoreError) { try long?.tryReadAll() }

    /// Finds out where the chunks are: in the state of the store that the owner was read from, or in the latest state, from which the collection is then
    /// read too.
    func findOrigin(_ owner: any StoredObject, _ relation: Relation, _ context: ObjectContext) {
        do throws(ObjectStoreError) {
            let views = try context.listViews()
            if !context.isPinned, let view = views.view { try read(owner, relation, context, view) }
            long?.setOrigin(ListOrigin(views: views, owner: owner._$state.id, relation: relation))
        } catch {
            context.faultErrors.append(error)
        }
    }

    /// Reads the directory again if another context has changed the owner since it was read: its chunks may be gone.
    private func read(
        _ owner: any StoredObject,
        _ relation: Relation,
        _ context: ObjectContext,
        _ view: StoreView
    ) throws(ObjectStoreError) {
        let id = owner._$state.id
        let changeCount = owner._$state.changeCount
        var result: Result<ObjectCollection?, RecordError> = .success(nil)
        var isThere = false
        try StoreReading.record(id, relation.owner, in: view) { record in
            isThere = true
            result = Result { () throws(RecordError) in
                guard try ObjectRecord.header(record).changeCount != changeCount else { return nil }
                return try RecordReferences.collection(relation.number, of: record) ?? ObjectCollection(ids: [])
            }
        }
        guard isThere else {
            let name = "\(relation.owner.name) with row \(id.row)"
            throw ObjectStoreError(.objectNotFound, "\(name) no longer exists in \(context.store.name)", object: id)
        }
        do throws(RecordError) {
            guard let newer = try result.get() else { return }
            if newer.long == nil { try relation.owner.fields.rule(at: relation.index)?.check(newer.short) }
            (short, long) = (newer.short, newer.long)
        } catch {
            throw StoreReading.damage(id, relation.owner, error.about(field: Int(relation.number)), context.store.name)
        }
    }
}

extension ObjectContext {
    /// Whether the context never reads another state.
    var isPinned: Bool { pinned != nil && !isSerializable }

    /// Where long lists of the current state are read.
    func listViews() throws(ObjectStoreError) -> ListViews {
        let view = try currentView()
        if let last = lists.last, last.view?.engineView === view.engineView { return last }
        let new = ListViews(link, view)
        lists.add(new)
        return new
    }
}

/// The states of the store from which a context has read long lists. They live as long as the lists.
struct ContextLists {
    private(set) weak var last: ListViews?
    private var all: [Weak] = []
    private var limit = 16

    private struct Weak { weak var views: ListViews? }

    mutating func add(_ views: ListViews) {
        last = views
        if all.count >= limit {
            all.removeAll { $0.views == nil }
            limit = max(16, all.count * 2)
        }
        all.append(Weak(views: views))
    }

    /// Releases the states: chunks can no longer be read.
    mutating func end() {
        for weak in all { weak.views?.view = nil }
        all = []
    }
}

extension Relation {
    /// Whether the property of an object refers to another object. The object may be one that a query makes from a record of a view, outside of any
    /// context.
    func leads(_ object: any StoredObject, to target: ObjectID, in view: StoreView) -> Bool {
        guard let collection = collection(object) else { return false }
        guard collection.lacksOrigin else { return collection.contains(target) }
        return ((try? StoreReading.referenceCount(to: target, from: object._$state.id, number, in: view)) ?? 0) > 0
    }
}
