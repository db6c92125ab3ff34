import CairnMapped
import CairnMappedEncryption
import CairnTestSupport
import Crypto
import Foundation
import Testing

struct EncryptedStoreTests {
    @Test(arguments: MappedEncryption.Algorithm.allCases)
    func whatIsSetIsThereAndNowhereInPlain(_ algorithm: MappedEncryption.Algorithm) throws {
        let vault = try Vault()
        do {
            let store = try vault.open(algorithm)
            for number in 0..<400 {
                try store.set("SECRETvalue\(number)", for: "SECRETkey\(number)")
                try store.set(["SECRETlist"], for: "SECRETkey\(number)-list", expiresAfter: .seconds(1000))
            }
            for number in stride(from: 0, to: 400, by: 2) { try store.remove("SECRETkey\(number)") }
            try store.transaction { changes in
                try changes.set("", for: "")
                try changes.set("SECRETsame", for: "SECRETkey1")
                changes.remove("SECRETkey3")
            }
            #expect(
                try store.update("SECRETcount", default: 0) {
                    $0 += 1; return $0
                } == 1
            )
            #expect(try vault.filesWith("SECRET") == [])
            try store.compact()
            #expect(try vault.filesWith("SECRET") == [])
            #expect(try store.backup(to: vault.directory.path("backup.map")).count == 601)
            #expect(try vault.filesWith("SECRET") == [])
        }
        for name in ["store.map", "backup.map"] {
            let store = try vault.open(MappedEncryption(key: vault.key), name)
            #expect(try store.count == 601)
            #expect(try store.get("SECRETkey1") == "SECRETsame" && store.get("") == "" && store.get("SECRETcount") == 1)
            #expect(try store.get("SECRETkey399") == "SECRETvalue399" && store.get("SECRETkey399-list") == ["SECRETlist"])
            #expect(try store.get("SECRETkey3", as: String.self) == nil && store.get("SECRETkey2", as: String.self) == nil)
            #expect(try store.verify().intactCount == 601 && store.verify().isIntact)
            #expect(try store.keys().filter { $0.hasSuffix("-list") }.count == 400)
        }
        #expect(try vault.filesWith("SECRET") == [])
    }

    @Test func skippingEqualValuesAndComparingWorkOnWhatIsDecrypted() throws {
        let vault = try Vault()
        var options = MappedStoreOptions()
        options.cipher = try MappedEncryption(key: vault.key)
        options.skipsEqualValues = true
        let store = try MappedStore(path: vault.path, options: options)
        let file = try RawFile(vault.path)
        try store.set("same", for: "a")
        let end = file.end
        try store.set("same", for: "a")
        #expect(file.end == end)
        #expect(try !store.set("new", for: "a", replacing: "other") && store.set("new", for: "a", replacing: "same"))
        #expect(try store.get("a") == "new")
    }

    /// If a process died in the middle of a change, everything is read again from the records.
    @Test func indexIsMadeAnewFromSealedRecords() throws {
        let vault = try Vault()
        do {
            let store = try vault.open()
            for number in 0..<50 { try store.set(number, for: "key\(number % 30)") }
            try store.remove("key1")
        }
        // The totals no longer fit their checksum.
        let file = try RawFile(vault.path)
        file[1152..<1153] = [file[1152..<1153][0] ^ 1]
        for readOnly in [true, false] {
            let store = try vault.open(MappedEncryption(key: vault.key), readOnly: readOnly)
            #expect(store.openReport.wasRebuilt && store.openReport.isClean)
            #expect(try store.count == 29 && store.get("key3") == 33 && store.get("key29") == 29)
            #expect(try store.get("key1", as: Int.self) == nil && store.verify().isIntact)
        }
    }

    // MARK: Changes of the key

    @Test func fromPlainToEncryptedToAnotherKeyAndBack() throws {
        let vault = try Vault()
        let store = try vault.open(nil)
        for number in 0..<100 { try store.set("SECRETvalue", for: "SECRETkey\(number)", expiresAfter: number == 7 ? .seconds(500) : nil) }
        try store.remove("SECRETkey50")
        #expect(try vault.filesWith("SECRET") == ["store.map"])
        let expiry = try store.expiry(of: "SECRETkey7")

        let ciphers: [MappedEncryption?] = [
            try MappedEncryption(key: vault.key),
            try MappedEncryption(passphrase: "one", cost: ScryptCost(stored: 4)!, algorithm: .chaChaPoly),
            try MappedEncryption(passphrase: "two", cost: ScryptCost(stored: 5)!), nil,
        ]
        for (index, cipher) in ciphers.enumerated() {
            try store.rekey(to: cipher)
            #expect(try vault.filesWith("SECRET") == (cipher == nil ? ["store.map"] : []))
            #expect(try store.count == 99 && store.get("SECRETkey99") == "SECRETvalue" && store.expiry(of: "SECRETkey7") == expiry)
            try store.set(index, for: "round")
            #expect(try store.verify().isIntact)
            try store.remove("round")
            for (other, key) in ciphers.enumerated() where other != index {
                #expect(vault.refusal(key) == (key == nil ? .keyNeeded : .wrongKey))
            }
            #expect(try vault.open(cipher).count == 99)
        }
    }

    @Test func thoseWhoHaveItOpenNeedTheNewKey() throws {
        let vault = try Vault()
        let plain = try vault.open(nil), watching = try vault.open(nil, readOnly: true)
        try plain.set(1, for: "a")
        let cipher = try MappedEncryption(passphrase: "one", cost: ScryptCost(stored: 4)!)
        try vault.open(nil).rekey(to: cipher)
        for store in [plain, watching] { #expect(code { try store.get("a", as: Int.self) } == .keyNeeded) }
        #expect(code { try plain.set(2, for: "a") } == .keyNeeded)

        let encrypted = try vault.open(cipher)
        #expect(try encrypted.get("a") == 1)
        try vault.open(cipher).rekey(to: MappedEncryption(key: vault.key))
        #expect(code { try encrypted.get("a", as: Int.self) } == .wrongKey)
        #expect(code { try encrypted.set(2, for: "a") } == .wrongKey)
        #expect(code { try encrypted.compact() } == .wrongKey)
        #expect(try vault.open(MappedEncryption(key: vault.key)).get("a") == 1)
        try encrypted.close()

        // With the same key, and new keys from it, all stores continue.
        let one = try vault.open(), other = try vault.open()
        try one.rekey(to: MappedEncryption(key: vault.key, algorithm: .chaChaPoly))
        try other.set(3, for: "a")
        #expect(try one.get("a") == 3)
    }

    /// What is written while the key changes is under the new key, and all there.
    @Test func writersGoOnWhileTheKeyChanges() throws {
        let vault = try Vault()
        let store = try vault.open()
        for number in 0..<500 { try store.set("SECRETvalue", for: "SECRETkey\(number)") }
        let written = Written()
        let writing = Thread {
            var number = 0
            repeat {
                let key = "SECRETkey\(number % 700)"
                if number % 7 == 6 {
                    _ = try? store.remove(key)
                } else {
                    try? store.set("SECRETvalue\(number)", for: key, expiresAfter: number % 3 == 0 ? .seconds(900) : nil)
                }
                number += 1
            } while !written.isOver
            written.end(number)
        }
        writing.start()
        for round in 0..<6 {
            try store.rekey(to: MappedEncryption(key: vault.key, algorithm: round % 2 == 0 ? .chaChaPoly : .aesGCM))
        }
        let count = written.waitForEnd()
        var expected: [String: String] = [:]
        for number in 0..<500 { expected["SECRETkey\(number)"] = "SECRETvalue" }
        for number in 0..<count { expected["SECRETkey\(number % 700)"] = number % 7 == 6 ? nil : "SECRETvalue\(number)" }
        for store in [store, try vault.open()] {
            #expect(try store.verify().isIntact && store.count == expected.count)
            #expect(try expected.allSatisfy { try store.get($0.key) == $0.value })
        }
        #expect(try vault.filesWith("SECRET") == [])
    }

    /// Nothing of a value that is damaged comes into the encrypted file.
    @Test func damageIsNotCopiedInPlain() throws {
        let vault = try Vault()
        let store = try vault.open(nil)
        let file = try RawFile(vault.path)
        var record = try file.record { try store.set("SECRETvalue", for: "SECRETkey") }
        try store.set(1, for: "a")
        file[record.lowerBound..<record.lowerBound + 1] = [file[record.lowerBound..<record.lowerBound + 1][0] ^ 1]
        try store.rekey(to: MappedEncryption(key: vault.key))
        #expect(try vault.filesWith("SECRET") == [])
        #expect(try store.get("a") == 1)
        #expect(try store.verify().unreadableCount == 1)

        let sealed = try RawFile(vault.path)
        record = try sealed.record { try store.set("SECRETvalue", for: "SECRETkey") }
        sealed[record.upperBound - 1..<record.upperBound] = [sealed[record.upperBound - 1..<record.upperBound][0] ^ 1]
        try store.rekey(to: nil)
        let verification = try store.verify()
        #expect(verification.unreadableCount == 2 && verification.intactCount == 1)
        #expect(try store.get("a") == 1 && store.get("SECRETkey", as: String.self) == nil)
    }

    // MARK: Backups

    @Test func backupsAreRestoredAcrossKeys() throws {
        let vault = try Vault()
        let cipher = try MappedEncryption(key: vault.key)
        let store = try vault.open(cipher)
        try store.set("SECRET", for: "a")
        let backup = vault.directory.path("backup.map")
        try store.backup(to: backup)
        try store.set("changed", for: "a")
        try store.set(1, for: "b")
        try store.restore(from: backup)
        #expect(try store.entries() == [MappedEntry(key: "a", value: .string("SECRET"))])
        try store.rekey(to: nil)
        #expect(code { try store.restore(from: backup) } == .keyNeeded)
        #expect(code { try store.restore(from: backup, cipher: MappedEncryption(key: SymmetricKey(size: .bits256))) } == .wrongKey)
        try store.removeAll()
        try store.restore(from: backup, cipher: cipher)
        #expect(try store.get("a") == "SECRET" && vault.filesWith("SECRET") == ["store.map"])
        try store.rekey(to: MappedEncryption(passphrase: "other", cost: ScryptCost(stored: 4)!))
        try store.restore(from: backup, cipher: cipher)
        #expect(try store.get("a") == "SECRET" && vault.filesWith("SECRET") == [] && store.verify().isIntact)
    }

    @Test func changingTheCipherInTheBackground() async throws {
        let vault = try Vault()
        let store = try vault.open()
        for number in 0..<3000 { try store.set(number, for: "key\(number)") }
        let parts = Parts()
        try await store.rekeyInBackground(to: nil) { parts.add($0) }
        #expect(parts.all == parts.all.sorted() && parts.all.first == 0 && parts.all.last == 1)
        #expect(try store.get("key2999") == 2999)
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await store.rekeyInBackground(to: MappedEncryption(key: vault.key))
        }
        await #expect { try await task.value } throws: { ($0 as? MappedStoreError)?.code == .cancelled }
        #expect(try vault.open(nil).count == 3000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: vault.directory.path) == ["store.map"])
    }
}

/// The progress that a closure was passed, in order.
final class Parts: @unchecked Sendable {
    private let lock = NSLock()
    private var parts: [Double] = []
    func add(_ part: Double) { lock.withLock { parts.append(part) } }
    var all: [Double] { lock.withLock { parts } }
}

/// A writer that ends on request, and returns how far it came.
private final class Written: @unchecked Sendable {
    private let condition = NSCondition()
    private var isToEnd = false
    private var count: Int?

    var isOver: Bool { condition.withLock { isToEnd } }

    func end(_ count: Int) {
        condition.withLock {
            self.count = count
            condition.signal()
        }
    }

    func waitForEnd() -> Int {
        condition.lock()
        defer { condition.unlock() }
        isToEnd = true
        while count == nil { condition.wait() }
        return count ?? 0
    }
}
