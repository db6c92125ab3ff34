/// Keeps an index over a property of a stored class: fetches by its value, by a range of values or sorted by it need not look at every object.
///
/// The type must be `KeyCodable`, or an optional of such a type; `nil` comes first. Each insertion and each change of the property writes an entry of the
/// index more.
@attached(peer)
public macro Indexed() = #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")

/// Keeps an index over a property of a stored class, in which every value is there once. `nil` may be there often.
///
/// The type must be `KeyCodable`, or an optional of such a type.
@attached(peer)
public macro Unique() = #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")

/// Keeps a text index over a property of a stored class, a `String` or `String?`: ``ObjectContext/search(_:_:_:sortedBy:limit:offset:)-(_,KeyPath<Object,Text>,_,_,_,_)`` and
/// ``ObjectCondition/matches(_:_:)`` find words and parts of words without a look at every object.
///
/// Each insertion writes a small block for each group of three characters in the text that is new to its thousands of neighbours, or changes one; a change of the
/// property those of groups that come or go.
@attached(peer)
public macro Searchable() = #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")

/// Keeps a property of a stored class out of the store: it is in memory alone, as that of any class. It is neither tracked nor observed.
///
/// It needs an initial value, as the store makes objects without calling an initializer of the class. `let`, `lazy`, `weak` and
/// property observers are allowed.
@attached(peer)
public macro Transient() = #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")

/// Says that a property leads to other objects.
///
/// ```swift
/// @Relationship(inverse: \Album.songs) var album: Album?            // one, or none
/// @Relationship var songs: [Song]                                   // in order; an object may be there several times
/// @Relationship var genres: ObjectSet<Genre>                        // in no order, each once
/// @Relationship var byLanguage: ObjectDictionary<String, Title>     // under keys
/// @Relationship var attachments: ObjectList<any Attachment>         // of several classes
/// ```
///
/// A property declared as an array is copied whenever it is read; the list itself is beside it, with a dollar sign:
/// `$songs.append(song)`. `ObjectList<Song>` as the type gives the list at once. Relationships begin empty, and initializers may leave them out.
///
/// - Parameters:
///   - inverse: The property of the other class that leads back and is kept in step. Say it at one of the two: Swift cannot resolve key paths that lead
///     to each other's declarations ("circular reference"). Where it shall stand at both, or the property is its own inverse, give the name:
///     `@Relationship(inverse: "songs")`.
///   - onDelete: What happens to the objects when this one is deleted. ``DeleteRule/nullify`` by default.
@attached(peer)
public macro Relationship(inverse: AnyKeyPath? = nil, onDelete: DeleteRule = .nullify) =
    #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")

/// Says that a property leads to other objects of one class, with the inverse by its name.
///
/// ```swift
/// @Relationship(inverse: "friends") var friends: ObjectSet<Person>
/// ```
///
/// The compiler checks the name too.
///
/// - Parameters:
///   - inverse: The name of the property of the other class that leads back, a literal.
///   - onDelete: What happens to the objects when this one is deleted. ``DeleteRule/nullify`` by default.
@attached(peer)
public macro Relationship(inverse: String, onDelete: DeleteRule = .nullify) =
    #externalMacro(module: "CairnObjectsMacros", type: "PropertyMarkerMacro")

/// What `@Stored` writes at the properties: accessors and storage.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_), prefixed(`$`))
public macro _StoredProperty(_ index: Int) = #externalMacro(module: "CairnObjectsMacros", type: "StoredPropertyMacro")
