import CairnObjectsBNR
import CairnTestSupport
import Foundation
import Testing

@Suite struct HashFileTests {
    private static func row(_ record: TokyoCabinetHashFile.Record) -> UInt32 { record.key.reversed().reduce(0) { $0 << 8 | UInt32($1) } }

    private static func text(_ value: ArraySlice<UInt8>) -> String {
        let count = value.dropFirst().first.map(Int.init) ?? 0
        return String(decoding: value.dropFirst(5).prefix(count), as: UTF8.self)
    }

    /// What the real library wrote: little-endian, and Debian's.
    @Test(arguments: ["Music.bnr/Song", "Debian.bnr/Song"]) func golden(name: String) throws {
        let file = try TokyoCabinetHashFile(bytes: Golden.bytes(name))
        #expect(file.damage.isEmpty)
        #expect(!file.wasLeftOpen)
        #expect(file.claimedCount == 27)
        let rows = Set(file.records.map(Self.row))
        #expect(rows == Set(1...32).subtracting([5, 6, 7, 20, 29]))
        for record in file.records { #expect(try file.value(for: Array(record.key)) == record.value) }
        for row in [5, 6, 7, 20, 29, 33, 0] as [UInt32] { #expect(try file.value(for: OldBuffer.little(row)) == nil) }
        let four = try #require(try file.value(for: [4, 0, 0, 0]))
        #expect(Self.text(four) == "A song with a longer title, number 4")
        let long = try #require(try file.value(for: [32, 0, 0, 0]))
        #expect(long.count == 309)
    }

    /// A transaction that its program did not finish is taken back; without its log, all that it wrote is there.
    @Test func unfinishedTransaction() throws {
        let file = try TokyoCabinetHashFile(path: Golden.path("Open.bnr/Song"))
        #expect(file.damage.isEmpty && file.wasLeftOpen && file.claimedCount == 9)
        #expect(file.records.map(Self.row).sorted() == Array(1...9))
        for record in file.records where Self.row(record) > 1 { #expect(Self.text(record.value) == "before") }

        let without = try TokyoCabinetHashFile(bytes: Golden.bytes("Open.bnr/Song"))
        #expect(without.damage.isEmpty && without.claimedCount == 8)
        #expect(without.records.map(Self.row).sorted() == [1, 2, 3, 4, 5, 8, 9, 10])
        #expect(Self.text(try #require(try without.value(for: [10, 0, 0, 0]))) == "new")
    }

    /// A log that was cut short: the write that it does not have whole was not made.
    @Test func aLogThatIsCut() throws {
        let bytes = try Golden.bytes("Open.bnr/Song")
        let log = try Golden.bytes("Open.bnr/Song.wal")
        for count in 0...log.count {
            let file = try TokyoCabinetHashFile(bytes: bytes, log: Array(log.prefix(count)))
            #expect(file.records.count <= 10, "\(count) bytes of the log")
        }
        #expect(try TokyoCabinetHashFile(bytes: bytes, log: []).records.count == 8)
    }

    @Test func whatIsWrittenIsRead() async throws {
        try await withSeeds("hash files", count: Thorough.count(10, of: 40)) { generator in
            var writer = HashFileWriter()
            writer.bucketCount = generator.pick([1, 2, 7, 101])
            writer.alignmentPower = generator.pick([0, 3, 4, 6])
            writer.poolPower = generator.pick([0, 4, 10])
            writer.isBigEndian = generator.oneIn(4)
            var expected: [[UInt8]: [UInt8]] = [:]
            for _ in 0..<generator.int(in: 0..<120) {
                if generator.oneIn(4) {
                    let size = max(16, 1 << writer.alignmentPower) * generator.int(in: 1..<6)
                    writer.blocks.append(.free(size: size, remains: generator.bytes(generator.int(in: 0..<40))))
                }
                let key = generator.bytes(generator.oneIn(5) ? generator.int(in: 0..<300) : 4)
                guard expected[key] == nil else { continue }
                let value = generator.bytes(generator.oneIn(20) ? 20_000 : generator.int(in: 0..<200))
                expected[key] = value
                writer.blocks.append(.record(key: key, value: value, morePadding: (1 << writer.alignmentPower) * generator.int(in: 0..<4)))
            }
            let file = try TokyoCabinetHashFile(bytes: writer.file().bytes)
            #expect(file.damage.isEmpty)
            let found = Dictionary(file.records.map { (Array($0.key), Array($0.value)) }, uniquingKeysWith: { first, _ in first })
            #expect(found == expected && file.records.count == expected.count)
            for (key, value) in expected {
                let looked = try file.value(for: key).map(Array.init)
                #expect(looked == value)
            }
            for _ in 0..<20 {
                let key = generator.bytes(4)
                let looked = try file.value(for: key).map(Array.init)
                #expect(looked == expected[key])
            }
        }
    }

    private static func refusal(_ bytes: [UInt8]) -> BNRError? {
        do throws(BNRError) { _ = try TokyoCabinetHashFile(bytes: bytes) } catch { return error }
        return nil
    }

    @Test func otherFilesAreRefused() throws {
        let (sound, _) = HashFileWriter([.record(key: [1], value: [2])]).file()
        func changed(_ offset: Int, to byte: UInt8) -> [UInt8] {
            var bytes = sound
            bytes[offset] = byte
            return bytes
        }
        #expect(Self.refusal([])?.code == .foreignFile)
        #expect(Self.refusal(Array("SQLite format 3".utf8))?.code == .foreignFile)
        #expect(Self.refusal(changed(3, to: 0))?.code == .foreignFile)
        #expect(Self.refusal(changed(32, to: 1))?.code == .notSupported)
        for (option, name) in [(1, "large"), (2, "deflate"), (4, "bzip2"), (8, "tcbs"), (3, "large), deflate")] {
            let error = Self.refusal(changed(36, to: UInt8(option)))
            #expect(error?.code == .notSupported && error?.message.contains(name) == true)
        }
        let cut = Self.refusal(Array(sound.prefix(100)))
        #expect(cut?.code == .corruption && cut?.message.contains("0 records") == true)
        do throws(BNRError) {
            _ = try TokyoCabinetHashFile(path: Golden.path("nothing"))
            Issue.record("a file that is not there was read")
        } catch { #expect(error.code == .notFound) }
    }

    /// A tree that leads in a circle ends, as an error.
    @Test func aCircleIsRefused() throws {
        var writer = HashFileWriter()
        writer.bucketCount = 1
        writer.blocks = (0..<20).map { .record(key: [UInt8($0)], value: []) }
        var (bytes, offsets) = writer.file()
        for offset in offsets {
            for field in [2, 6] { writer.set(UInt64(offsets[0] >> 4), 4, at: offset + field, in: &bytes) }
        }
        let file = try TokyoCabinetHashFile(bytes: bytes)
        #expect(file.records.count == 20)
        do throws(BNRError) {
            _ = try file.value(for: [200])
            Issue.record("a key was looked for in a circle, and nothing was said")
        } catch { #expect(error.code == .corruption) }
    }
}
