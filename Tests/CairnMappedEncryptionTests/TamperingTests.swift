import CairnMapped
import CairnMappedEncryption
import CairnTestSupport
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

    /// Records made without the key, behind the last one, in a file whose records are read again: after another boot of the machine, or in the middle of a
    /// change.
    @Test(arguments: [false, true]) func recordsThatAreNotSealedAreNotRead(isAnotherBoot: Bool) throws {
        let vault = try Vault()
        let cipher = try MappedEncryption(key: vault.key)
        do {
            let store = try vault.open(cipher)
            try store.set("user", for: "role")
            try store.set("a value", for: "other")
        }
        let file = try RawFile(vault.path)
        var end = file.end
        for key in ["role", "admin"] { end = file.writePlain("FORGED", for: key, at: end) }
        if isAnotherBoot {
            file[1048..<1064] = [UInt8](repeating: 0x5a, count: 16)
            file.setNumber(0, at: 1168)
        } else {
            file.setNumber(end, at: 1088)
            file.setNumber(end, at: 1096)
        }
        func check(_ store: MappedStore) throws {
            #expect(try store.get("role") == "user" && store.get("admin", as: String.self) == nil)
            #expect(try store.entries().map(\.value) == [.string("user"), .string("a value")] && store.keys() == ["role", "other"])
            #expect(try store.verify().isIntact && store.count == 2)
        }
        for readOnly in [true, false] {
            let store = try vault.open(cipher, readOnly: readOnly)
            #expect(!store.openReport.damagedRanges.isEmpty)
            try check(store)
        }
        let store = try vault.open(cipher)
        #expect(try store.backup(to: vault.directory.path("backup.map")).count == 2)
        try check(vault.open(cipher, "backup.map"))
        try store.compact()
        try check(store)
        #expect(try vault.filesWith("FORGED") == [])
    }

    /// A record made without the key in the place of one that the index leads to: it is damaged, and stays so.
    @Test func aRecordThatIsNotSealedIsDamaged() throws {
        for isDecrypted in [false, true] {
            let vault = try Vault()
            let store = try vault.open()
            let file = try RawFile(vault.path)
            let record = try file.record { try store.set("user", for: "role") }
            try store.set("a value", for: "other")
            // As long as the other, so that the next record follows it.
            file.writePlain("FORGED" + String(repeating: ".", count: record.count - 22), for: "role", at: record.lowerBound)
            #expect(code { try store.get("role", as: String.self) } == .corruption)
            #expect(code { try store.entries() } == .corruption && code { try store.keys() } == .corruption)
            #expect(try store.verify().damagedKeys == ["role"])
            var values: [MappedVariant] = []
            #expect(try store.forEachIntact { values.append($0.value) }.damagedKeys == ["role"])
            #expect(values == [.string("a value")])
            let backup = try store.backup(to: vault.directory.path("backup.map"))
            #expect(backup.count == 1 && backup.damagedCount == 1)
            if isDecrypted { try store.rekey(to: nil) } else { try store.compact() }
            #expect(code { try store.entries() } == .corruption)
            #expect(try !store.verify().isIntact && store.get("other") == "a value")
            if !isDecrypted { #expect(try vault.filesWith("FORGED") == []) }
        }
    }
}
