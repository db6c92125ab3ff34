import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Opens a store: reads its catalog and matches it with the program's classes.
struct Catalog {
    private let engine: any StorageEngine
    let name: String
    private let options: ObjectStoreOptions
    private(set) var header: StoreHeader
    private(set) var classes: [StoredClass] = []
    private var entries: [CatalogEntry] = []
    /// The entries as the store has them.
    private var known: [CatalogEntry] = []
    private var isNew = true
    /// The version of the data in which the store has this catalog.
    private(set) var version = EngineVersion(rawValue: 0)
    /// Indexes that the classes no longer have.
    private var goneIndexes: [UInt32] = []

    /// - Parameter identity: The identity of a new store; `nil` for a unique one.
    init(_ engine: any StorageEngine, _ name: String, _ options: ObjectStoreOptions, _ identity: UUID? = nil) {
        header = StoreHeader(identity: identity)
        self.engine = engine
        self.name = name
        self.options = options
    }

    /// Reads the catalog, updates it, and connects the classes' relationships.
    ///
    /// - Parameters:
    ///   - more: Entries without Swift classes, to add if the store does not have them.
    ///   - keepsEntries: Whether the store's entries are left as they are: the schemas were made from them.
    func opened(
        for schemas: [ObjectSchema],
        adding more: [CatalogEntry] = [],
        keepsEntries: Bool = false
    ) throws(ObjectStoreError) -> Catalog {
        while true {
            if let catalog = try attempt(schemas, adding: more, keepsEntries) { return catalog }
        }
    }

    private static func sameName(_ schema: ObjectSchema) -> ObjectStoreError {
        ObjectStoreError(.schemaMismatch, "two classes are called \(schema.name); give one of them another name with @Stored(name:)")
    }

    /// Returns `nil` if another store has changed the catalog in the meantime.
    private func attempt(
        _ schemas: [ObjectSchema],
        adding more: [CatalogEntry],
        _ keepsEntries: Bool
    ) throws(ObjectStoreError) -> Catalog? {
        var catalog = self
        let view = try StoreView(engine, notesReads: true)
        let lastRows = try catalog.load(view)
        for entry in more { try catalog.add(entry) }
        var names: Set<String> = []
        for schema in schemas where !names.insert(schema.name).inserted { throw Self.sameName(schema) }
        var schemaOf: [Int: ObjectSchema] = [:]
        for schema in schemas {
            let index = try catalog.register(schema, lastRows)
            guard schemaOf[index] == nil else { throw Self.sameName(schema) }
            schemaOf[index] = schema
        }
        let indexKeys = IndexKeys(engine)
        catalog.classes = catalog.entries.enumerated().map { index, entry in
            let lastRow = lastRows.indices.contains(index) ? lastRows[index] : 0
            return StoredClass(number: UInt16(index + 1), entry: entry, schema: schemaOf[index], lastRow: lastRow, indexKeys: indexKeys)
        }
        try StoredClass.relate(catalog.classes)
        for (index, stored) in catalog.classes.enumerated() {
            catalog.entries[index] = stored.entry
            if lastRows.indices.contains(index), lastRows[index] > 0 { try catalog.checkSides(of: stored, before: catalog.known[index]) }
        }
        guard !keepsEntries else {
            guard catalog.entries == catalog.known else {
                throw ObjectStoreError(.schemaMismatch, "the classes of \(name) were changed by another program in the meantime")
            }
            return catalog
        }
        return try catalog.write(view) ? catalog : nil
    }

    private mutating func add(_ entry: CatalogEntry) throws(ObjectStoreError) {
        guard !entries.contains(where: { $0.name == entry.name }) else { return }
        guard entries.count < Int(UInt16.max) else { throw ObjectStoreError(.tooLarge, "\(name) has \(entries.count) classes already") }
        var entry = entry
        for place in entry.indexes.indices {
            entry.indexes[place].number = UInt32(entries.count + 1) << 16 | UInt32(truncatingIfNeeded: entry.indexes[place].number & 0xFFFF)
        }
        entries.append(entry)
    }

    private mutating func load(_ view: StoreView) throws(ObjectStoreError) -> [UInt64] {
        version = view.version
        let bytes = try view.get(Keyspace.header)
        guard let bytes else {
            let isEmpty = try view.entries(limit: 1).isEmpty
            guard isEmpty else { throw ObjectStoreError(.foreignFile, "\(name) contains data, but is not an object store") }
            guard options.createIfMissing, !options.readOnly else { throw ObjectStoreError(.notFound, "\(name) contains no object store") }
            return []
        }
        isNew = false
        header = try StoreHeader(decoding: bytes, name)
        var lastRows: [UInt64] = []
        for number in 1...UInt16.max {
            let bytes = try view.get(Keyspace.storedClass(number))
            guard let bytes else { break }
            guard let entry = try? CatalogEntry(decoding: bytes) else {
                throw ObjectStoreError(.corruption, "the catalog of \(name) is damaged: class \(number) cannot be read")
            }
            entries.append(entry)
            known.append(entry)
            let row = try view.get(Keyspace.lastRow(number))
            lastRows.append(try row.map { row throws(ObjectStoreError) in try StoredClass.lastRow(row, of: entry.name, name) } ?? 0)
        }
        return lastRows
    }

    /// Finds or adds the class, its properties and indexes; returns its index.
    private mutating func register(_ schema: ObjectSchema, _ lastRows: [UInt64]) throws(ObjectStoreError) -> Int {
        guard schema.version > 0 else { throw ObjectStoreError(.schemaMismatch, "\(schema.name) has version 0: versions start at 1") }
        // A macro does not see whether the first name after the colon is a class.
        if !schema.isHandCoded, let superclass = _getSuperclass(schema.type) {
            throw ObjectStoreError(
                .schemaMismatch,
                "\(schema.name) of \(name) inherits from \(superclass), whose properties would not be stored; use a protocol for what classes share"
            )
        }
        // A property needs a value even if its record cannot be read.
        for property in schema.properties where !schema.isHandCoded && !property.hasSubstitute() {
            throw ObjectStoreError(
                .schemaMismatch,
                "\(schema.name).\(property.name) of \(name) needs a default, or must be optional: its type has no value to use in place of one that cannot be read (an enumeration has one if it is CaseIterable)"
            )
        }
        guard let index = place(of: schema) else { return try append(schema) }
        var entry = entries[index]
        try check(schema, against: entry)
        let isNewVersion = schema.version > entry.version
        entry.name = schema.name
        entry.version = schema.version
        // Never reset, because groups of saved objects may exist.
        if schema.type is any ShreddableObject.Type { entry.isShreddable = true }
        let changedTypes = try updateProperties(of: schema, in: &entry)
        removeIndexes(from: &entry) { properties in isNewVersion || properties.contains(where: changedTypes.contains) }
        let isEmpty = lastRows.indices.contains(index) && lastRows[index] == 0
        try addIndexes(of: schema, to: &entry, UInt16(index + 1), areComplete: isEmpty)
        goneIndexes += try addTexts(of: schema, to: &entry, UInt16(index + 1), areComplete: isEmpty)
        entries[index] = entry
        return index
    }

    /// Adds a class that the store does not have.
    private mutating func append(_ schema: ObjectSchema) throws(ObjectStoreError) -> Int {
        guard entries.count < Int(UInt16.max) else { throw ObjectStoreError(.tooLarge, "\(name) has \(entries.count) classes already") }
        var entry = CatalogEntry(name: schema.name, version: schema.version)
        entry.isHandCoded = schema.isHandCoded ? true : nil
        entry.isShreddable = schema.type is any ShreddableObject.Type ? true : nil
        for property in schema.properties { entry.properties.append(Self.stored(property)) }
        try addIndexes(of: schema, to: &entry, UInt16(entries.count + 1), areComplete: true)
        goneIndexes += try addTexts(of: schema, to: &entry, UInt16(entries.count + 1), areComplete: true)
        entries.append(entry)
        return entries.count - 1
    }

    /// Throws if the program cannot read the stored data of a class.
    private func check(_ schema: ObjectSchema, against entry: CatalogEntry) throws(ObjectStoreError) {
        guard schema.version >= entry.version else {
            throw ObjectStoreError(
                .unsupportedVersion,
                "\(name) contains version \(entry.version) of \(schema.name), but this program has version \(schema.version): a newer program wrote it; update this one"
            )
        }
        guard schema.isHandCoded == (entry.isHandCoded ?? false) else {
            throw ObjectStoreError(
                .schemaMismatch,
                "\(schema.name) of \(name) was written \(schema.isHandCoded ? "by the methods that @Stored generates" : "by its own methods"), and cannot be read \(schema.isHandCoded ? "by its own methods" : "without them"); give the class another name"
            )
        }
    }

    /// Matches the properties of a class with the stored ones, and adds new ones; returns the names of properties whose type has changed.
    private func updateProperties(of schema: ObjectSchema, in entry: inout CatalogEntry) throws(ObjectStoreError) -> Set<String> {
        var taken: Set<Int> = []
        var changedTypes: Set<String> = []
        // The places of properties that records may lack from now on.
        var added: [Int] = []
        for property in schema.properties {
            var new = Self.stored(property)
            guard let place = Self.place(of: property, in: entry, except: taken) else {
                taken.insert(entry.properties.count)
                added.append(entry.properties.count)
                entry.properties.append(new)
                continue
            }
            let old = entry.properties[place]
            taken.insert(place)
            try check(property, of: schema, against: old, &new)
            if old.type != new.type { changedTypes.insert(property.name) }
            new.initial = old.initial
            let losesNull = Self.isOptional(old) && !Self.isOptional(new)
            if old.isGone == true || losesNull { added.append(place) }
            entry.properties[place] = new
        }
        for place in entry.properties.indices { entry.properties[place].isGone = taken.contains(place) ? nil : true }
        setInitial(added, of: schema, in: &entry)
        return changedTypes
    }

    /// Removes indexes and text indexes that must be rebuilt: keys of another type have other bytes, and a new version of the class may derive other
    /// values from stored ones.
    private mutating func removeIndexes(from entry: inout CatalogEntry, where isOutdated: (_ properties: [String]) -> Bool) {
        goneIndexes += entry.indexes.filter { isOutdated($0.properties) }.map(\.number)
        entry.indexes.removeAll { isOutdated($0.properties) }
        goneIndexes += (entry.texts ?? []).filter { isOutdated([$0.property]) }.map(\.number)
        entry.texts?.removeAll { isOutdated([$0.property]) }
    }

    /// Assigns numbers to new indexes and drops those that the class no longer has. Numbers are never reused.
    private mutating func addIndexes(
        of schema: ObjectSchema,
        to entry: inout CatalogEntry,
        _ number: UInt16,
        areComplete: Bool
    ) throws(ObjectStoreError) {
        var indexes: [CatalogEntry.Index] = []
        for index in schema.indexes {
            if let known = entry.indexes.first(where: { $0.properties == index.properties && $0.isUnique == index.isUnique }) {
                indexes.append(known)
                continue
            }
            indexes.append(
                CatalogEntry.Index(
                    number: UInt32(number) << 16 | UInt32(try entry.nextIndex(name)),
                    properties: index.properties,
                    isUnique: index.isUnique,
                    isComplete: areComplete
                )
            )
        }
        goneIndexes += entry.indexes.map(\.number).filter { number in !indexes.contains { $0.number == number } }
        entry.indexes = indexes
    }

    private func place(of schema: ObjectSchema) -> Int? {
        ([schema.name] + schema.formerNames).lazy.compactMap { name in entries.firstIndex { $0.name == name } }.first
    }

    private static func stored(_ property: ObjectProperty) -> CatalogEntry.Property {
        switch property.kind {
        case .value(let type): return CatalogEntry.Property(name: property.name, type: "\(type)")
        case .relationship(let relationship):
            let stored = CatalogEntry.Relationship(
                target: relationship.target?.objectSchema.name,
                inverse: nil,
                deleteRule: "\(relationship.deleteRule)",
                isDerived: false
            )
            return CatalogEntry.Property(name: property.name, type: relationship.shape.rawValue, relationship: stored)
        }
    }

    /// Returns whether the store has the catalog now; otherwise another store has changed it.
    private mutating func write(_ view: StoreView) throws(ObjectStoreError) -> Bool {
        let changed = entries.indices.filter { $0 >= known.count || entries[$0] != known[$0] }
        guard isNew || !changed.isEmpty else { return true }
        guard !options.readOnly, !engine.isReadOnly else { return true }
        var commit = EngineCommit()
        if isNew {
            commit.put(header.encoded(), for: Keyspace.header)
        }
        if engine.limits.deletesRanges {
            for number in goneIndexes {
                commit.deleteRange(KeyRange(prefix: Keyspace.entries(number)))
                commit.deleteRange(KeyRange(prefix: Keyspace.texts(number)))
            }
        }
        for index in changed { commit.put(entries[index].encoded(), for: Keyspace.storedClass(UInt16(index + 1))) }
        view.dependOnReads(&commit)
        guard let version = try engine.tryPerform(commit, durability: options.durability) else { return false }
        self.version = version
        return true
    }
}
