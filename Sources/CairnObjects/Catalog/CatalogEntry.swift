#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the store knows of a class, in its catalog: enough to read every record without the class. Kept as JSON.
struct CatalogEntry: Codable, Equatable, Sendable {
    var name: String
    /// The version that the newest program had.
    var version: UInt8
    /// In the order of their numbers, which are 1, 2, 3…; those that the class has no more are kept, as older records hold them.
    var properties: [Property]
    var indexes: [Index] = []
    /// The text indexes, where the class has any.
    var texts: [Text]?
    /// Whether the class reads and writes its values itself: then the store cannot tell which field is which property.
    var isHandCoded: Bool?
    /// Whether objects of the class may have groups, with keys of their own.
    var isShreddable: Bool?
    /// The number given to the newest index: none is given twice.
    var lastIndex: UInt16 = 0

    /// A number for a new index.
    mutating func nextIndex(_ storeName: String) throws(ObjectStoreError) -> UInt16 {
        guard lastIndex < .max else {
            throw ObjectStoreError(.tooLarge, "\(name) of \(storeName) has had all numbers of indexes that there are")
        }
        lastIndex += 1
        return lastIndex
    }

    struct Property: Codable, Equatable, Sendable {
        var name: String
        /// A ``StoredType``, or the shape of a relationship.
        var type: String
        var relationship: Relationship?
        /// Whether the class has the property no more.
        var isGone: Bool?
    }

    struct Relationship: Codable, Equatable, Sendable {
        var target: String?
        var inverse: String?
        var deleteRule: String
        /// Whether the other side tells what the property holds: nothing is stored on this side.
        var isDerived: Bool
    }

    struct Index: Codable, Equatable, Sendable {
        var number: UInt32
        var properties: [String]
        var isUnique: Bool
        /// Whether the entries of all objects are there.
        var isComplete: Bool
        /// Of one that is not complete: from which page on entries are to be added; `nil` from the first.
        var nextPage: UInt64?
        /// Whether what is there is to be removed before.
        var isToBeCleared: Bool?
    }

    /// The index of a property's text.
    struct Text: Codable, Equatable, Sendable {
        /// From the numbers of indexes.
        var number: UInt32
        var property: String
        /// The version of the form in which text is indexed, and of the blocks.
        var form: Int
        /// Whether the texts of all objects are there.
        var isComplete: Bool
        /// Of one that is not complete: from which page on texts are to be added; `nil` from the first.
        var nextPage: UInt64?
        /// Whether what is there is to be removed before.
        var isToBeCleared: Bool?
    }

    init(name: String, version: UInt8, properties: [Property] = []) {
        self.name = name
        self.version = version
        self.properties = properties
    }

    /// The number of a property's field; 0 for one that there is not. The fields that a class writes by hand have numbers of their own: relationships
    /// are counted from far above them.
    func number(of property: String) -> Int { place(of: property).map { number(at: $0) } ?? 0 }

    /// The place of a property that the class has.
    func place(of property: String) -> Int? { properties.firstIndex { $0.name == property && $0.isGone == nil } }

    /// The number of the field of the property at a place.
    func number(at place: Int) -> Int {
        isHandCoded == true && properties[place].relationship != nil ? Self.firstReference + place : place + 1
    }

    private static let firstReference = 0x8000

    /// The property of a field; `nil` for a number that none has, and for a value that is written by hand.
    subscript(field number: Int) -> Property? {
        let place = isHandCoded == true ? number - Self.firstReference : number - 1
        return properties.indices.contains(place) ? properties[place] : nil
    }

    /// What the fields hold that have values.
    var types: [Int: StoredType] {
        guard isHandCoded != true else { return [:] }
        var types: [Int: StoredType] = [:]
        for (index, property) in properties.enumerated() where property.relationship == nil {
            types[index + 1] = try? StoredType(parsing: property.type)
        }
        return types
    }

    /// Whether older records may hold references that the class does not read any more.
    var hasFormerReferences: Bool {
        properties.contains { property in property.relationship.map { property.isGone != nil || $0.isDerived } ?? false }
    }

    func encoded() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // Strings, numbers and flags: there is nothing that could fail.
        return (try? Array(encoder.encode(self))) ?? []
    }

    init(decoding bytes: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(bytes)) }
}
