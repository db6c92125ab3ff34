import CairnCore
import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Crypto
import Foundation
import Testing

/// Stores become encrypted, plain again, or encrypted with other keys, whatever happens meanwhile.
struct CipherChangeTests {
    @Test func thereAndBack() throws {
        let safe = Safe()
        let other = try ObjectEncryption(passphrase: "other", cost: .cheap)
        let store = try safe.open(nil)
        try fill(store)
        let saved = try contents(store)
        try store.close()
        let ways: [(any ObjectCipher, any ObjectCipher)?] = [nil, (safe.cipher, other), (other, other)]
        for way in ways {
            var parts: [Double] = []
            try ObjectStore.rekey(path: safe.path, classes: hospital, from: way?.0, to: way?.1 ?? safe.cipher) { parts.append($0) }
            #expect(parts == parts.sorted() && parts.first == 0 && parts.last == 1)
            let store = try safe.open(way?.1 ?? safe.cipher)
            #expect(try contents(store) == saved)
            #expect(try store.verify().isIntact && store.incompleteIndexes.isEmpty)
            try store.close()
        }
        try ObjectStore.rekey(path: safe.path, from: other, to: nil)
        let plain = try safe.open(nil)
        #expect(try contents(plain) == saved)
        // No classes were given.
        #expect(plain.incompleteIndexes.count == 5)
        try plain.buildIndexes()
        #expect(try plain.verify().isIntact)
        try plain.close()
    }

    @Test func theWrongCiphersAreRefused() throws {
        let safe = Safe()
        let other = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        #expect(code { try ObjectStore.rekey(path: safe.path, from: nil, to: safe.cipher) } == .notFound)
        try safe.open(nil).close()
        #expect(code { try ObjectStore.rekey(path: safe.path, from: other, to: safe.cipher) } == .wrongKey)
        try ObjectStore.rekey(path: safe.path, from: nil, to: nil)
        try ObjectStore.rekey(path: safe.path, from: nil, to: safe.cipher)
        #expect(code { try ObjectStore.rekey(path: safe.path, from: nil, to: safe.cipher) } == .keyNeeded)
        #expect(code { try ObjectStore.rekey(path: safe.path, from: other, to: nil) } == .wrongKey)
        let store = try safe.open(safe.cipher)
        #expect(code { try ObjectStore.rekey(path: safe.path, from: safe.cipher, to: nil) } == .locked)
        try store.close()
    }

    /// The engine fails after each number of commits in turn; the change is taken up where it was, and ends well.
    @Test(arguments: ["encrypt", "change", "decrypt"]) func whatEndsEarlyIsTakenUp(way: String) throws {
        let (one, other) = (try ObjectEncryption(key: SymmetricKey(size: .bits256)), try ObjectEncryption(passphrase: "o", cost: .cheap))
        let old = way == "encrypt" ? nil : one
        let new = way == "decrypt" ? nil : other
        var commits = 0
        while true {
            let base = MemoryEngine()
            var options = ObjectStoreOptions()
            options.cipher = old
            let store = try ObjectStore(engine: base, classes: hospital, options: options)
            try fill(store, 40)
            let saved = try contents(store)
            let engine = FailingEngine(base)
            engine.commitsLeft = commits
            var isWhole = true
            // Fails several times, one commit later each time.
            while true {
                let failure = code { try ObjectStore.rekey(of: engine, from: old, to: new) }
                guard failure != nil else { break }
                isWhole = false
                #expect(failure == .ioError)
                if engine.hasBegun {
                    #expect(code { try ObjectStore(engine: base, classes: hospital) } != nil)
                    // Another key than the one that was begun with.
                    let third = try ObjectEncryption(key: SymmetricKey(size: .bits256))
                    #expect(code { try ObjectStore.rekey(of: base, from: third, to: third) } != nil)
                }
                // Cleaning takes two steps, and begins with the first when it is taken up.
                engine.commitsLeft = max(commits, 2)
            }
            options.cipher = new
            let changed = try ObjectStore(engine: base, classes: hospital, options: options)
            #expect(try contents(changed) == saved, "\(commits) commits at a time")
            try changed.buildIndexes()
            #expect(try changed.verify().isIntact)
            if isWhole, commits > 0 { break }
            commits += 1
        }
        #expect(commits >= 4)
    }

    /// From the commit with which a change begins, until all is changed, the store is not opened: neither with the old cipher, though that can still read
    /// everything at first, nor with the new one.
    @Test(arguments: ["encrypt", "change", "decrypt"]) func whatHasBegunIsNotOpened(way: String) throws {
        let (one, other) = (try ObjectEncryption(key: SymmetricKey(size: .bits256)), try ObjectEncryption(passphrase: "o", cost: .cheap))
        let old = way == "encrypt" ? nil : one
        let new = way == "decrypt" ? nil : other
        for commits in 1...2 {
            let base = MemoryEngine()
            var options = ObjectStoreOptions()
            options.cipher = old
            try fill(try ObjectStore(engine: base, classes: hospital, options: options), 40)
            let engine = FailingEngine(base)
            engine.commitsLeft = commits
            #expect(code { try ObjectStore.rekey(of: engine, from: old, to: new) } == .ioError)
            for cipher in [nil, one, other] as [(any ObjectCipher)?] {
                for readOnly in [false, true] {
                    options.cipher = cipher
                    options.readOnly = readOnly
                    #expect(code { try ObjectStore(engine: base, classes: hospital, options: options) } == .changeUnfinished, "\(commits)")
                }
            }
        }
    }

    /// A change that had only its cleaning left is followed by another one.
    @Test func decryptedBeforeItWasCleaned() throws {
        let cipher = try ObjectEncryption(key: SymmetricKey(size: .bits256))
        var (commits, leftUnclean) = (1, 0)
        while true {
            let base = MemoryEngine()
            let store = try ObjectStore(engine: base, classes: hospital)
            try fill(store, 40)
            let saved = try contents(store)
            let engine = FailingEngine(base)
            engine.commitsLeft = commits
            guard code({ try ObjectStore.rekey(of: engine, from: nil, to: cipher) }) != nil else { break }
            commits += 1
            var options = ObjectStoreOptions()
            options.cipher = cipher
            guard (try? ObjectStore(engine: base, classes: hospital, options: options)) != nil else { continue }
            leftUnclean += 1
            try ObjectStore.rekey(of: base, from: cipher, to: nil)
            let plain = try ObjectStore(engine: base, classes: hospital)
            #expect(try contents(plain) == saved)
        }
        // Before the removal, and before the header says so.
        #expect(leftUnclean == 2)
    }

    @Test func cancellation() async throws {
        let count = Thorough.count(10_000, of: 40_000)
        let safe = Safe()
        let store = try safe.open(nil)
        try store.write { context in
            for number in 0..<count { context.insert(Ward(title: "Ward \(number)")) }
        }
        try store.close()
        let (path, cipher) = (safe.path, safe.cipher)
        let task = Task { () -> ObjectStoreError.Code? in
            while !Task.isCancelled { await Task.yield() }
            do throws(ObjectStoreError) {
                try await ObjectStore.rekeyInBackground(path: path, from: nil, to: cipher)
                return nil
            } catch { return error.code }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        try await ObjectStore.rekeyInBackground(path: path, from: nil, to: cipher)
        let again = try safe.open(cipher)
        #expect(try again.read { try $0.count(Ward.self) } == count)
        try again.close()
    }

    /// Processes are killed while they change the cipher; others finish the change.
    @Test func killedChangesAreFinished() async throws {
        let safe = Safe()
        var store = try safe.open(nil)
        try fill(store)
        // Many small entries: who leads to whom.
        try store.write { context in
            let patients = try context.fetch(Patient.self)
            for patient in patients { patient.relatives.append(contentsOf: patients.prefix(60)) }
        }
        let saved = try contents(store)
        try store.close()
        let key = SymmetricKey(size: .bits256)
        let bytes = unsafe key.withUnsafeBytes { unsafe [UInt8]($0) }
        try await withSeeds("killed changes", count: 1) { random in
            for _ in 0..<Thorough.count(2, of: 6) {
                let part = Double(random.int(in: 0..<600)) / 1000
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = safe.path as String, bytes = bytes as [UInt8], part = part as Double] in
                    let cipher = try ObjectEncryption(key: SymmetricKey(data: bytes))
                    try ObjectStore.rekey(path: path, classes: hospital, from: nil, to: cipher) { done in
                        if done >= part { kill(getpid(), SIGKILL) }
                    }
                }
                let refusal = safe.refusal(nil)
                // Encrypted, where only cleaning up was left.
                #expect(refusal == .changeUnfinished || refusal == .keyNeeded)
            }
        }
        let cipher = try ObjectEncryption(key: key)
        try ObjectStore.rekey(path: safe.path, classes: hospital, from: nil, to: cipher)
        #expect(try safe.filesWith(secrets) == [])
        store = try safe.open(cipher)
        #expect(try contents(store) == saved)
        #expect(try store.verify().isIntact && store.incompleteIndexes.isEmpty)
        try store.close()
    }
}
