import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// Queries made at random, each beside what it means, computed without grams, forms of bytes or parsing.
private struct RandomQuery {
    var text: String
    private var required: [[(String) -> Bool]] = []
    private var excluded: [(String) -> Bool] = []

    /// Whether plain texts, taken together, are what the query looks for.
    func holds(_ texts: [String]) -> Bool {
        required.allSatisfy { group in group.contains { test in texts.contains(where: test) } }
            && !excluded.contains { test in texts.contains(where: test) }
    }

    /// By Foundation, for the words of the pool, what the store does by tables of its own.
    static func plain(_ text: String) -> String {
        var text = text.replacingOccurrences(of: "ﾄﾞ", with: "ド").precomposedStringWithCompatibilityMapping
        for (other, one) in ["’": "'", "–": "-", "ł": "l", "Ł": "l"] { text = text.replacingOccurrences(of: other, with: one) }
        let voiced = CharacterSet(charactersIn: "\u{3099}\u{309A}")
        // Accents of Latin, Greek and Cyrillic; not the marks of kana, nor syllables of Hangul.
        text = text.unicodeScalars.map { scalar in
            let parts = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
            guard let first = parts.first, first.value < 0x1100 || (0x1E00..<0x2000).contains(first.value),
                !parts.contains(where: voiced.contains)
            else { return String(scalar) }
            return String(String.UnicodeScalarView(parts.filter { !(0x300..<0x370).contains($0.value) }))
        }.joined()
        text = text.lowercased().replacingOccurrences(of: "ς", with: "σ")
        text.unicodeScalars.removeAll { $0.value == 0x200D || $0.value == 0xFE0F }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    init(_ texts: [String], _ random: inout SeededGenerator) {
        text = ""
        for number in 0..<random.int(in: 1..<4) {
            var isExcluded = false
            if number > 0 {
                isExcluded = random.oneIn(4)
                text += isExcluded ? " !! " : random.oneIn(2) ? " && " : " "
            }
            var group: [(String) -> Bool] = []
            for place in 0..<random.int(in: 1..<3) {
                if place > 0 { text += " || " }
                group.append(add(TextPool.word(of: random.pick(texts), &random), &random))
            }
            if isExcluded { excluded += group } else { required.append(group) }
        }
    }

    private mutating func add(_ source: String, _ random: inout SeededGenerator) -> (String) -> Bool {
        let word = String(source.filter { !"\"[]*&|!".contains($0) })
        let plain = Self.plain(word)
        let isBare = !word.isEmpty && !word.contains(where: \.isWhitespace)
        guard !plain.isEmpty else {
            text += "\"\(word)\""
            return { _ in false }
        }
        switch random.int(in: 0..<(isBare ? 8 : 5)) {
        case 0:
            text += "[[\(word)]]"
            return { " \($0) ".utf8.hasPart(" \(plain) ".utf8) }
        case 1:
            text += "[[\(word)*]]"
            return { " \($0)".utf8.hasPart(" \(plain)".utf8) }
        case 2:
            text += "[[*\(word)]]"
            return { "\($0) ".utf8.hasPart("\(plain) ".utf8) }
        case 3:
            text += "[[*\(word)*]]"
            return { $0.utf8.hasPart(plain.utf8) }
        case 4:
            text += "\"\(word)\""
            return { $0.utf8.hasPart(plain.utf8) }
        case 5:
            text += "\(word)]]]]"
            return { $0.utf8.reversed().starts(with: plain.utf8.reversed()) }
        default:
            text += word
            return { $0.utf8.hasPart(plain.utf8) }
        }
    }
}

extension String.UTF8View {
    fileprivate func hasPart(_ part: String.UTF8View) -> Bool {
        let (text, part) = (Array(self), Array(part))
        return text.count >= part.count && (0...text.count - part.count).contains { text[$0...].starts(with: part) }
    }
}

struct SearchTests {
    static let classes: [any StoredObject.Type] = [Memo.self]

    /// What is found by the indexes is what a look at each object finds.
    @Test func findsWhatANaiveLookFinds() async throws {
        try await withSeeds("search", count: Thorough.count(1, of: 4)) { random in
            let store = try ObjectStore(engine: MemoryEngine(), classes: Self.classes)
            let context = try store.makeContext()
            for _ in 0..<4 {
                try change(context, &random)
                if random.oneIn(4) { context.rollback() } else if !random.oneIn(3) { try context.save() }
                let memos = try context.allObjects(Memo.self)
                let texts = memos.map { [$0.title, $0.body ?? ""] }
                let plain = texts.map { $0.map(RandomQuery.plain) }
                for _ in 0..<20 where !texts.isEmpty {
                    let query = RandomQuery(random.pick(texts), &random)
                    let parsed = try TextQuery(query.text)
                    func wanted(_ holds: (Int) -> Bool) -> [ObjectID] { memos.indices.filter(holds).compactMap { memos[$0].objectID } }
                    let titled = wanted { query.holds([plain[$0][0]]) }
                    let found = try context.search(Memo.self, \.title, query.text).compactMap(\.objectID)
                    #expect(found == titled, "\(query.text)")
                    let both = try context.searchIDs(Memo.self, [\.title, \.body], query.text)
                    #expect(both == wanted { query.holds(plain[$0]) }, "\(query.text)")
                    let few = try context.searchIDs(Memo.self, \.title, query.text, limit: 2, offset: 1)
                    #expect(few == Array(titled.dropFirst().prefix(2)), "\(query.text)")
                    let negated = try context.fetchIDs(where: !.matches(\Memo.title, parsed))
                    #expect(negated == wanted { !query.holds([plain[$0][0]]) }, "\(query.text)")
                    let withNumber = try context.fetchIDs(where: .matches(\.body, parsed) || \Memo.number == 3)
                    #expect(withNumber == wanted { query.holds([plain[$0][1]]) || memos[$0].number == 3 }, "\(query.text)")
                    let highlighted = wanted { !parsed.highlights(in: memos[$0].title).isEmpty }
                    #expect(highlighted == titled, "\(query.text)")
                }
            }
            try context.save()
            let report = try store.verify()
            #expect(report.isIntact, "\(report.problems.prefix(3))")
            context.close()
        }
    }

    private func change(_ context: ObjectContext, _ random: inout SeededGenerator) throws {
        let memos = try context.allObjects(Memo.self)
        for memo in memos where random.oneIn(4) {
            switch random.int(in: 0..<4) {
            case 0: try context.delete(memo)
            case 1: memo.body = random.oneIn(3) ? nil : TextPool.text(&random, words: 8)
            case 2: memo.number += 1
            default: memo.title = TextPool.text(&random, words: 4)
            }
        }
        for _ in 0..<random.int(in: 0..<60) {
            context.insert(
                Memo(
                    title: TextPool.text(&random, words: 4),
                    body: random.oneIn(3) ? nil : TextPool.text(&random, words: random.oneIn(20) ? 200 : 10),
                    number: random.int(in: 0..<5)
                )
            )
        }
    }

    @Test func onlyWhatChangedIsWritten() throws {
        let engine = MemoryEngine()
        let store = try ObjectStore(engine: engine, classes: Self.classes)
        let context = try store.makeContext()
        let memo = Memo(title: "abcd", body: nil)
        context.insert(memo)
        try context.save()
        func texts() throws -> [[UInt8]] {
            try store.rebuildIndexes()
            return try engine.makeView().entries(KeyRange(prefix: [7])).map { Array($0.key.dropFirst(9)) }
        }
        #expect(try texts() == ["abc\0", "bcd\0", "cd\0\0", "d\0\0\0"].map { Array($0.utf8) })
        memo.number = 5
        try context.save()
        memo.title = "abce"
        memo.body = "x"
        try context.save()
        #expect(try texts() == ["abc\0", "bce\0", "ce\0\0", "e\0\0\0", "x\0\0\0"].map { Array($0.utf8) })
        try context.delete(memo)
        try context.save()
        #expect(try texts().isEmpty)
    }

    @Test func objectsOfManyBlocksAreFound() throws {
        let engine = MemoryEngine()
        let starts: [UInt64] = [0, 8190, 16_384, 131_070, 400_000]
        for start in starts {
            if start > 0 { try skipRows(of: engine, to: start) }
            try ObjectStore(engine: engine, classes: Self.classes).write { context in
                for number in 1...100 {
                    context.insert(Memo(title: "row \(start + UInt64(number))", body: number == 50 ? "seldom" : "often"))
                }
            }
        }
        let store = try ObjectStore(engine: engine, classes: Self.classes)
        let moved: [UInt64] = [1, 8191, 8192, 8193, 131_071, 131_072, 131_073, 400_100]
        try store.write { context in
            for row in moved { try #require(try context.object(ObjectID("1/\(row)")!, as: Memo.self)).body = "moved" }
        }
        try store.read { context in
            func rows(_ keyPath: KeyPath<Memo, String>, _ query: String, limit: Int? = nil, offset: Int = 0) throws -> [UInt64] {
                try context.searchIDs(Memo.self, keyPath, query, limit: limit, offset: offset).map(\.row)
            }
            let found = try context.searchIDs(Memo.self, \.body, "moved").map(\.row)
            #expect(found == moved)
            let seldom = try context.searchIDs(Memo.self, \.body, "seldom").map(\.row)
            #expect(seldom == starts.map { $0 + 50 })
            let often = try context.count(where: .matches(\Memo.body, TextQuery("often")))
            #expect(often == 500 - 5 - moved.count)
            let (word, letter) = (try rows(\.title, "[[131072]]"), try rows(\.title, "7", limit: 3, offset: 1))
            #expect(word == [131_072] && letter == [17, 27, 37])
            let beginning = try rows(\.title, "[[[[row 13", limit: 3)
            #expect(beginning == [13, 131_071, 131_072])
        }
        #expect(try store.verify().isIntact)
    }

    @Test func undoTakesTextBack() throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: Self.classes)
        let context = try store.makeContext()
        context.undo.isEnabled = true
        let memo = Memo(title: "first", body: "one")
        context.insert(memo)
        try context.save()
        memo.title = "second"
        #expect(try context.search(Memo.self, \.title, "second").count == 1 && context.search(Memo.self, \.title, "first").isEmpty)
        try context.save()
        try context.undo.undo()
        #expect(try context.search(Memo.self, \.title, "first").count == 1)
        try context.save()
        #expect(try store.read { try $0.searchIDs(Memo.self, \.title, "first").count } == 1)
        #expect(try store.verify().isIntact)
    }

    @Test func conflictsKeepTextInStep() throws {
        for policy in [ConflictPolicy.keepMine, .keepTheirs, .merge] {
            let store = try ObjectStore(engine: MemoryEngine(), classes: Self.classes)
            try store.write { $0.insert(Memo(title: "start", body: "begin")) }
            var options = ObjectContextOptions()
            options.conflictPolicy = policy
            let mine = try store.makeContext(options)
            let memo = try #require(try mine.allObjects(Memo.self).first)
            try store.write { context in
                let memo = try context.allObjects(Memo.self)[0]
                memo.body = "theirs"
                memo.number = 7
            }
            memo.title = "mine"
            try mine.save()
            let report = try store.verify()
            #expect(report.isIntact, "\(policy): \(report.problems)")
            let found = try store.read { context in
                try ["start", "mine", "begin", "theirs"].filter { try !context.searchIDs(Memo.self, [\.title, \.body], $0).isEmpty }
            }
            #expect(found == (policy == .keepMine ? ["mine", "begin"] : policy == .merge ? ["mine", "theirs"] : ["start", "theirs"]))
        }
    }

    @Test func queriesSayHowTheyAreAnswered() throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: Self.classes)
        try store.write { context in for number in 0..<100 { context.insert(Memo(title: "title \(number)", body: nil, plain: "plain")) } }
        try store.rebuildIndexes()
        try store.read { context in
            let query = try TextQuery("[[7*]]")
            let text = try context.explain(where: .matches(\Memo.title, query))
            #expect(text.access == "text index (title): [[7*]]" && text.examined == 19 && text.filter == "title matches [[7*]]", "\(text)")
            #expect(try context.explain(where: .matches(\Memo.plain, query)).access == "all Memo")
            #expect(try context.explain(where: !.matches(\Memo.title, query)).access == "all Memo")
            #expect(try context.explain(where: .matches(\Memo.title, TextQuery(""))).access.hasPrefix("nothing"))
            #expect(try context.search(Memo.self, \.plain, "PLAIN", limit: 5).count == 5)
            let sorted = try context.search(Memo.self, \.title, "[[7*]]", sortedBy: [.descending(\.title)], limit: 2).map(\.title)
            #expect(sorted == ["title 79", "title 78"])
            // An index that finds fewer is preferred.
            let few = try context.explain(where: .matches(\Memo.title, TextQuery("title")) && \Memo.number == 9)
            #expect(few.access.hasPrefix("index (number)") && few.filter == "title matches title")
        }
    }

    @Test func theBestComeFirst() throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: Self.classes)
        let titles = ["the sunset", "a long walk in the sun", "Sunshine", "unsung", "in the sun", "Sun of Rome", "SUN"]
        try store.write { context in for title in titles { context.insert(Memo(title: title, body: nil)) } }
        try store.read { context in
            let query = try TextQuery("sun")
            let found = try context.search(Memo.self, \.title, "sun", sortedBy: [.relevance(of: query, in: \.title)], limit: 6).map(\.title)
            #expect(found == ["SUN", "Sun of Rome", "in the sun", "a long walk in the sun", "Sunshine", "the sunset"])
        }
    }

    /// What users type need not be a query.
    @Test func textThatWasTypedIsSearchedLiterally() throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: Self.classes)
        let context = try store.makeContext()
        let memo = Memo(title: #"say "hi" && go"#, body: "[[odd")
        context.insert(memo)
        context.insert(Memo(title: "hi, go", body: nil))
        try context.save()

        let typed = TextQuery(containing: #""HI" &&"#)
        #expect(try context.search(Memo.self, \.title, typed).map(\.title) == [memo.title])
        #expect(try context.searchIDs(Memo.self, \.title, typed) == [memo.objectID])
        let odd = TextQuery(containing: "[[odd")
        #expect(try context.search(Memo.self, [\.title, \.body], odd, limit: 1).map(\.title) == [memo.title])
        #expect(try context.searchIDs(Memo.self, [\.title, \.body], odd) == [memo.objectID])
        #expect(try context.search(Memo.self, \.title, odd).isEmpty)
        #expect(code { try context.search(Memo.self, [], odd) } == .invalidPredicate)
    }

    @Test func malformedQueriesAreErrorsWithAPosition() throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: Self.classes)
        try store.read { context in
            let error = #expect(throws: ObjectStoreError.self) { try context.search(Memo.self, \.title, "sun && [[moon") }
            #expect(error?.code == .malformedQuery && (error?.cause as? TextQueryError)?.position == 7)
            #expect(error?.message == "the query cannot be parsed: [[ is not closed by ]], at character 8")
            #expect(code { try context.searchIDs(Memo.self, [\.title, \.number], "a") } == .invalidPredicate)
            #expect(code { try context.searchIDs(Memo.self, [], "a") } == .invalidPredicate)
        }
    }
}
