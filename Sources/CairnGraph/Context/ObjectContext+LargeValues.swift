import CairnCore

extension ObjectContext {
    /// Reads the values of an object that are stored apart from its record, because they are large, and have not been read yet.
    ///
    /// Such a value is read when it is first used, and an error then becomes one of ``faultErrors``. This reads all of them, and throws. A value that
    /// another context has saved since the object was read is newer than the other properties; ``save()`` detects that.
    ///
    /// - Throws: ``ObjectStoreError``: `corruption` if a value is damaged (it is never saved, and the stored value is kept), `objectNotFound` if the object was
    ///   deleted, `shredded`, `closed`, `ioError`.
    public func loadLargeValues(of object: some StoredObject) throws(ObjectStoreError) {
        try load(object)
        guard object._$state.flags.contains(.partial) else { return }
        try readLargeValues(of: object) { _ in true }
    }

    /// Reads the large values among some properties that have not been read yet, from the latest state of the store.
    func readLargeValues(of object: any StoredObject, where wanted: (Int) -> Bool) throws(ObjectStoreError) {
        try store.readLargeValues(of: object, in: try currentView(), where: wanted)
    }

    /// Reads all large values; errors are recorded.
    func readAllLargeValues(of object: any StoredObject) {
        for index in type(of: object).objectSchema.properties.indices { object.readLarge(index) }
    }

    /// Adds an error of a value that was used, once.
    fileprivate func note(_ error: ObjectStoreError) {
        guard !faultErrors.contains(where: { $0.object == error.object && $0.message == error.message }) else { return }
        faultErrors.append(error)
    }
}

extension ObjectStore {
    /// Reads large values of an object whose context has ended.
    fileprivate func readLargeValues(of object: any StoredObject, where wanted: (Int) -> Bool) throws(ObjectStoreError) {
        try contextBegins()
        defer { contextEnded() }
        let view = try StoreView(engine)
        try readLargeValues(of: object, in: view, where: wanted)
    }

    fileprivate func readLargeValues(
        of object: any StoredObject,
        in view: StoreView,
        where wanted: (Int) -> Bool
    ) throws(ObjectStoreError) {
        let id = object._$state.id
        guard let stored = storedClass(number: id.classNumber), let schema = stored.schema else { return }
        let bits = schema.properties.indices.reduce(0) { wanted($1) ? $0 | schema.largeBit($1) : $0 } & object._$state.unread
        var isThere = false
        try StoreReading.record(id, stored, in: view) { record throws(ObjectStoreError) in
            isThere = true
            try readNewerValues(of: object, stored, record) { schema.largeBit($0) & bits != 0 }
            try StoreReading.readLargeValues(of: record, into: object, id, stored, in: view, name) { schema.largeBit($0) & bits != 0 }
        }
        guard isThere else {
            throw ObjectStoreError(.objectNotFound, "\(stored.name) with row \(id.row) no longer exists in \(name)", object: id)
        }
        object._$state.haveRead(bits)
    }

    /// Takes values that are no longer large from a record that another context has saved since.
    private func readNewerValues(
        of object: any StoredObject,
        _ stored: StoredClass,
        _ record: RawSpan,
        where wanted: (Int) -> Bool
    ) throws(ObjectStoreError) {
        do throws(RecordError) {
            guard try ObjectRecord.header(record).changeCount != object._$state.changeCount else { return }
            let large = try LargeValue.all(record)
            let fields = try RecordMerge.fields(record)
            for index in stored.schema?.properties.indices ?? 0..<0 where wanted(index) {
                let number = UInt64(stored.fields[index])
                if large[number] == nil { try object.assign(index, fields[number] ?? [], stored.fields) }
            }
        } catch {
            throw StoreReading.damage(object._$state.id, stored, error, name)
        }
    }
}

extension StoredObject {
    /// Reads a large value on first use; errors are recorded. If the context has ended, the store still has the value.
    func readLarge(_ index: Int) {
        guard _$state.unread & Self.objectSchema.largeBit(index) != 0, let link = _$state.link else { return }
        guard let context = unsafe link.context else {
            // There is no one to report an error to.
            try? link.store.readLargeValues(of: self) { $0 == index }
            return
        }
        do throws(ObjectStoreError) { try context.readLargeValues(of: self) { $0 == index } } catch { context.note(error) }
    }
}

extension ObjectState {
    /// Notes which properties of a record have large values, by their bits.
    mutating func note(large bits: UInt64, _ schema: @autoclosure () -> ObjectSchema) {
        flags.subtract([.partial, .large])
        unread = 0
        guard bits != 0 else { return }
        let schema = schema()
        for index in schema.properties.indices where bits & Self.bit(index) != 0 { unread |= schema.largeBit(index) }
        flags.formUnion(unread == 0 ? .large : [.large, .partial])
    }

    /// What a save needs to know about an object, in one access.
    var forSave: (flags: Flags, unread: UInt16, changeCount: UInt32) { (flags, unread, changeCount) }

    /// Notes that the values, except the unread ones, are from an earlier time.
    mutating func restore(unread: UInt16, isLarge: Bool) {
        self.unread = unread
        if unread != 0 { flags.insert(.partial) }
        if isLarge { flags.insert(.large) }
    }

    fileprivate mutating func haveRead(_ bits: UInt16) {
        unread &= ~bits
        if unread == 0 { flags.remove(.partial) }
    }
}
