public import CairnGraph

/// What the files of BNRPersistence do not say: which fields the objects of each class write, and which properties of stored classes they become.
///
/// ```swift
/// let layout = BNRLayout(classes: [
///     BNRClassLayout("Song", fields: [
///         BNRField(.string, "title"),                             // [buffer readString]
///         BNRField(.uint32, "seconds"),
///     ]),
///     BNRClassLayout("Playlist", fields: [
///         BNRField(.string, "title"),
///         BNRField(.array(of: "Song"), "songs"),
///     ]),
/// ])
/// ```
///
/// ``init(json:)`` reads one from a file, for the tool.
public struct BNRLayout: Sendable {
    /// Whether a byte with the version of the class is before each object, as by default (`usesPerInstanceVersioning`). Stores from before April 2010
    /// do not have it.
    public var isVersioned: Bool
    /// The classes to be imported. Others are left, and references to them are reported.
    public var classes: [BNRClassLayout]
    /// What named buffers hold: the first that goes with a name counts. Others are imported as bytes.
    public var names: [BNRNameLayout]

    public init(isVersioned: Bool = true, classes: [BNRClassLayout], names: [BNRNameLayout] = []) {
        self.isVersioned = isVersioned
        self.classes = classes
        self.names = names
    }
}

/// What the objects of a class wrote, and what becomes of it.
public struct BNRClassLayout: Sendable {
    /// Reads the values of an object, by the properties that they become.
    ///
    /// - Throws: Whatever makes the object count as damaged.
    public typealias Read = @Sendable (_ buffer: inout BNRBuffer) throws -> [String: BNRValue]

    /// The name of the class in BNRPersistence, which is that of its file.
    public var name: String
    /// The name of the class in the store: that of the Swift class, or what `@Stored(name:)` says.
    public var storedName: String
    /// By which number references to any class tell it; `nil`: as its file says.
    public var number: UInt8?
    /// Whether objects may have more bytes than are read. By default that counts as damage, since it shows that the layout is wrong.
    public var ignoresRest: Bool
    /// How objects are read.
    public var content: Content

    /// How objects are read.
    public enum Content: Sendable {
        /// Field by field, in the order of `readContentFromBuffer:`.
        case fields([BNRField])
        /// By a closure, as `readContentFromBuffer:` did. It is called twice for each object: to know which can be read, before any is stored, and to store
        /// them.
        case closure(Read)
    }

    /// A class whose objects are read field by field.
    ///
    /// - Parameters:
    ///   - name: The name of the class in BNRPersistence.
    ///   - storedName: The name in the store. `nil`: the same.
    ///   - number: By which number references to any class tell it; `nil`: as its file says.
    ///   - ignoresRest: Whether objects may have more bytes than are read. Default: false, it counts as damage.
    ///   - fields: The fields, in the order of `readContentFromBuffer:`.
    public init(_ name: String, as storedName: String? = nil, number: UInt8? = nil, ignoresRest: Bool = false, fields: [BNRField]) {
        self.name = name
        self.storedName = storedName ?? name
        self.number = number
        self.ignoresRest = ignoresRest
        content = .fields(fields)
    }

    /// A class whose objects are read by a closure.
    public init(_ name: String, as storedName: String? = nil, number: UInt8? = nil, ignoresRest: Bool = false, read: @escaping Read) {
        self.name = name
        self.storedName = storedName ?? name
        self.number = number
        self.ignoresRest = ignoresRest
        content = .closure(read)
    }
}

/// A field of an object: one call of `readContentFromBuffer:`.
public struct BNRField: Hashable, Sendable {
    public var kind: BNRFieldKind
    /// The property of the stored class; `nil`: the field is read and left.
    public var property: String?
    /// The type of the property, where the store is made from the layout; `nil`: as the field is written. Where the class is there already, its type counts.
    public var storedType: StoredType?
    /// The versions of the class that wrote the field. The default is all.
    public var versions: ClosedRange<UInt8>

    public init(_ kind: BNRFieldKind, _ property: String?, as storedType: StoredType? = nil, versions: ClosedRange<UInt8> = 0...255) {
        self.kind = kind
        self.property = property
        self.storedType = storedType
        self.versions = versions
    }
}

/// What a named buffer holds.
public struct BNRNameLayout: Hashable, Sendable {
    /// Which names.
    public enum Names: Hashable, Sendable {
        case name(String)
        case prefix(String)
    }

    public var names: Names
    public var kind: BNRFieldKind
    /// The type of the named value; `nil`: as it is written.
    public var storedType: StoredType?

    public init(_ names: Names, _ kind: BNRFieldKind, as storedType: StoredType? = nil) {
        self.names = names
        self.kind = kind
        self.storedType = storedType
    }

    func includes(_ name: String) -> Bool {
        switch names {
        case .name(let own): own == name
        case .prefix(let prefix): name.hasPrefix(prefix)
        }
    }
}
