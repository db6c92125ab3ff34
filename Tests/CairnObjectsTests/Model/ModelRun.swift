import CairnHistoryKit
import CairnObjects
import CairnTestSupport

/// A store beside its model: what is saved, and what a context makes of it.
final class ModelRun {
    private let makeEngine: () throws -> any StorageEngine
    /// Whether an engine must be closed and made again when the store is.
    private let engineLasts: Bool
    private let policy: ConflictPolicy
    private let options: ObjectStoreOptions
    private let others: Others
    /// Another store on the same engine, if others have one.
    private var otherStore: ObjectStore?
    private var engine: any StorageEngine
    private var store: ObjectStore
    private var saved = ModelGraph()
    private var mine: ModelSide
    private var undo = ModelUndo()
    /// Whether changes were undone since the last save: then more may be saved than was changed.
    private var wasUndone = false

    /// How other contexts save.
    enum Others {
        /// In the same store.
        case inStore
        /// In another store on the same engine: before this context saves, or after its save has read everything.
        case inOtherStore, inOtherStoreMeanwhile
        /// In another store on an engine of its own, as another process would.
        case inOtherEngine
    }

    /// - Parameters:
    ///   - longestChunk: Relationships with more objects are stored in chunks.
    ///   - others: Meanwhile only with a `MeddlingEngine`.
    init(
        policy: ConflictPolicy,
        engineLasts: Bool,
        longestChunk: Int? = nil,
        others: Others = .inStore,
        _ makeEngine: @escaping () throws -> any StorageEngine
    ) throws {
        var options = ObjectStoreOptions()
        if let longestChunk { options.longestChunk = longestChunk }
        self.options = options
        self.makeEngine = makeEngine
        self.engineLasts = engineLasts
        self.policy = policy
        self.others = others
        engine = try makeEngine()
        store = try ObjectStore(engine: engine, classes: modelClasses, options: options)
        if others != .inStore {
            let other = others == .inOtherEngine ? try makeEngine() : engine
            otherStore = try ObjectStore(engine: other, classes: modelClasses, options: options)
        }
        mine = try Self.side(store, saved, policy)
    }

    private static func side(_ store: ObjectStore, _ graph: ModelGraph, _ policy: ConflictPolicy) throws -> ModelSide {
        var options = ObjectContextOptions()
        options.conflictPolicy = policy
        let context = try store.makeContext(options)
        context.undo.isEnabled = true
        context.undo.limit = ModelUndo.limit
        return ModelSide(context, graph)
    }

    func perform(_ operations: [ModelOperation]) throws {
        for (number, operation) in operations.enumerated() {
            do { try perform(operation) } catch { throw Mismatch("step \(number), .\(operation): \(error)") }
        }
        do {
            try save()
            try mine.check()
            try close()
        } catch {
            throw Mismatch("at the end: \(error)")
        }
    }

    private func perform(_ operation: ModelOperation) throws {
        switch operation {
        case .begin:
            mine.context.undo.begin()
            undo.begin(mine.graph)
        case .end:
            mine.context.undo.end()
            undo.end(mine.graph)
        case .undo: try take(undo.depth, { $0.undo(&$1) }) { () throws in try self.mine.context.undo.undo() }
        case .redo: try take(undo.depth, { $0.redo(&$1) }) { () throws in try self.mine.context.undo.redo() }
        case .save: try save()
        case .rollback: rollback()
        case .refresh: mine.context.refresh()
        case .reopen: try reopen()
        case .hold(let kind, let one):
            if let id = mine.pick(kind, one) { mine.held.append(try mine.context.must(id, kind)) }
        case .letGo: mine.held = []
        case .look: try mine.check()
        case .lookAt(let property, let one):
            if let id = mine.pick(property.owner, one) { try mine.check(id, property) }
        case .find(let number): try mine.checkFinding(number)
        case .other(let steps): try other(steps)
        default:
            let before = mine.graph
            mine.graph.isChanged = false
            try mine.perform(operation)
            if mine.graph.isChanged { undo.changed(before) }
        }
        try match(mine.context.undo.canUndo, undo.canUndo, "whether something can be undone")
        try match(mine.context.undo.canRedo, undo.canRedo, "whether something can be redone")
        try match(mine.context.faultErrors.map(\.message), [], "what could not be read")
    }

    /// Undoes or redoes.
    private func take(_ depth: Int, _ expected: (inout ModelUndo, inout ModelGraph) -> Bool, _ body: () throws -> Void) throws {
        let failure = code(body)
        guard depth == 0 else { return try match(failure, .busy, "undoing within a group") }
        let isThere = expected(&undo, &mine.graph)
        try match(failure, isThere ? nil : .notSupported, "undoing")
        if isThere { wasUndone = true }
    }

    // MARK: Saving

    private func save() throws {
        if mine.context.hasChanges { undo.close(mine.graph) }
        let failure = code { try mine.context.save() }
        try match(failure, mine.graph.hasCommonCode ? .notUnique : nil, "saving")
        if failure == nil { try wasSaved() }
    }

    /// What the context holds is what the store holds.
    private func wasSaved() throws {
        mine.graph.wasSaved()
        saved = mine.graph
        wasUndone = false
        try checkStore()
    }

    private func checkStore() throws {
        let problems = try store.verify().problems.map { "\($0.kind) \($0.className ?? "") \($0.object?.row ?? 0) \($0.property ?? "")" }
        try match(problems, [], "verifying")
        try store.read { context in try ModelSide(context, saved).check() }
    }

    private func rollback() {
        mine.context.rollback()
        mine.graph = saved
        undo.removeAll()
        wasUndone = false
    }

    private func close() throws {
        mine.held = []
        mine.context.close()
        try match(code { try self.engineLasts ? () : self.store.close() }, nil, "closing")
    }

    private func reopen() throws {
        try close()
        if !engineLasts { engine = try makeEngine() }
        store = try ObjectStore(engine: engine, classes: modelClasses, options: options)
        mine = try Self.side(store, saved, policy)
        undo = ModelUndo()
        wasUndone = false
        try checkStore()
    }

    // MARK: Conflicts

    /// Another context changes something and saves; then this one saves.
    private func other(_ steps: [ModelOperation]) throws {
        let theirs = try Self.side(otherStore ?? store, saved, .fail)
        for step in steps where isAllowed(step, theirs) { try theirs.perform(step) }
        let isRefused = theirs.graph.hasCommonCode
        let changed = isRefused ? [] : Set(theirs.graph.touched.keys)
        if !isRefused {
            saved = theirs.graph
            saved.wasSaved()
        }
        // The outcome is the same whether they save before this context or while it saves.
        var (theirFailure, failure): (ObjectStoreError.Code?, ObjectStoreError.Code?)
        let saveTheirs = { theirFailure = code { try theirs.context.save() } }
        let saveMine = { failure = code { try self.mine.context.save() } }
        if others != .inOtherStoreMeanwhile || (engine as? MeddlingEngine)?.meddle(saveTheirs, in: saveMine) != true {
            saveTheirs()
            try match(theirFailure, isRefused ? .notUnique : nil, "saving by another context")
            if others != .inOtherStoreMeanwhile { try checkStore() }
            saveMine()
        }
        try match(theirFailure, isRefused ? .notUnique : nil, "saving by another context")
        try wasSaved(failure, after: changed)
        theirs.context.close()
        mine.context.undo.removeAll()
        undo.removeAll()
    }

    /// Policies that put two states together are tried with values: what they make of relationships would have no two sides that agree.
    private func isAllowed(_ step: ModelOperation, _ theirs: ModelSide) -> Bool {
        guard policy != .fail else { return true }
        switch step {
        case .setNumber(let kind, let one, _), .setText(let kind, let one, _):
            guard let id = theirs.pick(kind, one) else { return false }
            return (mine.graph.touched[id] ?? []).isSubset(of: ["number", "text"]) && !wasUndone
        default: return false
        }
    }

    /// The context saved, or failed to, after another one had saved objects.
    private func wasSaved(_ failure: ObjectStoreError.Code?, after changed: Set<ObjectID>) throws {
        let conflicts = changed.filter { mine.graph.touched[$0] != nil }
        let merged = merged(conflicts, saved)
        switch failure {
        case nil:
            guard policy != .fail || conflicts.isEmpty, !merged.isDangling else { throw Mismatch("a conflict was not found: \(conflicts)") }
            mine.graph = merged
            mine.context.refresh()
            return try wasSaved()
        case .conflict:
            guard merged.isDangling || policy == .fail && (!conflicts.isEmpty || wasUndone) else {
                throw Mismatch("there is a conflict that should not be")
            }
        case .notUnique:
            guard merged.hasCommonCode else { throw Mismatch("what is unique is said to be there twice") }
        default: throw Mismatch("saving after another context failed: \(failure.map { "\($0)" } ?? "")")
        }
        rollback()
        mine.context.refresh()
        try checkStore()
    }

    /// What should be saved.
    private func merged(_ conflicts: Set<ObjectID>, _ saved: ModelGraph) -> ModelGraph {
        var merged = saved
        for id in mine.graph.touched.keys {
            guard conflicts.contains(id), let theirs = saved.nodes[id], policy != .keepMine else {
                merged.nodes[id] = mine.graph.nodes[id]
                continue
            }
            guard policy == .merge else { continue }
            merged.nodes[id] = mine.graph.nodes[id]
            if mine.graph.touched[id]?.contains("number") != true { merged.nodes[id]?.number = theirs.number }
            if mine.graph.touched[id]?.contains("text") != true { merged.nodes[id]?.text = theirs.text }
        }
        // What another context made lead to an object that is deleted here leads there no more.
        for id in mine.graph.touched.keys where mine.graph.nodes[id] == nil && merged.nodes[id] == nil { merged.remove(id) }
        for name in mine.graph.touchedNames { merged.names[name] = mine.graph.names[name] }
        return merged
    }
}
