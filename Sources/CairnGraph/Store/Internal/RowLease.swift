import CairnCore
import Synchronization

/// The rows of a class that this store may give to new objects. They are leased from the engine, many at once, so that several stores on one engine
/// never give out the same row, nor insert into the same page or the same block of a text index.
///
/// The value of ``Keyspace/lastRow(_:)`` is the last row that was leased. A store gives back unused rows when it is closed or released; if the process
/// dies, they are never used.
final class RowLease: Sendable {
    /// A lease ends at the last row of a text index block, and so of a page.
    static let size = UInt64(TextBlock.rowCount)

    private let lease = Mutex(Lease())

    private struct Lease {
        var first: UInt64 = 0
        var next: UInt64 = 1
        var last: UInt64 = 0

        var isUsedUp: Bool { next > last }
    }

    /// Returns a row for a new object.
    ///
    /// - Throws: What committing throws, if rows must be leased; `tooLarge` if there are none left.
    func take(_ stored: StoredClass, _ store: ObjectStore) throws(ObjectStoreError) -> UInt64 {
        try lease.withLock { lease throws(ObjectStoreError) in
            if lease.isUsedUp { lease = try Self.lease(stored, store) }
            defer { lease.next += 1 }
            return lease.next
        }
    }

    private static func lease(_ stored: StoredClass, _ store: ObjectStore) throws(ObjectStoreError) -> Lease {
        let key = Keyspace.lastRow(stored.number)
        while true {
            let view = try StoreView(store.engine, notesReads: true)
            let former = try stored.lastRow(in: view, store.name)
            guard former < ObjectID.lastRow else { throw ObjectStoreError(.tooLarge, "\(stored.name) has used all its rows") }
            let last = min((former + 1) | (size - 1), ObjectID.lastRow)
            var commit = EngineCommit()
            commit.put(Keyspace.bigEndian(last), for: key)
            view.dependOnReads(&commit)
            guard try store.engine.tryPerform(commit, durability: .buffered) != nil else { continue }
            // Others may have saved these rows since this store was opened.
            stored.saved(former)
            // There is no row 0, so the first page and block are new too.
            return Lease(first: former == 0 ? 0 : former + 1, next: former + 1, last: last)
        }
    }

    /// The rows that nobody can have stored anything for yet: the rows of the current lease after the last saved one. Call this while holding the save lock.
    func unused(_ stored: StoredClass) -> Range<UInt64> {
        let saved = stored.savedRow.load(ordering: .relaxed)
        return lease.withLock { lease in
            guard lease.last > 0 else { return 0..<0 }
            let first = max(lease.first, saved == 0 ? 0 : saved + 1)
            return first..<max(first, lease.last + 1)
        }
    }

    /// Gives back the rows that were not saved and will not be, unless others have leased rows since.
    func giveBack(_ stored: StoredClass, _ store: ObjectStore) throws(ObjectStoreError) {
        let key = Keyspace.lastRow(stored.number)
        try lease.withLock { lease throws(ObjectStoreError) in
            defer { lease = Lease() }
            var used = stored.savedRow.load(ordering: .relaxed)
            // The objects of open contexts may still be saved.
            if store.contextCount > 0 { used = max(used, lease.next - 1) }
            guard used < lease.last else { return }
            let view = try StoreView(store.engine, notesReads: true)
            guard try stored.lastRow(in: view, store.name) == lease.last else { return }
            var commit = EngineCommit()
            if used > 0 { commit.put(Keyspace.bigEndian(used), for: key) } else { commit.delete(key) }
            view.dependOnReads(&commit)
            _ = try store.engine.tryPerform(commit, durability: .buffered)
        }
    }
}

extension StoredClass {
    /// The class as the catalog has it in a view.
    func entry(in view: StoreView, _ storeName: String) throws(ObjectStoreError) -> CatalogEntry {
        let bytes = try view.get(Keyspace.storedClass(number))
        guard let bytes, let entry = try? CatalogEntry(decoding: bytes) else {
            throw ObjectStoreError(.corruption, "the catalog of \(storeName) is damaged: class \(number) cannot be read")
        }
        return entry
    }

    /// The last row that any store had leased when a view was made: no object in it has a higher one.
    func lastRow(in view: StoreView, _ storeName: String) throws(ObjectStoreError) -> UInt64 {
        guard let bytes = try view.get(Keyspace.lastRow(number)) else { return 0 }
        return try Self.lastRow(bytes, of: name, storeName)
    }

    static func lastRow(_ bytes: [UInt8], of name: String, _ storeName: String) throws(ObjectStoreError) -> UInt64 {
        let row = bytes.count == 8 ? unsafe Keyspace.number(bytes.span.bytes, at: 0) as UInt64 : .max
        guard row <= ObjectID.lastRow else {
            throw ObjectStoreError(.corruption, "the catalog of \(storeName) is damaged: the last row of \(name) cannot be read")
        }
        return row
    }
}

extension ObjectStore {
    /// A row for a new object of a class.
    func newRow(_ stored: StoredClass) throws(ObjectStoreError) -> UInt64 {
        // Objects of a read-only store are never saved.
        guard !isReadOnly else { return stored.lastRow.wrappingAdd(1, ordering: .relaxed).newValue }
        let row = try stored.rows.take(stored, self)
        stored.lastRow.max(row, ordering: .relaxed)
        return row
    }

    /// Gives back the rows that were leased and not used. After an error, the rest is lost: each attempt to reach a server takes long.
    func giveBackRows() {
        guard !isReadOnly else { return }
        // A task that was cancelled closes its store like any other.
        TaskCancellation.shielded {
            do throws(ObjectStoreError) { for stored in classes { try stored.rows.giveBack(stored, self) } } catch {}
        }
    }
}
