import CairnEngine

extension EngineCheck {
    /// What engines behind a network must do.
    static let outcomeChecks = [
        withClients("a commit whose reply is lost is performed once, and can be repeated") { stage, other in
            guard let loseReply = stage.subject.loseReply else { return }
            let engine = stage.engine
            let changes = try hasChanges(stage) ? engine.changes() : nil
            var versions: [EngineVersion] = []
            try stage.put(["number": "0"])
            for round in 1...10 {
                var commit = EngineCommit()
                commit.idempotencyID = stage.random.bytes(16)
                commit.read("number", in: try engine.makeView())
                commit.put("\(round)", for: "number")
                loseReply(engine)
                let version = try outcome(of: commit, on: engine)
                try require(stage.get("number") == "\(round)", "a commit whose reply was lost is missing")
                versions.append(try engine.makeView().version)
                try require(version ?? versions[versions.count - 1] == versions[versions.count - 1], "a lost reply had a different version")
                // Now that others have written the same key, the commit must neither conflict with itself nor write again.
                versions.append(try Stage.commit(to: other) { $0.put("other \(round)", for: "number") })
                let again = try engine.commit(commit)
                try require(again == versions[versions.count - 2], "a repeated commit made version \(again)")
                try require(stage.get("number") == "other \(round)", "a repeated commit was performed twice")
            }
            guard let changes else { return }
            versions.append(try stage.commit { $0.put("end", for: "end") })
            try stage.close()
            let reported = await drained(changes).map(\.version)
            try require(reported.suffix(versions.count) == versions[...], "a follower got versions \(reported), not \(versions)")
        },
        withClients("a commit without a name whose reply is lost is performed once") { stage, other in
            guard let loseReply = stage.subject.loseReply else { return }
            let engine = stage.engine
            for round in 1...10 {
                var commit = EngineCommit()
                commit.read("number", in: try engine.makeView())
                commit.put("\(round)", for: "number")
                loseReply(engine)
                _ = try outcome(of: commit, on: engine)
                try require(stage.get("number") == "\(round)", "a commit whose reply was lost is missing")
            }
            try Stage.commit(to: other) { $0.put("other", for: "number") }
            try require(stage.get("number") == "other", "a commit whose reply was lost was performed again later")
        },
        withClients("a view that is too old says so, and commits that depend on it conflict or not") { stage, other in
            guard let expireViews = stage.subject.expireViews else { return }
            let engine = stage.engine
            try require(engine.limits.maximumViewAge != nil, "an engine whose views expire must say when: maximumViewAge")
            try stage.put(["a": "1", "b": "1"])
            let view = try engine.makeView()
            try Stage.commit(to: other) { $0.put("2", for: "a") }
            expireViews(engine)
            try requireError(.expired, "reading a key in an old view") { _ = try view.get("a") }
            try requireError(.expired, "reading a missing key in an old view") { _ = try view.get("missing") }
            try requireError(.expired, "reading keys in an old view") { _ = try view.multiGet(["a", "b"]) }
            for reverse in [false, true] {
                try requireError(.expired, "a scan of an old view") { _ = try view.entries(reverse: reverse) }
            }
            var commit = EngineCommit()
            commit.read("a", in: view)
            commit.put("3", for: "a")
            try requireError(.conflict, "a commit that read what was changed since in a view that is too old") { try engine.commit(commit) }
            var unchanged = EngineCommit()
            unchanged.read("b", in: view)
            unchanged.put("3", for: "b")
            let isThere = try stage.succeeds(unchanged)
            try require(stage.contents() == "a=2 b=\(isThere ? 3 : 1)", "the store contains \(try stage.contents())")
            try stage.commit { commit in
                commit.read("a", in: try engine.makeView())
                commit.put("4", for: "a")
            }
            try require(stage.get("a") == "4", "a new view of an engine whose older views expired is unusable")
        },
    ]

    /// Commits; returns `nil` if the engine says that it does not know the outcome.
    private static func outcome(of commit: EngineCommit, on engine: any StorageEngine) throws -> EngineVersion? {
        do { return try engine.commit(commit) } catch {
            try require(error.code == .unavailable, "a commit whose reply was lost must succeed or throw unavailable, but threw \(error)")
            return nil
        }
    }
}
