import CairnCore
import Synchronization

/// Rewrites the records that older versions of their classes wrote.
///
/// Goes through the pages of a class. Reads the old records of some pages into a context, which migrates them, and saves; like any save,
/// this is atomic and detects what other contexts have saved in the meantime, in which case it reads the same pages again. Progress need
/// not be stored, because a record says which version wrote it.
struct RecordUpgrader {
    /// A step that can throw to stop the work.
    typealias Step = (_ part: Double) throws(ObjectStoreError) -> Void

    private let store: ObjectStore
    private let classes: [StoredClass]
    private var count = 0
    /// The number of unreadable objects, and the error of the first.
    private var damaged = 0
    private var damage: ObjectStoreError?
    /// The number of pages in a step.
    static var pagesInStep: Int { 32 }
    /// Whether there may be older records.
    var isNeeded: Bool { !classes.isEmpty }

    /// - Parameter types: `nil` for all classes of the store.
    init(_ store: ObjectStore, _ types: [any StoredObject.Type]?) throws(ObjectStoreError) {
        self.store = store
        var classes: [StoredClass] = []
        for type in types ?? store.classes.compactMap({ $0.schema?.type }) {
            guard let stored = store.storedClass(type) else {
                throw ObjectStoreError(.unknownClass, "\(type) is not among the classes that \(store.name) was opened with")
            }
            // No version is older than the first.
            if stored.version > 1 { classes.append(stored) }
        }
        self.classes = classes
    }

    /// Upgrades the records, and returns their number.
    mutating func run(_ step: Step) throws(ObjectStoreError) -> Int {
        guard !store.isClosed else { throw ObjectStoreError(.closed, "\(store.name) was closed") }
        guard !store.isReadOnly else {
            throw ObjectStoreError(.readOnly, "\(store.name) was opened for reading only: its records cannot be upgraded")
        }
        let rows = classes.map { Double($0.lastRow.load(ordering: .relaxed)) + 1 }
        let total = rows.reduce(0, +)
        var before = 0.0
        for (stored, size) in zip(classes, rows) {
            var page: UInt64 = 0
            while let next = try upgrade(stored, from: page) {
                page = next
                try step(min((before + min(Double(page << ObjectPage.rowBits), size)) / total, 1))
            }
            before += size
        }
        if let damage { throw incomplete(damage) }
        try step(1)
        return count
    }

    private func incomplete(_ cause: ObjectStoreError) -> ObjectStoreError {
        let others = damaged > 1 ? ", and neither can \(damaged - 1) other\(damaged > 2 ? "s" : "")" : ""
        return ObjectStoreError(cause.code, "\(cause.message)\(others). All others are upgraded", object: cause.object, cause: cause)
    }

    /// Upgrades the objects of some pages; returns the page after them, or `nil` after the last.
    private mutating func upgrade(_ stored: StoredClass, from page: UInt64) throws(ObjectStoreError) -> UInt64? {
        var attempts = 0
        while true {
            attempts += 1
            var options = ObjectContextOptions()
            options.isObserved = false
            let context = try store.makeContext(options)
            defer { context.close() }
            var older = OlderRecords(stored)
            let next = try older.find(from: page, atMost: Self.pagesInStep, in: try context.currentView())
            let (written, errors): (Int, [ObjectStoreError])
            do throws(ObjectStoreError) { (written, errors) = try upgrade(older.ids, stored, context) } catch {
                // Another context was faster; if that keeps happening, the cause is something else.
                guard error.code == .conflict, attempts < Save.mostAttempts else { throw error }
                continue
            }
            count += written
            for error in older.errors + errors {
                damage = damage ?? error
                damaged += 1
            }
            return next
        }
    }

    /// Whether other objects can still be read.
    static func isOfOneObject(_ error: ObjectStoreError) -> Bool {
        error.code == .corruption || error.code == .unknownClass || error.code == .objectNotFound
    }

    /// Reads, migrates and saves objects.
    private func upgrade(
        _ ids: [ObjectID],
        _ stored: StoredClass,
        _ context: ObjectContext
    ) throws(ObjectStoreError) -> (count: Int, errors: [ObjectStoreError]) {
        var errors: [ObjectStoreError] = []
        // Retained until they are saved, because the context retains only changed objects.
        let objects = ids.map { context.resolve($0, stored) }
        do throws(ObjectStoreError) { try context.loadFaults(objects) } catch {
            guard Self.isOfOneObject(error) else { throw error }
        }
        var count = 0
        for object in objects {
            if object.isFault {
                do throws(ObjectStoreError) { try context.load(object, stored) } catch {
                    guard Self.isOfOneObject(error) else { throw error }
                    // Objects that another context has deleted need no upgrade.
                    if error.code != .objectNotFound { errors.append(error) }
                    continue
                }
            }
            // Even if the migration changed nothing: the record then has the new version, and the next read migrates nothing.
            context.willChange(object)
            count += 1
        }
        // What a migration failed to read would be saved as something else.
        if let error = context.faultErrors.first { throw error }
        try context.save()
        return (count, errors)
    }
}

/// The objects whose records an older version of their class wrote.
private struct OlderRecords {
    private let stored: StoredClass
    private(set) var ids: [ObjectID] = []
    /// The errors of pages that cannot be read.
    private(set) var errors: [ObjectStoreError] = []

    init(_ stored: StoredClass) { self.stored = stored }

    /// Searches some pages; returns the page after them, or `nil` after the last.
    mutating func find(from first: UInt64, atMost most: Int, in view: StoreView) throws(ObjectStoreError) -> UInt64? {
        var pages = Keyspace.pages(stored.number)
        pages.lowerBound = Keyspace.page(stored.number, first)
        var count = 0
        var last = first
        var large: [ObjectID] = []
        try view.lendEntries(in: pages, reverse: false) { key, page in
            guard let first = Keyspace.firstRow(ofPage: key) else { return true }
            count += 1
            last = ObjectPage.page(of: first)
            look(into: page, last, &large)
            return count < most
        }
        for id in large {
            var isOlder = false
            do throws(ObjectStoreError) {
                try StoreReading.record(id, stored, in: view) { isOlder = self.isOlder($0) }
            } catch {
                guard error.code == .corruption else { throw error }
                errors.append(error)
            }
            if isOlder { ids.append(id) }
        }
        return count == most && last < ObjectPage.page(of: ObjectID.maximumRow) ? last + 1 : nil
    }

    private mutating func look(into page: RawSpan, _ number: UInt64, _ large: inout [ObjectID]) {
        let row = number << ObjectPage.rowBits
        let (idCount, largeCount) = (ids.count, large.count)
        let isWhole = ObjectPage.forEach(page) { slot, record in
            let id = ObjectID(class: stored.number, row: row + UInt64(slot))
            if record.isEmpty { large.append(id) } else if isOlder(record) { ids.append(id) }
        }
        guard !isWhole else { return }
        // A damaged page cannot be rewritten either.
        ids.removeSubrange(idCount...)
        large.removeSubrange(largeCount...)
        errors.append(StoreReading.damagedPage(ObjectID(class: stored.number, row: row), stored))
    }

    /// Damaged records are read, to find out what is wrong with them. Shredded ones need no upgrade.
    private func isOlder(_ record: RawSpan) -> Bool {
        ObjectRecord.Header(record).map { $0.version < stored.version } ?? !GroupedRecord.isShredded(record)
    }
}
