import CairnMapped
import CairnMappedEncryption
import Testing

/// What an attacker without the key can do by writing to the file.
struct TamperingTests {
    @Test(arguments: MappedEncryption.Algorithm.allCases)
    func eachByteOfARecordCountsForItsKeyAlone(_ algorithm: MappedEncryption.Algorithm) throws {
        let vault = try Vault()
        let store = try vault.open(algorithm)
        let file = try RawFile(vault.path)
        try store.set("before", for: "first")
        let record = try file.record { try store.set("a value", for: "middle", expiresAfter: .seconds(3600)) }
        try store.set("after", for: "last")
        for offset in record {
            for isMended in [false, true] {
                let whole = file[record]
                file[offset..<offset + 1] = [file[offset..<offset + 1][0] ^ 0x10]
                if isMended { file.mendChecksum(of: record) }
                // The checksum does not matter where there is a proof, and the type in the header of the record is not used.
                let isHarmless = offset - record.lowerBound < 4 || offset - record.lowerBound == 11
                if isHarmless {
                    #expect(try store.get("middle", as: String.self) == "a value", "\(offset)")
                } else {
                    #expect(code { try store.get("middle", as: String.self) } == .corruption, "\(offset - record.lowerBound) \(isMended)")
                    #expect(code { try store.expiry(of: "middle") } == .corruption, "\(offset - record.lowerBound) \(isMended)")
                    #expect(code { try store.contains("middle") } == .corruption)
                }
                #expect(try store.get("first", as: String.self) == "before" && store.get("last", as: String.self) == "after")
                #expect(try store.get("none", as: String.self) == nil)
                file[record] = whole
            }
        }
        #expect(try store.verify().isIntact)
    }

    @Test func damageIsMendedBySettingOrRemoving() throws {
        let vault = try Vault()
        let store = try vault.open()
        let file = try RawFile(vault.path)
        for key in ["a", "b"] {
            // The hash, then the sealed part.
            for offset in [14, 50] {
                let record = try file.record { try store.set("a value", for: key) }
                file[record.lowerBound + offset..<record.lowerBound + offset + 1] = [
                    file[record.lowerBound + offset..<record.lowerBound + offset + 1][0] ^ 1
                ]
                #expect(code { try store.get(key, as: String.self) } == .corruption)
                #expect(try store.verify().unreadableCount == 1)
                if key == "a" {
                    try store.set(5, for: key)
                    #expect(try store.get(key) == 5)
                } else {
                    #expect(try store.remove(key))
                    #expect(try store.get(key, as: String.self) == nil)
                }
                #expect(try store.verify().isIntact)
            }
        }
    }

    /// The sealed part of a record in another's place; all of a record but its checksum in another's place; an index that leads astray.
    @Test func recordsCannotBeExchanged() throws {
        let vault = try Vault()
        let store = try vault.open()
        let file = try RawFile(vault.path)
        let one = try file.record { try store.set("poor", for: "Alice") }
        let other = try file.record { try store.set("rich", for: "Betty") }
        #expect(one.count == other.count)
        let contents = (file[one], file[other])
        for kept in [20, 12] {
            file[one.lowerBound + kept..<one.upperBound] = Array(contents.1[kept...])
            file[other.lowerBound + kept..<other.upperBound] = Array(contents.0[kept...])
            file.mendChecksum(of: one)
            file.mendChecksum(of: other)
            for key in ["Alice", "Betty"] { #expect(code { try store.get(key, as: String.self) } == .corruption) }
            (file[one], file[other]) = contents
        }
        #expect(try store.get("Alice", as: String.self) == "poor")
    }

    /// A record of another store of the same key.
    @Test func recordsOfOtherStoresDoNotCount() throws {
        let vault = try Vault()
        let cipher = try MappedEncryption(key: vault.key)
        let store = try vault.open(cipher), other = try vault.open(cipher, "other.map")
        let file = try RawFile(vault.path), otherFile = try RawFile(other.path)
        let record = try file.record { try store.set("mine", for: "key") }
        let foreign = try otherFile.record { try other.set("evil", for: "key") }
        file[record] = otherFile[foreign]
        file.mendChecksum(of: record)
        #expect(code { try store.get("key", as: String.self) } == .corruption)
        file[record.lowerBound + 12..<record.lowerBound + 20] = file[record.lowerBound + 12..<record.lowerBound + 20]
        #expect(try other.get("key", as: String.self) == "evil")
    }
}
