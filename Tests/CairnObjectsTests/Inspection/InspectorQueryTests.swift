import CairnObjects
import CairnTestSupport
import Foundation
import Testing

@Stored final class Voucher {
    struct Place: Codable, Hashable { var x: Int }

    var page: URL?
    var numbers: [Int]?
    var prices: [String: Int]?
    var worth: Decimal?
    var place: Place?
    var tags: [String] = []
}

/// A condition as text for an inspector, and the same for a context.
private struct Wording<Kind: TrackValues> {
    var text: String
    var condition: ObjectCondition<Kind>

    init(_ text: String, _ condition: ObjectCondition<Kind>) {
        self.text = text
        self.condition = condition
    }

    static func quoted(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "\"") { $0 += $1 == "\0" ? "\\u{0}" : $1 == "\"" || $1 == "\\" ? "\\\($1)" : "\($1)" } + "\""
    }

    private static func compared<Value: KeyCodable & Comparable>(
        _ name: String,
        _ path: KeyPath<Kind, Value>,
        _ value: Value,
        _ text: String,
        _ generator: inout SeededGenerator
    ) -> Wording {
        switch generator.int(in: 0..<6) {
        case 0: Wording("\(name) = \(text)", path == value)
        case 1: Wording("\(name) != \(text)", path != value)
        case 2: Wording("\(name) < \(text)", path < value)
        case 3: Wording("\(name) <= \(text)", path <= value)
        case 4: Wording("\(name) > \(text)", path > value)
        default: Wording("\(name)>=\(text)", path >= value)
        }
    }

    private static func compared<Value: KeyCodable & Comparable>(
        _ name: String,
        _ path: KeyPath<Kind, Value?>,
        _ value: Value,
        _ text: String,
        _ generator: inout SeededGenerator
    ) -> Wording {
        switch generator.int(in: 0..<8) {
        case 0: Wording("\(name) = \(text)", path == value)
        case 1: Wording("\(name) != \(text)", path != value)
        case 2: Wording("\(name) < \(text)", path < value)
        case 3: Wording("\(name) <= \(text)", path <= value)
        case 4: Wording("\(name) > \(text)", path > value)
        case 5: Wording("\(name) >= \(text)", path >= value)
        case 6: Wording("\(name) IS nil", .isNil(path))
        default: Wording("\(name) is not nil", !.isNil(path))
        }
    }

    private static func text(_ name: String, _ path: KeyPath<Kind, String>, _ generator: inout SeededGenerator) -> Wording {
        let text = generator.pick(TrackPool.artists)
        switch generator.int(in: 0..<6) {
        case 0: return Wording("\(name) begins with \(quoted(text))", .hasPrefix(path, text))
        case 1: return Wording("\(name) not ends with \(quoted(text))", !.hasSuffix(path, text))
        case 2: return Wording("\(name) contains \(quoted(text))", .contains(path, text))
        default: return compared(name, path, text, quoted(text), &generator)
        }
    }

    /// A test of a single property.
    private static func single(_ paths: TrackPaths<Kind>, _ generator: inout SeededGenerator) -> Wording {
        let text = generator.pick(TrackPool.artists)
        switch generator.int(in: 0..<15) {
        case 0: return Self.text("artist", paths.artist, &generator)
        case 1: return Self.text("title", paths.title, &generator)
        case 2: return compared("note", paths.note, text, quoted(text), &generator)
        case 3: return Wording("note begins with \(quoted(text))", .hasPrefix(paths.note, text))
        case 4:
            let number = generator.oneIn(3) ? generator.pick(TrackPool.integers) : generator.int(in: 0..<400)
            return compared("seconds", paths.seconds, number, "\(number)", &generator)
        case 5, 6:
            let number = generator.pick(TrackPool.numbers)
            return compared("rating", paths.rating, number, "\(number)", &generator)
        case 7:
            let number = generator.pick(TrackPool.bytes)
            return compared("small", paths.small, number, "\(number)", &generator)
        case 8:
            let date = generator.pick(TrackPool.dates)
            return compared("released", paths.released, date, "\(date.timeIntervalSinceReferenceDate)", &generator)
        case 9:
            let genre = generator.pick(Style.allCases)
            return generator.oneIn(2)
                ? Wording("genre = '\(genre.rawValue)'", paths.genre == genre)
                : Wording("genre not in ('\(genre.rawValue)', 'jazz')", !.isIn(paths.genre, [genre, .jazz]))
        case 10:
            let isLive = generator.oneIn(2)
            return Wording("isLive == \(isLive)", paths.isLive == isLive)
        case 11:
            let identity = generator.pick(TrackPool.identities)
            return compared("identity", paths.identity, identity, "\"\(identity)\"", &generator)
        case 12:
            let number = Decimal(generator.int(in: 0..<5)) / 2
            // Operators on types without keys.
            let (isLess, text) = (generator.oneIn(2), "\(number)")
            return isLess ? Wording("price < \(text)", paths.price < number) : Wording("price != \(text)", paths.price != number)
        case 13:
            let (one, other) = (generator.pick(TrackPool.numbers), generator.pick(TrackPool.numbers))
            return Wording("rating in (nil, \(one), \(other))", .isIn(paths.rating, [nil, one, other]))
        default:
            // Of other values, the context also finds equivalent ones.
            let tag = generator.pick(["Abba", "Zappa", "東京", "", "nobody"])
            return Wording("tags contains \(quoted(tag))", .contains(paths.tags, tag))
        }
    }

    static func random(_ paths: TrackPaths<Kind>, _ generator: inout SeededGenerator, depth: Int = 0) -> Wording {
        let made: Wording
        if depth > 2 || generator.oneIn(3) {
            made = single(paths, &generator)
        } else {
            let (one, other) = (random(paths, &generator, depth: depth + 1), random(paths, &generator, depth: depth + 1))
            made =
                generator.oneIn(2)
                ? Wording("(\(one.text) and \(other.text))", one.condition && other.condition)
                : Wording("(\(one.text) OR \(other.text))", one.condition || other.condition)
        }
        return generator.oneIn(5) ? Wording("not \(made.text)", !made.condition) : made
    }
}

/// What inspectors find without Swift classes is what contexts find with them.
struct InspectorQueryTests {
    private static func sorts<Kind: TrackValues>(_ paths: TrackPaths<Kind>, _ generator: inout SeededGenerator)
        -> [(StoreInspector.Sort, ObjectSort<Kind>)]
    {
        func sort<Value: KeyCodable>(_ name: String, _ path: KeyPath<Kind, Value>) -> (StoreInspector.Sort, ObjectSort<Kind>) {
            let isDescending = generator.oneIn(2)
            return (.init(name, isDescending: isDescending), isDescending ? .descending(path) : .ascending(path))
        }
        return (0..<generator.int(in: 0..<4)).map { _ in
            switch generator.int(in: 0..<9) {
            case 0: sort("artist", paths.artist)
            case 1: sort("seconds", paths.seconds)
            case 2: sort("rating", paths.rating)
            case 3: sort("note", paths.note)
            case 4: sort("small", paths.small)
            case 5: sort("genre", paths.genre)
            case 6: sort("released", paths.released)
            case 7: sort("isLive", paths.isLive)
            default: sort("identity", paths.identity)
            }
        }
    }

    private static func compare<Kind: TrackValues>(
        _ store: ObjectStore,
        _ paths: TrackPaths<Kind>,
        _ rounds: Int,
        _ generator: inout SeededGenerator
    ) throws {
        let stored = try #require(store.catalog["\(Kind.self)"])
        for _ in 0..<rounds {
            let wording = Wording.random(paths, &generator)
            let sorts = Self.sorts(paths, &generator)
            var query = StoreInspector.Query(where: wording.text)
            query.sorts = sorts.map(\.0)
            query.limit = generator.oneIn(3) ? nil : generator.int(in: 0..<30)
            query.offset = generator.oneIn(2) ? 0 : generator.int(in: 0..<10)
            let (wanted, count) = try store.read { context in
                (
                    try context.fetchIDs(
                        Kind.self,
                        where: wording.condition,
                        sortedBy: sorts.map(\.1),
                        limit: query.limit,
                        offset: query.offset
                    ),
                    try context.count(Kind.self, where: wording.condition)
                )
            }
            try store.inspect { inspector in
                var found: [ObjectID] = []
                try inspector.find(query, in: stored) {
                    found.append(try $0.get().id)
                    return true
                }
                let plan = try inspector.explain(query, in: stored)
                #expect(found == wanted, "\(query): \(plan)")
                let counted = try inspector.count(query, in: stored)
                #expect(counted == count, "count of \(query): \(plan)")
            }
        }
    }

    @Test func inspectorsFindWhatContextsFind() async throws {
        try await withSeeds("queries of inspectors", count: Thorough.count(1, of: 10)) { generator in
            let engine = MemoryEngine()
            let store = try Scene().tracks(engine)
            try store.write { context in
                for number in 0..<300 {
                    context.insert(TrackPool.track(number, Track.self, &generator))
                    context.insert(TrackPool.track(number, PlainTrack.self, &generator))
                }
            }
            try store.write { context in
                for track in try context.allObjects(Track.self) where generator.oneIn(10) { try context.delete(track) }
            }
            try Self.compare(store, TrackPaths.indexed, Thorough.count(80, of: 400), &generator)
            try Self.compare(store, TrackPaths.plain, Thorough.count(40, of: 400), &generator)
        }
    }

    @Test func searchesFindWhatContextsFind() async throws {
        try await withSeeds("searches of inspectors", count: Thorough.count(1, of: 5)) { generator in
            let store = try ObjectStore(engine: MemoryEngine(), classes: [Memo.self])
            try store.write { context in
                for number in 0..<200 {
                    let memo = Memo(title: TextPool.text(&generator, words: 5), number: number % 10)
                    if generator.oneIn(2) { memo.body = TextPool.text(&generator, words: 5) }
                    memo.plain = memo.title
                    context.insert(memo)
                }
            }
            let stored = try #require(store.catalog["Memo"])
            for _ in 0..<100 {
                let context = try store.makeContext()
                let words = try context.allObjects(Memo.self)
                let word = TextPool.word(of: generator.pick(words).title, &generator)
                let search = "\"\(word.replacing("\"", with: "\"\""))\"" + (generator.oneIn(3) ? " !! sun" : "")
                var query = StoreInspector.Query(where: generator.oneIn(2) ? "number < 5" : nil, search: search)
                let found: [ObjectID]
                if generator.oneIn(3) {
                    query.searchedProperties = ["plain"]
                    found = try context.searchIDs(Memo.self, \.plain, search)
                } else {
                    found = try context.searchIDs(Memo.self, [\Memo.title, \Memo.body], search)
                }
                let wanted = try found.filter { id in
                    let memo = try context.object(id, as: Memo.self)
                    return try query.condition == nil || #require(memo).number < 5
                }
                try store.inspect { inspector in
                    var found: [ObjectID] = []
                    try inspector.find(query, in: stored) {
                        found.append(try $0.get().id)
                        return true
                    }
                    let plan = try inspector.explain(query, in: stored)
                    #expect(found == wanted, "\(query): \(plan)")
                }
            }
        }
    }

    @Test func plansAreThoseOfContexts() throws {
        let store = try Scene().tracks()
        var generator = SeededGenerator(seed: 5)
        try store.write { context in for number in 0..<50 { context.insert(TrackPool.track(number, Track.self, &generator)) } }
        let stored = try #require(store.catalog["Track"])
        func same(_ text: String, _ condition: ObjectCondition<Track>, limit: Int? = nil) throws {
            var query = StoreInspector.Query(where: text)
            query.limit = limit
            let wanted = try store.read { "\(try $0.explain(where: condition, limit: limit))" }
            #expect(try store.inspect { "\(try $0.explain(query, in: stored))" } == wanted)
        }
        try same(#"artist = "Abba" and title contains "3""#, \.artist == "Abba" && .contains(\.title, "3"))
        try same(
            #"artist = "Abba" and seconds > 10 and seconds <= 30"#,
            \.artist == "Abba" && \.seconds > 10 && \.seconds <= 30,
            limit: 3
        )
        try same(#"artist begins with "Ab""#, .hasPrefix(\.artist, "Ab"))
        try same("seconds < 0 and seconds > 0", \.seconds < 0 && \.seconds > 0)
        try same(#"artist in ("Abba", "Zappa")"#, .isIn(\.artist, ["Abba", "Zappa"]))
        try same(#"title = "x""#, \.title == "x")
        var sorted = StoreInspector.Query()
        sorted.sorts = [.init("title"), .init("seconds", isDescending: true)]
        sorted.limit = 5
        #expect(
            try store.inspect { "\(try $0.explain(sorted, in: stored))" } == """
                scan:   all Track
                finds:  50
                order:  sorted in memory by title, seconds descending, the first 5 kept
                """
        )
    }

    @Test func aLimitedQueryIsSortedByItsIndex() throws {
        let store = try Scene().tracks()
        var generator = SeededGenerator(seed: 7)
        try store.write { context in for number in 0..<2000 { context.insert(TrackPool.track(number, Track.self, &generator)) } }
        let stored = try #require(store.catalog["Track"])
        func found(_ condition: String?, descending: Bool, limit: Int?, offset: Int = 0) throws -> (ids: [ObjectID], order: String) {
            var query = StoreInspector.Query(where: condition)
            query.sorts = [.init("artist", isDescending: descending), .init("seconds", isDescending: descending)]
            (query.limit, query.offset) = (limit, offset)
            return try store.inspect { inspector in
                var ids: [ObjectID] = []
                try inspector.find(query, in: stored) {
                    ids.append(try $0.get().id)
                    return true
                }
                return (ids, try inspector.explain(query, in: stored).order)
            }
        }
        for condition in [nil, "title contains \"3\""] {
            for descending in [false, true] {
                let all = try found(condition, descending: descending, limit: nil)
                #expect(all.order.hasPrefix("sorted in memory"))
                let some = try found(condition, descending: descending, limit: 50, offset: 30)
                #expect(some.order == (descending ? "as in the index, backwards" : "as in the index"))
                #expect(some.ids == Array(all.ids[30..<80]))
            }
        }
    }

    @Test func relationshipsAreComparedWithIdentities() throws {
        let store = try Scene().tracks()
        var generator = SeededGenerator(seed: 6)
        let (disc, tracks) = try store.write { context in
            let tracks = (0..<4).map { TrackPool.track($0, Track.self, &generator) }
            for track in tracks { context.insert(track) }
            let disc = Disc(title: "one")
            context.insert(disc)
            disc.tracks.append(tracks[1])
            disc.tracks.append(tracks[2])
            tracks[0].covers.append(tracks[3])
            try context.save()
            return (try #require(disc.objectID), tracks.compactMap(\.objectID))
        }
        func found(_ condition: String, _ name: String = "Track") throws -> [ObjectID] {
            let stored = try #require(store.catalog[name])
            return try store.inspect { inspector in
                var found: [ObjectID] = []
                try inspector.find(StoreInspector.Query(where: condition), in: stored) {
                    found.append(try $0.get().id)
                    return true
                }
                return found
            }
        }
        #expect(try found("disc = \"\(disc)\"") == [tracks[1], tracks[2]])
        #expect(try found("disc = \(disc)") == [tracks[1], tracks[2]])
        let stored = try #require(store.catalog["Track"])
        let (back, cover) = try store.inspect { inspector in
            (
                try inspector.explain(StoreInspector.Query(where: "disc = \(disc)"), in: stored),
                try inspector.explain(StoreInspector.Query(where: "covers contains \(tracks[3])"), in: stored)
            )
        }
        #expect(back.access == "references to \(disc) through disc" && back.examined == 2 && back.filter == nil)
        #expect(cover.access == "references to \(tracks[3]) through covers" && cover.examined == 1)
        #expect(try found("disc in (nil, \(disc))") == tracks)
        #expect(try found("disc is nil") == [tracks[0], tracks[3]] && found("disc != \(disc)") == [tracks[0], tracks[3]])
        #expect(try found("covers contains \(tracks[3])") == [tracks[0]] && found("not covers contains \(tracks[3])").count == 3)
        #expect(try found("tracks contains \(tracks[2])", "Disc") == [disc])
        #expect(code { try found("mixes contains 1/1") } == .malformedQuery)
    }

    /// Values of which there are no keys.
    @Test func nilIsFoundInEveryOptional() throws {
        let store = try ObjectStore(engine: MemoryEngine(), classes: [Voucher.self])
        let (empty, full) = try store.write { context in
            let (empty, full) = (Voucher(), Voucher())
            full.page = URL(string: "https://example.com")
            (full.numbers, full.prices, full.worth, full.place) = ([], [:], 1, Voucher.Place(x: 1))
            context.insert(empty)
            context.insert(full)
            try context.save()
            return (try #require(empty.objectID), try #require(full.objectID))
        }
        let stored = try #require(store.catalog["Voucher"])
        func found(_ condition: String) throws -> [ObjectID] {
            try store.inspect { inspector in
                var found: [ObjectID] = []
                try inspector.find(StoreInspector.Query(where: condition), in: stored) {
                    found.append(try $0.get().id)
                    return true
                }
                return found
            }
        }
        for name in ["page", "numbers", "prices", "worth", "place"] {
            #expect(try found("\(name) is nil") == [empty] && found("\(name) is not nil") == [full], "\(name)")
            #expect(try found("\(name) in (nil)") == [empty], "\(name)")
        }
        #expect(try found("tags is nil").isEmpty && found("tags != nil") == [empty, full])
    }

    @Test func whatIsWrongIsNamedWithItsPosition() throws {
        let store = try Scene().tracks()
        let stored = try #require(store.catalog["Track"])
        func fault(_ text: String) throws -> ConditionTextError? {
            do {
                _ = try store.inspect { try $0.explain(StoreInspector.Query(where: text), in: stored) }
                return nil
            } catch let error as ObjectStoreError {
                #expect(error.code == .malformedQuery && !error.message.contains("Katrina"))
                return try #require(error.cause as? ConditionTextError)
            }
        }
        let cases: [(String, Int, String)] = [
            ("", 0, "expected the name of a property"), ("seconds", 7, "expected =, !=, <, <=, >, >=, 'in',"),
            ("seconds >", 9, "expected a value"), ("seconds > 1 artist", 12, "expected 'and' or 'or'"),
            ("yaer = 1", 0, "Track has no property 'yaer'; it has artist, title, seconds,"),
            ("not (seconds > 1 and yaer = 1)", 21, "no property 'yaer'"), ("(seconds > 1", 12, "expected ')'"),
            ("seconds = \"Katrina\"", 10, "not a valid int"), ("small = 128", 8, "not a valid int8"),
            ("seconds = 1.5", 10, "not a valid int: integers have digits only"), ("artist = Katrina", 9, "text must be in quotes"),
            ("é = 1", 0, "no property"), ("artist = \"e\u{301}\" and x = 1", 17, "no property 'x'"),
            ("artist = \"Katrina", 9, "closing quotation mark"), ("artist = \"\\q\"", 10, "escape"),
            ("artist = \"\\u{110000}\"", 10, "escape"),
            ("artist ; 1", 7, "unexpected ';'"), ("released = \"yesterday\"", 11, "not a valid date, such as 2026-03-01"),
            ("released = \"2026-02-31\"", 11, "not a valid"), ("isLive = 1", 9, "not a valid bool"),
            ("genre < \"rock\"", 8, "no order"), ("isLive < true", 9, "no order"), ("tags = \"x\"", 7, "cannot be compared"),
            ("seconds < nil", 10, "with = and !="), ("disc = \"x\"", 7, "class and its row"), ("disc < 1/2", 7, "with = and !="),
            ("covers = 1/2", 9, "test it with 'contains'"), ("seconds begins with \"1\"", 20, "'seconds' is not text"),
            ("seconds contains 1", 17, "neither text nor a list"), ("artist begins \"x\"", 14, "expected 'with'"),
            ("artist in \"x\"", 10, "expected '('"), ("artist in ()", 11, "expected a value"),
            ("artist in (\"x\" \"y\")", 15, "expected ',' or ')'"), ("seconds is 1", 11, "expected 'nil'"),
            ("mixes contains 1/1", 15, "derived"), ("and = 1", 0, "expected the name of a property"),
            (String(repeating: "(", count: 101) + "seconds > 1", 100, "more than 100 deep"),
            (String(repeating: "not ", count: 10_000) + "seconds > 1", 400, "more than 100 deep"),
        ]
        for (text, position, message) in cases {
            let fault = try fault(text)
            #expect(fault?.position == position && fault?.message.contains(message) == true, "\(text): \(fault as Any)")
        }
        let error = try #require(try fault("yaer = 1"))
        #expect("\(error)".hasPrefix("at character 1 of the condition: Track has no property 'yaer'; it has artist, "))
        for change: (inout StoreInspector.Query) -> Void in [
            { $0.limit = -1 }, { $0.offset = -1 }, { $0.sorts = [.init("nothing")] }, { $0.sorts = [.init("tags")] },
            { $0.sorts = [.init("disc")] }, { $0.search = "x" },
            {
                $0.search = "x"
                $0.searchedProperties = ["seconds"]
            },
        ] {
            var query = StoreInspector.Query()
            change(&query)
            #expect(code { try store.inspect { try $0.explain(query, in: stored) } } == .invalidPredicate, "\(query)")
        }
    }

    @Test func anyTextIsReadOrRefused() async throws {
        let store = try Scene().tracks()
        let stored = try #require(store.catalog["Track"])
        let tokens = [
            "artist", "seconds", "rating", "disc", "covers", "tags", "price", "`", "'", "\"", "\\", "u{", "}", "(", ")", ",", "=", "!=",
            "<",
            ">=", "and", "or", "not", "in", "is", "nil", "contains", "begins", "with", "1", "-", "1/2", "\"x\"", "e\u{301}", "\u{301}",
            "\0",
            "\r\n", "true",
        ]
        try await withSeeds("texts of conditions", count: 1) { generator in
            for _ in 0..<Thorough.count(1000, of: 100_000) {
                var text = ""
                for _ in 0..<generator.int(in: 0..<12) { text += generator.pick(tokens) + (generator.oneIn(3) ? "" : " ") }
                let code = code { try store.inspect { try $0.explain(StoreInspector.Query(where: text), in: stored) } }
                #expect(code == nil || code == .malformedQuery, "\(text)")
            }
        }
    }

    @Test func valuesAreReadFromText() throws {
        func value(_ text: String, _ type: String) throws -> RecordValue? { RecordValue(text, as: try StoredType(parsing: type)) }
        let new = Date(timeIntervalSinceReferenceDate: 0)
        #expect(try value("2001-01-01", "date") == .date(new) && value("2001-01-01T00:00:00Z", "date") == .date(new))
        #expect(
            try value("2001-01-01T01:00:00.500+01:00", "optional(date)") == .date(new + 0.5) && value("12.5", "date") == .date(new + 12.5)
        )
        #expect(try value("2001-01-01x", "date") == nil && value("2001", "date") == .date(new + 2001) && value("nan", "date") == nil)
        #expect(try value("2026-02-29T00:00:00Z", "date") == nil && value("2024-02-29", "date") != nil)
        #expect(try value("-12.50", "decimal") == .decimal("-125e-1") && value("1e3", "decimal") == .decimal("1000"))
        #expect(try value("", "decimal") == nil && value("1.", "decimal") == .decimal("1") && value("1,5", "decimal") == nil)
        #expect(try value("-128", "int8") == .signed(-128) && value("-129", "int8") == nil && value("256", "uint8") == nil)
        #expect(try value("\(UInt128.max)", "uint128") == .unsigned(.max) && value("\(Int128.min)", "int128") == .signed(.min))
        #expect(try value("0aFF", "bytes") == .bytes([10, 255]) && value("0aF", "bytes") == nil && value("0x", "bytes") == nil)
        #expect(try value("inf", "double") == .double(.infinity) && value("0.1", "float") == .float(0.1) && value("", "double") == nil)
        #expect(try value("red", "raw(string, \"Colour\")") == .text("red") && value("2", "raw(int64, \"Level\")") == .signed(2))
        #expect(try value("true", "bool") == .bool(true) && value("yes", "bool") == nil && value("[]", "array(string)") == nil)
        #expect(try value("https://example.com/%20", "url") == .text("https://example.com/%20") && value("http://[", "url") == nil)
    }
}
