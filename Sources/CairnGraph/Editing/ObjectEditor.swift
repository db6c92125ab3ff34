import CairnCore

/// Changes the objects of a store without their Swift classes, with all that follows: indexes, search, inverses, delete rules. For tools.
///
/// ```swift
/// let editor = try ObjectEditor(store)
/// let edit = ObjectEdit.set(id, ObjectDump.Field(name: "title", value: .value(.text("Sunshine"))))
/// print(try editor.preview([edit]))       // what it will do
/// try editor.perform([edit])              // done and saved
/// try editor.undo()                       // and undone
/// ```
///
/// The store's catalog says what a class has, but not what its code does: ``StoredObject/prepareForDelete()`` and ``StoredObject/migrate(from:)`` are not
/// called, defaults are not known, and a value of a `Codable` type or an enumeration is stored even if its program may not be able to read it. Some
/// objects cannot be changed: those of hand-coded or shreddable classes, those that refer to such objects, those whose indexes have keys that only the
/// class knows, and records that older versions of a class wrote. Trying to change one throws an error before anything is saved.
///
/// Other programs may use the store meanwhile. If one of them has changed what an edit changed, neither that edit nor those before it can be undone
/// until everything is as the edit left it. If it is unknown whether the edits were saved (``ObjectStoreError/isOutcomeUnknown``), check whether they
/// were; earlier edits can then no longer be undone. Use an editor from one thread at a time.
public final class ObjectEditor {
    private let store: ObjectStore
    private let classes: UntypedClasses
    private let context: ObjectContext
    /// The edits to undo and to redo.
    private var done: [[ObjectChange]] = []
    private var undone: [[ObjectChange]] = []

    /// How many edits can be undone. What each of them changed is kept in memory.
    public static let undoLimit = 100

    /// Makes an editor, which uses the store's engine until it is released or closed.
    ///
    /// - Throws: ``ObjectStoreError``: `readOnly`, `closed`; what opening a store throws.
    public init(_ store: ObjectStore) throws(ObjectStoreError) {
        guard !store.isReadOnly else { throw ObjectStoreError(.readOnly, "\(store.name) was opened for reading only") }
        guard !store.isClosed else { throw ObjectStoreError(.closed, "\(store.name) was closed") }
        classes = UntypedClasses(store.classes.map(\.entry))
        self.store = try ObjectStore(untyped: classes, of: store)
        context = try self.store.makeContext(ObjectContextOptions(isObserved: false))
        context.undo.limit = Self.undoLimit
        context.undo.isEnabled = true
    }

    deinit { close() }

    /// Stops using the store. Earlier edits can no longer be undone.
    public func close() {
        context.close()
        try? store.close()
    }

    /// The reason why objects of a class cannot be changed without the class; `nil` if they can.
    public func obstacle(toClass name: String) -> String? { classes.obstacles[name] }

    // MARK: Editing

    /// Returns what edits would do now, and does nothing.
    ///
    /// - Throws: As ``perform(_:name:expecting:)``.
    public func preview(_ edits: [ObjectEdit]) throws(ObjectStoreError) -> [ObjectChange] {
        let scratch = try store.makeContext(ObjectContextOptions(isObserved: false))
        defer { scratch.close() }
        let changes = try EditRun(scratch, classes).apply(edits)
        try scratch.checkSave()
        return changes
    }

    /// Makes edits and saves them together: all, or none.
    ///
    /// - Parameters:
    ///   - edits: The edits, made one after the other.
    ///   - name: The name of the edits, for ``undoName``.
    ///   - expected: What ``preview(_:)`` said they would do. If they would do something else now, nothing is done.
    /// - Returns: The changes to all objects concerned.
    /// - Throws: ``ObjectStoreError``: `objectNotFound`, `unknownClass`, `invalidArgument` if the class has no such property, or a value is missing;
    ///   `typeMismatch` for a value of another type; `deletionDenied`, `notUnique`, `notSupported` if the objects cannot be changed without their
    ///   classes, `conflict` if another program changed them at the same time, or the edits would not do what is expected; `schemaMismatch` if
    ///   another program changed the classes; what ``ObjectContext/save()`` throws.
    /// - Complexity: O(n) in the objects that change, and in the lengths of the lists that do.
    @discardableResult
    public func perform(
        _ edits: [ObjectEdit],
        name: String? = nil,
        expecting expected: [ObjectChange]? = nil
    ) throws(ObjectStoreError) -> [ObjectChange] {
        let changes = try allOrNothing { () throws(ObjectStoreError) in
            context.undo.begin(name)
            let changes = try EditRun(context, classes).apply(edits)
            context.undo.end()
            if let expected, ObjectChange.withoutNewIdentities(expected) != ObjectChange.withoutNewIdentities(changes) {
                throw ObjectStoreError(
                    .conflict,
                    "another program has changed \(store.name), so these edits would now have a different effect"
                )
            }
            return changes
        }
        guard !changes.isEmpty else { return [] }
        done.append(changes)
        if done.count > Self.undoLimit { done.removeFirst() }
        undone = []
        return changes
    }

    // MARK: Undo

    /// Whether there is something to undo.
    public var canUndo: Bool { !done.isEmpty && context.undo.canUndo }
    /// Whether there is something to redo. Any other edit clears what could be redone.
    public var canRedo: Bool { !undone.isEmpty && context.undo.canRedo }
    /// The name of the edits that ``undo()`` would undo.
    public var undoName: String? { context.undo.undoName }
    /// The name of the edits that ``redo()`` would redo.
    public var redoName: String? { context.undo.redoName }

    /// Undoes the last edits that were performed together, and saves the result.
    ///
    /// - Returns: The changes that this made.
    /// - Throws: ``ObjectStoreError``: `notSupported` if there is nothing to undo, `conflict` if another program has changed the same data since; what
    ///   ``ObjectContext/save()`` throws. The edits can then be undone later.
    @discardableResult
    public func undo() throws(ObjectStoreError) -> [ObjectChange] {
        guard let last = done.last else { throw nothing("undo") }
        let changes = last.map(\.reversed)
        try restore(changes) { undo throws(ObjectStoreError) in try undo.undo() }
        undone.append(done.removeLast())
        return changes
    }

    /// Redoes what was undone last, and saves the result.
    ///
    /// - Throws: As ``undo()``.
    @discardableResult
    public func redo() throws(ObjectStoreError) -> [ObjectChange] {
        guard let changes = undone.last else { throw nothing("redo") }
        try restore(changes) { undo throws(ObjectStoreError) in try undo.redo() }
        done.append(undone.removeLast())
        return changes
    }

    private func nothing(_ what: String) -> ObjectStoreError { ObjectStoreError(.notSupported, "there is nothing to \(what)") }

    private func restore(
        _ changes: [ObjectChange],
        _ body: (ObjectUndo) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) {
        _ = try allOrNothing { () throws(ObjectStoreError) in
            try check(changes)
            try body(context.undo)
            return changes
        }
    }

    /// Saves what `body` changes. If that fails, it drops the changes.
    private func allOrNothing(_ body: () throws(ObjectStoreError) -> [ObjectChange]) throws(ObjectStoreError) -> [ObjectChange] {
        context.refresh()
        // Keeps no view of the store between edits.
        defer { context.refresh() }
        context.faultErrors = []
        var history = context.undo.history
        do throws(ObjectStoreError) {
            let changes = try body()
            // Edits that change nothing are neither saved nor undone later.
            guard !changes.isEmpty else {
                context.dropUnsaved()
                context.undo.history = history
                return []
            }
            let after = context.undo.history
            try context.save()
            // A save also removes references that others have meanwhile made to deleted objects; that is not a separate step.
            context.undo.history = after
            return changes
        } catch {
            // If no row could be reserved for a new object, nothing was saved, and the changes are dropped below.
            let insertFailure = context.insertFailure
            // If nobody knows whether the changes were saved, what came before cannot be undone either.
            if error.isOutcomeUnknown, insertFailure == nil { (history, done, undone) = (ObjectUndo.History(), [], []) }
            context.dropUnsaved()
            context.undo.history = history
            throw insertFailure?.cause as? ObjectStoreError ?? error
        }
    }

    /// Throws if the store no longer has the values that the changes start from.
    private func check(_ changes: [ObjectChange]) throws(ObjectStoreError) {
        let concerned = Set(changes.map(\.id))
        do {
            try store.inspect { inspector in
                for change in changes {
                    let found = try inspector.present(change.id)
                    let isSame =
                        change.kind == .insert
                        ? found == nil
                        : found.map { found in change.properties.allSatisfy { $0.before?.ifAny == found[$0.name]?.ifAny } } ?? false
                    // Other objects may refer to one that is to be deleted.
                    let isFree =
                        try change.kind != .delete || inspector.referrers(to: change.id).allSatisfy { concerned.contains($0.object) }
                    guard isSame, isFree else {
                        throw ObjectStoreError(
                            .conflict,
                            "\(change.className) \(change.id.row) was changed by another program since then, or another object refers to it, so this cannot be undone",
                            object: change.id
                        )
                    }
                }
            }
        } catch {
            throw error as? ObjectStoreError ?? ObjectStoreError(.ioError, "\(error)")
        }
    }
}

extension ObjectChange {
    /// The change that undoes it.
    fileprivate var reversed: ObjectChange {
        let kind: Kind =
            switch self.kind {
            case .insert: .delete
            case .delete: .insert
            case .update: .update
            }
        let properties = properties.map { Property(name: $0.name, before: $0.after, after: $0.before) }
        return ObjectChange(kind: kind, id: id, className: className, properties: properties)
    }
}

extension ObjectDump.Value {
    /// The value; `nil` for values that records may omit: null, and relationships with no object.
    var ifAny: ObjectDump.Value? {
        switch self {
        case .value(.null), .one(nil), .many([]), .keyed([]): nil
        default: self
        }
    }
}

extension ObjectStore {
    /// Opens the same store with classes made from its catalog, which does not change.
    fileprivate convenience init(untyped classes: UntypedClasses, of store: ObjectStore) throws(ObjectStoreError) {
        var options = store.options
        options.createIfMissing = false
        options.migrations = []
        options.buildsIndexes = false
        let engine = (store.engine as? SealedEngine)?.base ?? store.engine
        try self.init(engine, classes.types, adding: [], keepsCatalog: true, options, store.name, identity: nil)
    }
}
