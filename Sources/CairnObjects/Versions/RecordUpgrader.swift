import CairnCore
import Synchronization

/// Writes the records anew that older versions of their classes wrote.
///
/// Goes through the pages of a class. What is found in some of them is read into a context, which migrates it, and saved: as any save, it is atomic, and
/// finds what other contexts saved meanwhile; then the same pages are gone through again. Nothing has to be kept of how far it came: a record says which
/// version wrote it.
struct RecordUpgrader {
    /// A step that may throw to end the work.
    typealias Step = (_ part: Double) throws(ObjectStoreError) -> Void

    private let store: ObjectStore
    private let classes: [StoredClass]
    private var count = 0
    /// The objects that cannot be read, and why the first of them cannot.
    private var damaged = 0
    private var damage: ObjectStoreError?
    /// How many pages a step goes through.
    static var pagesInStep: Int { 32 }
    /// Whether there can be older records.
    var isNeeded: Bool { !classes.isEmpty }

    /// - Parameter types: `nil` for all classes of the store.
    init(_ store: ObjectStore, _ types: [any StoredObject.Type]?) throws(ObjectStoreError) {
        self.store = store
        var classes: [StoredClass] = []
        for type in types ?? store.classes.compactMap({ $0.schema?.type }) {
            guard let stored = store.storedClass(type) else {
                throw ObjectStoreError(.unknownClass, "\(type) is not among the classes that \(store.name) was opened with")
            }
            // Nothing is older than the first version.
            if stored.version > 1 { classes.append(stored) }
        }
        self.classes = classes
    }

    /// Returns how many records were written.
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

    /// Upgrades what some pages hold; returns the page behind them, `nil` after the last.
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
                // Another context was faster; where that goes on and on, it is something else.
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

    /// Whether others can be read all the same.
    private static func isOfOneObject(_ error: ObjectStoreError) -> Bool {
        error.code == .corruption || error.code == .unknownClass || error.code == .notFound
    }

    /// Reads, migrates and saves objects.
    private func upgrade(
        _ ids: [ObjectID],
        _ stored: StoredClass,
        _ context: ObjectContext
    ) throws(ObjectStoreError) -> (count: Int, errors: [ObjectStoreError]) {
        var errors: [ObjectStoreError] = []
        // Kept until they are saved: the context keeps only what was changed.
        let objects = ids.map { context.resolve($0, stored) }
        do throws(ObjectStoreError) { try context.loadFaults(objects) } catch {
            guard Self.isOfOneObject(error) else { throw error }
        }
        var count = 0
        for object in objects {
            if object.isFault {
                do throws(ObjectStoreError) { try context.load(object, stored) } catch {
                    guard Self.isOfOneObject(error) else { throw error }
                    // What another context has deleted meanwhile is done with.
                    if error.code != .notFound { errors.append(error) }
                    continue
                }
            }
            // Also where the migration changed nothing: the record has its version then, and what is read next is not migrated again.
            context.willChange(object)
            count += 1
        }
        // What a migration looked at and could not read would be saved as something else.
        if let error = context.faultErrors.first { throw error }
        try context.save()
        return (count, errors)
    }
}

/// The objects whose records an older version of their class wrote.
private struct OlderRecords {
    private let stored: StoredClass
    private(set) var ids: [ObjectID] = []
    /// Those of pages that cannot be read.
    private(set) var errors: [ObjectStoreError] = []

    init(_ stored: StoredClass) { self.stored = stored }

    /// Looks into some pages; returns the page behind them, `nil` after the last.
    mutating func find(from first: UInt64, atMost most: Int, in view: any EngineView) throws(ObjectStoreError) -> UInt64? {
        var pages = Keyspace.pages(stored.number)
        pages.lowerBound = Keyspace.page(stored.number, first)
        var count = 0
        var last = first
        var large: [ObjectID] = []
        try ObjectStoreError.translating { () throws(EngineError) in
            try view.lendEntries(in: pages, reverse: false) { key, page in
                guard let first = Keyspace.firstRow(ofPage: key) else { return true }
                count += 1
                last = ObjectPage.page(of: first)
                unsafe page.withUnsafeBytes { unsafe look(into: $0, last, &large) }
                return count < most
            }
        }
        for id in large {
            var isOlder = false
            do throws(ObjectStoreError) {
                unsafe try StoreReading.record(id, stored, in: view) { unsafe isOlder = self.isOlder($0) }
            } catch {
                guard error.code == .corruption else { throw error }
                errors.append(error)
            }
            if isOlder { ids.append(id) }
        }
        return count == most && last < ObjectPage.page(of: ObjectID.maximumRow) ? last + 1 : nil
    }

    private mutating func look(into page: UnsafeRawBufferPointer, _ number: UInt64, _ large: inout [ObjectID]) {
        let row = number << ObjectPage.rowBits
        let (idCount, largeCount) = (ids.count, large.count)
        let isWhole = unsafe ObjectPage.forEach(page) { slot, record in
            let id = ObjectID(class: stored.number, row: row + UInt64(slot))
            if unsafe record.isEmpty { large.append(id) } else if unsafe isOlder(record) { ids.append(id) }
        }
        guard !isWhole else { return }
        // A page that is damaged cannot be written anew either.
        ids.removeSubrange(idCount...)
        large.removeSubrange(largeCount...)
        errors.append(StoreReading.damagedPage(ObjectID(class: stored.number, row: row), stored))
    }

    /// Damaged ones are read, which tells what is wrong with them. Shredded ones have nothing to be upgraded.
    private func isOlder(_ record: UnsafeRawBufferPointer) -> Bool {
        (unsafe ObjectRecord.Header(record)).map { $0.version < stored.version } ?? (unsafe !GroupedRecord.isShredded(record))
    }
}
