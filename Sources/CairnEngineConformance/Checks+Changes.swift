import CairnEngine

extension EngineCheck {
    /// Whether the engine has a change feed at all.
    static func hasChanges(_ stage: Stage) throws -> Bool {
        do {
            _ = try stage.engine.changes()
            return true
        } catch {
            guard error.code == .notSupported else { throw error }
            return false
        }
    }

    static let changeChecks = [
        EngineCheck("followers get every commit, in order, with its keys, and then the end") { stage in
            guard try hasChanges(stage) else { return }
            let engine = stage.engine
            let start = try engine.makeView().version
            let changes = try engine.changes()
            async let followed = drained(changes)
            var versions: [EngineVersion] = []
            for number in 1...30 {
                let version = try stage.commit { commit in
                    commit.put("\(number)", for: "number")
                    commit.delete("key \(number)")
                }
                versions.append(version)
            }
            // A later follower gets them again.
            let later = try engine.changes(after: versions[9])
            let whole = try engine.changes(after: start)
            try stage.close()
            let live = await followed
            try require(live.map(\.version) == versions, "a follower got versions \(live.map(\.version)), not \(versions)")
            for (index, change) in live.enumerated() {
                try require(!change.isEverything, "a commit of two keys was reported without keys")
                try require(keys(change) == ["key \(index + 1)", "number"], "a follower received \(keys(change))")
            }
            let found = (later: await drained(later).map(\.version), whole: await drained(whole).map(\.version))
            try require(found.later == Array(versions[10...]), "following after a version does not continue after it")
            try require(found.whole == versions, "following from the beginning gives different versions")
        },
        EngineCheck("commits that write nothing or fail are not followed") { stage in
            guard try hasChanges(stage) else { return }
            try stage.put(["a": "1"])
            let engine = stage.engine
            var view: (any EngineView)? = try engine.makeView()
            let changes = try engine.changes()
            try stage.put(["a": "2"])
            try stage.commit { _ in }
            if let view {
                var failing = EngineCommit()
                failing.read("a", in: view)
                failing.put("3", for: "a")
                try requireError(.conflict, "a commit that depends on an old value") { try engine.commit(failing) }
            }
            view = nil
            try stage.put(["b": "1"])
            try stage.close()
            let reported = await drained(changes).map(keys)
            try require(reported == [["a"], ["b"]], "a follower received \(reported)")
        },
        EngineCheck("followers learn of deleted ranges") { stage in
            guard try hasChanges(stage), stage.engine.limits.deletesRanges else { return }
            let changes = try stage.engine.changes()
            try stage.commit { commit in
                commit.put("1", for: "x")
                commit.deleteRange(KeyRange(prefix: "a"))
            }
            try stage.close()
            let reported = await drained(changes)
            try require(reported.count == 1, "a follower received \(reported.count) commits, not one")
            try require(
                reported[0].touches("x") && reported[0].touches("a7") && !reported[0].touches("b"),
                "a change touches keys other than those written"
            )
            try require(
                reported[0].touches(KeyRange(prefix: "a1")) && !reported[0].touches(KeyRange(prefix: "c")),
                "a change touches ranges other than those written"
            )
        },
        EngineCheck("unknown commits are reported as everything") { stage in
            guard try hasChanges(stage) else { return }
            try stage.put(["a": "1"])
            let newest = try stage.engine.makeView().version
            let changes = try stage.engine.changes(after: EngineVersion(rawValue: newest.rawValue + 1000))
            try stage.close()
            let reported = await drained(changes)
            try require(
                reported.count == 1 && reported[0].isEverything && reported[0].version >= newest,
                "after an unknown version there must be one change that is everything"
            )
        },
        EngineCheck("following ends with the task") { stage in
            guard try hasChanges(stage) else { return }
            let changes = try stage.engine.changes()
            let task = Task { await drained(changes) }
            task.cancel()
            let reported = await task.value
            try require(reported.isEmpty, "a cancelled follower received something")
        },
    ]

    static func keys(_ change: EngineChange) -> [String] {
        (0..<change.keys.count).map { String(decoding: [UInt8](copying: change.keys[$0]), as: UTF8.self) }
    }

    /// All changes until the end; only some if the engine's changes never end.
    static func drained(_ changes: EngineChanges) async -> [EngineChange] {
        var found: [EngineChange] = []
        var iterator = changes.makeAsyncIterator()
        while found.count < 1000, let change = try? await iterator.next() { found.append(change) }
        return found
    }
}
