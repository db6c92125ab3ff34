import CairnCore
import CairnObjects
import CairnTestSupport
import Testing

@testable import CairnGraph
@testable import CairnText

@Stored final class Strip {
    @Searchable var text: String
}

/// What text indexes know of places: which objects need not be read, and that nothing is found for it that is not so.
struct TextPlaceTests {
    private static let parts = ["ab", "ba", "aab", "abc", "cab", " ", "b a", "é", "東京", "a東"]

    private static func text(_ random: inout SeededGenerator, _ count: Int) -> String {
        (0..<random.int(in: 0..<count)).map { _ in random.pick(parts) }.joined()
    }

    /// Few characters, so that each group of three stands in many places.
    @Test func whatIsProvenIsSo() async throws {
        try await withSeeds("places of text", count: Thorough.count(1, of: 4)) { random in
            let store = try ObjectStore(engine: MemoryEngine(), classes: [Strip.self])
            for _ in 0..<4 {
                try store.write { context in
                    for strip in try context.allObjects(Strip.self) where random.oneIn(3) {
                        switch random.int(in: 0..<4) {
                        case 0: try context.delete(strip)
                        case 1: strip.text = "a" + strip.text
                        case 2: strip.text += "b"
                        default: strip.text = Self.text(&random, 8)
                        }
                    }
                    for _ in 0..<100 { context.insert(Strip(text: Self.text(&random, random.oneIn(20) ? 300 : 8))) }
                }
                try store.read { context in
                    let forms = try context.allObjects(Strip.self).map { ($0.objectID, " \(RandomText.plain($0.text)) ") }
                    for _ in 0..<40 {
                        let part = RandomText.plain(Self.text(&random, 6))
                        guard !part.isEmpty else { continue }
                        func check(_ query: String, _ holds: (String) -> Bool) throws {
                            let found = try context.searchIDs(Strip.self, \.text, query)
                            #expect(found == forms.filter { holds($0.1) }.compactMap(\.0), "\(query)")
                        }
                        try check("\"\(part)\"") { $0.contains(part) }
                        try check("[[\(part)]]") { $0.contains(" \(part) ") }
                        try check("[[*\(part)]]") { $0.contains("\(part) ") }
                        if !part.contains(" ") {
                            try check("[[[[\(part)") { $0.hasPrefix(" \(part)") }
                            try check("\(part)]]]]") { $0.hasSuffix("\(part) ") }
                            try check("\(part) ab || cab") { $0.contains(part) && ($0.contains("ab") || $0.contains("cab")) }
                            try check("\(part) !! cab") { $0.contains(part) && !$0.contains("cab") }
                        }
                    }
                }
                let report = try store.verify()
                #expect(report.isIntact, "\(report.problems.prefix(3))")
            }
        }
    }

    /// The groups of three in "abcd" are in both texts, the last ones where they would follow the former places of "abc". Few changed texts wait beside
    /// the blocks of the index, many change them.
    @Test(arguments: [100, 1000]) func formerPlacesProveNothing(count: Int) throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: [Strip.self])
        try store.write { context in for _ in 0..<count { context.insert(Strip(text: "xabc")) } }
        try store.write { context in for strip in try context.allObjects(Strip.self) { strip.text = "zzbcd abc" } }
        try store.read { context in
            let counts = try ["abcd", "bcd ab"].map { try context.searchIDs(Strip.self, \.text, $0).count }
            #expect(counts == [0, count])
        }
        #expect(try store.verify().isIntact)
    }

    /// The records are gone: what reads one fails.
    @Test func onlyWhatIsNotProvenIsRead() throws {
        let engine = MemoryEngine()
        let store = try ObjectStore(engine: engine, classes: [Strip.self])
        let long = String(repeating: "x", count: 260)
        var texts = ["sunshine", "sun and shine", "unsung shin", "SUNSHINE", "shin, sunshine", "\(long) sunny", "the end"]
        // Few objects are read sooner than the index.
        texts += [String](repeating: "Sunshine!", count: 6)
        texts.append(String(repeating: "hint ", count: 9))
        try store.write { context in for text in texts { context.insert(Strip(text: text)) } }
        try store.rebuildIndexes()
        var commit = EngineCommit()
        commit.deleteRange(Keyspace.pages(1))
        try engine.commit(commit)
        func rows(_ query: String) throws -> [UInt64]? {
            do {
                return try store.read { try $0.searchIDs(Strip.self, \.text, query).map(\.row) }
            } catch let error as ObjectStoreError where error.code == .corruption {
                return nil
            }
        }
        #expect(try rows("sunsh") == [1, 4, 5] + (8...13))
        #expect(try rows("sun") == [1, 2, 3, 4, 5, 6] + (8...13))
        #expect(try rows("u") == [1, 2, 3, 4, 5, 6] + (8...13))
        #expect(try rows("[[[[sunshi") == [1, 4] + (8...13))
        #expect(try rows("nshine]]]]") == [1, 4, 5])
        #expect(try rows("and && sun") == [2])
        #expect(try rows("unsu || the") == [3, 7])
        // "hin" is in two places of one of them.
        #expect(try rows("unshin") == [1, 4, 5] + (8...13))
        // In more places than are kept.
        #expect(try rows("hint") == nil)
        // Too far behind, and what only a look at the text can tell.
        #expect(try rows("sunny") == nil)
        #expect(try rows("[[sun]]") == nil)
        #expect(try rows("sun !! shine") == nil)
    }

    /// What many objects have far behind is kept without places.
    @Test func whatManyHaveIsFound() throws {
        let engine = MemoryEngine()
        let store = try ObjectStore(engine: engine, classes: [Strip.self])
        let far = String(repeating: "1", count: 260)
        try store.write { context in
            for number in 1...600 { context.insert(Strip(text: "\(number % 2 == 0 ? "" : "b")common \(number) \(far)behind")) }
        }
        func check(_ count: Int) throws {
            let sizes = try engine.makeView().entries(KeyRange(prefix: [7])).map(\.value.count)
            #expect(sizes.contains(TextBlock.bitmapSize) == (count > 511))
            #expect(sizes.contains { $0 > TextBlock.bitmapSize } == (count > 511))
            let counts = try store.read { context in
                try ["common", "[[[[common", "bcommon", "comon", "behind"].map { try context.searchIDs(Strip.self, \.text, $0).count }
            }
            #expect(counts == [count, count / 2, count / 2, 0, count])
            #expect(try store.verify().isIntact)
        }
        try check(600)
        try store.write { context in for strip in try context.fetch(Strip.self, limit: 300) { try context.delete(strip) } }
        try check(300)
        try store.rebuildIndexes()
        try check(300)
    }
}

private enum RandomText {
    static func plain(_ text: String) -> String {
        text.replacing("é", with: "e").split(separator: " ").joined(separator: " ")
    }
}
