import CairnMapped
import CairnTestSupport
import Foundation
import Testing

struct TransactionTests {
    struct Stop: Error {}

    @Test func allOrNothing() throws {
        let scene = try Scene()
        var store = try scene.store()
        try store.set(1, for: "a")
        try store.set(2, for: "b")
        let result = try store.transaction { changes in
            try changes.set(10, for: "a")
            changes.remove("b")
            try changes.set("new", for: "c")
            try changes.set(nil as Int?, for: "d")
            return 7
        }
        let expected: [String: MappedVariant] = ["a": .int(10), "c": .string("new")]
        #expect(try result == 7 && store.contents() == expected)
        #expect(throws: Stop.self) {
            try store.transaction { changes in
                try changes.set(11, for: "a")
                changes.remove("c")
                throw Stop()
            }
        }
        #expect(try store.contents() == expected)
        // Nothing to do is done at no cost.
        let bytes = try scene.bytes()
        try store.transaction { $0.remove("missing") }
        try store.transaction { _ in }
        #expect(try scene.bytes() == bytes)
        try store.close()
        store = try scene.store()
        #expect(try store.contents() == expected)
    }

    @Test func itSeesItsOwnChanges() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.set(1, for: "a")
        try store.transaction { changes in
            #expect(try changes.get("a") == 1)
            try changes.set(2, for: "a")
            #expect(try changes.get("a") == 2)
            #expect(code { try changes.get("a", as: String.self) } == .typeMismatch)
            changes.remove("a")
            #expect(try changes.get("a", as: Int.self) == nil && changes.get("a", default: 9) == 9)
            try changes.set("text", for: "a")
            #expect(try changes.get("a") == "text")
            // Others see nothing of it yet.
            #expect(try store.get("a") == 1)
        }
        #expect(try store.get("a") == "text")
    }

    @Test func theStoreIsBusyWithin() throws {
        let scene = try Scene()
        let store = try scene.store()
        let other = try scene.store()
        try store.transaction { changes in
            #expect(code { try store.set(1, for: "x") } == .busy)
            #expect(code { try store.remove("x") } == .busy)
            #expect(code { try store.transaction { _ in } } == .busy)
            #expect(code { try store.update("x", default: 0) { $0 += 1 } } == .busy)
            #expect(code { try store.close() } == .busy)
            #expect(code { try store.removeAll() } == .busy)
            #expect(code { try store.compact() } == .busy)
            // As is another store of the same file, in the same thread.
            #expect(code { try other.set(1, for: "x") } == .busy)
            try changes.set(1, for: "y")
        }
        #expect(try store.keys() == ["y"] && other.keys() == ["y"])
        #expect(try scene.names() == ["a.map"])
    }

    /// Listing, verifying and backing up do not wait for a transaction, and see nothing of it.
    @Test(arguments: [nil, TestCipher(1)]) func theStoreCanBeListedWithin(cipher: TestCipher?) throws {
        let scene = try Scene()
        let store = try scene.store { $0.cipher = cipher }
        let other = try scene.store { $0.cipher = cipher }
        for number in 0..<100 { try store.set(number, for: "\(number)") }
        try store.set(0, for: "expires", expiresAfter: .seconds(1_000_000))
        try other.remove("99")
        let keys = (0..<99).map { "\($0)" } + ["expires"]
        try store.transaction { changes in
            try changes.set(1, for: "new")
            changes.remove("1")
            for store in [store, other] {
                #expect(try store.keys() == keys && store.count == 100 && store.entries().count == 100)
                #expect(try store.verify().isIntact && store.verify().intactCount == 100)
                #expect(try store.backup(to: scene.path("backup.map")).count == 100)
                var listed: [String] = []
                let omissions = try store.forEachIntact { listed.append($0.key) }
                #expect(omissions.isEmpty && listed == keys)
            }
        }
        #expect(try other.keys() == keys.filter { $0 != "1" } + ["new"])
        let backup = try scene.store("backup.map") { $0.cipher = cipher }
        #expect(try backup.keys() == keys)
    }

    @Test func updatesReadAndWriteInOneStep() throws {
        let scene = try Scene()
        let store = try scene.store()
        #expect(
            try store.update("n", default: 5) {
                $0 += 1; return $0 * 2
            } == 12
        )
        #expect(try store.get("n") == 6)
        #expect(throws: Stop.self) {
            try store.update("n", default: 0) {
                $0 = 100; throw Stop()
            }
        }
        #expect(try store.get("n") == 6)
        try store.update("n", as: Int.self) { $0 = nil }
        #expect(try !store.contains("n"))
        try store.update("n", as: Int.self) { value in
            #expect(value == nil)
            value = 3
        }
        #expect(try store.get("n") == 3)
        #expect(code { try store.update("n", default: "") { $0 += "x" } } == .typeMismatch)
    }

    @Test func updatesKeepTheTimeOfWhatExpires() throws {
        let scene = try Scene()
        let store = try scene.store { $0.expiresAfter = .seconds(10_000) }
        func left(_ key: String) throws -> Double { try #require(try store.expiry(of: key)).timeIntervalSinceNow }
        try store.set(1, for: "n", expiresAfter: .seconds(100))
        try store.update("n", default: 0) { $0 += 1 }
        #expect(try store.get("n") == 2 && left("n") <= 100)
        try store.update("n", as: Int.self) { $0? += 1 }
        #expect(try store.get("n") == 3 && left("n") <= 100)
        try store.update(MappedKey("n", default: 0)) { $0 += 1 }
        #expect(try store.get("n") == 4 && left("n") <= 100)
        try store.update("n", default: 0, expiresAfter: .seconds(1000)) { $0 += 1 }
        #expect(try store.get("n") == 5 && (100...1000).contains(left("n")))
        try store.update(MappedKey("n", default: 0), expiresAfter: .seconds(50)) { $0 += 1 }
        #expect(try left("n") <= 50)
        // What was not there, or not any more, lives as long as what is set.
        try store.set(7, for: "over", expiresAfter: .seconds(-1))
        for key in ["new", "over"] {
            try store.update(key, default: 0) { $0 += 1 }
            #expect(try store.get(key) == 1 && left(key) > 1000)
        }
    }

    @Test func manyChangesAtOnce() throws {
        let scene = try Scene()
        var store = try scene.store()
        var calls = 0
        // Larger than the room there is, the index, and the window of the mapping.
        try store.transaction { changes in
            calls += 1
            for number in 0..<2_000 { try changes.set([UInt8](repeating: UInt8(number % 251), count: 10_000), for: "\(number)") }
        }
        #expect(try calls == 1 && store.count == 2_000)
        try store.close()
        store = try scene.store()
        let wrong = try (0..<2_000).filter { try store.valueSize(of: "\($0)") != 10_000 }
        #expect(try wrong == [] && store.verify().intactCount == 2_000)
    }

    /// Threads count the same number up while the file grows and is compacted: no step is lost, and none is made twice.
    @Test func nobodyComesBetween() async throws {
        let scene = try Scene()
        let stores = try (0..<3).map { _ in try scene.store { $0.compaction = .init(wasteRatio: 0.3, minimumWaste: .kibibytes(16)) } }
        try await onThreads(3) { thread in
            for number in 0..<400 {
                try stores[thread].transaction { changes in
                    try changes.set(try changes.get("total", default: 0) + 1, for: "total")
                    try changes.set([UInt8](repeating: 1, count: number * 10), for: "ballast \(thread)")
                    try changes.set(number, for: "new \(thread) \(number)")
                }
                try stores[thread].update("other", default: 0) { $0 += 1 }
            }
        }
        for store in stores {
            #expect(try store.get("total") == 1_200 && store.get("other") == 1_200 && store.count == 1_205)
        }
        #expect(try stores[0].verify().isIntact)
    }
}
