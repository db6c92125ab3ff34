import CairnEngine

extension EngineCheck {
    static let limitChecks = [
        EngineCheck("keys and values of the largest size are stored, and larger ones refused") { stage in
            let limits = stage.engine.limits
            try stage.put(["kept": "1"])
            // Sizes that a test has memory for.
            if let size = limits.maximumKeySize, size <= 1 << 20 {
                let key = Array(repeating: UInt8(7), count: size)
                try stage.commit { $0.put("1", for: key) }
                try require(stage.engine.makeView().get(key) != nil, "the longest key is not found")
                try stage.commit { $0.delete(key) }
                try refuses(stage) { $0.put("1", for: key + [7]) }
                try refuses(stage) { $0.delete(key + [7]) }
            }
            if let size = limits.maximumValueSize, size <= 1 << 26 {
                let value = Array(repeating: UInt8(7), count: size)
                try stage.commit { $0.put(value, for: "v") }
                try require(stage.engine.makeView().get("v") == value, "the largest value is not found")
                try stage.commit { $0.delete("v") }
                try refuses(stage) { $0.put(value + [7], for: "v") }
            }
        },
        EngineCheck("commits of the most operations are performed, and larger ones refused") { stage in
            guard let count = stage.engine.limits.maximumCommitOperations, count <= 100_000 else { return }
            try stage.put(["kept": "1"])
            try stage.commit { commit in for number in 0..<count { commit.delete("\(number)") } }
            // Deleting the same key again does not count as another operation.
            try stage.commit { commit in for number in 0..<count * 2 { commit.delete("\(number % count)") } }
            try refuses(stage) { commit in for number in 0...count { commit.delete("\(number)") } }
            guard stage.engine.limits.maximumCommitReads == nil else { return }
            let view = try stage.engine.makeView()
            try refuses(stage) { commit in for number in 0...count { commit.read("\(number)", in: view) } }
        },
        EngineCheck("commits of the most reads are performed, and larger ones refused") { stage in
            guard let count = stage.engine.limits.maximumCommitReads, count <= 100_000 else { return }
            try stage.put(["kept": "1"])
            let view = try stage.engine.makeView()
            try stage.commit { commit in
                for number in 0..<count { commit.read("\(number)", in: view) }
                for number in 0..<stage.writesPerCommit { commit.delete("\(number)") }
            }
            try refuses(stage) { commit in for number in 0...count { commit.read("\(number)", in: view) } }
            try refuses(stage) { commit in for number in 0...count { commit.read(KeyRange(prefix: "\(number)"), in: view) } }
        },
        EngineCheck("commits that are too large are refused") { stage in
            guard let size = stage.engine.limits.maximumCommitSize, size <= 1 << 26 else { return }
            try stage.put(["kept": "1"])
            let part = max(1, min(size / 4, stage.engine.limits.maximumValueSize ?? .max))
            guard size / part < stage.writesPerCommit else { return }
            try refuses(stage) { commit in
                for number in 0...size / part { commit.put(Array(repeating: UInt8(0), count: part), for: "\(number)") }
            }
        },
    ]

    /// Requires that a commit is too large, and leaves nothing but the key `kept`.
    private static func refuses(_ stage: Stage, _ body: (inout EngineCommit) -> Void) throws {
        var commit = EngineCommit()
        commit.put("new", for: "kept")
        body(&commit)
        try requireError(.tooLarge, "a commit beyond the limits") { try stage.engine.commit(commit) }
        try require(stage.contents() == "kept=1", "a commit that was refused left something behind")
    }
}
