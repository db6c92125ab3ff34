/// A store's description of its classes: enough to read every object without them.
///
/// `Codable`: a catalog can be saved, and a store can be created from it (``ObjectStore/init(engine:catalog:options:name:)``).
public struct ObjectCatalog: Hashable, Sendable, Codable {
    /// In the order of their numbers, from 1.
    public var classes: [Class]

    /// Makes a catalog.
    public init(classes: [Class]) { self.classes = classes }

    /// The class with a name, or `nil` if there is none.
    public subscript(name: String) -> Class? { classes.first { $0.name == name } }

    /// The class of an object, or `nil` if there is none.
    public subscript(id: ObjectID) -> Class? { classes.first { $0.number == id.classNumber } }

    /// A class.
    public struct Class: Hashable, Sendable, Codable {
        /// The ``ObjectID/classNumber`` of its objects.
        public var number: UInt16
        /// The name in the store.
        public var name: String
        /// The class version of the newest program that wrote to the store.
        public var version: UInt8
        /// Whether the class is hand-coded; then only relationships are known by name and type.
        public var isHandCoded: Bool
        /// In the order of their numbers (1, 2, 3…).
        public var properties: [Property]
        /// In the order of their declarations.
        public var indexes: [Index]

        /// Makes a class.
        public init(
            number: UInt16,
            name: String,
            version: UInt8 = 1,
            isHandCoded: Bool = false,
            properties: [Property],
            indexes: [Index] = []
        ) {
            self.number = number
            self.name = name
            self.version = version
            self.isHandCoded = isHandCoded
            self.properties = properties
            self.indexes = indexes
        }
    }

    /// A property.
    public struct Property: Hashable, Sendable, Codable {
        /// The name in the store.
        public var name: String
        /// The type of its values; `nil` for relationships, or if the text in the catalog is not a type.
        public var type: StoredType? { relationship == nil ? try? StoredType(parsing: typeText) : nil }
        /// The text in the catalog: that of a ``StoredType``, or the shape of a relationship.
        public var typeText: String
        /// The relationship; `nil` for values.
        public var relationship: Relationship?
        /// Whether the class no longer has the property. Older records may contain it.
        public var isGone: Bool

        /// Makes a property. If there is a relationship, the text of the type is ignored: it is the relationship's shape.
        public init(name: String, typeText: String, relationship: Relationship? = nil, isGone: Bool = false) {
            self.name = name
            self.typeText = relationship?.shape.rawValue ?? typeText
            self.relationship = relationship
            self.isGone = isGone
        }
    }

    /// The relationship of a property.
    public struct Relationship: Hashable, Sendable, Codable {
        /// Whether it is to-one, or the kind of collection.
        public var shape: ObjectRelationship.Shape
        /// The target class; `nil` if objects of any class are allowed.
        public var target: String?
        /// The property of that class that refers back.
        public var inverse: String?
        /// `nullify`, `cascade` or `deny`.
        public var deleteRule: String
        /// Whether the property is derived from its inverse and not stored in records.
        public var isDerived: Bool

        /// Makes a relationship.
        public init(
            shape: ObjectRelationship.Shape,
            target: String?,
            inverse: String? = nil,
            deleteRule: String = "nullify",
            isDerived: Bool = false
        ) {
            self.shape = shape
            self.target = target
            self.inverse = inverse
            self.deleteRule = deleteRule
            self.isDerived = isDerived
        }
    }

    /// An index.
    public struct Index: Hashable, Sendable, Codable {
        public var number: UInt32
        /// Most significant first.
        public var properties: [String]
        public var isUnique: Bool
        /// Whether the index has the entries of all objects.
        public var isComplete: Bool

        /// Makes an index.
        public init(number: UInt32, properties: [String], isUnique: Bool = false, isComplete: Bool = false) {
            self.number = number
            self.properties = properties
            self.isUnique = isUnique
            self.isComplete = isComplete
        }
    }
}

extension ObjectRelationship.Shape: Codable {}

extension ObjectCatalog.Class {
    init(_ number: UInt16, _ entry: CatalogEntry) {
        let properties = entry.properties.map { property in
            ObjectCatalog.Property(
                name: property.name,
                typeText: property.type,
                relationship: property.relationship.map { relationship in
                    ObjectCatalog.Relationship(
                        shape: ObjectRelationship.Shape(rawValue: property.type) ?? .list,
                        target: relationship.target,
                        inverse: relationship.inverse,
                        deleteRule: relationship.deleteRule,
                        isDerived: relationship.isDerived
                    )
                },
                isGone: property.isGone ?? false
            )
        }
        let indexes = entry.indexes.map {
            ObjectCatalog.Index(number: $0.number, properties: $0.properties, isUnique: $0.isUnique, isComplete: $0.isComplete)
        }
        self.init(
            number: number,
            name: entry.name,
            version: entry.version,
            isHandCoded: entry.isHandCoded ?? false,
            properties: properties,
            indexes: indexes
        )
    }

    /// The entry as stored in a catalog. Its indexes have no entries yet, so none is complete.
    var entry: CatalogEntry {
        var entry = CatalogEntry(name: name, version: version)
        entry.isHandCoded = isHandCoded ? true : nil
        entry.properties = properties.map { property in
            CatalogEntry.Property(
                name: property.name,
                type: property.relationship?.shape.rawValue ?? property.typeText,
                relationship: property.relationship.map {
                    CatalogEntry.Relationship(target: $0.target, inverse: $0.inverse, deleteRule: $0.deleteRule, isDerived: $0.isDerived)
                },
                isGone: property.isGone ? true : nil
            )
        }
        for index in indexes {
            entry.lastIndex += 1
            entry.indexes.append(
                CatalogEntry.Index(
                    number: UInt32(entry.lastIndex),
                    properties: index.properties,
                    isUnique: index.isUnique,
                    isComplete: false
                )
            )
        }
        return entry
    }
}

extension ObjectStore {
    /// The classes of the store, including those that it was opened without.
    public var catalog: ObjectCatalog { ObjectCatalog(classes: classes.map { ObjectCatalog.Class($0.number, $0.entry) }) }
}
