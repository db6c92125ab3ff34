import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Foundation
import Testing

/// `cairn objects` on encrypted stores.
struct ObjectsRekeyTests {
    // Lives as long as the test.
    private let playground: Playground
    private var path: String { playground.path("music") }

    init() throws { playground = try Playground() }

    private static let text = """
        {"cairn_objects":1}
        {"class":"Song","number":1,"version":1,"properties":[{"name":"title","type":"string"}],"indexes":[{"properties":["title"],"unique":false}]}
        {"object":"1/1","class":"Song","version":1,"values":{"title":"SECRETtitle"}}
        {"name":"SECRETname","object":"1/1"}

        """

    /// Whether any file of the store holds what must not be seen.
    private func showsSecrets() throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: path).contains { name in
            FileManager.default.contents(atPath: path + "/" + name)?.range(of: Data("SECRET".utf8)) != nil
        }
    }

    @Test func encryptedStores() throws {
        let passphrase = try playground.file("passphrase", "correct horse\n")
        let key = try playground.file("key", String(repeating: "0f", count: 32))
        let other = try playground.file("other", String(repeating: "1e", count: 32))
        let imported = try cairn("objects", "import", path, "--create", "--key-file", key, stdin: Self.text)
        #expect(imported == Outcome("Stored 1 object and 1 name.\n"))
        #expect(try !showsSecrets())
        #expect(try cairn("objects", "export", path).error.hasPrefix("Error: \(path) is encrypted, and its key is needed.\n"))
        for outcome in [try cairn("objects", "export", path), try cairn("objects", "export", path, "--key-file", other)] {
            #expect(
                outcome.status == 3 && outcome.error.hasSuffix("Hint: Give the key with --key-file or --passphrase-file.\n"),
                "\(outcome)"
            )
        }
        // Few passphrases, each of which takes seconds without optimization.
        let wrapped = try cairn("objects", "rekey", path, "--key-file", key, "--new-passphrase-file", passphrase, "--wrap")
        #expect(wrapped == Outcome("Changed the key.\n"))
        #expect(try cairn("objects", "export", path, "--key-file", key).status == 3)
        let changed = try cairn("objects", "rekey", path, "--passphrase-file", passphrase, "--new-key-file", other)
        #expect(changed == Outcome("Encrypted the store with the new key.\n"))
        #expect(try cairn("objects", "export", path, "--key-file", other) == Outcome(Self.text))
        #expect(try cairn("objects", "rekey", path, "--key-file", other, "--plain") == Outcome("Decrypted the store.\n"))
        #expect(try cairn("objects", "export", path) == Outcome(Self.text))
        let needless = try cairn("objects", "export", path, "--key-file", key)
        #expect(
            needless.status == 3 && needless.error.hasPrefix("Error: \(path) is not encrypted, but a key was given.\n")
                && needless.error.hasSuffix("\nHint: Leave out the key; 'rekey' encrypts the store.\n"),
            "\(needless)"
        )
        #expect(try cairn("objects", "rekey", path, "--new-key-file", key) == Outcome("Encrypted the store with the new key.\n"))
        #expect(try !showsSecrets())
        #expect(try cairn("objects", "rekey", path).status == 2)
        #expect(try cairn("objects", "rekey", path, "--plain", "--new-key-file", key).status == 2)
        #expect(try cairn("objects", "rekey", path, "--plain", "--wrap").status == 2)
    }

    /// What is left of objects whose key was deleted, without their class.
    @Test func shreddedObjects() throws {
        let passphrase = try playground.file("passphrase", "correct horse\n")
        var options = ObjectStoreOptions()
        options.cipher = try ObjectEncryption(passphrase: "correct horse", cost: #require(ScryptCost(stored: 4)))
        let store = try ObjectStore(path: path, classes: [ToolLetter.self], options: options)
        try store.write { context in
            for (number, user) in ["ada", "ben", "ada"].enumerated() { context.insert(ToolLetter(user: user, text: "letter \(number)")) }
        }
        try store.close()
        func objects(_ arguments: String...) throws -> Outcome {
            let result = try runTool("cairn", ["objects"] + arguments + ["--passphrase-file", passphrase])
            return Outcome(result)
        }
        let export = try objects("export", path)
        #expect(export.status == 0 && export.output.split(separator: "\n").count == 5 && export.error.isEmpty)
        #expect(try objects("shred", path, "ada") == Outcome("Shredded 2 objects.\n"))
        #expect(try objects("shred", path, "ada") == Outcome("Shredded 0 objects.\n"))
        let note = "note: 2 objects are shredded and cannot be read\n"
        let left = try objects("export", path)
        #expect(left.status == 0 && left.output.split(separator: "\n").count == 3 && left.error == note)
        #expect(!left.output.contains("ada") && left.output.contains("letter 1"))
        let list = try objects("list", path, "Letter")
        #expect(list == Outcome("1/2\tuser=\"ben\"\ttext=\"letter 1\"\n", error: note))
        let check = try objects("verify", path)
        #expect(check.status == 0 && check.output.contains("\nnote: 2 objects are shredded\n"), "\(check)")
        let show = try objects("show", path, "Letter", "1")
        #expect(show.status == 3 && show.error.contains("Letter 1 of \(path) cannot be read: it was shredded"), "\(show)")
        #expect(try cairn("objects", "import", playground.path("other"), "--create", stdin: Self.text).status == 0)
        #expect(
            try cairn("objects", "shred", playground.path("other"), "ada").error.contains(
                "is not encrypted, so nothing can be shredded in it"
            )
        )
    }
}

@Stored(name: "Letter") final class ToolLetter {
    var user: String
    var text: String
}

extension ToolLetter: ShreddableObject {
    var shredGroup: String? { user }
}
