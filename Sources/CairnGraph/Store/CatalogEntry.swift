#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A class in the store's catalog: enough to read every record without the Swift class. Stored as JSON.
struct CatalogEntry: Codable, Equatable, Sendable {
    var name: String
    /// The class version of the newest program that opened the store.
    var version: UInt8
    /// In the order of their numbers (1, 2, 3…). Properties that the class no longer has are kept, because older records contain them.
    var properties: [Property]
    var indexes: [Index] = []
    /// The text indexes, if the class has any.
    var texts: [Text]?
    /// Whether the class reads and writes its values itself; then the store cannot tell which field is which property.
    var isHandCoded: Bool?
    /// Whether objects of the class may have groups, with keys of their own.
    var isShreddable: Bool?
    /// The number of the newest index. Numbers are never reused.
    var lastIndex: UInt16 = 0

    /// A number for a new index.
    mutating func nextIndex(_ storeName: String) throws(ObjectStoreError) -> UInt16 {
        guard lastIndex < .max else {
            throw ObjectStoreError(.tooLarge, "\(name) of \(storeName) has used up all index numbers")
        }
        lastIndex += 1
        return lastIndex
    }

    struct Property: Codable, Equatable, Sendable {
        var name: String
        /// A ``StoredType``, or the shape of a relationship.
        var type: String
        var relationship: Relationship?
        /// Whether the class no longer has the property.
        var isGone: Bool?
        /// The field that is used for records without the property: its default when it was added to the class.
        var initial: Data?
    }

    struct Relationship: Codable, Equatable, Sendable {
        var target: String?
        var inverse: String?
        var deleteRule: String
        /// Whether the property is derived from the inverse: nothing is stored on this side.
        var isDerived: Bool
    }

    struct Index: Codable, Equatable, Sendable {
        var number: UInt32
        var properties: [String]
        var isUnique: Bool
        /// Whether the index has the entries of all objects.
        var isComplete: Bool
        /// If incomplete, the first page whose entries are missing; `nil` for the first page.
        var nextPage: UInt64?
        /// Whether existing entries must be removed first.
        var isToBeCleared: Bool?
    }

    /// The index of a property's text.
    struct Text: Codable, Equatable, Sendable {
        /// Shares the numbers of indexes.
        var number: UInt32
        var property: String
        /// The version of the text index format, and of its blocks.
        var form: Int
        /// Whether the index has the texts of all objects.
        var isComplete: Bool
        /// If incomplete, the first page whose texts are missing; `nil` for the first page.
        var nextPage: UInt64?
        /// Whether existing entries must be removed first.
        var isToBeCleared: Bool?
    }

    init(name: String, version: UInt8, properties: [Property] = []) {
        self.name = name
        self.version = version
        self.properties = properties
    }

    /// The field number of a property; 0 if it does not exist. Hand-coded classes number their own fields, so their relationships start at a far
    /// higher number.
    func number(of property: String) -> Int { place(of: property).map { number(at: $0) } ?? 0 }

    /// The index of a property that the class has.
    func place(of property: String) -> Int? { properties.firstIndex { $0.name == property && $0.isGone == nil } }

    /// The field number of the property at an index.
    func number(at place: Int) -> Int {
        isHandCoded == true && properties[place].relationship != nil ? Self.firstReference + place : place + 1
    }

    private static let firstReference = 0x8000

    /// The property of a field; `nil` if no property has this number, or for hand-coded values.
    subscript(field number: Int) -> Property? {
        let place = isHandCoded == true ? number - Self.firstReference : number - 1
        return properties.indices.contains(place) ? properties[place] : nil
    }

    /// A record of the properties that were added to the class, with their values in records from before.
    var initialRecord: [UInt8] { properties.flatMap { $0.isGone == nil ? $0.initial ?? Data() : Data() } }

    /// The types of the fields that contain values.
    var types: [Int: StoredType] {
        guard isHandCoded != true else { return [:] }
        var types: [Int: StoredType] = [:]
        for (index, property) in properties.enumerated() where property.relationship == nil {
            types[index + 1] = try? StoredType(parsing: property.type)
        }
        return types
    }

    /// Whether older records may contain references that the class no longer reads.
    var hasFormerReferences: Bool {
        properties.contains { property in property.relationship.map { property.isGone != nil || $0.isDerived } ?? false }
    }

    /// The entry as if its indexes were complete: what it says about the class itself.
    var withoutProgress: CatalogEntry { withIndexes(complete: true) }

    /// The entry with all indexes complete, or to be built from the beginning.
    func withIndexes(complete: Bool) -> CatalogEntry {
        var entry = self
        for place in entry.indexes.indices {
            entry.indexes[place].isComplete = complete
            entry.indexes[place].nextPage = nil
            entry.indexes[place].isToBeCleared = complete ? nil : true
        }
        entry.changeTexts { text in
            text.isComplete = complete
            text.nextPage = nil
            text.isToBeCleared = complete ? nil : true
        }
        return entry
    }

    func encoded() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // Strings, numbers and flags: encoding cannot fail.
        return (try? Array(encoder.encode(self))) ?? []
    }

    init(decoding bytes: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(bytes)) }
}
