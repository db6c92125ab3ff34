/// Makes a final class one that a store keeps.
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
/// Every `var` with storage is stored. A value can be of any type that is a ``StoredValue`` or `Codable`, or an optional of it; objects of other
/// stored classes need `@Relationship`; what shall not be stored, ``Transient()``. The macro adds:
///
/// - accessors: reading a property of an object whose values are still in the store reads them; changing one marks the object for the next save; both
///   are told to Observation, so that views and `withObservationTracking` follow the property;
/// - the codec, and ``StoredObject/objectSchema`` with key paths and indexes;
/// - where the class declares no initializer of its own (beside convenience ones), one with a parameter for each property, in their order. What has an
///   initial value, is optional or a relationship may be left out.
///
/// A property has a storage beside it, `_title`, and one declared as an array of objects has the list itself, `$songs`.
///
/// ## Initial values
/// They count where an object is made, for records without the field (those that were written before the property was declared), and where a record cannot be
/// read. Without one the ``StoredValue/blank`` value of the type is taken, or the ``StoredValue/substitute``. Swift evaluates them for objects made from records too, in vain, and twice where the
/// initializer that the macro adds takes them: an expression that costs something, or counts, belongs into an initializer of the class.
///
/// ## Isolation
/// A stored class belongs to no actor: its objects are used where their context is. In a module whose declarations are on the main actor by
/// default, write `@Stored nonisolated final class`.
///
/// ## What is refused, at the property where it can be mended
/// Classes that are generic, not final, within a function or a generic type, on a global actor or with a superclass; structures, enumerations, actors;
/// `let`, `lazy`, `weak`, observers (`didSet`), several names in one declaration, a missing type, tuples, functions, `Any`, properties within `#if`.
///
/// - Parameters:
///   - name: The name of the class in the store, a literal. By default that of the class, without the types that it is nested in. Give it when the
///     class is renamed and the store shall go on calling it by the old name.
///   - formerNames: Names that the class had in the store before: a store that knows one of them calls it by the new name when it is opened.
///   - version: The version of the class, from 1, written with each record. ``StoredObject/migrate(from:)`` is told that of older records.
///   - indexes: Compound indexes: for each the names of its properties, the most significant first.
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

/// Says what a property of a stored class was called before, so that records which hold it under that name are read.
///
/// ```swift
/// @Stored(originalName: "year") var released: Int?
/// ```
///
/// The store takes the new name when it is opened; nothing is rewritten.
///
/// - Parameter originalName: The former name, a literal.
@attached(peer)
public macro Stored(originalName: String) = #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")
