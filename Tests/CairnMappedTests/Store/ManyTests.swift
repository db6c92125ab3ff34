import CairnTestSupport
import Foundation
import Testing

@testable import CairnMapped

/// Many keys in one call.
struct ManyTests {
    @Test(arguments: [nil, TestCipher(1)]) func valuesComeInTheOrderOfTheKeys(cipher: TestCipher?) throws {
        let scene = try Scene()
        let store = try scene.store { $0.cipher = cipher }
        let words = (0..<100).map { "word \($0) " + String(repeating: "x", count: $0) }
        try store.set(contentsOf: words.enumerated().map { (key: "key \($0.offset)", value: $0.element) })
        try store.set(7, for: "")
        #expect(try store.count == 101)
        for count in [0, 1, 2, 15, 16, 17, 99, 100] {
            let chosen = (0..<count).map { ($0 * 37 + 5) % 100 }
            #expect(try store.multiGet(chosen.map { "key \($0)" }) == chosen.map { words[$0] })
        }
        #expect(try store.multiGet(["key 3", "missing", "key 3", "key 100"], as: String.self) == [words[3], nil, words[3], nil])
        #expect(try store.multiGet(["", "missing"], as: Int.self) == [7, nil])
        #expect(try store.multiGet([], as: Int.self) == [])
    }

    @Test(arguments: [nil, TestCipher(1)]) func itReadsWhatOneKeyAtATimeReads(cipher: TestCipher?) async throws {
        try await withSeeds("many keys", count: 4) { generator in
            let scene = try Scene()
            let clock = HandClock()
            let store = try scene.store {
                $0.now = { clock.now }
                $0.cipher = cipher
            }
            var keys = ["another"]
            for number in 0..<300 {
                let key = String("k\(number) 🎵ä".prefix(Int.random(in: 1...8, using: &generator))) + "\(number)"
                keys.append(key)
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: try store.set(number, for: key)
                case 1: try store.set(number, for: key, expiresAfter: .seconds(Int.random(in: 1...2, using: &generator)))
                case 2: try store.set(String(repeating: "x", count: number), for: key, expiresAfter: .seconds(1))
                case 3:
                    try store.set(number, for: key)
                    try store.remove(key)
                default: break
                }
            }
            clock.pass(1.5)
            keys.shuffle(using: &generator)
            #expect(try store.multiGet(keys, as: Int.self) == keys.map { try store.get($0, as: Int.self) })
        }
    }

    @Test func errorsNameTheKey() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.set(contentsOf: ["a": 1, "b": 2])
        try store.set("text", for: "c")
        #expect(failure { try store.multiGet(["a", "c", "b"], as: Int.self) }?.userData == #"key "c""#)
        #expect(code { try store.multiGet(["a", "c", "b"], as: Int.self) } == .typeMismatch)
        // Readers have left: closing would wait for them.
        try store.close()
        #expect(code { try store.multiGet(["a"], as: Int.self) } == .closed)
        #expect(code { try store.set(contentsOf: ["a": 1]) } == .closed)
        #expect(code { try store.remove(contentsOf: ["a"]) } == .closed)
    }

    @Test(arguments: [nil, TestCipher(1)]) func manyAreSetTogetherOrNotAtAll(cipher: TestCipher?) throws {
        let scene = try Scene()
        let store = try scene.store {
            $0.maximumSize = .kibibytes(64)
            $0.cipher = cipher
        }
        try store.set(contentsOf: ["a": 1, "b": 2])
        let large = String(repeating: "x", count: 40_000)
        #expect(code { try store.set(contentsOf: ["a": large, "b": large]) } == .tooLarge)
        let long = String(repeating: "k", count: 65_536)
        #expect(code { try store.set(contentsOf: [(key: "a", value: 3), (key: long, value: 4)]) } == .tooLarge)
        #expect(try store.multiGet(["a", "b"]) == [1, 2])
        try store.set(contentsOf: [(key: "a", value: 3), (key: "a", value: 4), (key: "c", value: 5)])
        #expect(try store.multiGet(["a", "b", "c"]) == [4, 2, 5])
        try store.set(contentsOf: [String: Int]())
        #expect(try store.count == 3)
    }

    @Test(arguments: [nil, TestCipher(1)]) func manyAreRemovedTogether(cipher: TestCipher?) throws {
        let scene = try Scene()
        var store = try scene.store { $0.cipher = cipher }
        try store.set(contentsOf: (0..<50).map { (key: "n\($0)", value: $0) })
        #expect(try store.remove(contentsOf: ["n1", "n2", "n1", "nothing"]) == 2)
        #expect(try store.remove(contentsOf: ["n1", "nothing"]) == 0)
        #expect(try store.remove(contentsOf: []) == 0)
        try store.close()
        store = try scene.store { $0.cipher = cipher }
        #expect(try store.count == 48 && store.multiGet(["n1", "n2", "n3"]) == [nil, nil, 3])
    }

    @Test(arguments: [nil, TestCipher(1)]) func prefixesSelectKeys(cipher: TestCipher?) throws {
        let scene = try Scene()
        let store = try scene.store { $0.cipher = cipher }
        for key in ["user/2", "user/1", "users", "theme", "user/ä", "use"] { try store.set(key, for: key) }
        #expect(try store.keys(withPrefix: "user/") == ["user/2", "user/1", "user/ä"])
        #expect(try store.entries(withPrefix: "user/").map(\.value) == [.string("user/2"), .string("user/1"), .string("user/ä")])
        #expect(try store.keys(withPrefix: "") == store.keys())
        // A part of a character is a prefix of its bytes, not of its text: as keys, both forms of "ä" are different.
        #expect(try store.keys(withPrefix: "user/a") == [])
        #expect(try store.keys(withPrefix: "none") == [])
        #expect(try store.remove(withPrefix: "user/") == 3)
        #expect(try store.keys() == ["users", "theme", "use"])
        #expect(try store.remove(withPrefix: "user/") == 0)
        #expect(try store.remove(withPrefix: "") == 3)
        #expect(try store.isEmpty)
    }

    @Test func equalStringsOfDifferentBytesAreDifferentKeys() throws {
        let scene = try Scene()
        let store = try scene.store()
        let one = "\u{e4}", other = "a\u{308}"
        try store.transaction { changes in
            try changes.set(1, for: one)
            try changes.set(2, for: other)
            #expect(try changes.get(one, default: 0) == 1 && changes.get(other, default: 0) == 2)
        }
        #expect(try store.multiGet([one, other]) == [1, 2])
        try store.set(contentsOf: [(key: one, value: 3), (key: other, value: 4)])
        #expect(try store.multiGet([other, one]) == [4, 3])
        #expect(try store.remove(contentsOf: [one, other]) == 2)
    }

    @Test(arguments: [nil, TestCipher(1)]) func roomIsMadeAtOnce(cipher: TestCipher?) throws {
        let scene = try Scene()
        var store = try scene.store { $0.cipher = cipher }
        try store.set("kept", for: "a")
        try store.reserveCapacity(keyCount: 5_000, size: .mebibytes(1))
        let size = try store.fileSize
        #expect(size.bytes > (1 << 20) + 5_000 * 8)
        let view = try store.currentView()
        for number in 0..<5_000 { try store.set(number, for: "key \(number)") }
        #expect(try store.fileSize == size && store.currentView() === view)
        try store.close()
        store = try scene.store { $0.cipher = cipher }
        #expect(try store.count == 5_001 && store.get("a") == "kept" && store.openReport.isClean && store.verify().isIntact)
        try store.compact()
        #expect(try store.fileSize < size)
    }

    @Test func roomThatCannotBeMadeIsAnError() throws {
        let scene = try Scene()
        let store = try scene.store { $0.maximumSize = .kibibytes(64) }
        try store.set(1, for: "a")
        let impossible: [(Int, Int64)] = [(0, 70_000), (5_000, 0), (-1, 0), (0, -1), (.max, 0), (0, .max), (1 << 33, 1 << 39)]
        for (keys, bytes) in impossible {
            #expect(code { try store.reserveCapacity(keyCount: keys, size: .bytes(bytes)) } == .tooLarge, "\(keys) keys, \(bytes) bytes")
        }
        let attempt = "could not make room for "
        let reasons: [(Int, Int64, String)] = [
            (-1, 0, "-1 keys and 0 B in \(scene.path()): the number of keys is negative"),
            (0, -1, "0 keys and -1 B in \(scene.path()): the size is negative"),
            (0, 70_000, "0 keys and 68.4 KiB in \(scene.path()): the maximum size of the store is 64 KiB"),
        ]
        for (keys, bytes, reason) in reasons {
            #expect(failure { try store.reserveCapacity(keyCount: keys, size: .bytes(bytes)) }?.message == attempt + reason)
        }
        let error = failure { try store.set([UInt8](repeating: 1, count: 70_000), for: "b") }
        #expect(error?.message == "\(scene.path()) would exceed its maximum size of 64 KiB; remove values or compact the store")
        #expect(try store.get("a") == 1 && store.verify().isIntact)
        let reader = try scene.store { $0.readOnly = true }
        #expect(code { try reader.reserveCapacity(keyCount: 1, size: .bytes(1)) } == .readOnly)
    }

    @Test func aKeyCanChangeAnyNumberOfTimesInATransaction() throws {
        let scene = try Scene()
        let store = try scene.store()
        var generator = SeededGenerator(seed: 1)
        var model: [String: [UInt8]] = [:]
        try store.transaction { changes in
            for number in 0..<500 {
                let key = "key \(generator.int(in: 0..<20))"
                if number % 7 == 0 {
                    changes.remove(key)
                    model[key] = nil
                } else {
                    let value = generator.bytes(generator.int(in: 0..<50))
                    try changes.set(value, for: key)
                    model[key] = value
                }
                for key in ["key 0", key] { #expect(try changes.get(key, as: [UInt8].self) == model[key]) }
            }
        }
        for key in (0..<20).map({ "key \($0)" }) { #expect(try store.get(key, as: [UInt8].self) == model[key]) }
        // What a key had before is not kept.
        var changes = OwnedChanges()
        for _ in 0..<1_000 {
            let value = generator.bytes(1_000)
            try value.withStoredBytes { bytes, type throws(MappedStoreError) in try changes.set(bytes, type, for: "key", deadline: nil) }
        }
        #expect(changes.bytes.count == 1_003)
    }

    @Test func readersSeeWholeValuesWhileOthersWrite() async throws {
        let scene = try Scene()
        let store = try scene.store { $0.compaction = .automatic }
        let keys = (0..<40).map { "key \($0)" }
        try store.set(contentsOf: keys.map { (key: $0, value: String(repeating: "0", count: 100)) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<Thorough.count(600, of: 6_000) {
                    try store.set(contentsOf: keys.map { (key: $0, value: String(repeating: "\(round % 10)", count: 60 + round % 50)) })
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<Thorough.count(600, of: 6_000) {
                        for value in try store.multiGet(keys, as: String.self) {
                            guard let value, Set(value).count == 1 else { throw Mismatch("a value is \(value ?? "missing")") }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.verify().isIntact && store.count == keys.count)
    }

    @Test func damageIsReported() throws {
        let scene = try Scene()
        var store = try scene.store()
        try store.set(contentsOf: (0..<20).map { (key: "key \($0)", value: "value number \($0)") })
        try store.close()
        var bytes = try scene.bytes()
        let place = try #require(Data(bytes).firstRange(of: Data("value number 12".utf8))?.lowerBound)
        bytes[place] ^= 1
        try scene.write(bytes)
        store = try scene.store()
        let keys = (0..<20).map { "key \($0)" }
        #expect(code { try store.multiGet(keys, as: String.self) } == .corruption)
        #expect(failure { try store.multiGet(keys, as: String.self) }?.userData == #"key "key 12""#)
        #expect(try store.multiGet(keys.filter { $0 != "key 12" }, as: String.self).allSatisfy { $0 != nil })
        #expect(code { try store.remove(withPrefix: "key") } == .corruption)
    }
}
