import CairnCore
import CairnMapped
import CairnTestSupport
import Foundation
import Testing

/// A file that is shorter than its header says is reported, with the bytes that are missing, whatever its length and however it is opened.
struct TruncationTests {
    enum Opening: CaseIterable { case writing, reading, writingBesideOthers, writingAfterABoot, readingAfterABoot }

    /// A store of 1,000 values, and where its records end.
    private struct Sample {
        let bytes: [UInt8]
        let end: Int

        init(_ cipher: TestCipher?, isOfAnotherBoot: Bool) throws {
            let scene = try Scene(fileSystem: .unsynced)
            let store = try scene.store { $0.cipher = cipher }
            for number in 0..<1000 { try store.set(number, for: "key \(number)") }
            try store.close()
            if isOfAnotherBoot { try scene.pretendAnotherBoot() }
            bytes = try scene.bytes()
            end = bytes[1088..<1096].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
    }

    @Test(arguments: Opening.allCases, [nil, TestCipher(7)])
    func everyLengthIsReported(opening: Opening, cipher: TestCipher?) async throws {
        let sample = try Sample(cipher, isOfAnotherBoot: opening == .writingAfterABoot || opening == .readingAfterABoot)
        try #require(sample.end > 32_768 && sample.end < sample.bytes.count)
        // What others have open has a header.
        let header = opening == .writingBesideOthers ? [] : [1024, 1090, 1100, 1159, 1160, 1184, 2000, 3072, 3100, 4095]
        let notable = header + [4096, 4097, 8192, 12_288, 16_384, 32_768, sample.end - 1]
        try await withSeeds("lengths of truncated mapped stores", count: 1) { random in
            let others = Thorough.sample(15, of: 4096..<sample.end, using: &random)
            for length in notable + others { try examine(length, of: sample, opening, cipher) }
        }
    }

    private func examine(_ length: Int, of sample: Sample, _ opening: Opening, _ cipher: TestCipher?) throws {
        let scene = try Scene(fileSystem: .unsynced)
        try scene.write(Array(sample.bytes.prefix(length)))
        let other = opening == .writingBesideOthers ? try FileLock(File(scene.path(), [.read]), .shared) : nil
        defer { other?.release() }
        let isRead = opening == .reading || opening == .readingAfterABoot
        let store = try scene.store {
            $0.cipher = cipher
            $0.readOnly = isRead
        }
        // Shorter ones no longer say where the records end, unless all that they lack of it are zeros.
        let isKnown = length >= 1160 || sample.bytes[length..<1160].allSatisfy { $0 == 0 }
        let missing = length..<(isKnown ? sample.end : 4096)
        let what = "\(length) of \(sample.end) bytes, \(opening)"
        #expect(store.openReport.missingRange == missing, "\(what)")
        #expect(!store.openReport.isClean && store.openReport.wasRebuilt, "\(what)")
        // For a reader, the file stays as it is; a writer settled for what is left.
        let verification = try store.verify()
        #expect(verification.missingRange == (isRead ? missing : nil) && verification.isIntact == !isRead, "\(what): \(verification)")
        for number in try 0..<store.count { try match(try store.get("key \(number)"), number, what) }
        if !isRead {
            try store.set("new", for: "new")
            try store.close()
            let again = try scene.store { $0.cipher = cipher }
            #expect(try again.openReport.isClean && again.verify().isIntact && again.get("new") == "new", "\(what)")
        }
    }

    /// A killed process leaves less than it reserved at times, but never less than its records take.
    @Test func lessReservedRoomIsNoDamage() throws {
        let sample = try Sample(nil, isOfAnotherBoot: false)
        for length in [sample.end, sample.end + 1, sample.bytes.count - 1] {
            for isRead in [true, false] {
                let scene = try Scene(fileSystem: .unsynced)
                try scene.write(Array(sample.bytes.prefix(length)))
                let store = try scene.store { $0.readOnly = isRead }
                #expect(try store.openReport.isClean && store.verify().isIntact && store.count == 1000, "\(length) bytes")
            }
        }
    }

    /// Readers open the file while it grows: what its writer is about to say is never taken for what is missing.
    @Test func aGrowingFileIsNotTakenForATruncatedOne() async throws {
        let scene = try Scene(fileSystem: .unsynced)
        let writer = try scene.store()
        let rounds = Thorough.isOn ? 3000 : 300
        try await onThreads(2) { thread in
            for number in 0..<rounds {
                if thread == 0 {
                    try writer.set([UInt8](repeating: 1, count: 20_000), for: "\(number)")
                } else {
                    let reader = try scene.store { $0.readOnly = true }
                    try match(reader.openReport.missingRange, nil, "opening \(number)")
                    if number % 16 == 0 { try match(try reader.verify().missingRange, nil, "verification \(number)") }
                }
            }
        }
    }

    @Test func aTruncatedBackupIsNotRestored() throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try scene.store()
        for number in 0..<1000 { try store.set(number, for: "\(number)") }
        try store.backup(to: scene.path("backup.map"))
        try File(scene.path("backup.map"), [.write]).truncate(to: 4096)
        let error = failure { try store.restore(from: scene.path("backup.map")) }
        #expect(error?.code == .corruption && error?.message.contains("damaged") == true)
        #expect(try store.count == 1000)
    }
}
