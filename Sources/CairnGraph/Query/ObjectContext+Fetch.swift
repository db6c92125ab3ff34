import CairnCore
import Synchronization

extension ObjectContext {
    /// Returns all objects of a class, in the order in which they were inserted, except those that were shredded.
    ///
    /// - Throws: ``ObjectStoreError``: `corruption` for the first object that cannot be read (``forEach(_:_:)`` continues after it), `unknownClass`,
    ///   `closed`, `ioError`.
    /// - Complexity: O(n).
    public func allObjects<Object: StoredObject>(_ type: Object.Type = Object.self) throws(ObjectStoreError) -> [Object] {
        // An array of `AnyObject`, to avoid generic work for each object.
        var objects: [AnyObject] = []
        let stored = try knownClass(type)
        objects.reserveCapacity(Swift.min(Int(clamping: stored.lastRow.load(ordering: .relaxed)), 1 << 20))
        try scan(type, stored) { object throws(ObjectStoreError) in
            objects.append(consume object)
            return true
        }
        return unsafe unsafeBitCast(objects, to: [Object].self)
    }

    /// Calls `body` with each object of a class, in the order in which they were inserted, until it returns `false`. Objects that nobody retains are
    /// released again, so memory use stays constant. `body` can use the context in any way, including enumerating; objects it inserts are not visited.
    /// Objects that cannot be read are skipped.
    ///
    /// - Throws: Any error that `body` throws; same as ``allObjects(_:)``, with `corruption` after all other objects have been visited.
    public func forEach<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        _ body: (Object) throws -> Bool
    ) throws {
        var failure: (any Error)?
        try scan(type, try knownClass(type), passesDamage: true) { object throws(ObjectStoreError) in
            do { return try body(object) } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }

    /// Returns the number of objects of a class, including pending changes.
    ///
    /// - Throws: ``ObjectStoreError``: `unknownClass`, `closed`, `ioError`.
    /// - Complexity: O(n / 32): the pages are read, but not their objects, except for shreddable classes.
    public func count<Object: StoredObject>(_ type: Object.Type = Object.self) throws(ObjectStoreError) -> Int {
        let stored = try knownClass(type)
        var count = 0
        let view = try currentView()
        try view.lendAllEntries(in: Keyspace.pages(stored.number)) { key, page in
            guard Keyspace.firstRow(ofPage: key) != nil else { return true }
            count += ObjectPage.Records(page)?.bits.nonzeroBitCount ?? 0
            return true
        }
        try StoreReading.forEachShredded(stored, in: view) { if pending.deleted[$0] == nil { count -= 1 } }
        for object in pending.inserted where object._$state.isPendingInsert(stored.number) { count += 1 }
        for id in pending.deleted.keys where id.classNumber == stored.number { count -= 1 }
        return count
    }

    /// Enumerates the objects of a class: those that are saved and not to be deleted, then those to be inserted.
    ///
    /// - Parameter passesDamage: Whether to skip unreadable objects and throw only at the end.
    func scan<Object: StoredObject>(
        _ type: Object.Type,
        _ stored: StoredClass,
        passesDamage: Bool = false,
        _ body: (consuming Object) throws(ObjectStoreError) -> Bool
    ) throws(ObjectStoreError) {
        let inserted = pending.inserted
        var goesOn = true
        var damage: ObjectStoreError?
        let pass: ((ObjectStoreError) -> Void)? = passesDamage ? { damage = damage ?? $0 } : nil
        let view = try currentView()
        try view.lendAllEntries(in: Keyspace.pages(stored.number)) { key, page throws(ObjectStoreError) in
            guard let first = Keyspace.firstRow(ofPage: key) else { return true }
            goesOn = try scan(page, first, view, type, stored, pass, body)
            return goesOn
        }
        guard goesOn else { return }
        for object in inserted where object._$state.isPendingInsert(stored.number) {
            guard try body(unsafe unsafeDowncast(object, to: Object.self)) else { return }
        }
        if let damage { throw damage }
    }

    private func scan<Object: StoredObject>(
        _ page: RawSpan,
        _ first: UInt64,
        _ view: StoreView,
        _ type: Object.Type,
        _ stored: StoredClass,
        _ pass: ((ObjectStoreError) -> Void)?,
        _ body: (consuming Object) throws(ObjectStoreError) -> Bool
    ) throws(ObjectStoreError) -> Bool {
        /// Returns whether to continue after an unreadable object.
        func passes(_ error: ObjectStoreError) throws(ObjectStoreError) -> Bool {
            guard let pass, error.code == .corruption else { throw error }
            pass(error)
            return true
        }
        let damagedPage = { StoreReading.damagedPage(ObjectID(class: stored.number, row: Swift.max(first, 1)), stored) }
        guard var records = ObjectPage.Records(page) else { return try passes(damagedPage()) }
        let (fields, link) = (stored.fields, link)
        while let row = records.next() {
            let id = ObjectID(class: stored.number, row: first + UInt64(row.slot))
            let object: Object
            do throws(ObjectStoreError) {
                if row.record.isEmpty {
                    guard let large = try large(type, id, stored, view), !large.isDeleted else { continue }
                    object = large
                } else if let found = try found(type, id, stored, link, row.record) {
                    guard !found.isDeleted else { continue }
                    object = found
                } else {
                    object = try make(type, id, stored, fields, link, row.record)
                }
            } catch {
                guard error.code != .shredded else { continue }
                guard try passes(error) else { return false }
                continue
            }
            guard try body(consume object) else { return false }
        }
        return if records.isWhole { true } else { try passes(damagedPage()) }
    }

    /// The object of a large record, which is stored outside its page.
    private func large<Object: StoredObject>(
        _ type: Object.Type,
        _ id: ObjectID,
        _ stored: StoredClass,
        _ view: StoreView
    ) throws(ObjectStoreError) -> Object? {
        var object: Object?
        try StoreReading.record(id, stored, in: view) { record throws(ObjectStoreError) in
            object = try materialize(type, id, stored, record)
        }
        return object
    }
}

extension ObjectState {
    func isPendingInsert(_ number: UInt16) -> Bool {
        id.classNumber == number && flags.contains(.inserted) && !flags.contains(.deleted)
    }
}
