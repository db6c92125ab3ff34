import CairnCore
import CairnMapped
import CairnTestSupport
import Foundation
import Testing

/// Every bit of a small store is flipped, and the file is truncated at every place: nothing traps or hangs, and only what is damaged is lost.
///
/// A key with a damaged record may give an error, nothing, or one of its older values if the newest is so damaged that its key is unknown;
/// `openReport` or `verify()` reports it. All other keys have their values.
struct DamageTests {
    /// A store of some 30 keys, what was in it at any time, and where its records are.
    struct Sample {
        let bytes: [UInt8]
        /// The newest values.
        let contents: [String: MappedVariant]
        /// All values that a key ever had.
        let history: [String: [MappedVariant?]]

        init() throws {
            let scene = try Scene()
            let store = try scene.store { $0.now = { Date(timeIntervalSince1970: 1000) } }
            var history: [String: [MappedVariant?]] = [:]
            func set(_ key: String, _ value: MappedVariant, _ lifetime: Duration? = nil) throws {
                try store.set(value, for: key, expiresAfter: lifetime)
                history[key, default: [nil]].append(value)
            }
            for number in 0..<22 { try set("key \(number)", .int(Int128(number) << number)) }
            try set("text", .string("Grüße"))
            try set("empty", .string(""))
            try set("bytes", .bytes(Array(0...99)))
            try set("list", .array([.bool(true), .double(0.5), .string("x")]))
            try set("date", .date(Date(timeIntervalSince1970: 7)))
            try set("expires", .bool(true), .seconds(1_000_000))
            try set("expired", .bool(true), .seconds(0))
            history["expired"] = [nil]
            try set("removed", .int(1))
            try store.remove("removed")
            for value in 1...3 { try set("replaced", .int(Int128(value))) }
            try store.transaction { changes in
                for key in ["one", "two", "three"] { try changes.set(MappedVariant.string(key), for: key) }
            }
            for key in ["one", "two", "three"] { history[key] = [nil, .string(key)] }
            try set("last", .int(-1))
            contents = try store.contents()
            self.history = history
            try store.close()
            // What is reserved behind the records is zeros.
            let all = try scene.bytes()
            bytes = all
        }

        /// Up to where there is something in the file.
        var end: Int { (bytes.lastIndex { $0 != 0 } ?? 0) + 1 }
    }

    /// What a damaged file shows.
    struct Findings {
        var wrong: [String] = []
        var missing: Set<String> = []
        var isReported = false
        var error: MappedStoreError?
    }

    /// Opens a damaged file, uses it in every way, and returns the differences.
    ///
    /// - Parameter isShared: Whether the file is open elsewhere too, so that this store is not alone.
    static func examine(
        _ bytes: [UInt8],
        _ sample: Sample,
        readOnly: Bool = false,
        isShared: Bool = false,
        _ scene: Scene
    ) throws -> Findings {
        var findings = Findings()
        try scene.write(bytes)
        let other = isShared ? try FileLock(File(scene.path(), [.read]), .shared) : nil
        defer { other?.release() }
        do {
            let store = try scene.store {
                $0.now = { Date(timeIntervalSince1970: 1000) }
                $0.readOnly = readOnly
            }
            let verification = try store.verify()
            findings.isReported = !store.openReport.isClean || !verification.isIntact || store.openReport.unfinishedChanges > 0
            for (key, values) in sample.history {
                do throws(MappedStoreError) {
                    let value = try store.get(key, as: MappedVariant.self)
                    if value != sample.contents[key] { findings.missing.insert(key) }
                    if !values.contains(value) { findings.wrong.append("\(key) is \(value.map { "\($0)" } ?? "nil")") }
                } catch {
                    findings.missing.insert(key)
                    if error.code != .corruption { findings.wrong.append("\(key): \(error)") }
                }
            }
            _ = try store.count
            // Listing may find damage and rebuild the index.
            var listed: Set<String> = []
            let omissions = try store.forEachIntact { entry in
                listed.insert(entry.key)
                guard sample.contents[entry.key] != entry.value else { return }
                findings.missing.insert(entry.key)
                if sample.history[entry.key]?.contains(entry.value) != true {
                    findings.wrong.append("\(entry.key) is listed as \(entry.value)")
                }
            }
            // Whatever is not listed is an error, unless opening reported it.
            let code = code { try store.entries() }
            if code != (omissions.isEmpty ? nil : .corruption) {
                findings.wrong.append("\(omissions), but entries() throws \(String(describing: code))")
            }
            let report = store.openReport
            let isReported = !omissions.isEmpty || !report.isClean || report.unfinishedChanges > 0
            if listed.count < sample.contents.count, !isReported, !report.wasCreated {
                findings.wrong.append("only \(listed.count) are listed, and no damage is reported")
            }
            if !readOnly {
                // The store can be used: setting a damaged value repairs it.
                for key in findings.missing { try store.set(1, for: key) }
                try store.transaction { changes in
                    try changes.set("new", for: "new")
                    try changes.set("new", for: "key 3")
                }
                try store.remove("key 4")
                try store.compact()
                try match(try store.get("new"), "new", "a new key")
                try match(try store.get("key 4", as: Int.self), nil, "a removed key")
                let others = sample.contents.filter { !findings.missing.contains($0.key) && $0.key != "key 3" && $0.key != "key 4" }
                for (key, value) in others {
                    try match(try store.get(key, as: MappedVariant.self), value, "\(key) after compacting")
                }
                for key in findings.missing where key != "key 3" && key != "key 4" { try match(try store.get(key), 1, "\(key), set again") }
            }
            try store.close()
        } catch let error as MappedStoreError {
            findings.error = error
        }
        return findings
    }

    /// What is done to a byte: one thing, which differs from place to place; if everything is to run, each bit is flipped, all are, and the byte is
    /// zeroed.
    static let variants = Thorough.isOn ? Array(0..<10) : [-1]

    /// The bytes to damage: some of the header, some of the index, and some of the records, up to a little behind their end.
    static func places(_ sample: Sample, using generator: inout SeededGenerator) -> [Int] {
        Thorough.sample(60, of: 0..<4096, using: &generator) + Thorough.sample(40, of: 4096..<6160, using: &generator)
            + Thorough.sample(100, of: 6160..<sample.end + 64, using: &generator)
    }

    static func damage(_ byte: UInt8, _ variant: Int, at place: Int) -> UInt8 {
        switch variant < 0 ? place * 7 % 10 : variant {
        case 8: ~byte
        case 9: byte == 0 ? 0x80 : 0
        case let bit: byte ^ 1 << UInt8(bit)
        }
    }

    @Test(arguments: variants) func everyByteIsTurned(variant: Int) async throws {
        let sample = try Sample()
        try #require(sample.contents.count == 33)
        try await withSeeds("damaged bytes of mapped stores", count: 1) { random in
            let scene = try Scene(fileSystem: .unsynced)
            var most = 0
            for place in Self.places(sample, using: &random) {
                var bytes = sample.bytes
                bytes[place] = Self.damage(bytes[place], variant, at: place)
                let findings = try Self.examine(bytes, sample, scene)
                let what = "byte \(place): \(findings)"
                if let error = findings.error { Issue.record("\(error): \(what)") }
                if !findings.wrong.isEmpty { Issue.record("wrong: \(what)") }
                // One record holds one key.
                if findings.missing.count > 1 { Issue.record("too much is missing: \(what)") }
                if !findings.missing.isEmpty, !findings.isReported { Issue.record("not reported: \(what)") }
                most = max(most, findings.missing.count)
            }
            #expect(most == 1)
        }
    }

    @Test(arguments: variants) func everyByteIsTurnedAndOnlyRead(variant: Int) async throws {
        let sample = try Sample()
        try await withSeeds("damaged bytes of mapped stores, only read", count: 1) { random in
            let scene = try Scene(fileSystem: .unsynced)
            for place in Self.places(sample, using: &random) {
                var bytes = sample.bytes
                bytes[place] = Self.damage(bytes[place], variant, at: place)
                let findings = try Self.examine(bytes, sample, readOnly: true, scene)
                let isFine =
                    findings.error == nil && findings.wrong.isEmpty && findings.missing.count <= 1
                    && (findings.missing.isEmpty || findings.isReported)
                if !isFine { Issue.record("byte \(place): \(findings)") }
            }
        }
    }

    /// Damage that is found when everything is read anyway, after a boot: the same holds, except that a damaged unfinished transaction is lost
    /// entirely.
    @Test(arguments: variants) func everyByteIsTurnedBeforeAnotherBoot(variant: Int) async throws {
        let before = try Sample()
        try await withSeeds("damaged bytes of mapped stores after a boot", count: 1) { random in
            let scene = try Scene(fileSystem: .unsynced)
            try scene.write(before.bytes)
            try scene.pretendAnotherBoot()
            let sample = Sample(bytes: try scene.bytes(), contents: before.contents, history: before.history)
            for place in Self.places(sample, using: &random) {
                var bytes = sample.bytes
                bytes[place] = Self.damage(bytes[place], variant, at: place)
                let findings = try Self.examine(bytes, sample, scene)
                let isOne = findings.missing.count <= 1 || findings.missing == ["one", "two", "three"]
                let isFine = findings.error == nil && findings.wrong.isEmpty && isOne && (findings.missing.isEmpty || findings.isReported)
                if !isFine { Issue.record("byte \(place): \(findings)") }
            }
        }
    }

    /// The file is truncated at every place: everything before is there.
    @Test(arguments: [false, true]) func theFileIsCutAtEveryPlace(isShared: Bool) async throws {
        let sample = try Sample()
        try await withSeeds("truncated mapped stores", count: 1) { random in
            // What others have open has a header.
            let header = isShared ? [] : Thorough.sample(30, of: 0..<4096, using: &random)
            let rest = Thorough.sample(80, of: 4096..<sample.end + 64, using: &random)
            try cut(sample, isShared: isShared, at: header + rest + [8192, 12_288, sample.bytes.count - 1])
        }
    }

    private func cut(_ sample: Sample, isShared: Bool, at sizes: [Int]) throws {
        let scene = try Scene(fileSystem: .unsynced)
        var last = 0
        for size in sizes {
            let findings = try Self.examine(Array(sample.bytes.prefix(size)), sample, isShared: isShared, scene)
            if size == 0 {
                // An empty file becomes an empty store.
                #expect(findings.error == nil && findings.wrong.isEmpty)
                continue
            }
            if size < 1024 {
                #expect(findings.error?.code == .foreignFile || findings.error?.code == .corruption, "\(size) bytes: \(findings)")
                continue
            }
            if findings.error != nil || !findings.wrong.isEmpty { Issue.record("\(size) bytes: \(findings)") }
            // The longer the file, the fewer are missing.
            let there = sample.contents.count - findings.missing.intersection(sample.contents.keys).count
            if there < last - 1 { Issue.record("\(size) bytes: \(there) keys, where there were \(last) before: \(findings)") }
            last = max(last, there)
        }
        #expect(last == 33)
    }

    @Test func whatIsDamagedCanBeSetAndRemoved() throws {
        let scene = try Scene()
        var store = try scene.store()
        try store.set("a value to be found", for: "a")
        try store.set(2, for: "b")
        try store.close()
        var bytes = try scene.bytes()
        let place = try #require(Data(bytes).range(of: Data("to be found".utf8))).lowerBound
        bytes[place] = 0
        try scene.write(bytes)
        store = try scene.store()
        #expect(code { try store.get("a", as: String.self) } == .corruption)
        #expect(failure { try store.get("a", as: String.self) }?.userData == "key \"a\"")
        #expect(code { try store.transaction { try $0.get("a", as: String.self) } } == .corruption)
        #expect(try store.verify().damagedKeys == ["a"] && store.verify().intactCount == 1)
        // Listing does not leave it out without a word.
        #expect(code { try store.keys() } == .corruption && code { try store.entries() } == .corruption)
        #expect(failure { try store.entries() }?.userData == "key \"a\"")
        #expect(code { try store.forEach { _ in } } == .corruption)
        var others: [String] = []
        let omissions = try store.forEachIntact { others.append($0.key) }
        #expect(others == ["b"] && omissions.damagedKeys == ["a"] && omissions.unreadableCount == 0)
        try store.compact()
        #expect(code { try store.get("a", as: String.self) } == .corruption)
        try store.close()
        store = try scene.store()
        #expect(try store.verify().damagedKeys == ["a"])
        try store.set("new", for: "a")
        #expect(try store.get("a") == "new" && store.verify().isIntact)
        #expect(try store.keys() == ["b", "a"])
        #expect(try store.forEachIntact { _ in }.isEmpty)
    }

    enum Removal: CaseIterable {
        case alone, amongSeveral, inATransaction

        func remove(_ key: String, _ store: MappedStore) throws {
            switch self {
            case .alone: #expect(try store.remove(key))
            case .amongSeveral: #expect(try store.remove(contentsOf: [key, "none"]) == 1)
            case .inATransaction: try store.transaction { $0.remove(key) }
            }
        }
    }

    /// Removing repairs whatever byte is damaged of the record of a value, or of a removal: its header, its key, or what is sealed of it. Reading the
    /// key and listing succeed afterwards.
    @Test(arguments: [false, true], Removal.allCases) func whatIsDamagedIsRemoved(isEncrypted: Bool, how: Removal) throws {
        let cipher = isEncrypted ? TestCipher(1) : nil
        for isRemoved in [false, true] {
            let scene = try Scene(fileSystem: .unsynced)
            var store = try scene.store { $0.cipher = cipher }
            try store.set(1, for: "first")
            if isRemoved { try store.set("a value", for: "damaged") }
            let before = try scene.bytes()
            if isRemoved { try store.remove("damaged") } else { try store.set("a value", for: "damaged") }
            // Records begin here, behind the index.
            let record = zip(before, try scene.bytes()).enumerated().filter { $0.offset >= 6160 && $0.element.0 != $0.element.1 }.map(
                \.offset
            )
            try store.set(2, for: "last")
            try store.close()
            let bytes = try scene.bytes()
            var errors = 0
            for place in record {
                var damaged = bytes
                damaged[place] ^= 0xff
                try scene.write(damaged)
                store = try scene.store { $0.cipher = cipher }
                if code({ try store.get("damaged", as: String.self) }) == .corruption {
                    errors += 1
                    try how.remove("damaged", store)
                    #expect(try store.get("damaged", as: String.self) == nil && !store.contains("damaged"), "byte \(place)")
                    let verification = try store.verify()
                    #expect(verification.damagedKeys == [] && verification.unreadableCount == 0, "byte \(place): \(verification)")
                    #expect(try store.keys() == ["first", "last"], "byte \(place)")
                    #expect(try store.count == 2, "byte \(place)")
                    #expect(try store.verify().isIntact && !store.remove("damaged"), "byte \(place)")
                }
                try store.close()
            }
            #expect(errors >= 10)
        }
    }
}

extension DamageTests.Sample {
    init(bytes: [UInt8], contents: [String: MappedVariant], history: [String: [MappedVariant?]]) {
        self.bytes = bytes
        self.contents = contents
        self.history = history
    }
}
