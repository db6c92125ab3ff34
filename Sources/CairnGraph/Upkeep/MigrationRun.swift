import CairnCore
import Synchronization

/// Runs a migration of a store that is being opened. Its progress is recorded under a name, together with the changes.
struct MigrationRun {
    private let store: ObjectStore
    private let migration: ObjectMigration
    /// The number of objects in a batch.
    static var objectsInBatch: Int { 1000 }

    init(_ store: ObjectStore, _ migration: ObjectMigration) {
        self.store = store
        self.migration = migration
    }

    /// The recorded progress: the last row of the class that is done, and the last row at the beginning; or that all is done.
    private enum Record: Equatable {
        case rows(done: UInt64, last: UInt64)
        case finished

        var values: [UInt64] {
            switch self {
            case .rows(let done, let last): [done, last]
            case .finished: [0]
            }
        }
    }

    private func record(_ context: ObjectContext) throws(ObjectStoreError) -> Record? {
        guard let values = try context.named(migration.record, as: [UInt64].self) else { return nil }
        return values.count == 2 ? .rows(done: values[0], last: values[1]) : .finished
    }

    private func withContext<Value>(_ body: (ObjectContext) throws(ObjectStoreError) -> Value) throws(ObjectStoreError) -> Value {
        let context = try store.makeContext(ObjectContextOptions(isObserved: false))
        defer { context.close() }
        return try body(context)
    }

    func isFinished() throws(ObjectStoreError) -> Bool {
        try withContext { context throws(ObjectStoreError) in try record(context) == .finished }
    }

    func run() throws(ObjectStoreError) {
        report(0)
        switch migration.work {
        case .whole(let body):
            // Again if another program runs it too.
            while true {
                let former = try withContext(record)
                guard former != .finished, try !save(.finished, after: former, { context in try body(context) }) else { break }
            }
        case .batches(let type, let body): try runBatches(type, body)
        }
        report(1)
    }

    private func report(_ part: Double) { store.options.progress?(.migration(migration.name), part) }

    private func runBatches(
        _ type: any StoredObject.Type,
        _ body: @Sendable (any StoredObject, ObjectContext) throws -> Void
    ) throws(ObjectStoreError) {
        // Again if another program runs it too.
        while try !tryBatches(type, body) {}
    }

    /// Returns false if another program has continued the migration in the meantime.
    private func tryBatches(
        _ type: any StoredObject.Type,
        _ body: @Sendable (any StoredObject, ObjectContext) throws -> Void
    ) throws(ObjectStoreError) -> Bool {
        let (ids, first, last, recorded) = try withContext { (context) throws(ObjectStoreError) -> ([ObjectID], UInt64, UInt64, Record?) in
            let stored = try context.knownClass(type)
            let found = try record(context)
            guard found != .finished else { return ([], 0, 0, found) }
            let all = try context.allIDs(stored)
            // Another program may have saved the last ones after this one opened the store.
            var (done, last) = (UInt64(0), all.last?.row ?? 0)
            if case .rows(let recorded, let recordedLast) = found { (done, last) = (recorded, recordedLast) }
            return (all.filter { $0.row > done && $0.row <= last }, done, last, found)
        }
        guard recorded != .finished else { return true }
        var (start, former) = (0, recorded)
        while start < ids.count {
            let batch = ids[start..<min(start + Self.objectsInBatch, ids.count)]
            start = batch.endIndex
            let done = batch.last?.row ?? last
            let next = start < ids.count ? Record.rows(done: done, last: last) : .finished
            let isSaved = try save(next, after: former) { context in
                let stored = try context.knownClass(type)
                let objects = batch.map { context.resolve($0, stored) }
                // One that cannot be read is skipped below.
                try? context.loadFaults(objects)
                for object in objects {
                    do throws(ObjectStoreError) { try context.load(object, stored) } catch {
                        guard RecordUpgrader.isOfOneObject(error) || error.code == .shredded else { throw error }
                        continue
                    }
                    if !object.isDeleted { try body(object, context) }
                }
            }
            guard isSaved else { return false }
            former = next
            report(Double(done - first) / Double(max(last - first, 1)))
        }
        return try ids.isEmpty ? save(.finished, after: former) { _ in } : true
    }

    /// How a migration whose last record is `former` ended.
    private static func end(after former: Record?) -> String {
        guard case .rows(let done, _) = former else { return "failed, and was not saved" }
        return "failed after row \(done); the changes up to that row were saved, and the next opening continues after it"
    }

    /// Runs `body` in a context, and saves its changes together with the new record; repeats this if others change what it has read. Returns false if the
    /// record is no longer `former`.
    private func save(_ record: Record, after former: Record?, _ body: (ObjectContext) throws -> Void) throws(ObjectStoreError) -> Bool {
        var attempts = 0
        while true {
            attempts += 1
            let context = try store.makePinnedContext(isSerializable: true)
            defer { context.close() }
            guard try self.record(context) == former else { return false }
            do {
                context.isInMigration = true
                try body(context)
                context.isInMigration = false
                // What could not be read would be saved as something else.
                if let error = context.faultErrors.first { throw error }
                try context.setNamed(migration.record, to: record.values)
                context.isRepeatedAfterConflict = attempts < Save.mostAttempts
                try context.save()
                return true
            } catch {
                if (error as? ObjectStoreError)?.code == .conflict, attempts < Save.mostAttempts { continue }
                throw ObjectStoreError(
                    .migrationFailed,
                    "the migration \"\(migration.name)\" of \(store.name) \(Self.end(after: former))",
                    object: (error as? ObjectStoreError)?.object,
                    cause: error
                )
            }
        }
    }
}

extension ObjectContext {
    /// The identities of all saved objects of a class, also of unreadable ones; those on a damaged page are left out.
    fileprivate func allIDs(_ stored: StoredClass) throws(ObjectStoreError) -> [ObjectID] {
        var ids: [ObjectID] = []
        let view = try currentView()
        try view.lendAllEntries(in: Keyspace.pages(stored.number)) { key, page in
            guard let first = Keyspace.firstRow(ofPage: key) else { return true }
            _ = ObjectPage.forEach(page) { slot, _ in ids.append(ObjectID(class: stored.number, row: first + UInt64(slot))) }
            return true
        }
        return ids
    }
}
