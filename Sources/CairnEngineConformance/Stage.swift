import CairnEngine

/// An engine, with the operations that the checks share.
struct Stage {
    typealias Entry = (key: [UInt8], value: [UInt8])

    let subject: EngineUnderTest
    var engine: any StorageEngine
    var random: CheckGenerator

    init(subject: EngineUnderTest, engine: any StorageEngine, seed: UInt64) {
        self.subject = subject
        self.engine = engine
        random = CheckGenerator(seed: seed)
    }

    /// Another client of the same data; the same engine if there is only one.
    func openOther() throws -> any StorageEngine { try engine.isShared ? subject.open("store") : engine }

    /// The most writes in a commit that the checks make of their own accord.
    var writesPerCommit: Int {
        max(1, min(engine.limits.maximumCommitOperations ?? .max, (engine.limits.maximumCommitSize ?? .max) / 64, 1000))
    }

    /// Commits what `body` adds; retries if the engine says `conflict`, which it must do with good reason or rarely.
    @discardableResult
    func commit(durability: Durability = .buffered, _ body: (inout EngineCommit) throws -> Void) throws -> EngineVersion {
        try Self.commit(to: engine, durability: durability, body)
    }

    @discardableResult
    static func commit(
        to engine: any StorageEngine,
        durability: Durability = .buffered,
        _ body: (inout EngineCommit) throws -> Void
    ) throws -> EngineVersion {
        for _ in 0..<10_000 {
            var commit = EngineCommit()
            try body(&commit)
            do {
                return try engine.commit(commit, durability: durability)
            } catch {
                guard error.code == .conflict else { throw error }
            }
        }
        throw EngineCheckFailure(description: "10,000 commits in a row ended in a conflict")
    }

    /// Commits, and returns false if that ends in a conflict.
    func succeeds(_ commit: EngineCommit) throws -> Bool {
        do { try engine.commit(commit) } catch {
            guard error.code == .conflict else { throw error }
            return false
        }
        return true
    }

    /// Puts entries, in as many commits as the limits ask for.
    func put(_ entries: some Sequence<Entry>) throws {
        var rest = Array(entries)[...]
        while !rest.isEmpty {
            let part = rest.prefix(writesPerCommit)
            try commit { commit in for entry in part { commit.put(entry.value, for: entry.key) } }
            rest = rest.dropFirst(part.count)
        }
    }

    func put(_ pairs: KeyValuePairs<String, String>) throws { try put(pairs.map { (Array($0.key.utf8), Array($0.value.utf8)) }) }

    /// Closes the engine, and makes sure that it is closed: otherwise its followers would wait forever.
    func close() throws {
        let engine = engine
        try engine.close()
        try requireError(.closed, "making a view after closing") { _ = try engine.makeView() }
    }

    /// The value of `key` now.
    func get(_ key: String) throws -> String? {
        try engine.makeView().get(key).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Everything now, as text.
    func contents() throws -> String { try Self.text(engine.makeView().entries()) }

    /// `a=1 b=2`.
    static func text(_ entries: [Entry]) -> String {
        entries.map { "\(String(decoding: $0.key, as: UTF8.self))=\(String(decoding: $0.value, as: UTF8.self))" }.joined(separator: " ")
    }
}

/// A repeatable source of random numbers (SplitMix64).
struct CheckGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    mutating func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
