import Testing

struct PropertyDiagnosticTests {
    /// A refusal within a class of one property.
    private static func property(_ marked: String, _ id: String, _ message: String, fixIt: String? = nil, fixed: String? = nil) -> Refusal {
        Refusal(inClass(marked), id, message, fixIt: fixIt, fixed: fixed.map(inClass))
    }

    private static func inClass(_ property: String) -> String { "@Stored final class Song {\n    \(property)\n}" }

    @Test(arguments: [
        ("3", "Int"), ("-3", "Int"), ("0.5", "Double"), ("\"a\"", "String"), ("true", "Bool"), ("[1, 2]", "[Int]"), ("UUID()", "UUID"),
        ("[String]()", "[String]"), ("Foundation.Date()", "Foundation.Date"),
    ])
    func theTypeIsOfferedWhereTheInitialValueTellsIt(_ value: String, _ type: String) {
        Self.property(
            "var ‸count = \(value)",
            "missing-type",
            "stored properties need an explicit type",
            fixIt: "add ': \(type)'",
            fixed: "var count: \(type) = \(value)"
        ).check()
    }

    @Test(arguments: ["make()", "[1, \"a\"]", "Song.first", "[]"])
    func elseTheTypeIsAskedFor(_ value: String) {
        Self.property("var ‸count = \(value)", "missing-type", "stored properties need an explicit type").check()
    }

    @Test(arguments: [
        property(
            "‸let a: Int",
            "constant",
            "stored properties must be 'var': their values are read after the object is created; use 'private(set) var' to keep other code from changing one",
            fixIt: "replace 'let' with 'var'",
            fixed: "var a: Int"
        ),
        property(
            "‸lazy var a: Int = 0",
            "modifier",
            "a property with 'lazy' cannot be stored; keep it in memory only, with @Transient",
            fixIt: "add '@Transient'",
            fixed: "@Transient lazy var a: Int = 0"
        ),
        property(
            "‸weak var a: Song?",
            "modifier",
            "a property with 'weak' cannot be stored; keep it in memory only, with @Transient",
            fixIt: "add '@Transient'",
            fixed: "@Transient weak var a: Song?"
        ),
        property(
            "var a: Int = 0 ‸{\n        didSet {\n        }\n    }",
            "observers",
            "stored properties cannot have 'willSet' or 'didSet'; use Observation to observe changes"
        ),
        property("var ‸a: Int, b: Int", "several-names", "@Stored needs a separate declaration for each property"),
        property("var ‸(a, b) = (1, 2)", "pattern", "@Stored needs a property with one name; declare each part separately"),
        property("var ‸_$a: Int", "taken-name", "names that begin with '_$' are reserved for the implementation of stored objects"),
        property("var ‸isFault: Bool", "taken-name", "this name is reserved for the implementation of stored objects"),
        property(
            "#if DEBUG\n    ‸var a: Int = 0\n    #endif",
            "conditional",
            "a stored property cannot be inside '#if': the macro cannot see which branch is compiled; a @Transient one can"
        ),
    ])
    func declarationsThatCannotBeStoredAreRefused(_ refusal: Refusal) { refusal.check() }

    @Test(arguments: [
        property("var a: ‸(Int, Int)", "unsupported-type", "tuples cannot be stored; use a Codable struct"),
        property("var a: ‸(Int, Int)?", "unsupported-type", "tuples cannot be stored; use a Codable struct"),
        property("var a: ‸() -> Void", "unsupported-type", "functions cannot be stored; keep them in memory with @Transient"),
        property("var a: ‸(@Sendable () -> Void)?", "unsupported-type", "functions cannot be stored; keep them in memory with @Transient"),
        property(
            "var a: ‸any Equatable",
            "unsupported-type",
            "values without a specific type cannot be stored; for objects of several classes, use @Relationship"
        ),
        property(
            "var a: ‸Any",
            "unsupported-type",
            "values without a specific type cannot be stored; for objects of several classes, use @Relationship"
        ),
        property("var a: ‸Int.Type", "unsupported-type", "types cannot be stored"),
        property("var a: ‸ObjectSet<Song>", "missing-relationship", "a property that holds stored objects needs @Relationship"),
        property(
            "var a: ‸String!",
            "implicitly-unwrapped",
            "an implicitly unwrapped optional would trap if the value were missing",
            fixIt: "replace '!' with '?'",
            fixed: "var a: String?"
        ),
    ])
    func typesThatCannotBeStoredAreRefused(_ refusal: Refusal) { refusal.check() }

    @Test(arguments: [
        property(
            "@Relationship var a: ‸Album",
            "relationship-type",
            "a to-one relationship must be optional: the object may be deleted",
            fixIt: "replace 'Album' with 'Album?'",
            fixed: "@Relationship var a: Album?"
        ),
        property(
            "@Relationship var a: ‸any Playable",
            "relationship-type",
            "a to-one relationship must be optional: the object may be deleted",
            fixIt: "replace 'any Playable' with '(any Playable)?'",
            fixed: "@Relationship var a: (any Playable)?"
        ),
        property(
            "@Relationship var a: ‸Set<Album>",
            "relationship-type",
            "an unordered relationship must be an ObjectSet",
            fixIt: "replace 'Set<Album>' with 'ObjectSet<Album>'",
            fixed: "@Relationship var a: ObjectSet<Album>"
        ),
        property(
            "@Relationship var a: ‸[String: Album]",
            "relationship-type",
            "a relationship with keys must be an ObjectDictionary",
            fixIt: "replace '[String: Album]' with 'ObjectDictionary<String, Album>'",
            fixed: "@Relationship var a: ObjectDictionary<String, Album>"
        ),
        property(
            "@Relationship var a: ‸[Album]?",
            "optional-collection",
            "a to-many relationship cannot be optional; without objects it is empty",
            fixIt: "replace '[Album]?' with '[Album]'",
            fixed: "@Relationship var a: [Album]"
        ),
        property("@Relationship var a: Album? = ‸Album()", "relationship-default", "a relationship starts empty; set it in an initializer"),
        property(
            "@Relationship(inverse: ‸\\.songs) var a: Album?",
            "inverse",
            "the inverse must be a key path with its class, such as \\Album.songs, or, for a relationship with a single class, the name of a property"
        ),
        property(
            "@Relationship(inverse: ‸\"songs\") var a: ObjectSet<any Playable>",
            "inverse",
            "the inverse must be a key path with its class, such as \\Album.songs, or, for a relationship with a single class, the name of a property"
        ),
        property(
            "‸@Indexed @Relationship var a: Album?",
            "indexed-relationship",
            "a relationship cannot be in an index; use the inverse to find the same objects"
        ),
        property(
            "‸@Searchable @Relationship var a: Album?",
            "searchable-relationship",
            "@Searchable is for text, not for relationships"
        ),
    ])
    func relationshipsThatCannotBeAreRefused(_ refusal: Refusal) { refusal.check() }

    @Test(arguments: [
        property(
            "@Transient ‸@Unique var a: Int = 0",
            "stored-transient",
            "@Unique has no effect with @Transient: the property is not stored"
        ),
        property(
            "@Transient var ‸a: Int",
            "transient-default",
            "a @Transient property needs an initial value: the store creates objects without calling an initializer of the class"
        ),
        property(
            "@Transient let ‸a: Int?",
            "transient-default",
            "a @Transient property needs an initial value: the store creates objects without calling an initializer of the class"
        ),
        property(
            "‸@Indexed @Unique var a: Int",
            "indexed-unique",
            "@Unique already creates an index",
            fixIt: "remove '@Indexed'",
            fixed: "@Unique var a: Int"
        ),
        property(
            "@Stored(originalName: ‸\"\") var a: Int",
            "original-name",
            "originalName: must be a non-empty string literal without escapes or interpolations"
        ),
        property("@Stored(originalName: ‸\"a\") var a: Int", "original-name", "the property already has this name"),
        property("@Stored(originalName: ‸\"b\") var a: Int\n    var b: Int", "original-name", "'b' is the name of another property"),
    ])
    func attributesThatMakeNoSenseAreRefused(_ refusal: Refusal) { refusal.check() }

    @Test func attributesWithoutAStoredClassAreRefused() {
        Refusal(
            "final class Song {\n    ‸@Indexed var a: Int = 0\n}",
            "marker",
            "@Indexed applies only to properties of a class with @Stored"
        ).check()
    }
}
