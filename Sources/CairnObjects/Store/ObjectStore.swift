import CairnCore
import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A store of objects: classes that `@Stored` made storable, their relationships, indexes and names, saved together.
///
/// ```swift
/// let store = try ObjectStore(path: "Music.store", classes: [Song.self, Playlist.self])
/// try store.write { context in
///     context.insert(Song(artist: "Katrina", title: "Walking on Sunshine", seconds: 298))
/// }
/// let songs = try store.read { context in try context.count(Song.self) }
/// ```
///
/// What was saved survives the death of the process (``ObjectStoreOptions/durability``: `.buffered`); with `.synced` also a loss of power. A save is wholly
/// there or not at all, over all classes, indexes and names.
///
/// A store may be used from any thread; the objects are used in contexts, each of which belongs to one (``ObjectContext``). It is kept in
/// RocksDB (``RocksEngine``) unless another ``StorageEngine`` is given.
public final class ObjectStore: Sendable {
    /// How messages call it.
    let name: String
    let engine: any StorageEngine
    let options: ObjectStoreOptions
    /// What tells this store from others.
    let header: StoreHeader
    /// By their numbers less 1.
    let classes: [StoredClass]
    private let classesByType: [ObjectIdentifier: StoredClass]
    /// Counts commits: a context whose view is of another version makes a new one.
    let version = Atomic<UInt64>(0)
    /// Counts the commits that deleted objects.
    let deletions = Atomic<UInt64>(0)
    /// One save at a time.
    let saving = Mutex(())
    let listeners = Mutex(CommitListeners())
    private let state = Mutex(State())

    private struct State {
        var contexts = 0
        var isClosed = false
    }

    /// Opens a store in an engine, which belongs to the store from then on.
    ///
    /// - Parameters:
    ///   - engine: The engine, which nobody else uses any more.
    ///   - classes: The classes to work with, in any order.
    ///   - options: How the store is opened; what the engine decides itself does not matter here.
    ///   - name: How messages call it.
    /// - Throws: As ``init(path:classes:options:)``; the engine is still the caller's then.
    public convenience init(
        engine: any StorageEngine,
        classes: [any StoredObject.Type],
        options: ObjectStoreOptions = ObjectStoreOptions(),
        name: String = "the store"
    ) throws(ObjectStoreError) {
        try self.init(engine, classes, adding: [], options, name, identity: nil)
    }

    /// Opens a store which, where it is new, has an identity that is given: for tests that compare bytes.
    package convenience init(engine: any StorageEngine, classes: [any StoredObject.Type], identity: UUID) throws(ObjectStoreError) {
        try self.init(engine, classes, adding: [], ObjectStoreOptions(), "the store", identity: identity)
    }

    /// - Parameters:
    ///   - more: Classes without Swift classes, to be added to the catalog where it does not have them.
    ///   - identity: That of a new store; `nil` for one that no other store has.
    init(
        _ engine: any StorageEngine,
        _ classes: [any StoredObject.Type],
        adding more: [CatalogEntry],
        _ options: ObjectStoreOptions,
        _ name: String,
        identity: UUID?
    ) throws(ObjectStoreError) {
        let engine = try Self.sealing(engine, options, name)
        // A store that is not there yet is none without encryption.
        if options.cipher == nil || engine is SealedEngine { try ShreddableClasses.check(classes, engine, name) }
        self.engine = engine
        self.options = options
        self.name = name
        let catalog = try Catalog(engine, name, options, identity).opened(for: classes.map { $0.objectSchema }, adding: more)
        header = catalog.header
        self.classes = catalog.classes
        classesByType = Dictionary(
            catalog.classes.compactMap { stored in stored.schema.map { (ObjectIdentifier($0.type), stored) } },
            uniquingKeysWith: { first, _ in first }
        )
        (engine as? SealedEngine)?.nameClasses(catalog.classes)
        removeFormerGroups()
    }

    var isReadOnly: Bool { options.readOnly || engine.isReadOnly }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func storedClass(_ type: any StoredObject.Type) -> StoredClass? { classesByType[ObjectIdentifier(type)] }

    func storedClass(number: UInt16) -> StoredClass? {
        number > 0 && number <= classes.count ? classes[Int(number) - 1] : nil
    }

    // MARK: Contexts

    /// A context to work in; it belongs to whoever makes it.
    ///
    /// - Throws: ``ObjectStoreError/Code/closed``.
    public func makeContext(_ options: ObjectContextOptions = ObjectContextOptions()) throws(ObjectStoreError) -> ObjectContext {
        try contextBegins()
        if !isReadOnly { engine.willBeWritten() }
        return ObjectContext(self, options)
    }

    /// Runs `body` with a context that sees the store as it is now, whatever is saved meanwhile, and saves nothing.
    ///
    /// - Throws: What `body` throws; ``ObjectStoreError/Code/closed``.
    public func read<Value>(_ body: (ObjectContext) throws -> Value) throws -> Value {
        try contextBegins()
        let view: any EngineView
        do throws(EngineError) { view = try engine.makeView() } catch {
            contextEnded()
            throw ObjectStoreError(error)
        }
        let context = ObjectContext(self, ObjectContextOptions(isObserved: false), pinned: view)
        defer { context.close() }
        return try body(context)
    }

    /// Runs `body` with a context of its own, and saves what it changed. Where `body` throws, nothing is saved.
    ///
    /// ```swift
    /// try store.write(attempts: 100) { context in
    ///     try context.first(Song.self, where: \.title == "Walking on Sunshine")?.seconds += 1
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - conflictPolicy: What saving does where another context saved the same object since `body` began.
    ///   - attempts: How often to begin again, with a new context, where that throws `conflict`.
    ///   - body: Is called once for each attempt, and should do nothing but work on the context.
    /// - Throws: What `body` throws; as ``ObjectContext/save()``, in the last attempt.
    public func write<Value>(
        conflictPolicy: ConflictPolicy = .fail,
        attempts: Int = 1,
        _ body: (ObjectContext) throws -> Value
    ) throws -> Value {
        var left = attempts
        while true {
            left -= 1
            let context = try makeContext(ObjectContextOptions(isObserved: false, conflictPolicy: conflictPolicy))
            defer { context.close() }
            let value = try body(context)
            do throws(ObjectStoreError) {
                try context.save()
                return value
            } catch {
                guard left > 0, error.code == .conflict else { throw error }
            }
        }
    }

    func contextBegins() throws(ObjectStoreError) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.contexts += 1 }
            return state.isClosed
        }
        guard !isClosed else { throw ObjectStoreError(.closed, "\(name) was closed") }
    }

    /// How many contexts, and others that may hold views, there are.
    var contextCount: Int { state.withLock { $0.contexts } }

    func contextEnded() { state.withLock { $0.contexts -= 1 } }

    /// Ends the store; every call afterwards throws ``ObjectStoreError/Code/closed``. Closing again does nothing. The last reference closes too.
    ///
    /// - Throws: ``ObjectStoreError/Code/busy`` while there are contexts that were not closed.
    public func close() throws(ObjectStoreError) {
        let (contexts, wasClosed) = state.withLock { state in
            defer { if state.contexts == 0 { state.isClosed = true } }
            return (state.contexts, state.isClosed)
        }
        guard !wasClosed else { return }
        guard contexts == 0 else {
            throw ObjectStoreError(
                .busy,
                "could not close \(name): \(contexts) context\(contexts == 1 ? " is" : "s are") in use; close them before"
            )
        }
        do throws(EngineError) { try engine.close() } catch {
            state.withLock { $0.isClosed = false }
            throw ObjectStoreError(error)
        }
        listeners.withLock { $0.close() }.forEach { $0.finish() }
    }
}
