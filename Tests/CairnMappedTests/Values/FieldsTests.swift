import CairnMapped
import CairnTestSupport
import Foundation
import Testing

/// Structs whose fields are written and read one after the other.
struct FieldsTests {
    private struct Track: MappedValue, Equatable {
        var title: String
        var seconds: Double
        var tags: [String]
        var plays = 0

        init(title: String, seconds: Double, tags: [String], plays: Int) {
            (self.title, self.seconds, self.tags, self.plays) = (title, seconds, tags, plays)
        }

        init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
            var fields = try MappedFieldReader(bytes, as: type)
            title = try fields.read()
            seconds = try fields.read()
            tags = try fields.read()
            plays = try fields.next() ?? -1
        }

        func withStoredBytes<Result>(
            _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
        ) throws(MappedStoreError) -> Result {
            var fields = MappedFieldWriter()
            try fields.write(title)
            try fields.write(seconds)
            try fields.write(tags)
            try fields.write(plays)
            return try fields.withStoredBytes(body)
        }
    }

    private let scene: Scene
    private let store: MappedStore
    private let track = Track(title: "Größe", seconds: 12.5, tags: ["a", String(repeating: "b", count: 300), ""], plays: 7)

    init() throws {
        scene = try Scene()
        store = try scene.store()
    }

    @Test func whatIsWrittenIsRead() throws {
        try store.set(track, for: "a")
        #expect(try store.get("a") == track)
        // As tools see it.
        let fields: [MappedVariant] = [.string("Größe"), .double(12.5), .array(track.tags.map { .string($0) }), .int(7)]
        #expect(try store.get("a", as: [MappedVariant].self) == fields)
        try store.set([track, track], for: "both")
        #expect(try store.get("both") == [track, track])
    }

    @Test func fieldsThatWereAddedLaterAreMissing() throws {
        try store.set([MappedVariant.string("x"), .double(1), .array([])], for: "a")
        #expect(try store.get("a") == Track(title: "x", seconds: 1, tags: [], plays: -1))
        // And those that came after are ignored.
        try store.set([MappedVariant.string("x"), .double(1), .array([]), .int(2), .bool(true)], for: "a")
        #expect(try store.get("a") == Track(title: "x", seconds: 1, tags: [], plays: 2))
    }

    @Test func otherValuesAreErrors() throws {
        func code(_ value: some MappedValue) throws -> MappedStoreError.Code? {
            try store.set(value, for: "a")
            do throws(MappedStoreError) {
                _ = try store.get("a", as: Track.self)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(try code(1) == .typeMismatch)
        #expect(try code([1, 2, 3, 4]) == .typeMismatch)
        #expect(try code([MappedVariant.string("x"), .double(1)]) == .codec)
        #expect(try code([MappedVariant]()) == .codec)
        #expect(try code([MappedVariant.string("x"), .double(1), .array([.int(1)]), .int(1)]) == .typeMismatch)
    }

    /// Any bytes are read as fields, or refused.
    @Test func anyBytes() async throws {
        try await withSeeds("fields", count: 200) { generator in
            var bytes = try track.withStoredBytes { bytes, _ throws(MappedStoreError) in [UInt8](copying: bytes) }
            if generator.oneIn(3) { bytes.removeLast(generator.int(in: 0..<bytes.count)) }
            for _ in 0..<generator.int(in: 0..<4) where !bytes.isEmpty {
                bytes[generator.int(in: 0..<bytes.count)] = UInt8.random(in: 0...255, using: &generator)
            }
            do throws(MappedStoreError) {
                let track = try unsafe Track(stored: bytes.span.bytes, as: .array)
                #expect(track.title.utf8.count <= bytes.count)
            } catch {
                #expect(error.code == .codec || error.code == .typeMismatch)
            }
        }
    }
}
