import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Foundation
import Testing

struct EncryptedEditingTests {
    @Test func encryptedObjectsAreEditedWithTheirKey() throws {
        let safe = Safe()
        let typed = try safe.open(safe.cipher)
        try typed.write { context in
            context.insert(Patient(city: "Ghent", number: "1", name: "Ada"))
            context.insert(Ward(title: "North"))
        }
        try typed.close()
        let store = try safe.open(safe.cipher, [])
        let editor = try ObjectEditor(store)
        let patient = ObjectID("1/1")!
        let secret = "Bruges-by-the-sea"
        try editor.perform([
            .set(patient, ObjectDump.Field(name: "city", value: .value(.text(secret)))),
            .set(patient, ObjectDump.Field(name: "ward", value: .one(ObjectID("2/1")))),
        ])
        editor.close()
        try store.close()
        #expect(try safe.filesWith([secret]).isEmpty)
        let again = try safe.open(safe.cipher)
        try again.read { (context) throws in
            #expect(try context.fetch(Patient.self, where: \Patient.city == secret).first?.ward?.title == "North")
        }
        #expect(try again.verify().isIntact)
        try again.close()
    }

    @Test func objectsWithGroupsAreLeftAlone() throws {
        let safe = Safe()
        let typed = try safe.open(safe.cipher, mailbox)
        try fillMailbox(typed, 3)
        try typed.close()
        let editor = try ObjectEditor(try safe.open(safe.cipher, []))
        #expect(
            editor.obstacle(toClass: "Message") != nil && editor.obstacle(toClass: "Folder")?.contains("Folder.messages refers to") == true
        )
        let edit = ObjectEdit.set(messageID(1), ObjectDump.Field(name: "text", value: .value(.text("unsealed"))))
        #expect(code { try editor.perform([edit]) } == .notSupported)
    }
}
