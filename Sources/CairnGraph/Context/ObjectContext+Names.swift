import CairnCore

extension ObjectContext {
    /// Returns the value stored under a name, or `nil` if there is none.
    ///
    /// - Throws: ``ObjectStoreError``: `typeMismatch` if the value has another type, `corruption` if it is damaged, `closed`, `ioError`.
    public func named<Value: StoredValue>(_ name: String, as type: Value.Type = Value.self) throws(ObjectStoreError) -> Value? {
        try withNamed(name) { reader throws(RecordError) in try reader.read(type, field: 1) }
    }

    /// Returns the object stored under a name, or `nil` if there is none or it was deleted.
    ///
    /// - Throws: Same as ``named(_:as:)``, and `unknownClass`.
    public func named<Object: StoredObject>(_ name: String, as type: Object.Type = Object.self) throws(ObjectStoreError) -> Object? {
        let stored = try knownClass(type)
        let reference = try withNamed(name) { reader throws(RecordError) in try reader.readReference(0) }
        guard let id = reference?.id, id.raw != 0 else { return nil }
        guard id.classNumber == stored.number else { throw isOther(name, type) }
        return try object(id)
    }

    /// Returns the objects stored under a name, in order and without those that were deleted, or `nil` if the name does not exist.
    ///
    /// - Throws: Same as ``named(_:as:)``.
    public func named<Object: StoredObject>(_ name: String, as type: [Object].Type = [Object].self) throws(ObjectStoreError) -> [Object]? {
        try namedEntries(name, Object.self)?.map(\.1)
    }

    /// Returns the objects stored under a name, by key and without those that were deleted, or `nil` if the name does not exist.
    ///
    /// - Throws: Same as ``named(_:as:)``.
    public func named<Key: KeyCodable & Hashable, Object: StoredObject>(
        _ name: String,
        as type: [Key: Object].Type = [Key: Object].self
    ) throws(ObjectStoreError) -> [Key: Object]? {
        guard let entries = try namedEntries(name, Object.self) else { return nil }
        var result: [Key: Object] = [:]
        for (bytes, object) in entries {
            guard let bytes, let key = try? Key(keyBytes: bytes) else { throw isOther(name, type) }
            result[key] = object
        }
        return result
    }

    /// Returns the objects stored under a name, in no order and without those that were deleted, or `nil` if the name does not exist.
    ///
    /// - Throws: Same as ``named(_:as:)``.
    public func named<Object: StoredObject>(
        _ name: String,
        as type: Set<Object>.Type = Set<Object>.self
    ) throws(ObjectStoreError) -> Set<Object>? {
        try namedEntries(name, Object.self).map { Set($0.map(\.1)) }
    }

    /// Stores a value under a name with the next ``save()``, replacing any earlier value.
    ///
    /// If the name was read in this context before, and others have changed it since, the ``ObjectContextOptions/conflictPolicy`` decides. A name that was not
    /// read is replaced, whatever it has.
    ///
    /// - Throws: ``ObjectStoreError``: `closed`; `corruption` for a value that cannot be stored, such as one that its encoder refuses.
    public func setNamed<Value: StoredValue>(_ name: String, to value: Value) throws(ObjectStoreError) {
        var writer = RecordWriter()
        writer.write(value, field: 1)
        try setNamed(name, writer)
    }

    /// Stores an object under a name. The object is inserted if it does not belong to a context yet.
    ///
    /// - Throws: ``ObjectStoreError``: `closed`, `unknownClass`; `objectNotFound` for an object of another context.
    public func setNamed<Object: StoredObject>(_ name: String, to object: Object) throws(ObjectStoreError) {
        var writer = RecordWriter()
        writer.write(ObjectReference(try adopt(object)), field: 1)
        try setNamed(name, writer)
    }

    /// Stores objects under a name, in order, as ``setNamed(_:to:)-(_,Object)`` does.
    ///
    /// - Throws: Same as ``setNamed(_:to:)-(_,Object)``.
    public func setNamed<Object: StoredObject>(_ name: String, to objects: [Object]) throws(ObjectStoreError) {
        var writer = RecordWriter()
        writer.write(ObjectCollection(ids: ContiguousArray(try adopt(objects))), field: 1)
        try setNamed(name, writer)
    }

    /// Stores objects under a name, each once and in no order, as ``setNamed(_:to:)-(_,Object)`` does.
    ///
    /// - Throws: Same as ``setNamed(_:to:)-(_,Object)``.
    public func setNamed<Object: StoredObject>(_ name: String, to objects: Set<Object>) throws(ObjectStoreError) {
        let ids = ContiguousArray(try adopt(Array(objects)).sorted())
        var writer = RecordWriter()
        writer.write(ObjectCollection(ids: ids), field: 1)
        try setNamed(name, writer)
    }

    /// Stores objects under a name, by key, as ``setNamed(_:to:)-(_,Object)`` does.
    ///
    /// - Throws: Same as ``setNamed(_:to:)-(_,Object)``.
    public func setNamed<Key: KeyCodable & Hashable, Object: StoredObject>(
        _ name: String,
        to objects: [Key: Object]
    ) throws(ObjectStoreError) {
        var entries = zip(objects.keys, try adopt(Array(objects.values))).map { (key: $0.keyBytes, id: $1) }
        entries.sort { $0.key.lexicographicallyPrecedes($1.key) }
        var writer = RecordWriter()
        writer.write(ObjectCollection(ids: ContiguousArray(entries.map(\.id)), keys: ContiguousArray(entries.map(\.key))), field: 1)
        try setNamed(name, writer)
    }

    /// Removes a name with the next ``save()``. The object that it refers to is kept. Does nothing if there is no such name. If others have changed it, the
    /// same applies as for ``setNamed(_:to:)-(_,Value)``.
    ///
    /// - Throws: ``ObjectStoreError/Code/closed``.
    public func removeNamed(_ name: String) throws(ObjectStoreError) {
        try checkOpen()
        undoIfAny?.willTouch(name: name)
        pending.names[name] = .some(nil)
    }

    /// Returns all names, sorted by their Unicode scalars, except those that record migrations.
    ///
    /// - Throws: ``ObjectStoreError``: `closed`, `ioError`.
    public func names() throws(ObjectStoreError) -> [String] {
        var names: Set<String> = []
        let view = try currentView()
        try view.lendEntries(in: KeyRange(prefix: Keyspace.name("")), reverse: false) { key, _ in
            let name = String(decoding: [UInt8](copying: key).dropFirst(), as: UTF8.self)
            if !ObjectMigration.isRecord(name) { names.insert(name) }
            return true
        }
        for (name, value) in pending.names { if value == nil { names.remove(name) } else { names.insert(name) } }
        return names.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
    }

    /// The identity of an object, which is inserted if it does not belong to a context yet.
    private func adopt(_ object: some StoredObject) throws(ObjectStoreError) -> ObjectID {
        try checkOpen()
        if let error = tryInsert(object) { throw error }
        return object._$state.id
    }

    /// The identities of objects. Inserts all of them or, if one cannot be inserted, none.
    private func adopt(_ objects: [some StoredObject]) throws(ObjectStoreError) -> [ObjectID] {
        try checkOpen()
        if let error = obstacle(to: objects) { throw error }
        return try objects.map { object throws(ObjectStoreError) in try adopt(object) }
    }

    private func setNamed(_ name: String, _ writer: borrowing RecordWriter) throws(ObjectStoreError) {
        try checkOpen()
        undoIfAny?.willTouch(name: name)
        do throws(RecordError) { pending.names[name] = try writer.bytes } catch {
            throw ObjectStoreError(.corruption, "the value for a name cannot be stored: \(error.message)", userData: name, cause: error)
        }
    }

    private func withNamed<Value>(
        _ name: String,
        _ body: (inout RecordReader) throws(RecordError) -> Value?
    ) throws(ObjectStoreError) -> Value? {
        let bytes: [UInt8]?
        if let change = pending.names[name] {
            bytes = change
        } else {
            let view = try currentView()
            bytes = try view.get(Keyspace.name(name))
            // A serializable save depends on everything that was read.
            if !isSerializable { namesRead[name] = .some(bytes) }
        }
        guard let bytes else { return nil }
        do throws(RecordError) {
            let fields = FieldMap(count: 1)
            var reader = unsafe RecordReader(bytes: bytes.span.bytes, fields: fields)
            return try body(&reader)
        } catch {
            let isOther = error.code == .typeMismatch || error.code == .outOfRange
            throw ObjectStoreError(
                isOther ? .typeMismatch : .corruption,
                // Advice about properties follows a semicolon.
                "a named value of \(store.name) cannot be read: \(isOther ? String(error.message.prefix { $0 != ";" }) : error.message)",
                userData: "the name \"\(name)\"",
                cause: isOther ? nil : error
            )
        }
    }

    private func namedEntries<Object: StoredObject>(
        _ name: String,
        _ type: Object.Type
    ) throws(ObjectStoreError) -> [([UInt8]?, Object)]? {
        let stored = try knownClass(type)
        let found = try withNamed(name) { reader throws(RecordError) in
            let found = try reader.readCollection(0)
            guard found?.long == nil else { throw RecordError.malformed("it is part of a long list") }
            return found
        }
        guard let found = found?.short else { return nil }
        var entries: [([UInt8]?, Object)] = []
        for (index, id) in found.ids.enumerated() {
            guard id.classNumber == stored.number else { throw isOther(name, type) }
            if let object = try object(id, as: type) { entries.append((found.keys?[index], object)) }
        }
        return entries
    }

    private func isOther(_ name: String, _ type: Any.Type) -> ObjectStoreError {
        ObjectStoreError(.typeMismatch, "a named value of \(store.name) is not of type '\(type)'", userData: "the name \"\(name)\"")
    }
}
