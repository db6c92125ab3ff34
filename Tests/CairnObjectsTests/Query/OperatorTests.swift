import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// A condition, and the same in Swift.
struct Question<Kind: TrackValues> {
    var text: String
    var condition: ObjectCondition<Kind>
    var holds: (Kind) -> Bool

    init(_ text: String, _ condition: ObjectCondition<Kind>, _ holds: @escaping (Kind) -> Bool) {
        self.text = text
        self.condition = condition
        self.holds = holds
    }
}

extension String {
    /// Equal by Unicode scalars, and ordered by them.
    func isSame(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
    func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

enum Questions {
    // One by one: the compiler takes long for a large array of expressions.
    static func all<Kind: TrackValues>(_ paths: TrackPaths<Kind>) -> [Question<Kind>] {
        var all: [Question<Kind>] = []
        for text in TrackPool.artists {
            all.append(Question("artist = \(text)", paths.artist == text) { $0.artist.isSame(text) })
            all.append(Question("artist != \(text)", paths.artist != text) { !$0.artist.isSame(text) })
            all.append(Question("artist < \(text)", paths.artist < text) { $0.artist.isBefore(text) })
            all.append(Question("artist <= \(text)", paths.artist <= text) { !text.isBefore($0.artist) })
            all.append(Question("artist > \(text)", paths.artist > text) { text.isBefore($0.artist) })
            all.append(Question("artist >= \(text)", paths.artist >= text) { !$0.artist.isBefore(text) })
            all.append(Question("note = \(text)", paths.note == text) { $0.note?.isSame(text) ?? false })
            all.append(Question("note != \(text)", paths.note != text) { !($0.note?.isSame(text) ?? false) })
            all.append(Question("note < \(text)", paths.note < text) { $0.note?.isBefore(text) ?? false })
            all.append(Question("artist prefix \(text)", .hasPrefix(paths.artist, text)) { $0.artist.utf8.starts(with: text.utf8) })
            all.append(Question("note prefix \(text)", .hasPrefix(paths.note, text)) { $0.note?.utf8.starts(with: text.utf8) ?? false })
            all.append(
                Question("title contains \(text)", .contains(paths.title, text)) {
                    Array($0.title.utf8).firstRange(of: Array(text.utf8)) != nil || text.isEmpty
                }
            )
            all.append(
                Question("title ends \(text)", .hasSuffix(paths.title, text)) {
                    $0.title.utf8.reversed().starts(with: text.utf8.reversed())
                }
            )
            all.append(
                Question("any case \(text)", .isEqualIgnoringCase(paths.artist, text.uppercased())) {
                    $0.artist.lowercased().isSame(text.uppercased().lowercased())
                }
            )
            all.append(Question("tags contain \(text)", .contains(paths.tags, text)) { $0.tags.contains { $0.isSame(text) } })
            all.append(
                Question("title ∋ \(text), any case", .contains(paths.title, text, ignoringCase: true)) { track in
                    text.isEmpty || Array(track.title.lowercased().utf8).firstRange(of: Array(text.lowercased().utf8)) != nil
                }
            )
        }
        for number in TrackPool.numbers {
            all.append(Question("rating = \(number)", paths.rating == number) { $0.rating == number })
            all.append(Question("rating != \(number)", paths.rating != number) { $0.rating != number })
            all.append(Question("rating < \(number)", paths.rating < number) { $0.rating.map { $0 < number } ?? false })
            all.append(Question("rating <= \(number)", paths.rating <= number) { $0.rating.map { $0 <= number } ?? false })
            all.append(Question("rating > \(number)", paths.rating > number) { $0.rating.map { $0 > number } ?? false })
            all.append(Question("rating >= \(number)", paths.rating >= number) { $0.rating.map { $0 >= number } ?? false })
            all.append(Question("not rating > \(number)", !(paths.rating > number)) { !($0.rating.map { $0 > number } ?? false) })
        }
        for number in TrackPool.integers {
            all.append(Question("seconds = \(number)", paths.seconds == number) { $0.seconds == number })
            all.append(Question("seconds < \(number)", paths.seconds < number) { $0.seconds < number })
            all.append(Question("seconds >= \(number)", paths.seconds >= number) { $0.seconds >= number })
            all.append(Question("minutes = \(number)", paths.lengthInMinutes == number) { $0.lengthInMinutes == number })
            all.append(
                Question("seconds ... \(number)", .isBetween(paths.seconds, min(number, 60)...max(number, 60))) {
                    (min(number, 60)...max(number, 60)).contains($0.seconds)
                }
            )
            all.append(
                Question("seconds ..< \(number)", .isBetween(paths.seconds, min(number, 60)..<max(number, 60))) {
                    (min(number, 60)..<max(number, 60)).contains($0.seconds)
                }
            )
        }
        for number in TrackPool.bytes {
            all.append(Question("small > \(number)", paths.small > number) { $0.small > number })
            all.append(Question("small = \(number)", paths.small == number) { $0.small == number })
        }
        for date in TrackPool.dates {
            all.append(Question("released <= \(date)", paths.released <= date) { $0.released.map { $0 <= date } ?? false })
            all.append(Question("released = \(date)", paths.released == date) { $0.released == date })
        }
        for genre in Style.allCases {
            all.append(Question("genre = \(genre)", paths.genre == genre) { $0.genre == genre })
            all.append(Question("genre < \(genre)", paths.genre < genre) { $0.genre < genre })
        }
        for identity in TrackPool.identities {
            all.append(Question("identity = \(identity)", paths.identity == identity) { $0.identity == identity })
            all.append(Question("identity > \(identity)", paths.identity > identity) { $0.identity.uuidString > identity.uuidString })
        }
        all.append(Question("price", paths.price >= 1) { $0.price >= 1 })
        all.append(Question("price = 1", paths.price == 1) { $0.price == 1 })
        all.append(Question("rating nil", paths.rating == nil) { $0.rating == nil })
        all.append(Question("rating not nil", paths.rating != nil) { $0.rating != nil })
        all.append(Question("note nil", .isNil(paths.note)) { $0.note == nil })
        all.append(Question("code", paths.code == "code 7") { $0.code == "code 7" })
        all.append(Question("code nil", paths.code == nil) { $0.code == nil })
        all.append(Question("live", paths.isLive == true) { $0.isLive })
        all.append(
            Question("artist in", .isIn(paths.artist, ["Abba", "Zappa", "nobody", "Abba"])) { ["Abba", "Zappa"].contains($0.artist) }
        )
        all.append(Question("artist in none", .isIn(paths.artist, [])) { _ in false })
        all.append(Question("rating in", .isIn(paths.rating, [nil, 4, 0, .nan])) { $0.rating == nil || $0.rating == 4 || $0.rating == 0 })
        all.append(Question("satisfies", .satisfies { $0.seconds % 2 == 0 }) { $0.seconds % 2 == 0 })
        all.append(Question("everything", .everything) { _ in true })
        return all
    }
}

/// The key paths of a class.
struct TrackPaths<Kind: TrackValues> {
    var artist: KeyPath<Kind, String>, title: KeyPath<Kind, String>, seconds: KeyPath<Kind, Int>, rating: KeyPath<Kind, Double?>,
        note: KeyPath<Kind, String?>
    var code: KeyPath<Kind, String?>, small: KeyPath<Kind, Int8>, genre: KeyPath<Kind, Style>, released: KeyPath<Kind, Date?>,
        isLive: KeyPath<Kind, Bool>
    var identity: KeyPath<Kind, UUID>, price: KeyPath<Kind, Decimal>, tags: KeyPath<Kind, [String]>, lengthInMinutes: KeyPath<Kind, Int>
}

extension TrackPaths where Kind == Track {
    static var indexed: Self {
        TrackPaths(
            artist: \.artist,
            title: \.title,
            seconds: \.seconds,
            rating: \.rating,
            note: \.note,
            code: \.code,
            small: \.small,
            genre: \.genre,
            released: \.released,
            isLive: \.isLive,
            identity: \.identity,
            price: \.price,
            tags: \.tags,
            lengthInMinutes: \.lengthInMinutes
        )
    }
}

extension TrackPaths where Kind == PlainTrack {
    static var plain: Self {
        TrackPaths(
            artist: \.artist,
            title: \.title,
            seconds: \.seconds,
            rating: \.rating,
            note: \.note,
            code: \.code,
            small: \.small,
            genre: \.genre,
            released: \.released,
            isLive: \.isLive,
            identity: \.identity,
            price: \.price,
            tags: \.tags,
            lengthInMinutes: \.lengthInMinutes
        )
    }
}

struct OperatorTests {
    /// Every operator finds what Swift finds, in order, with its negation.
    private func check<Kind: TrackValues>(_ paths: TrackPaths<Kind>, _ generator: inout SeededGenerator) throws {
        let store = try Scene().tracks()
        let tracks = (0..<120).map { TrackPool.track($0, Kind.self, &generator) }
        try store.write { context in tracks.forEach(context.insert) }
        let context = try store.makeContext()
        for question in Questions.all(paths) {
            let wanted = try context.allObjects(Kind.self).filter(question.holds).map(\.objectID)
            let found = try context.fetch(Kind.self, where: question.condition).map(\.objectID)
            #expect(found == wanted, "\(question.text)")
            let ids = try context.fetchIDs(Kind.self, where: question.condition)
            #expect(ids == wanted, "\(question.text), identities")
            let count = try context.count(Kind.self, where: question.condition)
            #expect(count == wanted.count, "\(question.text), count")
            let others = try context.fetch(Kind.self, where: !question.condition).map(\.objectID)
            let all = try context.allObjects(Kind.self).filter { !question.holds($0) }.map(\.objectID)
            #expect(others == all, "not \(question.text)")
        }
    }

    @Test func operatorsFindWithAnIndexWhatSwiftFinds() async throws {
        try await withSeeds("operators with indexes", count: 1) { try check(TrackPaths.indexed, &$0) }
    }

    @Test func operatorsFindWithoutAnIndexWhatSwiftFinds() async throws {
        try await withSeeds("operators without indexes", count: 1) { try check(TrackPaths.plain, &$0) }
    }
}
