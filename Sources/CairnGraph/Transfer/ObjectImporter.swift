import CairnCore
import Synchronization

/// Adds objects from another store without their Swift classes: all of them, or none.
///
/// ```swift
/// let importer = try ObjectImporter(store)
/// for stored in catalog.classes { try importer.add(stored) }
/// for dump in dumps { try importer.add(dump) }
/// let count = try importer.finish().objectCount
/// ```
///
/// If this store had no rows of a class, imported objects keep their rows. Otherwise they get rows after the assigned ones, and references to them
/// are adjusted. Index entries are added if the catalog describes their types; other indexes are built by the program that has the class.
///
/// Keeps everything in memory until ``finish()``. For one thread; nobody else may write to the store in the meantime.
public final class ObjectImporter {
    /// The result of an import.
    public struct Result: Hashable, Sendable {
        /// The number of objects stored.
        public var objectCount = 0
        /// The number of names set.
        public var nameCount = 0
        /// Classes and properties of indexes that lack entries for the new objects. They are built when a program opens the store with the class.
        public var incompleteIndexes: [String] = []
    }

    /// What the references of imported objects lead to.
    public enum References: Sendable {
        /// Other objects of the import, by their former identities.
        case toImported
        /// Objects that are in the store already, by their identities. Not possible for relationships whose inverse is stored too.
        case toStored
    }

    let store: ObjectStore
    let view: StoreView
    let targets: References
    /// The objects of the store that references lead to.
    var storedTargets: Set<ObjectID> = []
    var classes: [UInt16: ImportedClass] = [:]
    var names: [String: [UInt8]] = [:]
    /// The references, whose targets are checked at the end.
    var references: [(owner: ObjectID, property: String, target: ObjectID)] = []
    var commit = EngineCommit()
    /// Whether the commit stores chunks of long lists, or parts of large values.
    var storesChunks = false
    /// The keys of unique indexes written by the commit.
    var uniqueKeys: Set<[UInt8]> = []

    /// Makes an importer.
    ///
    /// - Parameters:
    ///   - store: The store to add to.
    ///   - references: What the references of the objects lead to.
    /// - Throws: ``ObjectStoreError``: `readOnly`, `closed`.
    public init(_ store: ObjectStore, references: References = .toImported) throws(ObjectStoreError) {
        guard !store.isReadOnly else { throw ObjectStoreError(.readOnly, "\(store.name) was opened for reading only") }
        guard !store.isClosed else { throw ObjectStoreError(.closed, "\(store.name) was closed") }
        self.store = store
        self.targets = references
        // So that the new rows follow the assigned ones.
        store.giveBackRows()
        view = try StoreView(store.engine, notesReads: true)
    }

    /// Declares a class of the objects to come: its number in the other store, and its properties.
    ///
    /// - Throws: ``ObjectStoreError``: `unknownClass` if the store has no class with this name, `schemaMismatch` if that class cannot represent the
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
        classes[stored.number] = try ImportedClass(stored, own, after: own.lastRow(in: view, store.name), store.name)
    }

    /// Marks the rows of a class as assigned up to the given one, so that no new object gets the row of an object deleted in the other store. Has no
    /// effect unless objects of the class are added.
    ///
    /// - Throws: ``ObjectStoreError``: `unknownClass` if the class was not declared.
    public func reserveRows(through row: UInt64, of stored: ObjectCatalog.Class) throws(ObjectStoreError) {
        guard classes[stored.number]?.name == stored.name else {
            throw ObjectStoreError(.unknownClass, "the class \(stored.name) was not declared before")
        }
        classes[stored.number]?.reservedRow = row
    }

    /// Adds an object of a declared class.
    ///
    /// - Throws: ``ObjectStoreError``: `unknownClass`, `schemaMismatch` if a value does not match its property, `notUnique` if the object was already
    ///   added, `tooLarge` if the store has no row for it. With ``References/toStored``, also `objectNotFound` if a reference leads to no object
    ///   of the store, and `notSupported` if the inverse of the relationship is stored too.
    public func add(_ dump: ObjectDump) throws(ObjectStoreError) {
        guard var stored = classes[dump.id.classNumber], stored.name == dump.className else {
            throw ObjectStoreError(.unknownClass, "the class \(dump.className) of \(dump.id) was not declared before", object: dump.id)
        }
        guard dump.id.row > 0 else {
            throw ObjectStoreError(.schemaMismatch, "rows are numbered from 1, but \(dump.className) has a row 0", object: dump.id)
        }
        guard stored.records[dump.id.row] == nil else {
            throw ObjectStoreError(.notUnique, "\(dump.className) \(dump.id.row) appears twice", object: dump.id)
        }
        // Removed from the dictionary to avoid copying.
        classes[dump.id.classNumber] = nil
        defer { classes[dump.id.classNumber] = stored }
        stored.records[dump.id.row] = try record(dump, &stored)
    }

    /// Adds a name, replacing an existing one.
    ///
    /// - Throws: ``ObjectStoreError``: `unknownClass` if it refers to objects of a class that was not declared.
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

    /// The identity of an object in this store.
    func moved(_ id: ObjectID, _ owner: @autoclosure () -> String) throws(ObjectStoreError) -> ObjectID {
        if targets == .toStored {
            try checkTarget(id, owner())
            return id
        }
        guard let stored = classes[id.classNumber] else {
            throw ObjectStoreError(.unknownClass, "\(owner()) refers to \(id), whose class was not declared", object: id)
        }
        let row = id.row + stored.offset
        guard id.row > 0, row <= ObjectID.lastRow else {
            throw ObjectStoreError(.schemaMismatch, "\(owner()) refers to \(id), which is not a valid row", object: id)
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
            throw ObjectStoreError(.schemaMismatch, "\(owner()) has a duplicate key")
        }
        return ObjectCollection(ids: try moved(sorted.map(\.1), owner()), keys: ContiguousArray(sorted.map(\.0)))
    }
}

/// A class whose objects are imported.
struct ImportedClass {
    let name: String
    let own: StoredClass
    /// The difference between new and former rows.
    let offset: UInt64
    /// The field and type of each property in this store, by name. The type is `nil` for relationships.
    var fields: [String: (number: Int, type: StoredType?, property: CatalogEntry.Property)] = [:]
    /// By former row.
    var records: [UInt64: [UInt8]] = [:]
    /// The last reserved row, as a former row.
    var reservedRow: UInt64 = 0
    /// The last row assigned by the import; `nil` if there are no objects.
    var lastRow: UInt64? { records.keys.max().map { min(max($0, min(reservedRow, ObjectID.lastRow)) + offset, ObjectID.lastRow) } }
    /// The numbers of indexes whose keys for some objects are unknown.
    var incomplete: Set<UInt32> = []

    /// - Parameter last: The last row assigned in the store.
    init(_ stored: ObjectCatalog.Class, _ own: StoredClass, after last: UInt64, _ storeName: String) throws(ObjectStoreError) {
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
        // Only new pages are used, so that none must be read.
        offset = last == 0 ? 0 : (ObjectPage.page(of: last) + 1) << ObjectPage.rowBits
        let types = own.entry.types
        for property in stored.properties {
            let number = own.entry.number(of: property.name)
            guard let found = own.entry[field: number == 0 && property.isGone ? Self.former(property.name, own) : number] else {
                // A property that nobody reads can be dropped.
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
                    "\(name).\(property.name) of \(storeName) is stored as \(found.type), which cannot hold values of type \(property.typeText)"
                )
            }
            fields[property.name] = (place, types[place], found)
        }
    }

    /// The number of a property that the class no longer has.
    private static func former(_ name: String, _ own: StoredClass) -> Int {
        (own.entry.properties.firstIndex { $0.name == name } ?? -1) + 1
    }
}
