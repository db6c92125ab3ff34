import CairnCore
import Dispatch
import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A store of objects of `@Stored` classes, with their relationships, indexes and names, all saved together.
///
/// ```swift
/// let store = try ObjectStore(path: "Music.store", classes: [Song.self, Playlist.self])
/// try store.write { context in
///     context.insert(Song(artist: "Katrina", title: "Walking on Sunshine", seconds: 298))
/// }
/// let songs = try store.read { context in try context.count(Song.self) }
/// ```
///
/// By default, what is saved survives the death of the process (``ObjectStoreOptions/durability``: `.buffered`); with `.synced` it also survives power
/// loss. A save is atomic across all classes, indexes and names.
///
/// A store can be used from any thread. Objects are used in contexts, each of which belongs to one thread at a time (``ObjectContext``). The data is
/// stored in any `StorageEngine`; `ObjectStore(path:classes:)` of `CairnObjects` and `CairnRocksGraph` stores it in RocksDB.
public final class ObjectStore: Sendable {
    /// The store's name in messages.
    let name: String
    package let engine: any StorageEngine
    let options: ObjectStoreOptions
    /// Identifies the store, as it was when it was opened.
    let header: StoreHeader
    /// The store's format. Changed only while holding the save lock.
    let format: Atomic<Int>
    /// Indexed by class number minus 1.
    let classes: [StoredClass]
    private let classesByType: [ObjectIdentifier: StoredClass]
    /// Counts commits with deleted objects.
    let deletions = Atomic<UInt64>(0)
    let use: EngineUse
    let catalogCheck: CatalogCheck
    let counts = ObjectStoreCounts()
    let calls = StoreCalls()
    /// Serializes saves.
    let saving = Mutex(())
    /// The views that other threads are making for contexts.
    let viewsToCome = DispatchGroup()
    let listeners = Mutex(CommitListeners())
    /// Changes to objects whose context is gone.
    let lostChanges = Mutex<[ObjectStoreError]>([])
    private let state = Mutex(State())

    private struct State {
        var contexts = 0
        var isClosed = false
    }

    /// Opens a store in an engine, which belongs to the store from then on.
    ///
    /// - Parameters:
    ///   - engine: The engine. Several stores can use it, and each sees what the others save.
    ///   - classes: The classes to work with, in any order.
    ///   - options: How to open the store. Options that the engine decides itself are ignored.
    ///   - name: The name of the store in messages. By default, the path of an engine that has one, or "the store".
    /// - Throws: ``ObjectStoreError``: `foreignFile`, `unsupportedVersion`, `schemaMismatch` if a class does not match what is stored, or has a
    ///   superclass or a property that needs a default, `migrationFailed`, `notUnique` for an index to be built, `keyNeeded`, `wrongKey`,
    ///   `changeUnfinished`, `moved`, `notFound`, `readOnly`, `corruption`, `noSpace`, `ioError`. The engine then still belongs to the caller.
    public convenience init(
        engine: any StorageEngine,
        classes: [any StoredObject.Type],
        options: ObjectStoreOptions = ObjectStoreOptions(),
        name: String? = nil
    ) throws(ObjectStoreError) {
        try self.init(engine, classes, adding: [], options, name, identity: nil)
    }

    /// Opens a store, with a given identity if it is new: for tests that compare bytes.
    package convenience init(engine: any StorageEngine, classes: [any StoredObject.Type], identity: UUID) throws(ObjectStoreError) {
        try self.init(engine, classes, adding: [], ObjectStoreOptions(), nil, identity: identity)
    }

    /// - Parameters:
    ///   - more: Classes without Swift classes, to add to the catalog if it does not have them.
    ///   - keepsCatalog: Whether the store's catalog is left as it is.
    ///   - identity: The identity of a new store; `nil` for a unique one.
    init(
        _ engine: any StorageEngine,
        _ classes: [any StoredObject.Type],
        adding more: [CatalogEntry],
        keepsCatalog: Bool = false,
        _ options: ObjectStoreOptions,
        _ name: String?,
        identity: UUID?
    ) throws(ObjectStoreError) {
        let name = name ?? (engine as? any LocatedEngine)?.path ?? "the store"
        try MoveMark.check(engine, options, name)
        let engine = try Self.sealing(engine, options, name)
        // A store that does not exist yet does not count as unencrypted.
        if options.cipher == nil || engine is SealedEngine { try ShreddableClasses.check(classes, engine, name) }
        self.engine = engine
        use = (engine as? SealedEngine)?.use ?? EngineUse(engine)
        self.options = options
        self.name = name
        let catalog = try Catalog(engine, name, options, identity).opened(
            for: classes.map { $0.objectSchema },
            adding: more,
            keepsEntries: keepsCatalog
        )
        header = catalog.header
        catalogCheck = CatalogCheck(catalog)
        format = Atomic(catalog.header.format)
        self.classes = catalog.classes
        classesByType = Dictionary(
            catalog.classes.compactMap { stored in stored.schema.map { (ObjectIdentifier($0.type), stored) } },
            uniquingKeysWith: { first, _ in first }
        )
        (engine as? SealedEngine)?.nameClasses(
            Dictionary(catalog.classes.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
        )
        removeFormerData()
        try migrate()
        if options.buildsIndexes, !isReadOnly {
            try IndexBuilder(self).run { part throws(ObjectStoreError) in options.progress?(.indexes, part) }
        }
    }

    deinit { if !isClosed { giveBackRows() } }

    var isReadOnly: Bool { options.readOnly || engine.isReadOnly }
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    func storedClass(_ type: any StoredObject.Type) -> StoredClass? { classesByType[ObjectIdentifier(type)] }

    func storedClass(number: UInt16) -> StoredClass? {
        number > 0 && number <= classes.count ? classes[Int(number) - 1] : nil
    }

    // MARK: Contexts

    func contextBegins() throws(ObjectStoreError) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.contexts += 1 }
            return state.isClosed
        }
        guard !isClosed else { throw ObjectStoreError(.closed, "\(name) was closed") }
    }

    /// The number of contexts and other users that may hold views.
    var contextCount: Int { state.withLock { $0.contexts } }

    /// Makes a view of the latest state for a context.
    func makeView() throws(ObjectStoreError) -> StoreView {
        let view = try StoreView(engine)
        try catalogCheck.check(view, self)
        return view
    }

    func contextEnded() { state.withLock { $0.contexts -= 1 } }

    /// Closes the store, and its engine unless other stores use it. All later calls throw ``ObjectStoreError/Code/closed``; closing again does nothing.
    /// Releasing the last reference also closes it.
    ///
    /// - Throws: ``ObjectStoreError/Code/busy`` while contexts are open; ``ObjectStoreError/Code/notFound`` if the directory of the store is no longer at
    ///   its path; ``ObjectStoreError/Code/conflict`` for the first change to an object whose context was closed or released before; such changes are
    ///   lost. In the last two cases, the store is closed. Data saved in a missing directory is lost, unless the directory was only moved.
    public func close() throws(ObjectStoreError) {
        let (contexts, wasClosed) = state.withLock { state in
            defer { if state.contexts == 0 { state.isClosed = true } }
            return (state.contexts, state.isClosed)
        }
        guard !wasClosed else { return }
        guard contexts == 0 else {
            let inUse = contexts == 1 ? "1 context is in use; close it first" : "\(contexts) contexts are in use; close them first"
            throw ObjectStoreError(.busy, "could not close \(name): \(inUse)")
        }
        giveBackRows()
        stopFollowingOthers()
        // For contexts that were closed, so that the waits of these threads end now.
        viewsToCome.wait()
        var loss: EngineError?
        if use.end() {
            do throws(EngineError) { try engine.close() } catch {
                guard error.code == .notFound else {
                    use.resume()
                    state.withLock { $0.isClosed = false }
                    followOthers()
                    throw ObjectStoreError(error)
                }
                loss = error
            }
        }
        listeners.withLock { $0.close() }.forEach { $0.finish() }
        if let loss { throw ObjectStoreError(loss) }
        if let lost = lostChanges.withLock({ $0.first }) { throw lost }
    }
}
