import CairnCore
import Synchronization

/// Adds objects to a store without their Swift classes, as another store had them: all at once, or none.
///
/// ```swift
/// let importer = try ObjectImporter(store)
/// for stored in catalog.classes { try importer.add(stored) }
/// for dump in dumps { try importer.add(dump) }
/// let count = try importer.finish().objectCount
/// ```
///
/// Rows of a class that had none in this store stay what they are. Others go behind those that were given out, and what leads to them leads to
/// the new ones. Indexes get their entries where the catalog tells their types; the others are made by the program that has the class.
///
/// Keeps everything in memory until ``finish()``. For one thread; nobody else may write to the store meanwhile.
public final class ObjectImporter {
    /// What was imported.
    public struct Result: Hashable, Sendable {
        /// How many objects were stored.
        public var objectCount = 0
        /// How many names were set.
        public var nameCount = 0
        /// Classes and properties of indexes that have no entries for the new objects: they are made when a program opens the store with the class.
        public var incompleteIndexes: [String] = []
    }

    let store: ObjectStore
    let view: any EngineView
    var classes: [UInt16: ImportedClass] = [:]
    var names: [String: [UInt8]] = [:]
    /// What leads to rows, to be compared with them at the end.
    var references: [(owner: ObjectID, property: String, target: ObjectID)] = []
    var commit = EngineCommit()
    /// The keys of unique indexes that it puts.
    var uniqueKeys: Set<[UInt8]> = []

    /// - Throws: ``ObjectStoreError``: `readOnly`, `closed`.
    public init(_ store: ObjectStore) throws(ObjectStoreError) {
        guard !store.isReadOnly else { throw ObjectStoreError(.readOnly, "\(store.name) was opened for reading only") }
        guard !store.isClosed else { throw ObjectStoreError(.closed, "\(store.name) was closed") }
        self.store = store
        view = try ObjectStoreError.translating { () throws(EngineError) in try store.engine.makeView() }
    }

    /// Tells a class of the objects to come: its number there, and its properties.
    ///
    /// - Throws: ``ObjectStoreError``: `unknownClass` where the store has no class of that name, `schemaMismatch` where that cannot hold the
    ///   objects.
    public func add(_ stored: ObjectCatalog.Class) throws(ObjectStoreError) {
        guard let own = store.classes.first(where: { $0.name == stored.name }) else {
            throw ObjectStoreError(.unknownClass, "\(store.name) has no class \(stored.name)")
        }
        guard classes[stored.number] == nil else {
            throw ObjectStoreError(.schemaMismatch, "two classes have the number \(stored.number)")
        }
        guard !classes.values.contains(where: { $0.own === own }) else {
            throw ObjectStoreError(.schemaMismatch, "two classes have the name \(stored.name)")
        }
        classes[stored.number] = try ImportedClass(stored, own, store.name)
    }

    /// Counts the rows of a class up to one as given out, so that no new object gets the row of one that was deleted where the objects come from. For
    /// nothing while no object of the class is added.
    ///
    /// - Throws: ``ObjectStoreError``: `unknownClass` where the class was not told.
    public func reserveRows(through row: UInt64, of stored: ObjectCatalog.Class) throws(ObjectStoreError) {
        guard classes[stored.number]?.name == stored.name else {
            throw ObjectStoreError(.unknownClass, "the class \(stored.name) was not told before")
        }
        classes[stored.number]?.reservedRow = row
    }

    /// Adds an object, whose class was told before.
    ///
    /// - Throws: ``ObjectStoreError``: `unknownClass`, `schemaMismatch` where a value is none of its property, `notUnique` where the object was added
    ///   before, `tooLarge` where the store has no row for it.
    public func add(_ dump: ObjectDump) throws(ObjectStoreError) {
        guard var stored = classes[dump.id.classNumber], stored.name == dump.className else {
            throw ObjectStoreError(.unknownClass, "the class \(dump.className) of \(dump.id) was not told before", object: dump.id)
        }
        guard dump.id.row > 0, stored.records[dump.id.row] == nil else {
            throw ObjectStoreError(.notUnique, "\(dump.className) \(dump.id.row) is there twice", object: dump.id)
        }
        // Taken out, so that nothing is copied.
        classes[dump.id.classNumber] = nil
        defer { classes[dump.id.classNumber] = stored }
        stored.records[dump.id.row] = try record(dump, &stored)
    }

    /// Adds a name, in place of what is there.
    ///
    /// - Throws: ``ObjectStoreError``: `unknownClass` where it leads to objects of a class that was not told.
    public func add(_ name: StoreInspector.Name) throws(ObjectStoreError) {
        var writer = RecordWriter()
        switch name.value {
        case .value:
            names[name.name] = name.bytes
            return
        case .one(let id):
            let id = try id.map { id throws(ObjectStoreError) in try moved(id, "the name \(name.name)") }
            writer.write(ObjectReference(id ?? ObjectID(raw: 0)), field: 1)
        case .many(let ids): writer.write(ObjectCollection(ids: try moved(ids, "the name \(name.name)")), field: 1)
        case .keyed(let entries): writer.write(try collection(entries, "the name \(name.name)"), field: 1)
        }
        do throws(RecordError) { names[name.name] = try writer.bytes } catch {
            throw ObjectStoreError(.schemaMismatch, "the value of the name cannot be stored: \(error.message)", cause: error)
        }
    }

    /// Where an object is in this store.
    func moved(_ id: ObjectID, _ owner: @autoclosure () -> String) throws(ObjectStoreError) -> ObjectID {
        guard let stored = classes[id.classNumber] else {
            throw ObjectStoreError(.unknownClass, "\(owner()) leads to \(id), whose class was not told", object: id)
        }
        let row = id.row + stored.offset
        guard id.row > 0, row <= ObjectID.lastRow else {
            throw ObjectStoreError(.schemaMismatch, "\(owner()) leads to \(id), which is no possible row", object: id)
        }
        return ObjectID(class: stored.own.number, row: row)
    }

    func moved(_ ids: [ObjectID], _ owner: @autoclosure () -> String) throws(ObjectStoreError) -> ContiguousArray<ObjectID> {
        var moved: ContiguousArray<ObjectID> = []
        for id in ids { moved.append(try self.moved(id, owner())) }
        return moved
    }

    func collection(_ entries: [ObjectDump.Entry], _ owner: @autoclosure () -> String) throws(ObjectStoreError) -> ObjectCollection {
        let sorted = entries.map { ($0.key.keyBytes, $0.object) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
        for (one, next) in zip(sorted, sorted.dropFirst()) where one.0 == next.0 {
            throw ObjectStoreError(.schemaMismatch, "\(owner()) has a key twice")
        }
        return ObjectCollection(ids: try moved(sorted.map(\.1), owner()), keys: ContiguousArray(sorted.map(\.0)))
    }
}

/// A class whose objects are imported.
struct ImportedClass {
    let name: String
    let own: StoredClass
    /// What is added to the rows.
    let offset: UInt64
    /// The field and type of each property in this store, by names. No type: it leads to objects.
    var fields: [String: (number: Int, type: StoredType?, property: CatalogEntry.Property)] = [:]
    /// By the rows that they had.
    var records: [UInt64: [UInt8]] = [:]
    /// Up to which row no other object may come, in the numbers that they had.
    var reservedRow: UInt64 = 0
    /// The highest row that is given out by this; `nil` where there are no objects.
    var lastRow: UInt64? { records.keys.max().map { min(max($0, min(reservedRow, ObjectID.lastRow)) + offset, ObjectID.lastRow) } }
    /// The numbers of indexes for which objects have values of unknown order.
    var incomplete: Set<UInt32> = []

    init(_ stored: ObjectCatalog.Class, _ own: StoredClass, _ storeName: String) throws(ObjectStoreError) {
        name = stored.name
        self.own = own
        guard !stored.isHandCoded, own.entry.isHandCoded != true else {
            throw ObjectStoreError(
                .notSupported,
                "\(stored.name) writes its values by hand: only the program that has the class can store them"
            )
        }
        guard !own.isShreddable else {
            throw ObjectStoreError(
                .notSupported,
                "objects of \(stored.name) have groups in \(storeName), which an import does not know: only the program that has the class can store them"
            )
        }
        // Whole pages are new, so that none has to be read.
        let last = own.lastRow.load(ordering: .relaxed)
        offset = last == 0 ? 0 : (ObjectPage.page(of: last) + 1) << ObjectPage.rowBits
        let types = own.entry.types
        for property in stored.properties {
            let number = own.entry.number(of: property.name)
            guard let found = own.entry[field: number == 0 && property.isGone ? Self.former(property.name, own) : number] else {
                // What nobody reads is not missed.
                if property.isGone { continue }
                throw ObjectStoreError(.schemaMismatch, "\(name) of \(storeName) has no property \(property.name)")
            }
            let place = number == 0 ? Self.former(property.name, own) : number
            let canHold =
                property.relationship == nil
                ? property.type.flatMap { theirs in types[place].map { $0.canRead(theirs) } } ?? false
                : found.type == property.relationship?.shape.rawValue && found.relationship?.target == property.relationship?.target
            guard canHold else {
                throw ObjectStoreError(
                    .schemaMismatch,
                    "\(name).\(property.name) of \(storeName) is stored as \(found.type), which cannot hold what comes as \(property.typeText)"
                )
            }
            fields[property.name] = (place, types[place], found)
        }
    }

    /// The number of a property that the class has no more.
    private static func former(_ name: String, _ own: StoredClass) -> Int {
        (own.entry.properties.firstIndex { $0.name == name } ?? -1) + 1
    }
}
