import CairnObjects
import CairnTestSupport
import Foundation

@Stored(name: "Song") final class ToolSong {
    @Indexed var title: String
    var seconds: Int = 0
    var rating: Double?
    @Relationship(inverse: \ToolAlbum.songs) var album: ToolAlbum?
}

@Stored(name: "Album", version: 2) final class ToolAlbum {
    @Unique var code: String
    @Relationship(onDelete: .cascade) var songs: ObjectList<ToolSong>
}

@Stored(name: "Note") final class ToolNote {
    var text: String
}

@Stored(name: "Song", version: 3) final class NewerSong {
    @Indexed var title: String
}

enum Colour: String, StoredValue, CaseIterable { case red, green }

struct Place: Codable, Hashable {
    var name: String
    var height: Double
}

/// Properties of all types.
@Stored final class Everything {
    var flag: Bool
    var small: Int8
    @Indexed var number: Int
    var positive: UInt64
    var wide: Int128
    var float: Float
    var double: Double
    @Indexed var text: String
    var bytes: [UInt8]
    @Indexed var date: Date
    var uuid: UUID
    var url: URL?
    var decimal: Decimal
    var colour: Colour = Colour.red
    var place: Place?
    var numbers: [Int]
    var words: Set<String>
    var counts: [String: Int]
    var names: [Int: String]
    var maybe: [Int?]
    @Relationship var one: Everything?
    @Relationship var list: ObjectList<Everything>
    @Relationship var others: ObjectSet<Everything>
    @Relationship var byNumber: ObjectDictionary<Int, Everything>
}

extension Everything {
    convenience init(_ generator: inout SeededGenerator) {
        func text() -> String {
            let scalars: [Unicode.Scalar] = ["a", "é", "\n", "\"", "\\", "漢", "\u{0}", "\u{1F600}", "\u{7F}", "\u{301}"]
            var text = ""
            for _ in 0..<generator.int(in: 0..<21) { text.unicodeScalars.append(generator.pick(scalars)) }
            return text
        }
        func number() -> Int { Int(truncatingIfNeeded: generator.spreadInteger()) }
        let numbers = (0..<generator.int(in: 0..<5)).map { _ in number() }
        let words = (0..<generator.int(in: 0..<5)).map { _ in text() }
        let doubles: [Double] = [
            0, -0.0, .infinity, -.infinity, Double.leastNonzeroMagnitude, 1.7976931348623157e308, 0.1, 1e22, Double(number()),
        ]
        self.init(
            flag: generator.oneIn(2),
            small: Int8(truncatingIfNeeded: number()),
            number: number(),
            positive: generator.spreadInteger(),
            wide: Int128(number()) << 63 | Int128(generator.int(in: 0..<10)),
            float: Float(generator.pick(doubles)),
            double: generator.pick(doubles),
            text: text(),
            bytes: generator.bytes(generator.oneIn(10) ? 2000 : generator.int(in: 0..<10)),
            date: generator.oneIn(2)
                ? Date(timeIntervalSinceReferenceDate: Double(generator.int(in: 0..<1000000001)))
                : Date(timeIntervalSinceReferenceDate: Double(number()) / 977),
            uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(generator.int(in: 0..<256)))),
            url: generator.oneIn(2) ? nil : URL(string: "https://example.com/\(generator.int(in: 0..<100))?q=%20"),
            decimal: Decimal(number()) / 1000,
            colour: generator.pick(Colour.allCases),
            place: generator.oneIn(2) ? nil : Place(name: text(), height: generator.pick([0.5, 1e300, -2])),
            numbers: numbers,
            words: Set(words),
            counts: Dictionary(words.map { ($0, number()) }, uniquingKeysWith: { first, _ in first }),
            names: Dictionary(numbers.map { ($0, text()) }, uniquingKeysWith: { first, _ in first }),
            maybe: (0..<generator.int(in: 0..<5)).map { _ in generator.oneIn(2) ? nil : number() }
        )
    }

    /// Everything that it holds.
    var description: String {
        let values: [Any] = [
            flag, small, number, positive, wide, float, double, text, bytes, date.timeIntervalSinceReferenceDate, uuid, url as Any, decimal,
            colour,
            place as Any, numbers, words.sorted(), counts.sorted { $0.key < $1.key }, names.sorted { $0.key < $1.key }, maybe,
        ]
        let ids =
            [
                one?.objectID as Any, list.map(\.objectID), Set(others.map(\.objectID)).compactMap { $0 }.sorted(),
                byNumber.map { ($0.key, $0.value.objectID) },
            ]
            as [Any]
        return "\(values) \(ids)"
    }
}
