/// Makes a final class storable in an object store.
///
/// ```swift
/// @Stored final class Song {
///     @Indexed var artist: String
///     var title: String
///     var seconds: Int = 0
///     var released: Date?
///     @Transient var isPlaying = false
///     @Relationship(inverse: \Album.songs) var album: Album?
/// }
/// ```
///
/// Every stored `var` is stored. A value can have any type that is a `StoredValue` or `Codable`, or an optional of one. Properties that refer to objects of
/// stored classes need `@Relationship`; properties that should not be stored need ``Transient()``. The macro adds:
///
/// - accessors: reading a property of an object whose values have not been read yet reads them; changing one marks the object for the next save; both are
///   reported to Observation, so views and `withObservationTracking` can follow the property;
/// - the codec, and `StoredObject.objectSchema` with key paths and indexes;
/// - if the class declares no designated initializer, one with a parameter for each property, in order. Parameters of properties that have an initial
///   value, are optional or are relationships can be omitted.
///
/// Each property has storage named like `_title`; a property declared as an array of objects also has the list itself, `$songs`.
///
/// ## Initial values
/// An initial value is used for new objects, for records without the field (those written before the property was declared), and for records that cannot be
/// read. A property without one uses the `StoredValue.blank` value of its type, or the `StoredValue.substitute`. Swift also evaluates initial values
/// for objects made from records, without using them, and twice if the initializer that the macro adds uses them: put expressions that are expensive or
/// have side effects into an initializer of the class instead.
///
/// ## Isolation
/// A stored class is not isolated to an actor: its objects are used where their context is. In a module whose declarations are isolated to the main actor
/// by default, write `@Stored nonisolated final class`.
///
/// ## What the compiler rejects
/// Classes that are generic, not final, inside a function or a generic type, isolated to a global actor, or with a superclass; structures, enumerations, actors;
/// `let`, `lazy`, `weak`, observers (`didSet`), several names in one declaration, a missing type, tuples, functions, `Any`, properties within `#if`.
///
/// - Parameters:
///   - name: The name of the class in the store, a literal. By default the name of the class, without the types that it is nested in. Specify it if you
///     rename the class and want to keep the old name in the store.
///   - formerNames: Earlier names of the class in the store. When a store that uses one of them is opened, the class gets the new name.
///   - version: The version of the class, starting from 1, which is written with each record. `StoredObject.migrate(from:)` gets the version of older records.
///   - indexes: Compound indexes: for each, the names of its properties, most significant first.
@attached(
    member,
    names: named(_$state),
    named(init(_$fault:)),
    named(init),
    named(_$read),
    named(_$write),
    named(_$clear),
    named(objectSchema)
)
@attached(memberAttribute)
@attached(extension, conformances: StoredObject)
public macro Stored(name: String? = nil, formerNames: [String] = [], version: UInt8 = 1, indexes: [[String]] = []) =
    #externalMacro(module: "CairnObjectsMacros", type: "StoredMacro")

/// Specifies the former name of a property of a stored class, so that records with that name can be read.
///
/// ```swift
/// @Stored(originalName: "year") var released: Int?
/// ```
///
/// The store adopts the new name when it is opened; nothing is rewritten.
///
/// - Parameter originalName: The former name, a literal.
@attached(peer)
public macro Stored(originalName: String) = #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")
