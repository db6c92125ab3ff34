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
            "stored properties need their type written down",
            fixIt: "add ': \(type)'",
            fixed: "var count: \(type) = \(value)"
        ).check()
    }

    @Test(arguments: ["make()", "[1, \"a\"]", "Song.first", "[]"])
    func elseTheTypeIsAskedFor(_ value: String) {
        Self.property("var ‸count = \(value)", "missing-type", "stored properties need their type written down").check()
    }

    @Test(arguments: [
        property(
            "‸let a: Int",
            "constant",
            "stored properties are 'var': their values are read after the object was made; 'private(set) var' keeps others from changing one",
            fixIt: "replace 'let' with 'var'",
            fixed: "var a: Int"
        ),
        property(
            "‸lazy var a: Int = 0",
            "modifier",
            "a property with 'lazy' cannot be stored; it can be kept in memory alone, with @Transient",
            fixIt: "add '@Transient'",
            fixed: "@Transient lazy var a: Int = 0"
        ),
        property(
            "‸weak var a: Song?",
            "modifier",
            "a property with 'weak' cannot be stored; it can be kept in memory alone, with @Transient",
            fixIt: "add '@Transient'",
            fixed: "@Transient weak var a: Song?"
        ),
        property(
            "var a: Int = 0 ‸{\n        didSet {\n        }\n    }",
            "observers",
            "stored properties have no 'willSet' and 'didSet'; changes can be observed with Observation"
        ),
        property("var ‸a: Int, b: Int", "several-names", "@Stored needs a declaration of its own for each property"),
        property("var ‸(a, b) = (1, 2)", "pattern", "@Stored needs a property with one name; declare the parts one by one"),
        property("var ‸_$a: Int", "taken-name", "names that begin with '_$' are used by stored objects themselves"),
        property("var ‸isFault: Bool", "taken-name", "this name is used by stored objects themselves"),
        property(
            "#if DEBUG\n    ‸var a: Int = 0\n    #endif",
            "conditional",
            "a stored property cannot be inside '#if': the macro does not see which clause is compiled; a @Transient one can"
        ),
    ])
    func declarationsThatCannotBeStoredAreRefused(_ refusal: Refusal) { refusal.check() }

    @Test(arguments: [
        property("var a: ‸(Int, Int)", "unsupported-type", "tuples cannot be stored; use a struct that is Codable"),
        property("var a: ‸(Int, Int)?", "unsupported-type", "tuples cannot be stored; use a struct that is Codable"),
        property("var a: ‸() -> Void", "unsupported-type", "functions cannot be stored; keep one in memory with @Transient"),
        property("var a: ‸(@Sendable () -> Void)?", "unsupported-type", "functions cannot be stored; keep one in memory with @Transient"),
        property(
            "var a: ‸any Equatable",
            "unsupported-type",
            "values of any type cannot be stored; for objects of several classes use @Relationship"
        ),
        property(
            "var a: ‸Any",
            "unsupported-type",
            "values of any type cannot be stored; for objects of several classes use @Relationship"
        ),
        property("var a: ‸Int.Type", "unsupported-type", "types cannot be stored"),
        property("var a: ‸ObjectSet<Song>", "missing-relationship", "a property with objects needs @Relationship"),
        property(
            "var a: ‸String!",
            "implicitly-unwrapped",
            "an implicitly unwrapped optional would trap where the value is missing",
            fixIt: "replace '!' with '?'",
            fixed: "var a: String?"
        ),
    ])
    func typesThatCannotBeStoredAreRefused(_ refusal: Refusal) { refusal.check() }

    @Test(arguments: [
        property(
            "@Relationship var a: ‸Album",
            "relationship-type",
            "a relationship with one object is optional: the object may be deleted",
            fixIt: "replace 'Album' with 'Album?'",
            fixed: "@Relationship var a: Album?"
        ),
        property(
            "@Relationship var a: ‸any Playable",
            "relationship-type",
            "a relationship with one object is optional: the object may be deleted",
            fixIt: "replace 'any Playable' with '(any Playable)?'",
            fixed: "@Relationship var a: (any Playable)?"
        ),
        property(
            "@Relationship var a: ‸Set<Album>",
            "relationship-type",
            "a relationship without order is an ObjectSet",
            fixIt: "replace 'Set<Album>' with 'ObjectSet<Album>'",
            fixed: "@Relationship var a: ObjectSet<Album>"
        ),
        property(
            "@Relationship var a: ‸[String: Album]",
            "relationship-type",
            "a relationship with keys is an ObjectDictionary",
            fixIt: "replace '[String: Album]' with 'ObjectDictionary<String, Album>'",
            fixed: "@Relationship var a: ObjectDictionary<String, Album>"
        ),
        property(
            "@Relationship var a: ‸[Album]?",
            "optional-collection",
            "a relationship with many objects is not optional; without objects it is empty",
            fixIt: "replace '[Album]?' with '[Album]'",
            fixed: "@Relationship var a: [Album]"
        ),
        property("@Relationship var a: Album? = ‸Album()", "relationship-default", "a relationship begins empty; set it in an initializer"),
        property(
            "@Relationship(inverse: ‸\\.songs) var a: Album?",
            "inverse",
            "the inverse is a key path with its class, such as \\Album.songs, or the name of a property of the one class"
        ),
        property(
            "@Relationship(inverse: ‸\"songs\") var a: ObjectSet<any Playable>",
            "inverse",
            "the inverse is a key path with its class, such as \\Album.songs, or the name of a property of the one class"
        ),
        property(
            "‸@Indexed @Relationship var a: Album?",
            "indexed-relationship",
            "a relationship cannot be in an index; the inverse leads to the same objects"
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
            "@Unique has no meaning beside @Transient: the property is not stored"
        ),
        property(
            "@Transient var ‸a: Int",
            "transient-default",
            "a @Transient property needs an initial value: the store makes objects without calling an initializer of the class"
        ),
        property(
            "@Transient let ‸a: Int?",
            "transient-default",
            "a @Transient property needs an initial value: the store makes objects without calling an initializer of the class"
        ),
        property(
            "‸@Indexed @Unique var a: Int",
            "indexed-unique",
            "@Unique is an index already",
            fixIt: "remove '@Indexed'",
            fixed: "@Unique var a: Int"
        ),
        property(
            "@Stored(originalName: ‸\"\") var a: Int",
            "original-name",
            "originalName: must be a non-empty string literal without escapes and interpolations"
        ),
        property("@Stored(originalName: ‸\"a\") var a: Int", "original-name", "this is the name that the property has"),
        property("@Stored(originalName: ‸\"b\") var a: Int\n    var b: Int", "original-name", "'b' is the name of another property"),
    ])
    func attributesThatMakeNoSenseAreRefused(_ refusal: Refusal) { refusal.check() }

    @Test func attributesWithoutAStoredClassAreRefused() {
        Refusal(
            "final class Song {\n    ‸@Indexed var a: Int = 0\n}",
            "marker",
            "@Indexed is for properties of a class with @Stored"
        ).check()
    }
}
