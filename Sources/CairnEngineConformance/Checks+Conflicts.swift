import CairnEngine

extension EngineCheck {
    /// Runs `change` between reading and committing, on the same client and on another one, and says whether the commit may succeed.
    private static func conflictCheck(
        _ description: String,
        conflicts: Bool,
        read: @escaping @Sendable (inout EngineCommit, any EngineView) -> Void,
        change: @escaping @Sendable (inout EngineCommit) -> Void
    ) -> [EngineCheck] {
        let check: @Sendable (inout Stage, any StorageEngine) throws -> Void = { stage, other in
            try stage.put(["a": "1", "b": "2", "m1": "1", "m5": "5", "m9": "9"])
            let view = try stage.engine.makeView()
            if try Stage.commit(to: other, change) == view.version {
                throw EngineCheckFailure(description: "the change created no version")
            }
            let before = try stage.contents()
            guard conflicts else {
                try stage.commit { commit in
                    read(&commit, view)
                    commit.put("written", for: "result")
                }
                return try require(stage.get("result") == "written", "the write is missing")
            }
            let engine = stage.engine
            for writes in [true, false] {
                var commit = EngineCommit()
                read(&commit, view)
                if writes {
                    commit.put("written", for: "result")
                    commit.delete("a")
                }
                try requireError(.conflict, "a commit that depends on data changed since") { try engine.commit(commit) }
            }
            try require(stage.contents() == before, "a commit that failed left something behind")
        }
        return [
            EngineCheck(description) { stage in try check(&stage, stage.engine) },
            withClients("with two clients, " + description) { stage, other in try check(&stage, other) },
        ]
    }

    static let middle = KeyRange(prefix: "m")

    static let conflictChecks = pairs.flatMap { $0 } + singleChecks

    private static let pairs: [[EngineCheck]] = [
        conflictCheck("a read key that is put is a conflict", conflicts: true) {
            $0.read("b", in: $1)
        } change: {
            $0.put("3", for: "b")
        },
        conflictCheck("a read key that is deleted is a conflict", conflicts: true) {
            $0.read("b", in: $1)
        } change: {
            $0.delete("b")
        },
        conflictCheck("a read key that was missing and is put is a conflict", conflicts: true) {
            $0.read("c", in: $1)
        } change: {
            $0.put("", for: "c")
        },
        conflictCheck("other keys do not conflict", conflicts: false) { commit, view in
            commit.read("b", in: view)
            commit.read("missing", in: view)
            commit.read(middle, in: view)
        } change: {
            $0.put("3", for: "a")
            $0.put("3", for: "n")
            $0.delete("l")
        },
        conflictCheck("a key inserted into a read range is a conflict", conflicts: true) {
            $0.read(middle, in: $1)
        } change: {
            $0.put("3", for: "m3")
        },
        conflictCheck("a key inserted at the end of a read range is a conflict", conflicts: true) {
            $0.read(middle, in: $1)
        } change: {
            $0.put("", for: "m99")
        },
        conflictCheck("a key deleted from a read range is a conflict", conflicts: true) {
            $0.read(middle, in: $1)
        } change: {
            $0.delete("m9")
        },
        conflictCheck("a key changed in a read range is a conflict", conflicts: true) {
            $0.read(middle, in: $1)
        } change: {
            $0.put("x", for: "m1")
        },
        conflictCheck("a read range that is no longer empty is a conflict", conflicts: true) {
            $0.read(KeyRange(prefix: "q"), in: $1)
        } change: {
            $0.put("x", for: "q1")
        },
        conflictCheck("the end of a read range does not belong to it", conflicts: false) {
            $0.read(KeyRange(lowerBound: Array("m1".utf8), upperBound: Array("m9".utf8)), in: $1)
        } change: {
            $0.put("x", for: "m9")
            $0.put("x", for: "m0")
        },
    ]

    private static let singleChecks = [
        EngineCheck("a range deleted from a read range is a conflict") { stage in
            guard stage.engine.limits.deletesRanges else { return }
            try stage.put(["a": "1", "m1": "1", "m5": "5"])
            let view = try stage.engine.makeView()
            try stage.commit { $0.deleteRange(KeyRange(lowerBound: Array("m2".utf8), upperBound: nil)) }
            let engine = stage.engine
            var commit = EngineCommit()
            commit.read(middle, in: view)
            try requireError(.conflict, "a commit that read a partly deleted range") { try engine.commit(commit) }
            var other = EngineCommit()
            other.read("m5", in: view)
            try requireError(.conflict, "a commit that read a key in a deleted range") { try engine.commit(other) }
        },
        EngineCheck("reads of several views are each compared with their own") { stage in
            try stage.put(["a": "1", "b": "1"])
            let first = try stage.engine.makeView()
            try stage.put(["a": "2"])
            let second = try stage.engine.makeView()
            try stage.commit { commit in
                commit.read("b", in: first)
                commit.read("a", in: second)
                commit.put("1", for: "result")
            }
            let engine = stage.engine
            var commit = EngineCommit()
            commit.read("b", in: second)
            commit.read("a", in: first)
            try requireError(.conflict, "a commit that depends on an old view") { try engine.commit(commit) }
        },
        EngineCheck("large read ranges are compared to their end") { stage in
            try stage.put((0..<1000).map { (Array("k\($0 + 1000)".utf8), [1]) })
            for (key, isDeleted) in [("k1999", false), ("k1999", true), ("k19990", false), ("k1100", true), ("k11000", false)] {
                let view = try stage.engine.makeView()
                try stage.commit { if isDeleted { $0.delete(key) } else { $0.put([7, UInt8(key.utf8.count)], for: key) } }
                let engine = stage.engine
                var commit = EngineCommit()
                commit.read(.all, in: view)
                try requireError(.conflict, "a commit that read everything while \(key) was changed") { try engine.commit(commit) }
            }
        },
    ]
}
