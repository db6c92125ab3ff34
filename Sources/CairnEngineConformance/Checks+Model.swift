import CairnEngine

extension EngineCheck {
    static let modelChecks = [
        EngineCheck("random operations give what a dictionary gives") { stage in
            var model = Model()
            // Views that are held for some time, with what they must show.
            var held: [(view: any EngineView, model: Model)] = []
            for round in 0..<120 {
                let writes = (0..<stage.random.int(1..<min(stage.writesPerCommit, 60) + 1)).map { _ in
                    Model.Write(&stage.random, stage.engine.limits)
                }
                try stage.commit { commit in for write in writes { write.add(to: &commit) } }
                for write in writes { model.apply(write) }
                try model.compare(with: stage.engine.makeView(), &stage.random)
                if round % 5 == 0 { held.append((try stage.engine.makeView(), model)) }
                if held.count > 4 {
                    let index = stage.random.int(0..<held.count)
                    try held[index].model.compare(with: held[index].view, &stage.random)
                    held.remove(at: index)
                }
            }
            for (view, model) in held { try model.compare(with: view, &stage.random) }
        },
        EngineCheck("random commits conflict exactly where what they read was changed") { stage in
            var model = Model()
            for round in 0..<150 {
                let view = try stage.engine.makeView()
                let before = model
                let writes = (0..<stage.random.int(0..<4)).map { _ in Model.Write(&stage.random, stage.engine.limits) }
                try stage.commit { commit in for write in writes { write.add(to: &commit) } }
                for write in writes { model.apply(write) }

                let keys = (0..<stage.random.int(0..<4)).map { _ in Model.key(&stage.random) }
                let ranges = (0..<stage.random.int(0..<2)).map { _ in Model.range(&stage.random) }
                let isSame =
                    keys.allSatisfy { model.entries[$0] == before.entries[$0] }
                    && ranges.allSatisfy { model.entries(in: $0) == before.entries(in: $0) }
                func add(to commit: inout EngineCommit) {
                    for key in keys { commit.read(key, in: view) }
                    for range in ranges { commit.read(range, in: view) }
                    commit.put("\(round)", for: "round")
                }
                let isTouched = writes.contains { write in keys.contains { write.touches($0) } || ranges.contains { write.touches($0) } }
                let engine = stage.engine
                var commit = EngineCommit()
                add(to: &commit)
                if !isSame {
                    try requireError(.conflict, "a commit that read \(keys) and \(ranges), which were changed,") {
                        try engine.commit(commit)
                    }
                } else if !isTouched {
                    try stage.commit { add(to: &$0) }
                    model.entries[Array("round".utf8)] = Array("\(round)".utf8)
                } else if try stage.succeeds(commit) {
                    // An engine may compare versions instead of values.
                    model.entries[Array("round".utf8)] = Array("\(round)".utf8)
                }
                try model.compare(with: stage.engine.makeView(), &stage.random)
            }
        },
    ]
}

/// What an engine must hold.
struct Model {
    var entries: [[UInt8]: [UInt8]] = [:]

    enum Write {
        case put([UInt8], [UInt8]), delete([UInt8]), deleteRange(KeyRange)

        init(_ random: inout CheckGenerator, _ limits: EngineLimits) {
            switch random.int(0..<20) {
            case 0 where limits.deletesRanges: self = .deleteRange(Model.range(&random))
            case 0..<6: self = .delete(Model.key(&random))
            default: self = .put(Model.key(&random), random.bytes(random.int(0..<40)))
            }
        }

        /// Whether a key is written, even if only with the value that it has.
        func touches(_ key: [UInt8]) -> Bool {
            switch self {
            case .put(let written, _), .delete(let written): written == key
            case .deleteRange(let range): range.contains(key)
            }
        }

        /// Whether anything may be written in a range.
        func touches(_ range: KeyRange) -> Bool {
            switch self {
            case .put(let written, _), .delete(let written): range.contains(written)
            case .deleteRange: true
            }
        }

        func add(to commit: inout EngineCommit) {
            switch self {
            case .put(let key, let value): commit.put(value, for: key)
            case .delete(let key): commit.delete(key)
            case .deleteRange(let range): commit.deleteRange(range)
            }
        }
    }

    /// Short keys of few different bytes, so that they collide.
    static func key(_ random: inout CheckGenerator) -> [UInt8] {
        (0..<random.int(1..<5)).map { _ in [0, 1, 0x61, 0xFE, 0xFF][random.int(0..<5)] }
    }

    static func range(_ random: inout CheckGenerator) -> KeyRange {
        if random.int(0..<3) == 0 { return KeyRange(prefix: key(&random)) }
        return KeyRange(lowerBound: key(&random), upperBound: random.int(0..<10) == 0 ? nil : key(&random))
    }

    mutating func apply(_ write: Write) {
        switch write {
        case .put(let key, let value): entries[key] = value
        case .delete(let key): entries[key] = nil
        case .deleteRange(let range): entries = entries.filter { !range.contains($0.key) }
        }
    }

    func entries(in range: KeyRange) -> [[UInt8]: [UInt8]] { entries.filter { range.contains($0.key) } }

    /// Throws if `view` shows anything else, read in several ways.
    func compare(with view: any EngineView, _ random: inout CheckGenerator) throws {
        for range in [.all, Self.range(&random)] {
            let expected = entries(in: range).sorted { $0.key.lexicographicallyPrecedes($1.key) }
            let found = try view.entries(range)
            try require(found.elementsEqual(expected) { $0 == $1 }, "the scan of \(range) gives \(found), expected \(expected)")
            let reversed = try view.entries(range, reverse: true)
            try require(
                reversed.elementsEqual(expected.reversed()) { $0 == $1 },
                "the reverse scan of \(range) gives \(reversed), expected \(expected)"
            )
        }
        let keys = (0..<5).map { _ in Self.key(&random) }
        for key in keys { try require(view.get(key) == entries[key], "\(key) has the value \(String(describing: try view.get(key)))") }
        try require(view.multiGet(KeyList(keys)) == keys.map { entries[$0] }, "reading keys together gives different values")
    }
}
