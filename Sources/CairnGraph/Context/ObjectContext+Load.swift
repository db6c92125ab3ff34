import CairnCore

extension ObjectContext {
    /// Returns the object with the given identity, with its values read, or `nil` if there is none or it was deleted.
    ///
    /// - Throws: ``ObjectStoreError``: `corruption` if the record is damaged, `shredded`, `unknownClass`, `closed`, `ioError`.
    public func object<Object: StoredObject>(_ id: ObjectID, as type: Object.Type = Object.self) throws(ObjectStoreError) -> Object? {
        let stored = try knownClass(type)
        guard id.classNumber == stored.number else { return nil }
        let object = unsafe link.table[id].map { unsafe unsafeDowncast($0, to: Object.self) } ?? makeFault(type, id)
        do throws(ObjectStoreError) {
            if object.isFault { try load(object, stored) }
        } catch {
            guard error.code == .objectNotFound else { throw error }
            return nil
        }
        return object.isDeleted ? nil : object
    }

    /// Reads the values of an object that have not been read yet.
    ///
    /// - Throws: ``ObjectStoreError``: `objectNotFound` if the object is gone, `corruption` if its record is damaged, `shredded`, `closed`, `ioError`.
    public func load(_ object: some StoredObject) throws(ObjectStoreError) {
        guard object.isFault || object._$state.flags.contains(.damaged) else { return }
        try load(object, try knownClass(type(of: object)))
    }

    func load(_ object: any StoredObject, _ stored: StoredClass) throws(ObjectStoreError) {
        let id = object._$state.id
        var isThere = false
        do throws(ObjectStoreError) { isThere = try loadRecord(object, stored) } catch {
            // A single object can be read in any state.
            guard error.code == .expired, renewView() else { throw error }
            isThere = try loadRecord(object, stored)
        }
        guard isThere else {
            throw ObjectStoreError(.objectNotFound, "\(stored.name) with row \(id.row) no longer exists in \(store.name)", object: id)
        }
    }

    /// Reads the record of an object; returns whether there is one.
    private func loadRecord(_ object: any StoredObject, _ stored: StoredClass) throws(ObjectStoreError) -> Bool {
        var isThere = false
        try StoreReading.record(object._$state.id, stored, in: currentView()) { record throws(ObjectStoreError) in
            isThere = true
            try read(object, stored, record)
        }
        return isThere
    }

    /// Reads the values of a record into an object.
    func read(_ object: any StoredObject, _ stored: StoredClass, _ record: RawSpan) throws(ObjectStoreError) {
        let isChange = !object.isFault
        if isChange { object.tellAll(.willChange) }
        defer { if isChange { object.tellAll(.didChange) } }
        let header: ObjectRecord.Header
        do throws(RecordError) { header = try ObjectRecord.read(record, into: object, stored.fields) } catch {
            throw damage(object._$state.id, stored, error)
        }
        object._$state.loaded(header.changeCount)
        if header.version < stored.version { object.migrate(from: header.version) }
    }

    func damage(_ id: ObjectID, _ stored: StoredClass, _ cause: RecordError?) -> ObjectStoreError {
        StoreReading.damage(id, stored, cause, store.name)
    }

    /// Reads the values of an object on first use; errors are recorded.
    func fire(_ object: any StoredObject) {
        readAhead(object)
        guard object.isFault else { return }
        do throws(ObjectStoreError) {
            try load(object, try knownClass(type(of: object)))
        } catch {
            object._$state.becomeDamaged()
            faultErrors.append(error)
        }
    }

    /// Creates the object of a record, or updates the one in memory.
    func materialize<Object: StoredObject>(
        _ type: Object.Type,
        _ id: ObjectID,
        _ stored: StoredClass,
        _ record: RawSpan
    ) throws(ObjectStoreError) -> Object {
        if let object = try found(type, id, stored, link, record) { return object }
        return try make(type, id, stored, stored.fields, link, record)
    }

    /// The object in memory, updated from its record, or `nil` if there is none.
    @inline(__always)
    func found<Object: StoredObject>(
        _ type: Object.Type,
        _ id: ObjectID,
        _ stored: StoredClass,
        _ link: ContextLink,
        _ record: RawSpan
    ) throws(ObjectStoreError) -> Object? {
        guard let found = link.lending({ unsafe $0.table[id] }) else { return nil }
        let object = unsafe unsafeDowncast(found, to: Object.self)
        if object._$state.wantsRecord(ObjectRecord.Header(record)?.changeCount) { try read(object, stored, record) }
        return object
    }

    /// A new object with the values of a record. The caller looks up what all records have in common once and passes it.
    func make<Object: StoredObject>(
        _ type: Object.Type,
        _ id: ObjectID,
        _ stored: StoredClass,
        _ fields: FieldMap,
        _ link: ContextLink,
        _ record: RawSpan
    ) throws(ObjectStoreError) -> Object {
        do throws(RecordError) {
            let header = try ObjectRecord.header(record)
            let rest = unsafe record.extracting(unchecked: header.size..<record.byteCount)
            var reader = RecordReader(bytes: rest, fields: fields, version: header.version)
            let state = ObjectState(id, link, options.isObserved ? .observed : [], changeCount: header.changeCount)
            // An assignment to a variable outside the block would cost a reference count.
            let object = try Object._$make(state, &reader)
            if reader.large != 0 { object._$state.note(large: reader.large, Object.objectSchema) }
            link.lending { unsafe $0.table.insert(object, id) }
            if header.version < stored.version { object.migrate(from: header.version) }
            return object
        } catch {
            throw damage(id, stored, error)
        }
    }
}

extension ObjectState {
    /// Marks the values as read.
    mutating func loaded(_ changeCount: UInt32) {
        flags.remove(.fault)
        flags.remove(.damaged)
        self.changeCount = changeCount
    }

    /// Whether the values are older than a record, and can be replaced.
    func wantsRecord(_ changeCount: UInt32?) -> Bool {
        guard flags.isDisjoint(with: [.inserted, .updated, .deleted]) else { return false }
        return flags.contains(.fault) || self.changeCount != changeCount
    }
}
