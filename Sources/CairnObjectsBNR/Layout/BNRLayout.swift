public import CairnGraph

/// A description of BNRPersistence files, which do not describe themselves: the fields of the objects of each class, and the properties that they become.
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
/// ``init(json:)`` reads a layout from JSON, for the tool.
public struct BNRLayout: Sendable {
    /// Whether each object begins with a byte that is the version of its class. This is the default (`usesPerInstanceVersioning`), but stores from before
    /// April 2010 do not have it.
    public var isVersioned: Bool
    /// The classes to import. Others are ignored, and references to them are reported.
    public var classes: [BNRClassLayout]
    /// The contents of named buffers: the first that matches a name is used. Others are imported as bytes.
    public var names: [BNRNameLayout]

    public init(isVersioned: Bool = true, classes: [BNRClassLayout], names: [BNRNameLayout] = []) {
        self.isVersioned = isVersioned
        self.classes = classes
        self.names = names
    }
}

/// The contents of the objects of a class, and what they become.
public struct BNRClassLayout: Sendable {
    /// Reads an object; returns its values by property.
    ///
    /// - Throws: Any error; the object then counts as damaged.
    public typealias Read = @Sendable (_ buffer: inout BNRBuffer) throws -> [String: BNRValue]

    /// The name of the class in BNRPersistence, which is the name of its file.
    public var name: String
    /// The name of the class in the store: the name of the Swift class, or the one given in `@Stored(name:)`.
    public var storedName: String
    /// The number of the class in references to objects of any class; `nil` for the number in its file.
    public var number: UInt8?
    /// Whether objects may have more bytes than are read. By default, this counts as damage, since it shows that the layout is wrong.
    public var ignoresRest: Bool
    /// How objects are read.
    public var content: Content

    /// How objects are read.
    public enum Content: Sendable {
        /// Field by field, in the order of `readContentFromBuffer:`.
        case fields([BNRField])
        /// By a closure, like `readContentFromBuffer:`. It is called twice for each object: to check that it can be read, and to import it.
        case closure(Read)
    }

    /// A class whose objects are read field by field.
    ///
    /// - Parameters:
    ///   - name: The name of the class in BNRPersistence.
    ///   - storedName: The name in the store; `nil` for the same name.
    ///   - number: The number of the class in references to objects of any class; `nil` for the number in its file.
    ///   - ignoresRest: Whether objects may have more bytes than are read. By default, this counts as damage.
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

/// A field of an object: a call in `readContentFromBuffer:`.
public struct BNRField: Hashable, Sendable {
    public var kind: BNRFieldKind
    /// The property of the stored class; `nil` if the field is read and skipped.
    public var property: String?
    /// The type of the property if the class is created from the layout; `nil` for the type of the field. If the class exists, its type is used.
    public var storedType: StoredType?
    /// The versions of the class that wrote the field. The default is all versions.
    public var versions: ClosedRange<UInt8>

    public init(_ kind: BNRFieldKind, _ property: String?, as storedType: StoredType? = nil, versions: ClosedRange<UInt8> = 0...255) {
        self.kind = kind
        self.property = property
        self.storedType = storedType
        self.versions = versions
    }
}

/// The contents of a named buffer.
public struct BNRNameLayout: Hashable, Sendable {
    /// The names that it applies to.
    public enum Names: Hashable, Sendable {
        case name(String)
        case prefix(String)
    }

    public var names: Names
    public var kind: BNRFieldKind
    /// The type of the named value; `nil` for the type as written.
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
