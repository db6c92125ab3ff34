import CairnCore
import Synchronization

/// Reads a store without its Swift classes, as it was when the inspection began: for tools.
///
/// ```swift
/// let store = try ObjectStore(path: "Music.store", classes: [], options: readOnly)
/// try store.inspect { inspector in
///     for stored in store.catalog.classes { print(stored.name, try inspector.count(stored)) }
/// }
/// ```
///
/// Passed to the closure of ``ObjectStore/inspect(_:)``, and valid only during the call; for one thread at a time.
public final class StoreInspector {
    /// The store.
    public let store: ObjectStore
    let view: StoreView

    init(_ store: ObjectStore, _ view: StoreView) {
        self.store = store
        self.view = view
    }
}

extension ObjectStore {
    /// Calls `body` with an inspector that sees the store as it is now, whatever is saved in the meantime.
    ///
    /// - Throws: Any error that `body` throws; ``ObjectStoreError/Code/closed``.
    public func inspect<Value>(_ body: (StoreInspector) throws -> Value) throws -> Value {
        try inspect(cancellation: nil, body)
    }

    /// The same; once the flag is set, reads throw ``ObjectStoreError/Code/cancelled``.
    package func inspect<Value>(cancellation: CancellationFlag?, _ body: (StoreInspector) throws -> Value) throws -> Value {
        try contextBegins()
        defer { contextEnded() }
        let view = try StoreView(engine)
        return try body(StoreInspector(self, cancellation.map { StoreView(CancellableView(view.engineView, $0)) } ?? view))
    }
}

extension StoreInspector {
    /// Returns the number of objects of a class.
    ///
    /// - Throws: ``ObjectStoreError``: `corruption` if a page is damaged, `unknownClass`, `ioError`.
    /// - Complexity: O(n / 32): the pages are read, but not their objects.
    public func count(_ stored: ObjectCatalog.Class) throws(ObjectStoreError) -> Int {
        var count = 0
        let known = try known(stored)
        try view.forEachPortion(of: Keyspace.pages(known.number)) { portion throws(ObjectStoreError) in
            for (key, page) in portion {
                guard let records = unsafe ObjectPage.Records(page.span.bytes) else {
                    throw StoreReading.damagedPage(Self.first(of: key), known)
                }
                count += records.bits.nonzeroBitCount
            }
        }
        return count
    }

    /// Calls `body` with each object of a class, in row order, until it returns `false`. Unreadable objects are passed as the error that
    /// ``object(_:)`` would throw, and enumeration continues; for a damaged page, or one that the engine cannot read, there is one error for
    /// everything unreadable in it.
    ///
    /// - Parameters:
    ///   - stored: The class, from this store's catalog.
    ///   - row: The first row.
    ///   - body: Returns whether to continue.
    /// - Throws: Any error that `body` throws; ``ObjectStoreError``: `unknownClass`, `ioError`.
    public func forEach(
        _ stored: ObjectCatalog.Class,
        from row: UInt64 = 1,
        _ body: (Result<ObjectDump, ObjectStoreError>) throws -> Bool
    ) throws {
        try forEachNumbered(try known(stored), from: row) { try body($0.map(\.dump)) }
    }

    func forEachNumbered(
        _ stored: StoredClass,
        from row: UInt64 = 1,
        _ body: (Result<NumberedDump, ObjectStoreError>) throws -> Bool
    ) throws {
        let reader = DumpReader(stored, store.name, view)
        let first = ObjectPage.page(of: min(row, ObjectID.maximumRow))
        var failure: (any Error)?
        // Few pages at once, since often only the first objects are wanted.
        try view.forEachPage(of: stored, from: first, portion: 64) { page, bytes in
            let id = ObjectID(class: stored.number, row: page << ObjectPage.rowBits & ObjectID.maximumRow)
            do {
                for dump in dumps(bytes, id, reader) {
                    if case .success(let object) = dump, object.dump.id.row < row { continue }
                    guard try body(dump) else { return false }
                }
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }

    /// Returns the object with an identity, or `nil` if there is none.
    ///
    /// - Throws: ``ObjectStoreError``: `corruption` if it cannot be read, `shredded`, `unknownClass`, `ioError`.
    public func object(_ id: ObjectID) throws(ObjectStoreError) -> ObjectDump? { try numbered(id)?.dump }

    /// The same, with only the properties that its class still has: a removed one may have the name of another.
    package func present(_ id: ObjectID) throws(ObjectStoreError) -> ObjectDump? {
        guard let found = try numbered(id), let stored = store.storedClass(number: id.classNumber) else { return nil }
        var dump = found.dump
        dump.fields = zip(found.numbers, dump.fields).filter { stored.entry[field: $0.0]?.isGone == nil }.map(\.1)
        return dump
    }

    func numbered(_ id: ObjectID) throws(ObjectStoreError) -> NumberedDump? {
        guard let stored = store.storedClass(number: id.classNumber) else {
            throw ObjectStoreError(.unknownClass, "\(store.name) has no class \(id.classNumber)", object: id)
        }
        let reader = DumpReader(stored, store.name, view)
        var result: Result<NumberedDump, ObjectStoreError>?
        try StoreReading.record(id, stored, in: view) { record in result = reader.result(id, record) }
        return try result?.get()
    }

    private func dumps(_ page: [UInt8], _ first: ObjectID, _ reader: DumpReader) -> [Result<NumberedDump, ObjectStoreError>] {
        var dumps: [Result<NumberedDump, ObjectStoreError>] = []
        guard var records = unsafe ObjectPage.Records(page.span.bytes) else {
            return [.failure(StoreReading.damagedPage(first, reader.stored))]
        }
        while let row = records.next() {
            let id = ObjectID(class: first.classNumber, row: first.row + UInt64(row.slot))
            guard row.record.isEmpty else {
                dumps.append(reader.result(id, row.record))
                continue
            }
            do throws(ObjectStoreError) {
                if let dump = try numbered(id) { dumps.append(.success(dump)) }
            } catch {
                dumps.append(.failure(error))
            }
        }
        if !records.isWhole { dumps.append(.failure(StoreReading.damagedPage(first, reader.stored))) }
        return dumps
    }

    func known(_ stored: ObjectCatalog.Class) throws(ObjectStoreError) -> StoredClass {
        if let known = store.storedClass(number: stored.number), known.name == stored.name { return known }
        throw ObjectStoreError(.unknownClass, "\(store.name) has no class \(stored.name) with the number \(stored.number)")
    }

    /// The first object that a page may contain.
    private static func first(of key: [UInt8]) -> ObjectID {
        let page = ObjectID(raw: unsafe key.count == 9 ? Keyspace.number(key.span.bytes, at: 1) : 0)
        return ObjectID(class: page.classNumber, row: page.row << ObjectPage.rowBits & ObjectID.maximumRow)
    }
}

/// An object with the numbers of its fields, since a removed property may have the name of another.
struct NumberedDump {
    let dump: ObjectDump
    let numbers: [Int]

    /// The value of a field; `nil` if the record does not have it.
    subscript(number: Int) -> ObjectDump.Value? { numbers.firstIndex(of: number).map { dump.fields[$0].value } }
}

/// Makes dumps of a class's records.
struct DumpReader {
    let stored: StoredClass
    private let storeName: String
    private let types: [Int: StoredType]
    /// The fields to use for records that lack them.
    private let initial: Result<[RecordDump.Field], RecordError>
    private let view: StoreView

    init(_ stored: StoredClass, _ storeName: String, _ view: StoreView) {
        self.stored = stored
        self.view = view
        self.storeName = storeName
        types = stored.entry.types
        let (record, types) = (stored.entry.initialRecord, types)
        initial = Result { () throws(RecordError) in try RecordDump(record, types: types).fields }
    }

    func result(_ id: ObjectID, _ record: RawSpan) -> Result<NumberedDump, ObjectStoreError> {
        do throws(RecordError) { return .success(try dump(id, record)) } catch {
            let property = error.field.flatMap { stored.entry[field: $0] }.map { ", property \($0.name)," } ?? ""
            let message = "\(stored.name) \(id.row)\(property) of \(storeName) cannot be read: \(error.message)"
            return .failure(ObjectStoreError(.init(error), message, object: id, cause: error))
        }
    }

    private func dump(_ id: ObjectID, _ record: RawSpan) throws(RecordError) -> NumberedDump {
        let whole: Result<[UInt8]?, RecordError>
        do throws(ObjectStoreError) { whole = try StoreReading.whole(record, id, in: view) } catch {
            throw RecordError(.failed, error.message, cause: error)
        }
        guard let whole = try whole.get() else { return try dump(id, whole: record) }
        return unsafe try dump(id, whole: whole.span.bytes)
    }

    private func dump(_ id: ObjectID, whole record: RawSpan) throws(RecordError) -> NumberedDump {
        let header = try ObjectRecord.header(record)
        let rest = record.extracting(droppingFirst: header.size)
        var fields = try RecordDump(rest, types: types).fields
        let missing = try initial.get().filter { field in !fields.contains { $0.number == field.number } }
        if !missing.isEmpty { fields = (fields + missing).sorted { $0.number < $1.number } }
        var dump = ObjectDump(id: id, className: stored.name, version: header.version, changeCount: header.changeCount, fields: [])
        dump.byteCount = record.byteCount
        for field in fields {
            guard let property = stored.entry[field: field.number] else {
                if stored.entry.isHandCoded == true {
                    dump.fields.append(ObjectDump.Field(name: "field \(field.number)", value: .value(field.value)))
                    continue
                }
                throw RecordError.malformed("it has field \(field.number), but its class has only \(stored.entry.properties.count)")
            }
            var value = ObjectDump.Value.value(field.value)
            if property.relationship != nil {
                do throws(RecordError) {
                    let isDictionary = property.type == ObjectRelationship.Shape.dictionary.rawValue
                    value = try ObjectDump.Value(kind: field.kind, field.value, isDictionary: isDictionary) { list throws(RecordError) in
                        try all(list, id, field.number)
                    }
                } catch {
                    throw error.about(field: field.number)
                }
            }
            dump.fields.append(ObjectDump.Field(name: property.name, value: value))
        }
        return NumberedDump(dump: dump, numbers: fields.map(\.number))
    }

    /// The references of a long list.
    private func all(_ list: LongList, _ owner: ObjectID, _ field: Int) throws(RecordError) -> ReferenceList.Content {
        var all = ReferenceList.Content(ids: [], keys: list.hasKeys ? [] : nil)
        for chunk in list.chunks {
            let found: Result<ReferenceList.Content, RecordError>
            do throws(ObjectStoreError) {
                found = try StoreReading.chunk(chunk, of: owner, UInt16(truncatingIfNeeded: field), hasKeys: list.hasKeys, in: view)
            } catch {
                throw RecordError(.failed, error.message, cause: error)
            }
            let content = try found.get()
            all.ids += content.ids
            if let keys = content.keys { all.keys? += keys }
        }
        return all
    }
}
