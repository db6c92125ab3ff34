import CairnObjects
import CairnTestSupport
import Foundation

enum Style: String, StoredValue, KeyCodable, CaseIterable, Codable, Comparable {
    // Their order is not that of their raw values.
    case rock, blues, jazz, ambient

    static func < (one: Style, other: Style) -> Bool { allCases.firstIndex(of: one)! < allCases.firstIndex(of: other)! }
}

/// With indexes over nearly everything.
@Stored(indexes: [["artist", "seconds"], ["genre", "rating"], ["isLive", "genre", "small"]]) final class Track {
    @Indexed var artist: String
    var title: String
    @Indexed var seconds: Int
    @Indexed var rating: Double?
    @Indexed var note: String?
    @Unique var code: String?
    @Indexed var small: Int8
    @Indexed var genre: Style
    @Indexed var released: Date?
    var isLive: Bool
    @Indexed var identity: UUID
    var price: Decimal = 0
    var tags: [String] = []
    @Relationship(inverse: \Disc.tracks) var disc: Disc?
    @Relationship var mixes: ObjectSet<Mix>
    @Relationship(onDelete: .cascade) var covers: ObjectList<Track>

    var lengthInMinutes: Int { seconds / 60 }
}

/// The same without indexes.
@Stored final class PlainTrack {
    var artist: String
    var title: String
    var seconds: Int
    var rating: Double?
    var note: String?
    var code: String?
    var small: Int8
    var genre: Style
    var released: Date?
    var isLive: Bool
    var identity: UUID
    var price: Decimal = 0
    var tags: [String] = []

    var lengthInMinutes: Int { seconds / 60 }
}

@Stored final class Disc {
    var title: String
    @Relationship var tracks: ObjectList<Track>
}

@Stored final class Mix {
    var title: String
    @Relationship(inverse: \Track.mixes) var tracks: ObjectList<Track>
}

let trackClasses: [any StoredObject.Type] = [Track.self, PlainTrack.self, Disc.self, Mix.self]

/// What both classes have.
protocol TrackValues: StoredObject {
    init(
        artist: String,
        title: String,
        seconds: Int,
        rating: Double?,
        note: String?,
        code: String?,
        small: Int8,
        genre: Style,
        released: Date?,
        isLive: Bool,
        identity: UUID,
        price: Decimal,
        tags: [String]
    )
    var artist: String { get set }
    var title: String { get set }
    var seconds: Int { get set }
    var rating: Double? { get set }
    var note: String? { get set }
    var code: String? { get set }
    var small: Int8 { get set }
    var genre: Style { get set }
    var released: Date? { get set }
    var isLive: Bool { get set }
    var identity: UUID { get set }
    var price: Decimal { get set }
    var tags: [String] { get set }
    var lengthInMinutes: Int { get }
}

extension Track: TrackValues {
    convenience init(
        artist: String,
        title: String,
        seconds: Int,
        rating: Double?,
        note: String?,
        code: String?,
        small: Int8,
        genre: Style,
        released: Date?,
        isLive: Bool,
        identity: UUID,
        price: Decimal,
        tags: [String]
    ) {
        self.init(
            artist: artist,
            title: title,
            seconds: seconds,
            rating: rating,
            note: note,
            code: code,
            small: small,
            genre: genre,
            released: released,
            isLive: isLive,
            identity: identity,
            price: price,
            tags: tags,
            disc: nil
        )
    }
}

extension PlainTrack: TrackValues {}

extension ObjectStoreOptions {
    /// Small scans are divided among threads too.
    static var sharingScans: ObjectStoreOptions {
        var options = ObjectStoreOptions()
        (options.smallestSharedScan, options.scanThreads) = (1, 3)
        return options
    }
}

extension Scene {
    func tracks(
        _ engine: any StorageEngine = MemoryEngine(),
        _ options: ObjectStoreOptions = ObjectStoreOptions()
    ) throws -> ObjectStore { try ObjectStore(engine: engine, classes: trackClasses, options: options) }
}

enum TrackPool {
    static let artists = ["", "Abba", "abba", "Abbé", "Abbe\u{301}", "Ab\0ba", "Björk", "Zappa", "東京", "\u{10FFFF}", "K", "\u{212A}"]
    static let numbers = [-.infinity, -1.5, -0.0, 0.0, 0.5, 4, 4.5, .infinity, .nan, -.nan]
    static let integers = [Int.min, -70_000, -256, -1, 0, 1, 59, 60, 61, 180, 255, 256, 70_000, .max]
    static let bytes: [Int8] = [.min, -1, 0, 1, 60, .max]
    static let dates = [
        Date.distantPast, Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 1000.5), .distantFuture,
    ]
    static let identities = (0..<4).map { UUID(uuid: (UInt8($0 * 80), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8($0))) }

    static func track<Kind: TrackValues>(_ number: Int, _ type: Kind.Type = Kind.self, _ generator: inout SeededGenerator) -> Kind {
        Kind(
            artist: generator.pick(artists),
            title: "title \(generator.int(in: 0..<30))" + generator.pick(artists),
            seconds: generator.oneIn(3) ? generator.pick(integers) : generator.int(in: 0..<400),
            rating: generator.oneIn(4) ? nil : generator.pick(numbers),
            note: generator.oneIn(3) ? nil : generator.pick(artists),
            code: generator.oneIn(4) ? nil : "code \(number)",
            small: generator.pick(bytes),
            genre: generator.pick(Style.allCases),
            released: generator.oneIn(4) ? nil : generator.pick(dates),
            isLive: generator.oneIn(2),
            identity: generator.pick(identities),
            price: Decimal(generator.int(in: 0..<5)) / 2,
            tags: (0..<generator.int(in: 0..<3)).map { _ in generator.pick(artists) }
        )
    }
}
