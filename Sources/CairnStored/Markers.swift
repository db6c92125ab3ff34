/// Maintains an index on a property of a stored class, so that fetching by a value, by a range of values or in sorted order does not examine every object.
///
/// The type must be `KeyCodable`, or an optional of such a type; `nil` sorts first. Each insertion, and each change of the property, writes one more index
/// entry.
@attached(peer)
public macro Indexed() = #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")

/// Maintains a unique index on a property of a stored class: no two objects can have the same value. Any number can have `nil`.
///
/// Values are the same if they are stored as the same bytes: composed and decomposed characters differ, as in queries; so do `0.0` and `-0.0`, which queries find
/// equal, and NaN is the same as itself.
///
/// The type must be `KeyCodable`, or an optional of such a type.
@attached(peer)
public macro Unique() = #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")

/// Maintains a text index on a property of a stored class, a `String` or `String?`: `ObjectContext.search(_:_:_:sortedBy:limit:offset:)` and
/// `ObjectCondition.matches(_:_:)` find words and parts of words without examining every object.
///
/// Each insertion writes or changes a small block for each group of three characters in the text; objects inserted one after the other share these blocks. A
/// change of the property does so for the groups that are added or removed.
@attached(peer)
public macro Searchable() = #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")

/// Excludes a property of a stored class from the store: like the properties of other classes, it exists only in memory. It is neither tracked nor observed.
///
/// It needs an initial value, because the store creates objects without calling an initializer of the class. `let`, `lazy`, `weak` and property observers
/// are allowed.
@attached(peer)
public macro Transient() = #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")

/// Declares that a property refers to other objects.
///
/// ```swift
/// @Relationship(inverse: \Album.songs) var album: Album?            // one, or none
/// @Relationship var songs: [Song]                                   // in order; an object may be there several times
/// @Relationship var genres: ObjectSet<Genre>                        // in no order, each once
/// @Relationship var byLanguage: ObjectDictionary<String, Title>     // under keys
/// @Relationship var attachments: ObjectList<any Attachment>         // of several classes
/// ```
///
/// A property declared as an array is copied whenever it is read. The list itself has the same name with a dollar sign: `$songs.append(song)`. A property
/// declared as `ObjectList<Song>` is the list. Relationships start out empty, and can be omitted in initializers.
///
/// - Parameters:
///   - inverse: The property of the other class that refers back and is kept consistent. Specify it on one of the two only: Swift cannot resolve key
///     paths that refer to each other's declarations ("circular reference"). To specify it on both, or if the property is its own inverse, give the name:
///     `@Relationship(inverse: "songs")`.
///   - onDelete: What happens to the objects when this one is deleted. `DeleteRule.nullify` by default.
@attached(peer)
public macro Relationship(inverse: AnyKeyPath? = nil, onDelete: DeleteRule = .nullify) =
    #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")

/// Declares that a property refers to other objects of one class, with the inverse given by name.
///
/// ```swift
/// @Relationship(inverse: "friends") var friends: ObjectSet<Person>
/// ```
///
/// The compiler checks the name too.
///
/// - Parameters:
///   - inverse: The name of the property of the other class that refers back, a literal.
///   - onDelete: What happens to the objects when this one is deleted. `DeleteRule.nullify` by default.
@attached(peer)
public macro Relationship(inverse: String, onDelete: DeleteRule = .nullify) =
    #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")

/// SwiftData's order and label.
@available(*, unavailable, message: "the rule comes last and is named 'onDelete': @Relationship(inverse: …, onDelete: .cascade)")
@attached(peer)
public macro Relationship(deleteRule: DeleteRule, inverse: AnyKeyPath? = nil) =
    #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")

/// The macro that `@Stored` attaches to properties: accessors and storage.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_), prefixed(`$`))
public macro _StoredProperty(_ index: Int) = #externalMacro(module: "CairnObjectsMacros", type: "StoredPropertyMacro")
