import CairnObjects
import Foundation

enum FragileKind: String, StoredValue, CaseIterable { case first, second }
enum FragileLevel: Int, StoredValue { case low, high }
enum FragileUnlisted: String, StoredValue { case one, two }

struct FragilePlace: Codable, Equatable {
    enum Side: String, Codable, CaseIterable { case left, right }
    struct Size: Codable, Equatable { var width: Double, height: Double }

    var name: String
    var size: Size
    var side: Side
    var founded: Date
    var tags: [String]
    var parts: [Size]
    var notes: [String: Size]
    var link: URL?
}

/// Its decoder refuses what has no name.
struct FragileName: Codable, Equatable {
    var text: String

    init(_ text: String) { self.text = text }
    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        if text.isEmpty { throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "a name is not empty")) }
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Properties of types without a blank value, and without defaults.
@Stored final class Fragile {
    var date: Date
    var uuid: UUID
    var url: URL
    var kind: FragileKind
    var level: FragileLevel
    var place: FragilePlace
    var count: Int
    var text: String
    var withDefault: FragileUnlisted = .two
    @Relationship var next: Fragile?

    convenience init(_ next: Fragile?) {
        self.init(
            date: Date(),
            uuid: UUID(),
            url: URL(fileURLWithPath: "/"),
            kind: .second,
            level: .high,
            place: FragilePlace(
                name: "n",
                size: .init(width: 1, height: 1),
                side: .right,
                founded: Date(),
                tags: ["t"],
                parts: [],
                notes: [:],
                link: nil
            ),
            count: 1,
            text: "t",
            withDefault: .one,
            next: next
        )
    }
}

// Those of which nothing can stand for what is not there.

@Stored final class Nameless {
    var name: FragileName
}

@Stored final class Unlisted {
    var unlisted: FragileUnlisted
}

@Stored final class WithDefaults {
    var name: FragileName = FragileName("default")
    var unlisted: FragileUnlisted = .two
    var other: FragileName?
    var another: FragileUnlisted?
}
