import Dispatch
import Synchronization

/// A workspace for the objects of a store: each object exists once in it, and changes are held there until they are saved together.
///
/// ```swift
/// let context = try store.makeContext()
/// let song = Song(artist: "Katrina", title: "Walking on Sunshine", seconds: 298)
/// context.insert(song)
/// try context.save()
/// ```
///
/// ## What queries see
/// Queries see the latest saved state of the store, whichever context saved it, with this context's own unsaved changes applied: inserted objects are
/// found, deleted ones are not, and changed ones match by their current values. When a query finds an object that is already in memory, the object is
/// updated, unless it has unsaved changes. In ``ObjectStore/read(_:)`` and ``ObjectStore/write(attempts:_:)``, everything stays as it was when the
/// closure began, except for its own changes.
///
/// ## Memory
/// The context retains only objects with unsaved changes, and a batch of objects that it has read ahead: while the objects of a relationship are used
/// one after the other, it reads the next ones together, up to 1,024 at once, as they are at that moment; large ones one by one. Other objects live as
/// long as they are referenced, and are created again when needed. Cycles of relationships do not keep objects alive.
///
/// ## Threads
/// A context and its objects belong to one thread, task or actor at a time. Make one for each; a store can be shared by all.
public final class ObjectContext {
    /// The store.
    public let store: ObjectStore
    let options: ObjectContextOptions
    let link: ContextLink
    /// The state of the store to read from; `nil` for the latest.
    private(set) var pinned: StoreView?
    /// Whether saves depend on everything that was read, and not only on the changed objects.
    let isSerializable: Bool
    /// Whether the next save is the last.
    var endsWithSave = false
    /// Whether something was saved.
    var hasSaved = false
    private var view: StoreView?
    /// When `view` is too old to begin reading in it, if the engine's views expire.
    private var viewEnd: ContinuousClock.Instant?
    /// Whether a save failed with an unknown outcome, and its changes are still here.
    var hasUnknownSave = false
    /// Whether a conflict makes `write { }` run again, so that nobody reads what its error says.
    var isRepeatedAfterConflict = false
    var pending = PendingChanges()
    /// The values for names that were read here, or saved here after they were read: saves compare them. `nil` for names that were not there.
    var namesRead: [String: [UInt8]?] = [:]
    /// Is notified of changes. Not retained.
    public weak var observer: (any ObjectContextObserver)?
    /// Undoes changes; see ``ObjectUndo/isEnabled``.
    public var undo: ObjectUndo {
        if let undoIfAny { return undoIfAny }
        let undo = ObjectUndo(self)
        undoIfAny = undo
        return undo
    }
    private(set) var undoIfAny: ObjectUndo?
    /// What was read before it was asked for.
    var readAhead = ReadAhead()
    /// The class of the most recently inserted object.
    var lastClass: (type: any StoredObject.Type, stored: StoredClass)?
    let isReadOnly: Bool

    /// The errors of objects whose values could not be read when they were used, oldest first. The properties of these objects read as the defaults in
    /// their declarations or as substitutes (``StoredValue/substitute``), and saving them is refused. ``load(_:)-(StoredObject)`` throws instead.
    public internal(set) var faultErrors: [ObjectStoreError] = []
    /// The changes that could not be made, oldest first, such as an element added at a position that its list does not have; and changes
    /// to objects whose deletion was saved, which no save can store. The next ``save()`` throws the first, saves nothing, and empties this list; ``rollback()``
    /// empties it too. If rows for new objects could not be reserved, only ``rollback()`` empties it. At most 100 are kept.
    public internal(set) var refusedChanges: [ObjectStoreError] = []
    /// Why no object could be inserted since the last rollback.
    var insertFailure: ObjectStoreError?
    private(set) var isClosed = false
    private var endIfAny: ContextEnd?
    /// Whether a step of a migration runs, whose changes are saved together when it ends.
    var isInMigration = false
    /// The states from which long lists are read.
    var lists = ContextLists()
    /// The queries that read `view`, and the queries within them.
    fileprivate var runningQueries = 0
    /// The store's deletion count if no other context has deleted objects.
    var ownDeletions: UInt64

    /// - Parameters:
    ///   - pinned: The state to stay at.
    ///   - isSerializable: Whether `pinned` notes what is read, for the save to depend on; otherwise, a context that stays at a state saves nothing.
    init(_ store: ObjectStore, _ options: ObjectContextOptions, pinned: StoreView? = nil, isSerializable: Bool = false) {
        self.store = store
        self.options = options
        self.pinned = pinned
        self.isSerializable = isSerializable
        isReadOnly = store.isReadOnly || pinned != nil && !isSerializable
        link = ContextLink(store, isReadOnly: pinned != nil && !isSerializable)
        ownDeletions = store.deletions.load(ordering: .acquiring)
        unsafe link.context = self
    }

    deinit {
        unsafe link.context = nil
        lists.end()
        guard !isClosed else { return }
        dropChanges()
        store.contextEnded()
    }

    /// Closes the context and drops unsaved changes. Its objects keep the values that have been read; others read as substitutes
    /// (``StoredValue/substitute``), except for large values, which can be read until the store is closed. Changes to the objects are lost;
    /// ``ObjectStore/close()`` reports that.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        view = nil
        pinned = nil
        lists.end()
        dropChanges()
        readAhead = ReadAhead()
        endIfAny?.finish()
        unsafe link.context = nil
        store.contextEnded()
    }

    private func dropChanges() {
        // From now on, the first change of each property is noted again.
        for object in pending.inserted + pending.updated { object._$state.changed = 0 }
        pending = PendingChanges()
    }

    /// Ends waits for commits when the context is closed.
    var end: ContextEnd {
        if let endIfAny { return endIfAny }
        let end = ContextEnd()
        if isClosed { end.finish() }
        endIfAny = end
        return end
    }

    var isOpen: Bool { !isClosed && !store.isClosed }

    func checkOpen() throws(ObjectStoreError) {
        guard isOpen else { throw ObjectStoreError(.closed, "the context of \(store.name) was closed") }
    }

    /// The state of the store to read now: the latest or, while a query runs, the query's.
    func currentView() throws(ObjectStoreError) -> StoreView {
        if let usableView { return usableView }
        try checkOpen()
        // What was read ahead in the former view may have changed since.
        readAhead.forget()
        let new = try store.makeView()
        adopt(new)
        return new
    }

    /// The view that need not be replaced to read now.
    private var usableView: StoreView? {
        if let pinned { return pinned }
        guard let view, runningQueries > 0 || view.version >= store.engine.latestVersion && !isViewOld else { return nil }
        return view
    }

    private func adopt(_ new: StoreView) {
        view = new
        // Reads that begin in the first half of its lifetime have the other half to finish.
        viewEnd = store.engine.limits.maximumViewAge.map { .now + $0 / 2 }
    }

    /// Makes the context stay at the latest state, until the result is released: ``currentView()`` returns it.
    ///
    /// If the engine waits for a server to make a view, a separate thread waits, and not one of those that all tasks share.
    func holdLatest(isolation actor: isolated (any Actor)?) async throws(ObjectStoreError) -> QueryHold {
        if store.engine.isRemote, usableView == nil {
            try checkOpen()
            readAhead.forget()
            store.viewsToCome.enter()
            try await end.makeView(store)
            try checkOpen()
            // Meanwhile, another call may have made a later one.
            if let new = end.takeView(), view.map({ $0.version < new.version || isViewOld }) ?? true { adopt(new) }
            if view == nil { _ = try currentView() }
        } else {
            _ = try currentView()
        }
        return QueryHold(self)
    }

    /// The version of the latest state, in which the context reads next unless there is a later one.
    func latestVersion(isolation actor: isolated (any Actor)?) async throws(ObjectStoreError) -> EngineVersion {
        let hold = try await holdLatest(isolation: actor)
        defer { withExtendedLifetime(hold) {} }
        return try currentView().version
    }

    /// The view in which the context has read, if a save may begin with it.
    var viewToSave: StoreView? {
        guard let view = pinned ?? view, !isViewOld else { return nil }
        // The save depends on what was read there in any case, and a server would have to be asked for a later one.
        if isSerializable, store.engine.isRemote { return view }
        return view.version >= store.engine.latestVersion ? view : nil
    }

    private var isViewOld: Bool { viewEnd.map { $0 <= .now } ?? false }

    /// Makes the next read use a new view; returns whether that is possible: not for a context that stays at a state, nor in the
    /// middle of a query.
    @discardableResult
    func renewView() -> Bool {
        guard pinned == nil, runningQueries == 0 else { return false }
        view = nil
        readAhead.forget()
        return true
    }

    /// Stays at the latest state from now on, after a save. If that cannot be read, the next save fails.
    func advance() {
        readAhead.forget()
        guard let new = try? StoreView(store.engine, notesReads: true) else { return }
        pinned = new
        try? store.catalogCheck.check(StoreView(new.engineView), store)
    }

    // MARK: Identity

    /// Returns the object with an identity: the one in memory, or one whose values have not been read yet. Reads nothing; its first use, or ``load(_:)``, shows
    /// whether it exists.
    func resolve(_ id: ObjectID, _ stored: StoredClass) -> any StoredObject {
        guard let schema = stored.schema else { preconditionFailure("no class for \(stored.name)") }
        if let object = unsafe link.table[id] { return schema.cast(object) }
        return make(schema.type, id)
    }

    /// The object with an identity, if it is in memory.
    func object(_ stored: StoredClass, _ id: ObjectID) -> (any StoredObject)? {
        guard let schema = stored.schema, let object = unsafe link.table[id] else { return nil }
        return schema.cast(object)
    }

    private func make<Object: StoredObject>(_ type: Object.Type, _ id: ObjectID) -> any StoredObject { makeFault(type, id) }

    /// A new object without values.
    func makeFault<Object: StoredObject>(_ type: Object.Type, _ id: ObjectID) -> Object {
        let object = Object(_$fault: ())
        object._$state.become(id, link, options.isObserved ? [.fault, .observed] : .fault)
        unsafe link.table.insert(object, id)
        return object
    }

    /// The class in the store, or `nil` if the store does not have it.
    func storedClass(_ type: any StoredObject.Type) -> StoredClass? {
        if let lastClass, lastClass.type == type { return lastClass.stored }
        guard let stored = store.storedClass(type) else { return nil }
        lastClass = (type, stored)
        return stored
    }

    func knownClass(_ type: any StoredObject.Type) throws(ObjectStoreError) -> StoredClass {
        if let stored = storedClass(type) { return stored }
        throw ObjectStoreError(.unknownClass, "\(type) is not among the classes that \(store.name) was opened with")
    }
}

extension ObjectStoreError {
    /// Whether this says no more than that a wait has ended: the task was cancelled, or the context was closed.
    ///
    /// - Parameter wasOpen: Whether the context was open when the wait began.
    func endsWait(wasOpen: Bool) -> Bool { code == .cancelled || code == .closed && wasOpen }
}

/// Makes a context stay at the state of a query, so that what the query asks of other objects is answered from the same state.
final class QueryHold {
    private let context: ObjectContext

    init(_ context: ObjectContext) {
        self.context = context
        context.runningQueries += 1
    }

    deinit { context.runningQueries -= 1 }
}
