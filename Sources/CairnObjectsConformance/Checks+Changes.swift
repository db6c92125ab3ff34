import CairnObjects

extension EngineCheck {
    /// Whether the engine has a change feed at all.
    private static func hasChanges(_ stage: Stage) throws -> Bool {
        do {
            _ = try stage.engine.changes()
            return true
        } catch {
            guard error.code == .notSupported else { throw error }
            return false
        }
    }

    static let changeChecks = [
        EngineCheck("followers get every commit, in order, with its keys") { stage in
            guard try hasChanges(stage) else { return }
            let engine = stage.engine
            let start = try engine.makeView().version
            let changes = try engine.changes()
            async let followed = follow(changes, until: 30)
            var versions: [EngineVersion] = []
            for number in 1...30 {
                versions.append(
                    try stage.commit { commit in
                        commit.put("\(number)", for: "number")
                        commit.delete("key \(number)")
                    }
                )
            }
            let live = await followed
            try require(live.map(\.version) == versions, "a follower got versions \(live.map(\.version)), not \(versions)")
            for (index, change) in live.enumerated() {
                try require(!change.isEverything, "a commit of two keys was not told")
                try require(keys(change) == ["key \(index + 1)", "number"], "a follower was told \(keys(change))")
            }
            // Whoever comes later gets them again.
            let later = await follow(try engine.changes(after: versions[9]), until: 20)
            try require(later.map(\.version) == Array(versions[10...]), "following after a version does not go on behind it")
            let all = await follow(try engine.changes(after: start), until: 30)
            try require(all.map(\.version) == versions, "following from the beginning gives other versions")
        },
        EngineCheck("commits that write nothing or fail are not followed") { stage in
            guard try hasChanges(stage) else { return }
            try stage.put(["a": "1"])
            let engine = stage.engine
            let view = try engine.makeView()
            let changes = try engine.changes()
            try stage.put(["a": "2"])
            try stage.commit { _ in }
            var failing = EngineCommit()
            failing.read("a", in: view)
            failing.put("3", for: "a")
            try requireError(.conflict, "a commit that rests on an old value") { try engine.commit(failing) }
            try stage.put(["b": "1"])
            let told = await follow(changes, until: 2).map(keys)
            try require(told == [["a"], ["b"]], "a follower was told \(told)")
        },
        EngineCheck("followers are told of deleted ranges") { stage in
            guard try hasChanges(stage), stage.engine.limits.deletesRanges else { return }
            let changes = try stage.engine.changes()
            try stage.commit { commit in
                commit.put("1", for: "x")
                commit.deleteRange(KeyRange(prefix: "a"))
            }
            let change = await follow(changes, until: 1)[0]
            try require(
                change.touches("x") && change.touches("a7") && !change.touches("b"),
                "a change touches other keys than were written"
            )
            try require(
                change.touches(KeyRange(prefix: "a1")) && !change.touches(KeyRange(prefix: "c")),
                "a change touches other ranges than were written"
            )
        },
        EngineCheck("what is not known any more is told as everything") { stage in
            guard try hasChanges(stage) else { return }
            try stage.put(["a": "1"])
            let newest = try stage.engine.makeView().version
            let unknown = EngineVersion(rawValue: newest.rawValue + 1000)
            let told = await follow(try stage.engine.changes(after: unknown), until: 1)
            try require(
                told[0].isEverything && told[0].version >= newest,
                "after an unknown version there must be one change that is everything"
            )
        },
        EngineCheck("following ends with the engine, and with the task") { stage in
            guard try hasChanges(stage) else { return }
            let engine = stage.engine
            let changes = try engine.changes()
            let cancelled = Task { await follow(changes, until: 1) }
            cancelled.cancel()
            let told = await cancelled.value
            try require(told.isEmpty, "a cancelled follower was told something")
            async let ended = follow(changes, until: 2)
            try stage.put(["a": "1"])
            try engine.close()
            let last = await ended
            try require(last.count <= 1, "a follower went on after closing")
        },
    ]

    private static func keys(_ change: EngineChange) -> [String] {
        (0..<change.keys.count).map { String(decoding: [UInt8](copying: change.keys[$0]), as: UTF8.self) }
    }

    /// The next changes, so many at most.
    private static func follow(_ changes: EngineChanges, until count: Int) async -> [EngineChange] {
        var found: [EngineChange] = []
        var iterator = changes.makeAsyncIterator()
        while found.count < count, let change = try? await iterator.next() { found.append(change) }
        return found
    }
}
