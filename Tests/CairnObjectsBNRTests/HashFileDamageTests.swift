import CairnObjectsBNR
import CairnTestSupport
import Testing

/// Damage: never a trap, always as much as is outside of it.
@Suite struct HashFileDamageTests {
    private typealias Records = [[UInt8]: [UInt8]]

    /// A small file: records of several sizes, deep trees, free blocks with remains of records.
    private static func sample() -> (writer: HashFileWriter, records: [[UInt8]: [UInt8]]) {
        var writer = HashFileWriter()
        writer.bucketCount = 3
        writer.poolPower = 0
        var records: [[UInt8]: [UInt8]] = [:]
        for row in 1...12 as ClosedRange<UInt8> {
            let value = (0..<(row * 7)).map { row &* 16 &+ $0 }
            records[[row, 0, 0, 0]] = value
            writer.blocks.append(.record(key: [row, 0, 0, 0], value: value, morePadding: row == 4 ? 32 : 0))
            if row % 4 == 2 { writer.blocks.append(.free(size: 48, remains: [0, 0, 0, 0xC8, 1, 2, 0xB0, 3])) }
        }
        return (writer, records)
    }

    private static func read(_ bytes: [UInt8]) throws -> (file: TokyoCabinetHashFile, records: [[UInt8]: [UInt8]])? {
        do throws(BNRError) {
            let file = try TokyoCabinetHashFile(bytes: bytes)
            return (file, Dictionary(file.records.map { (Array($0.key), Array($0.value)) }, uniquingKeysWith: { first, _ in first }))
        } catch {
            #expect([.foreignFile, .notSupported, .corruption].contains(error.code))
            return nil
        }
    }

    /// Each bit flipped in turn: at most one record is missing or changed, and a missing one is reported.
    @Test func everyBit() throws {
        let (writer, expected) = Self.sample()
        let (sound, _) = writer.file()
        var generator = SeededGenerator(seed: .random(in: 0...UInt64.max))
        for offset in Thorough.sample(80, of: sound.indices, using: &generator) {
            for bit in 0..<8 {
                var bytes = sound
                bytes[offset] ^= 1 << UInt8(bit)
                // A file without a valid header is refused.
                guard let (file, records) = try Self.read(bytes) else {
                    #expect(offset < 37, "byte \(offset), bit \(bit)")
                    continue
                }
                let intact = expected.filter { records[$0.key] == $0.value }.count
                #expect(intact >= expected.count - 1, "byte \(offset), bit \(bit): \(intact) of \(expected.count) are as they were")
                #expect(file.records.count == records.count, "byte \(offset), bit \(bit): a key is there twice")
                #expect(!file.damage.isEmpty || records.count == expected.count, "byte \(offset), bit \(bit): a loss is not reported")
                for key in expected.keys { _ = try? file.value(for: key) }
            }
        }
    }

    /// A header with another number of records is damage, even if all that is in the file can be read.
    @Test func anotherNumberOfRecords() throws {
        let (writer, expected) = Self.sample()
        let (sound, _) = writer.file()
        let places = 48..<56
        #expect(sound[places].elementsEqual([UInt8(expected.count), 0, 0, 0, 0, 0, 0, 0]))
        for place in places {
            for bit in 0..<8 {
                var bytes = sound
                bytes[place] ^= 1 << UInt8(bit)
                let (file, records) = try #require(try Self.read(bytes))
                #expect(
                    !file.damage.isEmpty && file.claimedCount != UInt64(expected.count) && records == expected,
                    "byte \(place), bit \(bit)"
                )
            }
        }
    }

    /// Cut at every length: what is whole before the cut is read, and nothing else.
    @Test func everyLength() throws {
        let (writer, expected) = Self.sample()
        let (sound, offsets) = writer.file()
        var generator = SeededGenerator(seed: .random(in: 0...UInt64.max))
        for length in Thorough.sample(150, of: 0..<sound.count, using: &generator) {
            guard let (file, records) = try Self.read(Array(sound.prefix(length))) else {
                #expect(length < 256)
                continue
            }
            #expect(!file.damage.isEmpty)
            let ends = zip(writer.blocks, offsets.dropFirst() + [sound.count])
            let whole = ends.count { block, end in if case .record = block { end <= length } else { false } }
            #expect(records.count >= whole && records.count <= whole + 1, "\(length) bytes: \(records.count) of \(whole) records")
            #expect(records.allSatisfy { expected[$0.key] == $0.value }, "\(length) bytes")
        }
    }

    /// Anything written over anything, also more than once: no trap, and few records lost.
    @Test func overwritten() async throws {
        let (writer, expected) = Self.sample()
        let (sound, offsets) = writer.file()
        try await withSeeds("overwritten hash files", count: Thorough.count(60, of: 300)) { generator in
            var bytes = sound
            let start = generator.int(in: offsets[0]..<sound.count)
            let count = generator.int(in: 1..<min(200, sound.count - start + 1))
            bytes.replaceSubrange(
                start..<start + count,
                with: generator.oneIn(2) ? generator.bytes(count) : [UInt8](repeating: 0, count: count)
            )
            let (file, records) = try #require(try Self.read(bytes))
            let ends = offsets.dropFirst() + [sound.count]
            let touched = zip(offsets, ends).count { $0 < start + count && $1 > start }
            let intact = expected.filter { records[$0.key] == $0.value }.count
            #expect(
                intact >= expected.count - touched,
                "\(count) bytes at \(start) touch \(touched) blocks; \(intact) records are as they were"
            )
            #expect(file.records.count == records.count || !file.damage.isEmpty)
        }
    }

    /// Every bucket leads to the same long key, which does not have the hash of its record: it is hashed once.
    @Test(.timeLimit(.minutes(5))) func manyBucketsLeadToADamagedRecord() throws {
        var writer = HashFileWriter()
        writer.bucketCount = 100_000
        writer.alignmentPower = 0
        var (bytes, _) = writer.file()
        let (start, key) = (bytes.count, [UInt8](repeating: 1, count: 400_000))
        for bucket in 0..<writer.bucketCount { writer.set(UInt64(start), 4, at: 256 + 4 * bucket, in: &bytes) }
        bytes += [0xC8, HashFileWriter.hashes(key).1 ^ 1] + [UInt8](repeating: 0, count: 10)
        bytes += HashFileWriter.number(key.count) + HashFileWriter.number(0) + key
        writer.set(UInt64(bytes.count), 8, at: 56, in: &bytes)
        let file = try TokyoCabinetHashFile(bytes: bytes)
        #expect(file.records.isEmpty && file.damage.contains { $0.bytes == start..<bytes.count })
    }

    /// Each key reaches to the end of the file, across all following records, and has the hash of its record: not all of them are hashed.
    @Test(.timeLimit(.minutes(5))) func recordsWithinRecords() throws {
        var writer = HashFileWriter()
        writer.bucketCount = 1
        writer.alignmentPower = 0
        let (header, _) = writer.file()
        let (count, size, rest) = (20_000, 16, 20_000)
        var bytes = header + [UInt8](repeating: 1, count: count * size + rest)
        // The hash of what follows a record, from the end of the file on.
        var hash = UInt8(truncatingIfNeeded: 751)
        func extend(_ range: Range<Int>) { for offset in range.reversed() { hash = (hash &* 31) ^ bytes[offset] } }
        extend(bytes.count - rest..<bytes.count)
        for index in (0..<count).reversed() {
            let start = header.count + index * size
            let next = UInt64(index < count - 1 ? start + size : 0)
            let head = [0xC8, hash] + [UInt8](repeating: 0, count: 10) + HashFileWriter.number(bytes.count - start - size) + [0]
            bytes.replaceSubrange(start..<start + size, with: head)
            for field in [2, 6] { writer.set(next, 4, at: start + field, in: &bytes) }
            extend(start..<start + size)
        }
        writer.set(UInt64(header.count), 4, at: 256, in: &bytes)
        writer.set(UInt64(bytes.count), 8, at: 56, in: &bytes)
        let file = try TokyoCabinetHashFile(bytes: bytes)
        #expect(!file.damage.isEmpty)
        #expect(throws: BNRError.self) { try file.value(for: [1]) }
    }

    /// Any bytes behind a header: no trap. The records found lie in the file, one behind the other, and the file is not called undamaged if there are
    /// fewer or more of them than its header says.
    @Test func anyBytes() async throws {
        let (header, _) = Self.sample().writer.file()
        let (damaged, withRecords, lookedUp) = (Tally(), Tally(), Tally())
        try await withSeeds("any bytes", count: Thorough.count(60, of: 300)) { generator in
            var bytes = Array(header.prefix(generator.int(in: 0..<header.count)))
            let pieces: [[UInt8]] = [[0xC8], [0xB0], [0xFF], [0], [16, 0, 0, 0], [0x7F], generator.bytes(5)]
            for _ in 0..<generator.int(in: 0..<300) { bytes += generator.pick(pieces) }
            for _ in 0..<generator.int(in: 0..<4) where bytes.count > 40 {
                bytes[generator.int(in: 33..<bytes.count)] = UInt8(truncatingIfNeeded: generator.next())
            }
            guard let (file, _) = try Self.read(bytes) else { return }
            if !file.damage.isEmpty { damaged.add() }
            if !file.records.isEmpty { withRecords.add() }
            #expect(!file.damage.isEmpty || UInt64(file.records.count) == file.claimedCount)
            #expect(file.damage.allSatisfy { $0.bytes.upperBound <= bytes.count })
            var end = 0
            for record in file.records {
                // A record has at least 14 bytes before its key.
                #expect(record.key.startIndex >= end + 14 && record.value.startIndex == record.key.endIndex)
                #expect(record.value.endIndex <= bytes.count)
                end = record.value.endIndex
                do throws(BNRError) {
                    guard let value = try file.value(for: Array(record.key)) else { continue }
                    lookedUp.add()
                    // It follows its key, wherever the trees lead.
                    #expect(bytes[..<value.startIndex].suffix(record.key.count).elementsEqual(record.key))
                } catch { #expect(error.code == .corruption) }
            }
        }
        #expect(damaged.count > 0 && withRecords.count > 0 && lookedUp.count > 0)
    }
}
