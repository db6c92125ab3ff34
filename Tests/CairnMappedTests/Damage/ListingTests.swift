import CairnCore
import CairnMapped
import CairnTestSupport
import Foundation
import Testing

/// Lists never leave out a value without a word: they throw, or say what they left out.
struct ListingTests {
    /// What is damaged of a record, and its place after the record's beginning.
    enum Damage: CaseIterable {
        case checksum, length, flags, key, value

        func apply(to bytes: inout [UInt8], at record: Int) {
            switch self {
            case .checksum: bytes[record] ^= 1
            case .length: bytes[record + 7] = 0x7f
            case .flags: bytes[record + 10] ^= 1
            case .key: bytes[record + 12] ^= 1
            case .value: bytes[record + 12 + 4] ^= 1
            }
        }
    }

    /// A store of 1,000 values; returns where the record of one of them begins.
    private func fill(_ scene: Scene, _ cipher: TestCipher?) throws -> Int {
        let store = try scene.store { $0.cipher = cipher }
        var place = 0
        for number in 1000..<2000 {
            if number == 1500 { place = end(of: try scene.bytes()) }
            try store.set("value \(number)", for: "\(number)")
        }
        try store.close()
        return place
    }

    private func end(of bytes: [UInt8]) -> Int { bytes[1088..<1096].reversed().reduce(0) { $0 << 8 | Int($1) } }

    @Test(arguments: Damage.allCases, [nil, TestCipher(5)])
    func aDamagedRecordIsNotLeftOutSilently(damage: Damage, cipher: TestCipher?) throws {
        for readOnly in [true, false] {
            let scene = try Scene(fileSystem: .unsynced)
            let place = try fill(scene, cipher)
            var bytes = try scene.bytes()
            damage.apply(to: &bytes, at: place)
            try scene.write(bytes)
            let store = try scene.store {
                $0.cipher = cipher
                $0.readOnly = readOnly
            }
            // Twice: the first time must not hide the damage from the second.
            for _ in 0..<2 {
                #expect(try store.count == 1000)
                #expect(code { try store.keys() } == .corruption)
                #expect(code { try store.entries() } == .corruption)
                var seen = 0
                #expect(code { try store.forEach { _ in seen += 1 } } == .corruption)
                #expect(seen == 500)
                var keys: [String] = []
                let omissions = try store.forEachIntact { keys.append($0.key) }
                #expect(keys == (1000..<2000).filter { $0 != 1500 }.map { "\($0)" })
                let hasKey = cipher == nil && damage != .key && damage != .length
                #expect(omissions.damagedKeys == (hasKey ? ["1500"] : []) && omissions.unreadableCount == (hasKey ? 0 : 1), "\(omissions)")
                let verification = try store.verify()
                #expect(verification.damagedKeys == omissions.damagedKeys && verification.unreadableCount == omissions.unreadableCount)
                #expect(verification.intactCount == 999)
                let backup = try store.backup(to: scene.path("backup.map"))
                #expect(backup.count == 999 && backup.damagedCount == 1)
            }
            guard !readOnly else { continue }
            // Setting the value repairs the list, even if its key was not recognized.
            try store.set("new", for: "1500")
            #expect(try store.keys() == (1000..<2000).filter { $0 != 1500 }.map { "\($0)" } + ["1500"])
            #expect(try store.forEachIntact { _ in }.isEmpty && store.entries().count == 1000)
            #expect(try store.backup(to: scene.path("backup.map")).damagedCount == 0)
        }
    }

    /// Compacting does not make it look as if the value had never been there.
    @Test(arguments: Damage.allCases, [nil, TestCipher(5)])
    func compactingDoesNotHideDamage(damage: Damage, cipher: TestCipher?) throws {
        let scene = try Scene(fileSystem: .unsynced)
        let place = try fill(scene, cipher)
        var bytes = try scene.bytes()
        damage.apply(to: &bytes, at: place)
        try scene.write(bytes)
        let store = try scene.store { $0.cipher = cipher }
        for _ in 0..<2 {
            try store.compact()
            #expect(code { try store.keys() } == .corruption)
            var count = 0
            let omissions = try store.forEachIntact { _ in count += 1 }
            #expect(count == 999 && omissions.damagedKeys.count + omissions.unreadableCount == 1, "\(omissions)")
        }
        try store.backup(to: scene.path("backup.map"))
        try store.restore(from: scene.path("backup.map"))
        #expect(try store.keys().count == 999 && store.count == 999)
    }

    /// A backup leaves out what cannot be read, and restoring it makes lists complete again.
    @Test func whatCannotBeReadCanBeRemoved() throws {
        let scene = try Scene(fileSystem: .unsynced)
        let place = try fill(scene, nil)
        var bytes = try scene.bytes()
        Damage.value.apply(to: &bytes, at: place)
        try scene.write(bytes)
        let store = try scene.store()
        // The key of a damaged value cannot be encrypted.
        try store.rekey(to: TestCipher(1))
        #expect(code { try store.keys() } == .corruption)
        #expect(try store.forEachIntact { _ in }.unreadableCount == 1)
        try store.backup(to: scene.path("backup.map"))
        try store.restore(from: scene.path("backup.map"))
        #expect(try store.keys().count == 999)
    }

    /// A slot of the index is lost while only readers have the store open: what it led to is missed.
    @Test func aDamagedIndexUnderAReader() throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try scene.store()
        for number in 0..<50 { try store.set(number, for: "\(number)") }
        try store.close()
        let reader = try scene.store { $0.readOnly = true }
        let bytes = try scene.bytes()
        let slot = try #require(stride(from: 4160, to: 6160, by: 8).first { bytes[$0..<$0 + 8].contains { $0 != 0 } })
        try File(scene.path(), [.read, .write]).write([UInt8](repeating: 0, count: 8), at: Int64(slot))
        #expect(code { try reader.keys() } == .corruption)
        #expect(code { try reader.entries() } == .corruption)
        var count = 0
        let omissions = try reader.forEachIntact { _ in count += 1 }
        #expect(count == 49 && omissions.unreadableCount == 1 && omissions.damagedKeys.isEmpty)
        // A writer rebuilds the index, and nothing was lost.
        #expect(try scene.store().keys().count == 50)
        #expect(try reader.keys().count == 50)
    }

    /// The file outgrew what a reader has mapped: it maps the rest, rather than leaving it out.
    @Test func aReaderOfAFileThatOutgrewItsMapping() throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try scene.store()
        try store.set("first", for: "first")
        let reader = try scene.store { $0.readOnly = true }
        #expect(try reader.keys() == ["first"])
        let large = [UInt8](repeating: 1, count: 1 << 20)
        for number in 0..<40 { try store.set(large, for: "\(number)") }
        #expect(try reader.keys().count == 41)
        #expect(try reader.entries().count == 41)
    }
}
