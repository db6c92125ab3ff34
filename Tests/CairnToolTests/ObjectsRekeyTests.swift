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
        let imported = try cairn("objects", "import", path, "--create", "--passphrase-file", passphrase, stdin: Self.text)
        #expect(imported == Outcome("Stored 1 object and 1 name.\n"))
        #expect(try !showsSecrets())
        #expect(try cairn("objects", "export", path, "--passphrase-file", passphrase) == Outcome(Self.text))
        for outcome in [try cairn("objects", "export", path), try cairn("objects", "export", path, "--key-file", key)] {
            #expect(outcome.status == 3 && outcome.error.hasSuffix("Hint: --key-file or --passphrase-file gives the key.\n"), "\(outcome)")
        }
        let wrapped = try cairn("objects", "rekey", path, "--passphrase-file", passphrase, "--new-key-file", key, "--wrap")
        #expect(wrapped == Outcome("Changed the key.\n"))
        #expect(try cairn("objects", "export", path, "--key-file", key) == Outcome(Self.text))
        let changed = try cairn("objects", "rekey", path, "--key-file", key, "--new-passphrase-file", passphrase)
        #expect(changed == Outcome("Encrypted the store anew.\n"))
        #expect(try cairn("objects", "export", path, "--passphrase-file", passphrase) == Outcome(Self.text))
        #expect(try cairn("objects", "rekey", path, "--passphrase-file", passphrase, "--plain") == Outcome("Decrypted the store.\n"))
        #expect(try cairn("objects", "export", path) == Outcome(Self.text))
        #expect(try cairn("objects", "rekey", path, "--new-key-file", key) == Outcome("Encrypted the store anew.\n"))
        #expect(try !showsSecrets())
        #expect(try cairn("objects", "rekey", path).status == 2)
        #expect(try cairn("objects", "rekey", path, "--plain", "--new-key-file", key).status == 2)
        #expect(try cairn("objects", "rekey", path, "--plain", "--wrap").status == 2)
    }
}
