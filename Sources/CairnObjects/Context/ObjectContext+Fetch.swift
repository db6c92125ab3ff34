import CairnCore
import Synchronization

extension ObjectContext {
    /// All objects of a class, in the order in which they were inserted.
    ///
    /// - Throws: ``ObjectStoreError``: `corruption` for the first object that cannot be read (``forEach(_:_:)`` goes on behind it), `unknownClass`,
    ///   `closed`, `ioError`.
    /// - Complexity: O(n).
    public func allObjects<Object: StoredObject>(_ type: Object.Type = Object.self) throws(ObjectStoreError) -> [Object] {
        // Of no class: nothing generic is done for each object.
        var objects: [AnyObject] = []
        let stored = try knownClass(type)
        objects.reserveCapacity(min(Int(clamping: stored.lastRow.load(ordering: .relaxed)), 1 << 20))
        try scan(type, stored) { object throws(ObjectStoreError) in
            objects.append(object)
            return true
        }
        return unsafe unsafeBitCast(objects, to: [Object].self)
    }

    /// Calls `body` with each object of a class, in the order in which they were inserted, until it returns `false`. Objects that nobody keeps go
    /// again, so that memory stays flat. `body` may use the context in any way, and enumerate too; what it inserts is not visited.
    ///
    /// - Throws: What `body` throws; as ``allObjects(_:)``.
    public func forEach<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        _ body: (Object) throws -> Bool
    ) throws {
        var failure: (any Error)?
        try scan(type, try knownClass(type)) { object throws(ObjectStoreError) in
            do { return try body(object) } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }

    /// How many objects of a class there are, pending changes included.
    ///
    /// - Complexity: O(n / 32): the pages are read, their objects are not.
    public func count<Object: StoredObject>(_ type: Object.Type = Object.self) throws(ObjectStoreError) -> Int {
        let stored = try knownClass(type)
        var count = 0
        let view = try currentView()
        try ObjectStoreError.translating { () throws(EngineError) in
            try view.lendEntries(in: Keyspace.pages(stored.number), reverse: false) { _, page in
                unsafe page.withUnsafeBytes { unsafe count += ObjectPage.Records($0)?.bits.nonzeroBitCount ?? 0 }
                return true
            }
        }
        for object in pending.inserted where object._$state.isPendingInsert(stored.number) { count += 1 }
        for object in pending.deleted where object._$state.id.classNumber == stored.number { count -= 1 }
        return count
    }

    /// Goes through the objects of a class: those that are saved and not to be deleted, then those to be inserted.
    func scan<Object: StoredObject>(
        _ type: Object.Type,
        _ stored: StoredClass,
        _ body: (Object) throws(ObjectStoreError) -> Bool
    ) throws(ObjectStoreError) {
        let inserted = pending.inserted
        var result: Result<Bool, ObjectStoreError> = .success(true)
        let view = try currentView()
        try ObjectStoreError.translating { () throws(EngineError) in
            try view.lendEntries(in: Keyspace.pages(stored.number), reverse: false) { key, page in
                let first: UInt64 = (Keyspace.number(key, at: 1) & ObjectID.maximumRow) << ObjectPage.rowBits
                do throws(ObjectStoreError) {
                    let goesOn = unsafe try page.withUnsafeBytes { page throws(ObjectStoreError) in
                        unsafe try scan(page, first, view, type, stored, body)
                    }
                    result = .success(goesOn)
                    return goesOn
                } catch {
                    result = .failure(error)
                    return false
                }
            }
        }
        guard try result.get() else { return }
        for object in inserted where object._$state.isPendingInsert(stored.number) {
            guard try body(unsafe unsafeDowncast(object, to: Object.self)) else { return }
        }
    }

    private func scan<Object: StoredObject>(
        _ page: UnsafeRawBufferPointer,
        _ first: UInt64,
        _ view: any EngineView,
        _ type: Object.Type,
        _ stored: StoredClass,
        _ body: (Object) throws(ObjectStoreError) -> Bool
    ) throws(ObjectStoreError) -> Bool {
        guard var records = unsafe ObjectPage.Records(page) else {
            throw StoreReading.damagedPage(ObjectID(class: stored.number, row: first))
        }
        while let (slot, record) = unsafe records.next() {
            let id = ObjectID(class: stored.number, row: first + UInt64(slot))
            var object: Object?
            if unsafe record.isEmpty {
                var result: Result<Object, ObjectStoreError>?
                unsafe try StoreReading.record(id, in: view) { record in
                    do throws(ObjectStoreError) { result = unsafe .success(try self.materialize(type, id, stored, record)) } catch {
                        result = .failure(error)
                    }
                }
                object = try result?.get()
            } else {
                object = unsafe try materialize(type, id, stored, record)
            }
            guard let object, !object._$state.flags.contains(.deleted) else { continue }
            guard try body(object) else { return false }
        }
        guard records.isWhole else { throw StoreReading.damagedPage(ObjectID(class: stored.number, row: first)) }
        return true
    }
}

extension ObjectState {
    func isPendingInsert(_ number: UInt16) -> Bool {
        id.classNumber == number && flags.contains(.inserted) && !flags.contains(.deleted)
    }
}
