/// Undoes and redoes changes of a context: to values, relationships and names, and insertions and deletions of objects, even after they were saved.
///
/// ```swift
/// context.undo.isEnabled = true
/// context.undo.group("Rename") { song.title = "Walking on Sunshine" }
/// try context.save()
/// try context.undo.undo()             // the title is what it was
/// try context.save()
/// ```
///
/// Changes form groups, each undone as a whole. Changes outside of ``group(_:_:)`` form a group that ends with the next save, undo, redo or
/// group. Undoing is a change like any other: the next ``ObjectContext/save()`` saves it, and detects conflicts with what other contexts
/// have saved in the meantime. ``ObjectContext/rollback()`` discards the undo history.
///
/// Delete rules and hooks don't run again: their effects are part of the group.
///
/// - Complexity: Keeps two copies of the record of each object that a group changes; of its long lists, the chunks in memory that were changed, and the
///   state of the store from which the others are read. Large values are read before the first change of an object in a group. Undoing visits the objects in memory.
public final class ObjectUndo {
    /// Unowned, because this belongs to the context.
    private unowned let context: ObjectContext
    private var undoGroups: [Group] = []
    private var redoGroups: [Group] = []
    private var open: Group?
    /// The objects that a saved deletion removed from the context, as long as the program has them.
    private var departed: [ObjectID: Departed] = [:]
    private var departedLimit = 64
    private var depth = 0
    private var isApplying = false
    /// Is notified of changes to the undo history.
    var listener: (any ObjectUndoListener)?

    /// Whether changes are recorded; turning it off discards the history. Default: false.
    public var isEnabled = false {
        didSet {
            if !isEnabled { removeAll() } else if !oldValue { context.watchAgain() }
        }
    }
    /// The maximum number of groups to keep; the oldest are discarded. 0: all. Default: 100.
    public var limit = 100 {
        didSet { forgetOldest() }
    }

    private struct Departed {
        weak var object: (any StoredObject)?
    }

    fileprivate struct Group {
        var name: String?
        /// Records before and after; `nil` if the object didn't exist.
        var records: [ObjectID: (before: ObjectSnapshot?, after: ObjectSnapshot?)] = [:]
        var names: [String: (before: [UInt8]?, after: [UInt8]?)] = [:]
        /// The objects in the order in which they were first changed.
        var touched: [ObjectID] = []

        var isEmpty: Bool { touched.isEmpty && names.isEmpty }
    }

    init(_ context: ObjectContext) { self.context = context }

    /// Whether there is something to undo.
    public var canUndo: Bool { !undoGroups.isEmpty || open?.isEmpty == false }
    /// Whether there is something to redo. Any other change clears what could be redone.
    public var canRedo: Bool { !redoGroups.isEmpty && open?.isEmpty != false }
    /// The name of the group that ``undo()`` would undo.
    public var undoName: String? { open?.isEmpty == false ? open?.name : undoGroups.last?.name }
    /// The name of the group that ``redo()`` would redo.
    public var redoName: String? { canRedo ? redoGroups.last?.name : nil }

    /// Runs `body` and groups its changes, to be undone together. Within another group, they join that group. If `body` throws, the group
    /// holds the changes made until then.
    ///
    /// - Throws: What `body` throws.
    public func group<Value>(_ name: String? = nil, _ body: () throws -> Value) rethrows -> Value {
        begin(name)
        defer { end() }
        return try body()
    }

    /// Begins a group that ``end()`` ends.
    public func begin(_ name: String? = nil) {
        if depth == 0 { close() }
        depth += 1
        guard isEnabled else { return }
        if open == nil { open = Group() }
        if let name { open?.name = name }
    }

    /// Ends the group that ``begin(_:)`` began last; does nothing if there is none.
    public func end() {
        guard depth > 0 else { return }
        depth -= 1
        if depth == 0 { close() }
    }

    /// Undoes the changes of the last group.
    ///
    /// - Throws: ``ObjectStoreError``: `busy` within a group, `notSupported` if there is nothing to undo, or undo is off (``isEnabled``), `conflict` if others
    ///   have deleted an object that the group changed, or changed the same to-one property, dictionary, or list of more than a thousand objects;
    ///   `corruption`, `ioError`, `closed`. Nothing is undone then, and the history stays as it is; ``removeAll()`` discards it.
    public func undo() throws(ObjectStoreError) {
        try checkIdle("undo")
        close()
        guard let group = undoGroups.popLast() else { throw nothing("undo") }
        do throws(ObjectStoreError) { try apply(group, undoes: true) } catch {
            undoGroups.append(group)
            throw error
        }
        redoGroups.append(group)
    }

    /// Redoes the changes that were undone last.
    ///
    /// - Throws: As ``undo()``.
    public func redo() throws(ObjectStoreError) {
        try checkIdle("redo")
        close()
        guard let group = redoGroups.popLast() else { throw nothing("redo") }
        do throws(ObjectStoreError) { try apply(group, undoes: false) } catch {
            redoGroups.append(group)
            throw error
        }
        undoGroups.append(group)
    }

    /// Discards everything that could be undone or redone.
    public func removeAll() {
        close()
        undoGroups = []
        redoGroups = []
        departed = [:]
        listener?.allForgotten()
    }

    /// The groups at some time.
    struct History {
        fileprivate var undo: [Group] = []
        fileprivate var redo: [Group] = []
    }

    /// What can be undone and redone now; set when the changes made since are dropped.
    var history: History {
        get { History(undo: undoGroups, redo: redoGroups) }
        set {
            (open, depth) = (nil, 0)
            (undoGroups, redoGroups) = (newValue.undo, newValue.redo)
        }
    }

    private func nothing(_ what: String) -> ObjectStoreError {
        let reason = isEnabled ? "" : ": undo is off; set isEnabled, and changes made from then on can be undone"
        return ObjectStoreError(.notSupported, "there is nothing to \(what)\(reason)")
    }

    private func checkIdle(_ what: String) throws(ObjectStoreError) {
        try context.checkOpen()
        guard depth == 0 else { throw ObjectStoreError(.busy, "cannot \(what) within a group") }
    }

    private func forgetOldest() {
        if limit > 0, undoGroups.count > limit { undoGroups.removeFirst(undoGroups.count - limit) }
    }

    // MARK: Recording

    /// Called before an object is changed or deleted.
    func willTouch(_ object: any StoredObject) {
        guard isEnabled, !isApplying, open?.records[object._$state.id] == nil else { return }
        note(object._$state.id, object.isDeleted || object._$state.flags.contains(.damaged) ? nil : context.snapshot(of: object))
    }

    /// Called after an object was inserted.
    func didInsert(_ id: ObjectID) {
        guard isEnabled, !isApplying, open?.records[id] == nil else { return }
        note(id, nil)
    }

    private func note(_ id: ObjectID, _ before: ObjectSnapshot?) {
        willNote()
        open?.records[id] = (before, nil)
        open?.touched.append(id)
    }

    /// Called when an object has left the context because its deletion was saved.
    func didLeave(_ object: any StoredObject) {
        guard isEnabled else { return }
        departed[object._$state.id] = Departed(object: object)
        guard departed.count > departedLimit else { return }
        departed = departed.filter { $0.value.object != nil }
        departedLimit = max(64, 2 * departed.count)
    }

    /// Returns the object that left the context with this identity, if the program still has it and has not inserted it again.
    func departed(_ id: ObjectID) -> (any StoredObject)? {
        guard let object = departed.removeValue(forKey: id)?.object, !object._$state.hasContext else { return nil }
        return object
    }

    func willTouch(name: String) {
        guard isEnabled, !isApplying, open?.names[name] == nil else { return }
        let before = context.namedBytes(name)
        willNote()
        open?.names[name] = (before, nil)
    }

    /// Called before the open group records a change.
    private func willNote() {
        redoGroups = []
        if open == nil { open = Group() }
        if open?.isEmpty == true { listener?.groupBegan(open?.name) }
    }

    /// Ends the open group. Redoing it restores the current state of its objects.
    func close() {
        guard var group = open else { return }
        open = depth > 0 ? Group(name: group.name) : nil
        guard !group.isEmpty else { return }
        for id in group.touched {
            guard let object = context.inMemory(id) else { continue }
            if !object.isDeleted { group.records[id]?.after = context.snapshot(of: object) }
            context.watchAgain(object)
        }
        for name in group.names.keys { group.names[name]?.after = context.namedBytes(name) }
        undoGroups.append(group)
        forgetOldest()
    }

    // MARK: Applying

    private func apply(_ group: Group, undoes: Bool) throws(ObjectStoreError) {
        isApplying = true
        defer { isApplying = false }
        // Nothing is changed until everything is known to be possible.
        var restorations: [ObjectContext.Restoration] = []
        for id in undoes ? group.touched.reversed() : group.touched {
            guard let (before, after) = group.records[id] else { continue }
            let (new, former) = undoes ? (before, after) : (after, before)
            if let restoration = try context.restoration(of: id, new, from: former) { restorations.append(restoration) }
        }
        for restoration in restorations { try context.restore(restoration) }
        for (name, values) in group.names { context.pending.names[name] = .some(undoes ? values.before : values.after) }
        context.forgetGathered()
    }
}

/// Something that keeps its own undo list.
protocol ObjectUndoListener {
    /// A group recorded its first change. It is the next to be undone.
    func groupBegan(_ name: String?)
    /// The history was discarded.
    func allForgotten()
}
