import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import Testing

@testable import CairnObjectsMacros

private let nameRule = "the name in the store must be a non-empty string literal without escapes or interpolations"

struct ClassDiagnosticTests {
    @Test(arguments: [
        Refusal(
            "@Stored ‸class Song {\n    var a: Int\n}",
            "not-final",
            "a stored class must be final: '@Stored final class Song'",
            fixIt: "add 'final'",
            fixed: "@Stored final class Song {\n    var a: Int\n}"
        ),
        Refusal(
            "@Stored\npublic ‸class Song {\n}",
            "not-final",
            "a stored class must be final: '@Stored final class Song'",
            fixIt: "add 'final'",
            fixed: "@Stored\npublic final class Song {\n}"
        ),
        Refusal(
            "@Stored open ‸class Song {\n}",
            "not-final",
            "a stored class must be final: '@Stored final class Song'",
            fixIt: "add 'final'",
            fixed: "@Stored public final class Song {\n}"
        ),
    ])
    func aClassThatIsNotFinalIsRefused(_ refusal: Refusal) { refusal.check() }

    @Test(arguments: ["struct", "enum", "actor"])
    func nothingButAClassIsStored(_ keyword: String) {
        let message = "@Stored applies only to final classes: an object is shared by the code that uses it, and tracks its changes"
        Refusal("@Stored ‸\(keyword) Song {\n}", "not-class", message).check()
    }

    @Test(arguments: [
        Refusal(
            "@Stored final class Box‸<T> {\n}",
            "generic",
            "a generic class cannot be stored: the store identifies a class by a single name"
        ),
        Refusal(
            "struct Box<T> {\n    @Stored final class ‸Song {\n    }\n}",
            "generic",
            "a class inside a generic type cannot be stored: the store identifies a class by a single name"
        ),
        Refusal(
            "func make() {\n    @Stored final class ‸Song {\n    }\n}",
            "local",
            "a class inside a function cannot be stored; declare it at file scope or in a type"
        ),
        Refusal(
            "‸@MainActor @Stored final class Song {\n}",
            "isolated",
            "a stored class cannot be isolated to an actor: its objects are used where their context is; isolate the context instead"
        ),
        Refusal(
            "@Stored final class Song: ‸NSObject {\n}",
            "superclass",
            "a stored class cannot have a superclass; use a protocol for what classes share"
        ),
        Refusal(
            "@Stored final class Song: ‸Base {\n    override func play() {\n    }\n}",
            "superclass",
            "a stored class cannot have a superclass; use a protocol for what classes share"
        ),
    ])
    func whereAClassCannotBeStoredItIsRefused(_ refusal: Refusal) { refusal.check() }

    @Test(arguments: [
        Refusal("@Stored(name: ‸\"\") final class Song {\n}", "class-name", nameRule),
        Refusal("@Stored(name: ‸name) final class Song {\n}", "class-name", nameRule),
        Refusal("@Stored(name: ‸\"a\\0b\") final class Song {\n}", "class-name", nameRule),
        Refusal("@Stored(version: ‸0) final class Song {\n}", "version", "versions begin with 1"),
        Refusal(
            "@Stored(indexes: ‸names) final class Song {\n}",
            "indexes",
            "indexes: must be an array of arrays of literals, such as [[\"artist\", \"title\"]]"
        ),
        Refusal("@Stored(indexes: ‸[[]]) final class Song {\n}", "indexes", "an index needs at least one property"),
        Refusal(
            "@Stored(indexes: [[\"a\", ‸\"c\"]]) final class Song {\n    var a: Int\n}",
            "indexes",
            "'Song' has no stored property 'c'"
        ),
        Refusal(
            "@Stored(indexes: [[\"a\", ‸\"a\"]]) final class Song {\n    var a: Int\n}",
            "indexes",
            "'a' is already in this index"
        ),
        Refusal(
            "@Stored(indexes: [[\"a\", \"b\"], [‸\"a\", \"b\"]]) final class Song {\n    var a: Int\n    var b: Int\n}",
            "indexes",
            "this index is declared twice"
        ),
        Refusal(
            "@Stored(indexes: [[‸\"a\"]]) final class Song {\n    @Indexed var a: Int\n}",
            "indexes",
            "this index is declared twice"
        ),
        Refusal(
            "@Stored(indexes: [[‸\"a\"]]) final class Song {\n    @Relationship var a: Song?\n}",
            "indexes",
            "'a' is a relationship, which cannot be in an index"
        ),
        Refusal(
            "@Stored(indexes: [[‸\"a\"]]) final class Song {\n    @Transient var a: Int = 0\n}",
            "indexes",
            "'Song' has no stored property 'a'"
        ),
    ])
    func argumentsThatMakeNoSenseAreRefused(_ refusal: Refusal) { refusal.check() }

    /// Until a new object has all its values, it cannot follow others into their context.
    @Test func relationshipsAssignedBeforeValuesAreWarnedOf() throws {
        let source: DeclSyntax = """
            @Stored final class Song {
                var title: String
                var seconds: Int = 0
                @Relationship var album: Album?
                @Relationship var tags: ObjectSet<Tag>
                init(early: Album) { self.album = early; tags = []; self.title = "" }
                init(late: Album) { title = ""; album = late; self.seconds = 1 }
                convenience init() { self.init(late: Album()) }
            }
            """
        let declaration = try #require(source.as(ClassDeclSyntax.self))
        let attribute = try #require(declaration.attributes.first?.as(AttributeSyntax.self))
        let stored = StoredClass(declaration, attribute: attribute)
        let warnings = stored.initializerWarnings(of: declaration)
        #expect(stored.problems.isEmpty && warnings.map(\.node.trimmedDescription) == ["self.album", "tags"])
        #expect(warnings.allSatisfy { $0.severity == .warning && $0.message.hasPrefix("assign '") && $0.message.contains("after 'title'") })
    }
}
