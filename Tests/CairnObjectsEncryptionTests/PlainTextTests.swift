import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Crypto
import Foundation
import Testing

/// Nothing of what is stored is in the files, wherever it might have got.
struct PlainTextTests {
    @Test func theWordsAreInPlainStores() throws {
        // Otherwise the other tests find nothing wherever they look.
        let safe = Safe()
        let store = try safe.open(nil)
        try fill(store)
        for word in secrets {
            let files = try safe.filesWith([word])
            #expect(!files.isEmpty, "\(word)")
        }
        try store.close()
    }

    /// In the log, in sorted files, after compactions, after opening again.
    @Test func nothingIsPlainInTheFiles() throws {
        let safe = Safe()
        var store = try safe.open(safe.cipher)
        try fill(store)
        #expect(try safe.filesWith(secrets) == [])
        try store.write { context in
            for patient in try context.fetch(Patient.self, where: \.city == "Secretville") { patient.name += " of Secretville" }
            try context.removeNamed("favourite patient")
        }
        #expect(try safe.filesWith(secrets) == [])
        try store.rebuildIndexes()
        try store.close()
        #expect(try safe.filesWith(secrets) == [])
        store = try safe.open(safe.cipher)
        try store.emptied().close()
        #expect(try safe.filesWith(secrets) == [])
    }

    /// So many objects that the save becomes a file that the engine takes over.
    @Test func nothingIsPlainInLargeSaves() throws {
        let safe = Safe()
        let store = try safe.open(safe.cipher)
        try store.write { context in
            for number in 0..<20_000 { context.insert(Patient(city: "Hiddenberg \(number)", number: "Z-number \(number)", name: "Aurora")) }
        }
        try store.close()
        #expect(try safe.filesWith(secrets) == [])
    }

    @Test func nothingPlainIsLeftBehind() throws {
        let safe = Safe()
        let store = try safe.open(nil)
        try fill(store)
        let saved = try contents(store)
        try store.close()
        try ObjectStore.rekey(path: safe.path, classes: hospital, from: nil, to: safe.cipher)
        #expect(try safe.filesWith(secrets) == [])
        let encrypted = try safe.open(safe.cipher)
        #expect(try contents(encrypted) == saved)
        #expect(try encrypted.verify().isIntact && encrypted.incompleteIndexes.isEmpty)
        try encrypted.close()
    }

    /// Once everything has been encrypted again, the former passphrase is useless.
    @Test func nothingIsLeftOfTheFormerKeys() throws {
        let safe = Safe()
        let store = try safe.open(safe.cipher)
        try fill(store)
        let engine = try safe.header()
        try store.close()
        let new = try ObjectEncryption(passphrase: "new", cost: .cheap)
        try ObjectStore.rekey(path: safe.path, classes: hospital, from: safe.cipher, to: new)
        #expect(try safe.filesWith([engine]) == [])
        #expect(safe.refusal(safe.cipher) == .wrongKey)
        let again = try safe.open(new)
        #expect(try again.verify().isIntact)
        try again.close()
    }

    @Test func nothingIsLeftOfAFormerPassphrase() throws {
        let safe = Safe()
        let store = try safe.open(safe.cipher)
        try fill(store)
        let former = try safe.header()
        try store.changeKey(to: ObjectEncryption(passphrase: "new", cost: .cheap))
        try store.close()
        #expect(try safe.filesWith([former]) == [])
    }
}

extension Safe {
    /// A part of what the store keeps of its key, as it is in its files.
    func header() throws -> String {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) where name.hasSuffix(".log") {
            let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)), as: UTF8.self)
            if let range = text.range(of: #""cipher":""#) { return String(text[range.upperBound...].prefix(100)) }
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
