import Observation

/// A stored class as its store knows it: name, version, properties, indexes. `@Stored` writes it.
public struct ObjectSchema: @unchecked Sendable {
    /// The name in the store: that of the class, unless `@Stored(name:)` gave another.
    public let name: String
    /// The names that the class had before.
    public let formerNames: [String]
    /// The version of the class, written with each record; ``StoredObject/migrate(from:)`` is told it. 1 by default.
    public let version: UInt8
    /// The properties, in the order of their declaration.
    public let properties: [ObjectProperty]
    /// Single and compound indexes.
    public let indexes: [ObjectIndex]
    /// The properties that are searched as text.
    public let searchable: [String]
    /// Whether the class reads and writes its records itself (``HandCodedObject``).
    public let isHandCoded: Bool
    let type: any StoredObject.Type
    /// An object of the class as one that is stored: costs less than a cast.
    let cast: (AnyObject) -> any StoredObject
    let indexOfKeyPath: [AnyKeyPath: Int]

    public init<Object: StoredObject>(
        _ type: Object.Type,
        name: String,
        formerNames: [String] = [],
        version: UInt8 = 1,
        properties: [ObjectProperty],
        indexes: [ObjectIndex] = [],
        searchable: [String] = [],
        isHandCoded: Bool = false
    ) {
        self.type = type
        cast = { unsafe unsafeDowncast($0, to: Object.self) }
        self.name = name
        self.formerNames = formerNames
        self.version = version
        self.properties = properties
        self.indexes = indexes
        self.searchable = searchable
        self.isHandCoded = isHandCoded
        indexOfKeyPath = Dictionary(properties.enumerated().map { ($1.keyPath, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

/// A property of a stored class.
public struct ObjectProperty: @unchecked Sendable {
    /// Its name.
    public let name: String
    /// The names that it had before, under which older records hold it.
    public let formerNames: [String]
    /// What the store keeps of it.
    public let kind: Kind
    let keyPath: AnyKeyPath
    /// The text of an object, where the property holds text, or text or nothing.
    private(set) var text: ((any StoredObject) -> String?)?
    /// Whether the property reads as something where its record cannot be read.
    let hasSubstitute: () -> Bool
    /// Tells observers of an object that the property changes, or has changed.
    let tell: (any StoredObject, ObservationRegistrar, Moment) -> Void

    enum Moment { case willChange, didChange }

    /// What a property holds.
    public enum Kind: Sendable {
        case value(StoredType)
        case relationship(ObjectRelationship)
    }

    /// A property with a value, whose declaration may have a default.
    public static func value<Object: StoredObject, Value: StoredValue>(
        _ name: String,
        _ keyPath: KeyPath<Object, Value>,
        formerNames: [String] = [],
        hasDefault: Bool = false
    ) -> ObjectProperty {
        var property = ObjectProperty(name, formerNames, .value(Value.storedType), keyPath) { hasDefault || Value.substitute != nil }
        if Value.self is any SearchableText.Type {
            property.text = { unsafe (unsafeDowncast($0, to: Object.self)[keyPath: keyPath] as? any SearchableText)?.searchedText }
        }
        return property
    }

    init<Object: StoredObject, Value>(
        _ name: String,
        _ formerNames: [String],
        _ kind: Kind,
        _ keyPath: KeyPath<Object, Value>,
        hasSubstitute: @escaping () -> Bool = { true }
    ) {
        self.hasSubstitute = hasSubstitute
        self.name = name
        self.formerNames = formerNames
        self.kind = kind
        self.keyPath = keyPath
        tell = { object, registrar, moment in
            let object = unsafe unsafeDowncast(object, to: Object.self)
            switch moment {
            case .willChange: registrar.willSet(object, keyPath: keyPath)
            case .didChange: registrar.didSet(object, keyPath: keyPath)
            }
        }
    }
}

/// What happens to the objects that a relationship leads to when its owner is deleted.
public enum DeleteRule: Sendable, Hashable {
    /// They stay, and their references to the owner go. What is not told otherwise.
    case nullify
    /// They are deleted too.
    case cascade
    /// While there are any, the owner cannot be deleted.
    case deny
}

/// An index over one property, or several.
public struct ObjectIndex: @unchecked Sendable {
    /// The names of the properties, the most significant first.
    public let properties: [String]
    /// Whether no two objects may have the same values. `nil` in one of them excepts an object.
    public let isUnique: Bool
    /// Appends the key of an object, an element for each property.
    let encode: (any StoredObject, inout KeyEncoder) -> Void

    /// An index as the macro makes it.
    ///
    /// - Parameters:
    ///   - properties: Their names, the most significant first.
    ///   - isUnique: Whether no two objects may have the same values. Default: false.
    ///   - encode: Appends an element for each property to the encoder.
    public init<Object: StoredObject>(
        _ properties: [String],
        isUnique: Bool = false,
        encode: @escaping @Sendable (Object, inout KeyEncoder) -> Void
    ) {
        self.properties = properties
        self.isUnique = isUnique
        self.encode = { object, encoder in encode(unsafe unsafeDowncast(object, to: Object.self), &encoder) }
    }
}
