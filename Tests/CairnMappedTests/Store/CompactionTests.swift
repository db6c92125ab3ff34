import CairnCore
import CairnMapped
import CairnTestSupport
import Foundation
import Testing

struct CompactionTests {
    private func fill(_ store: MappedStore, _ count: Int = 100) throws -> [String: MappedVariant] {
        for round in 0..<5 {
            for number in 0..<count { try store.set([UInt8](repeating: UInt8(round), count: 200 + number), for: "\(number)") }
        }
        for number in stride(from: 0, to: count, by: 3) { try store.remove("\(number)") }
        return try store.contents()
    }

    @Test func compactingGivesSpaceBackAndKeepsAll() throws {
        let scene = try Scene()
        var store = try scene.store()
        let contents = try fill(store)
        let (size, live) = (try store.fileSize, try store.liveSize)
        try store.compact()
        #expect(try store.fileSize < size && store.liveSize <= live && store.contents() == contents && store.verify().isIntact)
        #expect(try scene.names() == ["a.map"])
        let small = try store.fileSize
        try store.compact()
        #expect(try store.fileSize == small)
        try store.set(1, for: "after")
        try store.close()
        store = try scene.store()
        #expect(try store.contents().count == contents.count + 1 && !store.openReport.wasRebuilt)
    }

    @Test func compactingAnEmptyStore() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.compact()
        try store.removeAll()
        #expect(try store.isEmpty)
        try store.set(1, for: "a")
        try store.remove("a")
        try store.compact()
        #expect(try store.isEmpty && store.verify().isIntact)
        try store.set(2, for: "a")
        #expect(try store.get("a") == 2)
    }

    @Test func removingAllKeepsNothing() throws {
        let scene = try Scene()
        var store = try scene.store()
        _ = try fill(store)
        try store.set(1, for: "gone", expiresAfter: .seconds(1000))
        let size = try store.fileSize
        try store.removeAll()
        #expect(try store.isEmpty && store.keys() == [] && store.fileSize < size && store.get("1", as: [UInt8].self) == nil)
        let bytes = try scene.bytes()
        #expect(!bytes.contains { $0 == 4 } || bytes.count < 20_000)
        try store.set(2, for: "new")
        try store.close()
        store = try scene.store()
        #expect(try store.keys() == ["new"])
    }

    @Test func compactionComesByItself() async throws {
        let scene = try Scene()
        let store = try scene.store { $0.compaction = .init(wasteRatio: 0.5, minimumWaste: .kibibytes(32)) }
        try await onThreads(1) { _ in
            // Ends only if it comes, and the file stays small then.
            var grown = try store.fileSize
            var shrank = 0
            while shrank < 3 {
                try store.set([UInt8](repeating: 1, count: 1000), for: "a")
                let size = try store.fileSize
                if size < grown { shrank += 1 }
                grown = size
            }
        }
        #expect(try store.keys() == ["a"] && store.verify().isIntact)
        try store.close()
        #expect(try scene.names() == ["a.map"])
    }

    @Test func manualMeansManual() throws {
        let scene = try Scene()
        let store = try scene.store()
        for _ in 0..<2_000 { try store.set([UInt8](repeating: 1, count: 1000), for: "a") }
        #expect(try store.fileSize > .bytes(2_000_000))
        try store.compact()
        #expect(try store.fileSize < .bytes(20_000))
    }

    @Test func whatADeadProcessLeftOfACompactionDoesNoHarm() throws {
        let scene = try Scene()
        let store = try scene.store()
        let contents = try fill(store)
        try scene.write([UInt8](repeating: 7, count: 1 << 20), ".a.map.compact")
        try store.compact()
        #expect(try store.contents() == contents && scene.names() == ["a.map"])
    }

    @Test func settingFromManyThreadsWhileCompacting() async throws {
        let scene = try Scene()
        let store = try scene.store()
        try await onThreads(3) { thread in
            if thread == 2 {
                for _ in 0..<40 { try store.compact() }
            } else {
                for number in 0..<2_000 { try store.set(number, for: "\(thread) \(number % 500)") }
            }
        }
        #expect(try store.count == 1_000 && store.verify().isIntact)
        let wrong = try (0..<500).filter { (number: Int) in try store.get("0 \(number)") != number + 1_500 }
        #expect(wrong == [])
    }

    /// What is small is copied when the new file takes the name, what is large before.
    @Test(arguments: [16, 1 << 20]) func changesDuringACompactionAreKept(size: Int) throws {
        let scene = try Scene()
        let store = try scene.store()
        for number in 0..<100 { try store.set(number, for: "key \(number)") }
        var isChanged = false
        let text = String(repeating: "x", count: size)
        try store.compact { part in
            guard !isChanged else { return }
            isChanged = true
            #expect(part < 1)
            #expect(throws: Never.self) {
                try store.set(text, for: "new")
                try store.set(-1, for: "key 1")
                try store.remove("key 2")
            }
        }
        #expect(isChanged)
        func check(_ store: MappedStore) throws {
            #expect(try store.get("new", as: String.self) == text)
            #expect(try store.get("key 1", as: Int.self) == -1 && store.get("key 3", as: Int.self) == 3)
            #expect(try !store.contains("key 2") && store.count == 100 && store.verify().isIntact)
        }
        try check(store)
        try store.close()
        try check(try scene.store())
    }

    // MARK: Ciphers

    @Test func ciphersComeAndGo() throws {
        let scene = try Scene()
        var store = try scene.store()
        let contents = try fill(store, 30)
        try store.set("secret text", for: "secret key", expiresAfter: .seconds(10_000))
        let expiry = try store.expiry(of: "secret key")
        let all = try store.contents()
        #expect(all.count == contents.count + 1)
        func holdsText() throws -> Bool { Data(try scene.bytes()).range(of: Data("secret".utf8)) != nil }
        #expect(try holdsText())
        try store.rekey(to: TestCipher(1))
        #expect(try store.contents() == all && store.expiry(of: "secret key") == expiry && !holdsText() && store.verify().isIntact)
        try store.set("secret again", for: "second")
        try store.remove("second")
        #expect(try !holdsText())
        try store.close()
        #expect(code { try scene.store() } == .keyNeeded)
        #expect(code { try scene.store { $0.cipher = TestCipher(2) } } == .wrongKey)
        store = try scene.store { $0.cipher = TestCipher(1) }
        #expect(try store.contents() == all)
        try store.rekey(to: TestCipher(2))
        #expect(try store.contents() == all)
        try store.rekey(to: nil)
        #expect(try store.contents() == all && holdsText() && store.expiry(of: "secret key") == expiry)
        try store.close()
        #expect(code { try scene.store { $0.cipher = TestCipher(1) } } == .wrongKey)
        #expect(try scene.store().contents() == all)
    }

    @Test func anEncryptedStoreDoesWhatOthersDo() throws {
        let scene = try Scene()
        let clock = HandClock()
        func open() throws -> MappedStore {
            try scene.store {
                $0.cipher = TestCipher(9)
                $0.now = { clock.now }
                $0.skipsEqualValues = true
            }
        }
        var store = try open()
        try store.set("", for: "")
        try store.set(1, for: "a", expiresAfter: .seconds(5))
        try store.set([1, 2], for: "b")
        try store.transaction { changes in
            #expect(try changes.get("b", as: [Int].self) == [1, 2])
            try changes.set(3, for: "b")
            try changes.set(4, for: "c")
        }
        let bytes = try scene.bytes()
        try store.set(4, for: "c")
        #expect(try scene.bytes() == bytes)
        #expect(try store.withValue(for: "c") { bytes, type in bytes.byteCount == 1 && type == .int } == true)
        #expect(try store.keys() == ["", "a", "b", "c"] && store.count == 4)
        clock.pass(5)
        #expect(try store.keys() == ["", "b", "c"] && store.get("a", as: Int.self) == nil)
        try store.close()
        try scene.pretendAnotherBoot()
        store = try open()
        #expect(try store.openReport.wasRebuilt && store.keys() == ["", "b", "c"] && store.get("b") == 3)
        for number in 0..<500 { try store.set(number, for: "\(number)") }
        try store.compact()
        #expect(try store.count == 503 && store.verify().intactCount == 503 && store.get("") == "")
    }

    @Test func threadsReadAndWriteWhileTheCipherChanges() async throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try scene.store()
        try store.set("here", for: "constant")
        let isDone = Flag()
        try await onThreads(4) { thread in
            if thread == 0 {
                defer { isDone.set() }
                for round in 0..<Thorough.count(15, of: 60) { try store.rekey(to: round % 3 == 0 ? nil : TestCipher(UInt64(round))) }
            }
            var number = 0
            // At least once, also where the others end before this thread begins.
            repeat {
                if thread == 1 {
                    number += 1
                    try store.set(number, for: "number")
                    try match(try store.get("number"), number, "what was just set")
                } else {
                    try match(try store.get("constant"), "here", "a value that does not change")
                }
            } while !isDone.isSet
        }
        #expect(try store.keys().sorted() == ["constant", "number"])
    }

    /// A process that dies while it decrypts a store leaves the values as plain text beside it.
    @Test func whatADeadProcessLeftIsRemovedByTheNext() throws {
        let (scene, left) = (try Scene(), ".a.map.compact")
        let disk = try FaultInjectingFileSystem(scene.directory.path)
        var options = MappedStoreOptions()
        options.cipher = TestCipher(1)
        do {
            let store = try MappedStore(path: scene.path(), options: options, fileSystem: disk.fileSystem)
            try store.set("secret text", for: "a")
            disk.inject(Fault(.stop, at: 1, of: [.rename]))
            #expect(code { try store.rekey(to: nil) } != nil)
        }
        #expect(Data(try scene.bytes(left)).range(of: Data("secret text".utf8)) != nil)
        try scene.write(scene.bytes(left), left)
        // As long as somebody has it locked, it is being written.
        let lock = try FileLock(File(scene.path(left), [.read, .write]), .exclusive)
        try scene.write(scene.bytes())
        try scene.store { $0.cipher = TestCipher(1) }.close()
        #expect(try scene.names() == [left, "a.map"])
        lock.release()
        try scene.write(scene.bytes())
        let store = try scene.store { $0.cipher = TestCipher(1) }
        #expect(try store.get("a") == "secret text" && scene.names() == ["a.map"])
    }

    @Test func aCipherThatFailsChangesNothing() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.set(1, for: "a")
        #expect(code { try store.rekey(to: TestCipher(1, failsToCreate: true)) } == .codec)
        #expect(try store.get("a") == 1 && scene.names() == ["a.map"])
        #expect(code { try scene.store("b.map") { $0.cipher = TestCipher(1, failsToCreate: true) } } == .codec)
    }

    @Test func othersLearnOfAnotherCipher() throws {
        let scene = try Scene()
        let store = try scene.store()
        let other = try scene.store()
        try store.set(1, for: "a")
        try store.rekey(to: TestCipher(1))
        #expect(code { try other.get("a", as: Int.self) } == .keyNeeded)
        #expect(code { try other.set(2, for: "a") } == .keyNeeded)
        try store.rekey(to: nil)
        #expect(try other.get("a") == 1)
    }
}
