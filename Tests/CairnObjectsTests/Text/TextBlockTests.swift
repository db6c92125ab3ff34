import CairnCore
import CairnObjects
import CairnTestSupport
import Testing

@testable import CairnGraph
@testable import CairnText

/// Blocks: what is put in comes out, and other bytes are refused.
struct TextBlockTests {
    private static func places(_ numbers: [UInt8]) -> TextPlaces {
        guard let first = numbers.first else { return .unknown }
        var places = TextPlaces(byte: first)
        for number in numbers.dropFirst() { places.add(number) }
        return places
    }

    private static func encoded(_ postings: [TextPosting]) -> [UInt8] {
        var bytes: [UInt8] = []
        TextBlock.encode(postings, into: &bytes)
        return bytes
    }

    private static func decoded(_ bytes: [UInt8]) -> [TextPosting]? {
        var postings: [TextPosting] = []
        return unsafe TextBlock.decode(bytes.span.bytes) { postings.append($0) } ? postings : nil
    }

    @Test func theseAreTheBytes() {
        #expect(Self.encoded([TextPosting(row: 0, places: Self.places([7])), TextPosting(row: 2, places: .unknown)]) == [0, 7, 1, 255])
        #expect(Self.encoded([TextPosting(row: 300, places: Self.places([7]))]) == [0xAC, 0x02, 7])
        let several = [TextPosting(row: 5, places: Self.places([1, 4, 254])), TextPosting(row: 6, places: Self.places([0]))]
        #expect(Self.encoded(several) == [0x85, 0x40, 3, 1, 4, 254, 0, 0])
        // A list of the size of a bitmap.
        let many = (0..<512).map { TextPosting(row: $0, places: Self.places([9])) }
        #expect(Self.encoded(many) == (0..<512).flatMap { _ in [0, 9] } + [0])
        // Too few places to keep them.
        let far = (0..<600).map { TextPosting(row: $0 * 2, places: .unknown) }
        #expect(Self.encoded(far) == [UInt8](repeating: 0x55, count: 150) + [UInt8](repeating: 0, count: 874))
    }

    @Test func whatIsPutInComesOut() async throws {
        try await withSeeds("text blocks", count: Thorough.count(10, of: 50)) { random in
            let density = random.pick([1, 2, 8, 100, 2000])
            let unknown = random.pick([1, 2, 9, 1000])
            let postings = (0..<UInt32(TextBlock.rowCount)).filter { _ in random.oneIn(density) }.map { row in
                let numbers = random.oneIn(unknown) ? [] : (0..<random.pick([1, 1, 1, 2, 8, 9])).map { _ in random.int(in: 0..<256) }
                return TextPosting(row: row, places: Self.places(Set(numbers).sorted().map { UInt8($0) }))
            }
            let bytes = Self.encoded(postings)
            guard !postings.isEmpty else { return #expect(bytes.isEmpty) }
            let found = try #require(Self.decoded(bytes))
            #expect(found.map(\.row) == postings.map(\.row))
            let known = postings.count { $0.places.isKnown }
            if bytes.count == TextBlock.bitmapSize {
                #expect(known * 8 < postings.count && found.allSatisfy { $0.places == .unknown })
            } else {
                #expect(found == postings)
            }
        }
    }

    @Test func otherBytesAreRefused() async throws {
        let refused: [[UInt8]] = [
            [], [1], [0x80], [0x80, 0], [0x80, 0x80, 1], [0xFF, 0x3F, 0, 0, 0], [0x80, 0x40, 0], [0x80, 0x40, 1, 1], [0x80, 0x40, 2, 1],
            [0x80, 0x40, 2, 4, 4], [0x80, 0x40, 2, 4, 3], [0x80, 0x40, 2, 4, 255], [0x80, 0x40, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9], [0, 1, 0],
            (0..<512).flatMap { _ in [0, 9] } + [1], (0..<513).flatMap { _ in [0, 9] } + [0],
        ]
        for bytes in refused { #expect(Self.decoded(bytes) == nil, "\(bytes.prefix(12))") }
        let accepted = Tally()
        try await withSeeds("bytes as text blocks", count: Thorough.count(60, of: 300)) { random in
            // One in five is accepted.
            for _ in 0..<10 {
                let bytes = (0..<random.int(in: 0..<40)).map { _ in
                    UInt8.random(in: 0...255, using: &random) & (random.oneIn(2) ? 0xFF : 0x0F)
                }
                guard let postings = Self.decoded(bytes) else { continue }
                accepted.add()
                #expect(zip(postings, postings.dropFirst()).allSatisfy { $0.row < $1.row } && postings.allSatisfy { $0.row < 8_192 })
                #expect(Self.decoded(Self.encoded(postings)) == postings)
            }
        }
        #expect(accepted.count > 0)
    }

    /// Beside sets of numbers.
    @Test func placesAreSets() async throws {
        try await withSeeds("places", count: Thorough.count(40, of: 200)) { random in
            func numbers() -> [UInt8] { Set((0..<random.int(in: 1..<9)).map { _ in UInt8(random.int(in: 0..<12)) }).sorted() }
            let (one, other) = (numbers(), numbers())
            let offset = UInt8(random.int(in: 0..<6))
            func all(_ places: TextPlaces?) -> [UInt8] { places.map { places in (0..<places.count).map { places[$0] } } ?? [] }
            #expect(all(Self.places(one)) == one)
            #expect(all(Self.places(one).starts(offset)) == one.filter { $0 >= offset }.map { $0 - offset })
            #expect(all(Self.places(one).common(Self.places(other))) == one.filter(other.contains))
        }
    }
}
