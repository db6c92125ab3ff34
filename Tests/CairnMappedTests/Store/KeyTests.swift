import CairnMapped
import CairnTestSupport
import Foundation
import Testing

struct KeyTests {
    @Test func anyTextIsAKey() throws {
        let scene = try Scene()
        let keys =
            ["", "a", "ä", "a\u{308}", "\u{0}", "\u{0}\u{0}", "👩‍👩‍👧", String(repeating: "k", count: 65_535)]
            + (1...40).map { String(repeating: "x", count: $0) }
        var store = try scene.store()
        for (number, key) in keys.enumerated() { try store.set(number, for: key) }
        for reopened in [false, true] {
            if reopened {
                try store.close()
                store = try scene.store()
            }
            // "ä" and "a" with dots are equal strings of different bytes: two keys, as their bytes say.
            #expect(try store.count == keys.count)
            for (number, key) in keys.enumerated() { #expect(try store.get(key) == number) }
            #expect(try store.keys().map { Array($0.utf8) } == keys.map { Array($0.utf8) })
        }
        #expect(try store.remove(""))
        #expect(try store.get("", as: Int.self) == nil && store.count == keys.count - 1)
        #expect(try !store.remove(""))
    }

    @Test func keysAndValuesHaveLimits() throws {
        let scene = try Scene()
        let store = try scene.store()
        let long = String(repeating: "k", count: 65_536)
        #expect(code { try store.set(1, for: long) } == .tooLarge)
        #expect(try store.get(long, as: Int.self) == nil && !store.contains(long) && !store.remove(long))
        #expect(code { try store.transaction { try $0.set(1, for: long) } } == .tooLarge)
        #expect(try store.isEmpty)
        try store.set([UInt8](repeating: 1, count: 40 << 20), for: "large")
        #expect(try store.valueSize(of: "large") == 40 << 20)
        #expect(try store.get("large", as: Data.self)?.last == 1)
    }

    @Test func manyKeysAndGrowth() throws {
        let scene = try Scene()
        let count = Thorough.count(6_000, of: 20_000)
        var store = try scene.store()
        for number in 0..<count { try store.set(number, for: "key \(number)") }
        let wrong = try (0..<count).filter { (number: Int) in try store.get("key \(number)") != number }
        #expect(wrong == [])
        try store.close()
        store = try scene.store()
        #expect(!store.openReport.wasRebuilt && store.openReport.isClean)
        #expect(try store.count == count && store.verify().intactCount == count && store.verify().isIntact)
    }

    @Test func aMaximumSizeHoldsAndNothingIsLost() throws {
        let scene = try Scene()
        var store = try scene.store { $0.maximumSize = .kibibytes(64) }
        var stored: [String: [UInt8]] = [:]
        var refused = 0
        for number in 0..<200 {
            let value = [UInt8](repeating: UInt8(number), count: 1000)
            if let code = code({ try store.set(value, for: "\(number)") }) {
                #expect(code == .tooLarge)
                refused += 1
            } else {
                stored["\(number)"] = value
            }
        }
        #expect(refused > 100 && stored.count > 30)
        #expect(try store.fileSize <= .kibibytes(64))
        let whole = stored.mapValues(MappedVariant.bytes)
        #expect(try store.contents() == whole)
        try store.close()
        store = try scene.store { $0.maximumSize = .kibibytes(64) }
        #expect(try store.contents() == whole)
        // What is removed makes room once the file is compacted, and a removal needs a little room itself.
        let keys = try store.keys()
        for key in keys.prefix(20) { _ = try? store.remove(key) }
        let left = try store.count
        if left == keys.count { try store.removeAll() } else { try store.compact() }
        try store.set(1, for: "small")
        #expect(try store.get("small") == 1 && store.fileSize <= .kibibytes(64))
    }

    @Test func skippingEqualValuesWritesNothing() throws {
        let scene = try Scene()
        let store = try scene.store { $0.skipsEqualValues = true }
        try store.set("same", for: "a")
        try store.set(1, for: "n")
        let bytes = try scene.bytes()
        try store.set("same", for: "a")
        try store.transaction { changes in
            try changes.set("same", for: "a")
            try changes.set(1, for: "n")
        }
        #expect(try scene.bytes() == bytes)
        // Another type with the same bytes is another value; so is one that expires.
        try store.set(Array("same".utf8), for: "a")
        #expect(try store.valueType(of: "a") == .bytes && scene.bytes() != bytes)
        let later = try scene.bytes()
        try store.set(1, for: "n", expiresAfter: .seconds(1000))
        #expect(try scene.bytes() != later && store.expiry(of: "n") != nil)
        try store.set(1, for: "n")
        #expect(try store.expiry(of: "n") == nil)
    }

    @Test func listingIsInTheOrderOfSetting() throws {
        let scene = try Scene()
        let store = try scene.store()
        for key in ["c", "a", "b", "d"] { try store.set(key, for: key) }
        #expect(try store.keys() == ["c", "a", "b", "d"])
        try store.set("again", for: "a")
        try store.remove("b")
        #expect(try store.keys() == ["c", "d", "a"])
        #expect(try store.entries().map(\.value) == [.string("c"), .string("d"), .string("again")])
        try store.compact()
        #expect(try store.keys() == ["c", "d", "a"])
        try store.set(nil as Int?, for: "c")
        #expect(try store.keys() == ["d", "a"])
    }

    @Test func forEachShowsOneInstantWhateverChangesMeanwhile() throws {
        let scene = try Scene()
        let store = try scene.store()
        for number in 0..<100 { try store.set(number, for: "\(number)") }
        var seen: [MappedEntry] = []
        try store.forEach { entry throws(MappedStoreError) in
            seen.append(entry)
            try store.set(-1, for: entry.key)
            try store.remove("\(99 - seen.count)")
            try store.set(0, for: "new \(seen.count)")
            if seen.count == 50 { try store.compact() }
            if seen.count == 60 { try store.removeAll() }
        }
        #expect(seen == (0..<100).map { MappedEntry(key: "\($0)", value: .int(Int128($0))) })
        #expect(try store.count == 40 + 40 || store.count < 100)
        // Whatever is thrown ends it.
        var calls = 0
        #expect(throws: CancellationError.self) {
            try store.forEach { _ in
                calls += 1
                throw CancellationError()
            }
        }
        #expect(calls == 1)
        #expect(try store.verify().isIntact)
    }

    @Test func lentBytesStayAsTheyAre() throws {
        let scene = try Scene()
        let store = try scene.store()
        let value = [UInt8](repeating: 5, count: 10_000)
        try store.set(value, for: "a")
        let found = try store.withValue(for: "a") { bytes, type in
            #expect(type == .bytes && bytes.byteCount == 10_000)
            try store.set([UInt8](repeating: 6, count: 10_000), for: "a")
            for number in 0..<300 { try store.set([UInt8](repeating: 7, count: 1000), for: "\(number)") }
            try store.compact()
            try store.remove("a")
            try store.removeAll()
            #expect(code { try store.close() } == .busy)
            return [UInt8](copying: bytes)
        }
        #expect(found == value)
        #expect(try store.withValue(for: "a") { _, _ in 1 } == nil)
        struct Stop: Error {}
        try store.set(1, for: "b")
        #expect(throws: Stop.self) { try store.withValue(for: "b") { _, _ in throw Stop() } }
        try store.close()
    }
}
