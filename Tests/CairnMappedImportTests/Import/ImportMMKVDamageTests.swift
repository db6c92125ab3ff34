import CairnMapped
import CairnMappedImport
import CairnTestSupport
import Foundation
import Testing

/// What is left of damaged files is read, and what is damaged is said.
struct ImportMMKVDamageTests {
    /// A changed bit makes none of them another.
    private static let names = ["key A", "key B", "key D", "key G", "key H", "key K"]
    private static let count = names.count

    /// The bits of a byte to change: one, another from byte to byte, or all.
    private static func bits(at offset: Int) -> [Int] { Thorough.isOn ? Array(0..<8) : [offset % 8] }

    private func fixture(key: [UInt8]? = nil, confirmed: Int = 0, hasExpiry: Bool = false) -> MMKVFixture {
        var fixture = MMKVFixture(hasExpiry: hasExpiry, key: key)
        for number in 0..<Self.count {
            fixture.set(MMKVFixture.text("value \(number)"), Self.names[number])
            if number + 1 == confirmed { fixture.confirmedCount = fixture.payload.count }
        }
        return fixture
    }

    private func keys(_ count: Int) -> [String] { Array(Self.names.prefix(count)) }

    @Test func aChangedByteIsReported() throws {
        let fixture = fixture(confirmed: 3)
        let (sound, meta) = (fixture.data, fixture.meta)
        for offset in 4..<4 + fixture.payload.count {
            for bit in Self.bits(at: offset) {
                var data = sound
                data[offset] ^= 1 << UInt8(bit)
                let result: MappedImport
                do { result = try MappedImport.mmkv(bytes: data, meta: meta) } catch {
                    // The first record is damaged, and so no other can be found.
                    #expect(offset < fixture.ends[0] && error.code == .malformedInput)
                    continue
                }
                #expect(result.report.damage?.contains("checksum does not match") == true)
                let before = fixture.ends.count { $0 <= offset }
                #expect(result.entries.map(\.key).starts(with: keys(before)), "what was before the damage is there")
                for number in 0..<before { #expect(result.values[Self.names[number]] == .string("value \(number)")) }
                // In front of where the disk is known to be right, the checksum of that part vouches.
                let vouched = offset >= fixture.ends[2] ? 3 : 0
                #expect(Set(result.report.unverifiedKeys) == Set(result.entries.map(\.key).dropFirst(vouched)))
            }
        }
    }

    @Test func aFileThatWasCutIsReadAsFarAsItGoes() throws {
        for key in [nil, Array("0123456789abcdef".utf8)] {
            let fixture = fixture(key: key, confirmed: 2)
            let cipher = key.map { MappedImportCipher.reference($0) }
            let (sound, meta) = (fixture.data, fixture.meta)
            for count in 0...sound.count {
                let data = Array(sound.prefix(count))
                let whole = fixture.ends.count { $0 <= count }
                do {
                    let result = try MappedImport.mmkv(bytes: data, meta: meta, cipher: cipher)
                    #expect(result.entries.map(\.key) == keys(whole))
                    #expect((result.report.damage == nil) == (whole == Self.count))
                    #expect(result.report.unverifiedKeys == (whole == Self.count ? [] : Array(keys(whole).dropFirst(whole >= 2 ? 2 : 0))))
                } catch {
                    #expect(whole == 0 && [.malformedInput, .wrongKey].contains(error.code))
                }
            }
        }
    }

    @Test func withoutTheOtherFile() throws {
        for hasExpiry in [true, false] {
            let fixture = fixture(hasExpiry: hasExpiry)
            for meta in [nil, [], Array(fixture.meta.prefix(111)), [UInt8](repeating: 0, count: 4096)] {
                let result = try MappedImport.mmkv(bytes: fixture.data, meta: meta)
                #expect(result.entries.map(\.key) == keys(Self.count) && result.values["key K"] == .string("value 5"))
                #expect(result.report.unverifiedKeys == keys(Self.count))
                #expect(result.report.damage?.contains(".crc file") == true && result.report.warnings.count == 1)
            }
        }
        // The key alone cannot make up for the vector.
        let encrypted = fixture(key: Array("0123456789abcdef".utf8))
        #expect(
            importCode { try MappedImport.mmkv(bytes: encrypted.data, meta: nil, cipher: .reference("0123456789abcdef")) }
                == .malformedInput
        )
        #expect(importCode { try MappedImport.mmkv(bytes: encrypted.data, meta: nil) } == .malformedInput)
        // A plain file is one, whatever key was given.
        let plain = try MappedImport.mmkv(bytes: fixture().data, meta: nil, cipher: .reference("0123456789abcdef"))
        #expect(plain.entries.map(\.key) == keys(Self.count))
    }

    /// MMKV writes the checksum first, then the size.
    @Test func aProcessKilledBetweenChecksumAndSize() throws {
        let fixture = fixture()
        var meta = fixture.meta
        // The new checksum, the size before the last record.
        meta.replaceSubrange(28..<32, with: MMKVFixture.little(UInt32(fixture.ends[4] - 4)))
        let result = try MappedImport.mmkv(bytes: fixture.data, meta: meta)
        #expect(result.entries.map(\.key) == keys(6) && result.report.damage == nil && result.report.unverifiedKeys.isEmpty)
        #expect(result.report.warnings.count == 1)

        // The new size, the checksum before the last record.
        var other = fixture.meta
        other.replaceSubrange(0..<4, with: MMKVFixture.little(MMKVFixture.crc(fixture.payload.prefix(fixture.ends[4] - 4))))
        let same = try MappedImport.mmkv(bytes: fixture.data, meta: other)
        #expect(same.entries.map(\.key) == keys(6) && same.report.damage != nil && same.report.unverifiedKeys == ["key K"])
    }

    @Test func aDamagedMetaFileCostsNothing() throws {
        for key in [nil, Array("0123456789abcdef".utf8)] {
            let fixture = fixture(key: key, confirmed: 4)
            let cipher = key.map { MappedImportCipher.reference($0) }
            let (data, sound) = (fixture.data, fixture.meta)
            for offset in 0..<112 {
                for bit in Self.bits(at: offset) {
                    var meta = sound
                    meta[offset] ^= 1 << UInt8(bit)
                    do {
                        let result = try MappedImport.mmkv(bytes: data, meta: meta, cipher: cipher)
                        #expect(result.entries.map(\.key) == keys(6), "bit \(bit) of byte \(offset)")
                    } catch {
                        // Without the vector, nor the version that says there is one, the beginning cannot be decrypted.
                        #expect(key != nil && (4..<8).union(12..<28).contains(offset) && error.code == .wrongKey)
                    }
                }
            }
        }
    }

    @Test func whateverTheBytesNothingTraps() async throws {
        let fixtures = [fixture(), fixture(key: Array("0123456789abcdef".utf8)), fixture(hasExpiry: true)].map {
            (data: $0.data, meta: $0.meta, count: $0.payload.count)
        }
        try await withSeeds("MMKV damage", count: Thorough.count(60, of: 300)) { generator in
            let fixture = generator.pick(fixtures)
            var (data, meta) = (fixture.data, fixture.meta)
            for _ in 0..<generator.int(in: 1..<6) {
                if generator.oneIn(2) {
                    data[generator.int(in: 0..<data.count)] = UInt8(truncatingIfNeeded: generator.next())
                } else {
                    meta[generator.int(in: 0..<112)] = UInt8(truncatingIfNeeded: generator.next())
                }
            }
            if generator.oneIn(3) { data.removeLast(generator.int(in: 0..<data.count)) }
            if generator.oneIn(3) { meta.removeLast(generator.int(in: 0..<meta.count)) }
            // A checksum that fits what is wrong leads further in.
            if generator.oneIn(2), data.count > 4, meta.count > 32 {
                let size = min(fixture.count, data.count - 4)
                meta.replaceSubrange(0..<4, with: MMKVFixture.little(MMKVFixture.crc(data[4..<4 + size])))
                meta.replaceSubrange(28..<32, with: MMKVFixture.little(UInt32(size)))
            }
            for cipher in [nil, MappedImportCipher.reference("0123456789abcdef")] {
                _ = importCode { try MappedImport.mmkv(bytes: data, meta: meta, cipher: cipher) }
                _ = importCode { try MappedImport.mmkv(bytes: generator.bytes(generator.int(in: 0..<300)), meta: meta, cipher: cipher) }
            }
        }
    }
}

extension Range<Int> {
    fileprivate func union(_ other: Range<Int>) -> Set<Int> { Set(self).union(other) }
}
