import CairnCore
import Synchronization

/// Detects changes that other programs make to the catalog while a store is open.
///
/// A store whose classes are older than the catalog can still read, but not save: it would leave out values and index entries that it does not know about.
final class CatalogCheck: Sendable {
    /// The classes of the catalog, on which every save depends.
    static let classes = KeyRange(lowerBound: Keyspace.storedClass(0), upperBound: Keyspace.lastRow(0))

    /// The latest version in which the catalog is known.
    private let known: Atomic<UInt64>
    private let state = Mutex(State())

    private struct State {
        /// The classes that were compared last, by their keys.
        var compared: [[UInt8]: [UInt8]] = [:]
        /// How another program has changed the catalog since the store was opened, if the classes no longer match it.
        var mismatch: Mismatch?
        /// Set while the store is moved elsewhere.
        var move: ObjectStoreError?
    }

    private struct Mismatch {
        /// What another program has done, such as "has added the class Song".
        let change: String
        var remedy = "close the store and open it again"
    }

    init(_ catalog: Catalog) { known = Atomic(catalog.version.rawValue) }

    /// Checks whether the catalog has changed, and which indexes are complete.
    func check(_ view: StoreView, _ store: ObjectStore) throws(ObjectStoreError) {
        let before = EngineVersion(rawValue: known.load(ordering: .acquiring))
        guard view.version > before else { return }
        if let engine = store.engine as? any RecentCommits, !engine.mayHaveChanged(Self.classes, after: before, in: view.engineView) {
            return committed(view.version)
        }
        let entries = try view.entries(Self.classes)
        try state.withLock { state throws(ObjectStoreError) in
            guard view.version.rawValue > known.load(ordering: .relaxed) else { return }
            let mark = entries.first { $0.key == Keyspace.move }
            state.move = try MoveMark(mark?.value, store.name)?.refusal(store.name)
            for (key, bytes) in entries where key != Keyspace.move && state.compared[key] != bytes {
                let change = try Self.compare(key, bytes, view.version, store)
                state.mismatch = state.mismatch ?? change
                state.compared[key] = bytes
            }
            known.store(view.version.rawValue, ordering: .releasing)
        }
    }

    /// Throws if the program's classes are older than the catalog, or the store was moved elsewhere.
    func checkBeforeSave(_ view: StoreView, _ store: ObjectStore) throws(ObjectStoreError) {
        try check(view, store)
        let (move, mismatch) = state.withLock { ($0.move, $0.mismatch) }
        if let move { throw move }
        if let mismatch { throw Self.refusal("nothing more can be saved to \(store.name) here", mismatch) }
    }

    /// Throws if the program's classes are older than the catalog: data that they do not know would be reported as damage.
    func checkBeforeVerifying(_ view: StoreView, _ store: ObjectStore) throws(ObjectStoreError) {
        try check(view, store)
        if let mismatch = state.withLock({ $0.mismatch }) { throw Self.refusal("\(store.name) can no longer be verified here", mismatch) }
    }

    /// Notes that the catalog is as it was in the version before, or that this store has changed it. Call this before changing the completion of an index.
    func committed(_ version: EngineVersion) { state.withLock { _ in _ = known.max(version.rawValue, ordering: .releasing) } }

    /// Updates which indexes of a class are complete; returns what else differs from the class that the store was opened with.
    private static func compare(
        _ key: [UInt8],
        _ bytes: [UInt8],
        _ version: EngineVersion,
        _ store: ObjectStore
    ) throws(ObjectStoreError) -> Mismatch? {
        guard key.count == 4 else { return nil }
        let number: UInt16 = unsafe Keyspace.number(key.span.bytes, at: 2)
        guard let entry = try? CatalogEntry(decoding: bytes) else {
            throw ObjectStoreError(.corruption, "the catalog of \(store.name) is damaged: class \(number) cannot be read")
        }
        guard let stored = store.storedClass(number: number) else { return Mismatch(change: "has added the class \(entry.name)") }
        for index in stored.indexes {
            let isComplete = entry.indexes.first { $0.number == index.number }?.isComplete ?? false
            index.completion.note(isComplete, version)
        }
        for text in stored.texts {
            let isComplete = entry.texts?.first { $0.number == text.number }?.isComplete ?? false
            text.completion.note(isComplete, version)
        }
        guard entry.withoutProgress == stored.entry.withoutProgress else { return mismatch(entry, stored.entry) }
        return nil
    }

    /// How a class in the catalog differs from the one that the store was opened with.
    private static func mismatch(_ entry: CatalogEntry, _ own: CatalogEntry) -> Mismatch {
        if entry.version > own.version {
            return Mismatch(
                change: "has raised the version of the class \(entry.name) to \(entry.version)",
                remedy: "update this program: it cannot open the store again before that"
            )
        }
        let change = "has changed the class \(entry.name)"
        guard hasMore(entry, than: own) else { return Mismatch(change: change) }
        return Mismatch(
            change: change,
            remedy: "update this program before it opens the store again, or it removes the properties and indexes that it does not know"
        )
    }

    /// Whether a class in the catalog has properties or indexes that it does not have here.
    private static func hasMore(_ entry: CatalogEntry, than own: CatalogEntry) -> Bool {
        entry.properties.contains { $0.isGone == nil && own.place(of: $0.name) == nil }
            || entry.indexes.contains { new in !own.indexes.contains { $0.properties == new.properties && $0.isUnique == new.isUnique } }
            || (entry.texts ?? []).contains { new in !(own.texts ?? []).contains { $0.property == new.property } }
    }

    private static func refusal(_ effect: String, _ mismatch: Mismatch) -> ObjectStoreError {
        ObjectStoreError(
            .schemaMismatch,
            "\(effect): another program \(mismatch.change) since this one opened it; \(mismatch.remedy)"
        )
    }
}
