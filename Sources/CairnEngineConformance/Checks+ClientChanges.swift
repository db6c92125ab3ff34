import CairnEngine

extension EngineCheck {
    static let clientChangeChecks = [
        withClients("followers get the commits of another client, in order, with their keys") { stage, other in
            guard try hasChanges(stage) else { return }
            let engine = stage.engine
            let changes = try engine.changes()
            async let followed = drained(changes)
            let versions = try mixedCommits(30, engine, other)
            try stage.close()
            try compare(await followed, with: versions[...])
        },
        withClients("followers learn of the ranges that another client deletes") { stage, other in
            guard try hasChanges(stage), stage.engine.limits.deletesRanges else { return }
            let changes = try stage.engine.changes()
            try Stage.commit(to: other) { commit in
                commit.put("1", for: "x")
                commit.deleteRange(KeyRange(prefix: "a"))
            }
            try stage.put(["own": "1"])
            try stage.close()
            let reported = await drained(changes)
            try require(reported.count == 2, "a follower received \(reported.count) commits, not two")
            try require(
                reported[0].touches("x") && reported[0].touches("a7") && !reported[0].touches("b"),
                "a change touches keys other than those another client wrote"
            )
            try require(
                reported[0].touches(KeyRange(prefix: "a1")) && !reported[0].touches(KeyRange(prefix: "c")),
                "a change touches ranges other than those another client wrote"
            )
        },
        withClients("followers learn of another client's commit without one of their own") { stage, other in
            guard try hasChanges(stage) else { return }
            let changes = try stage.engine.changes()
            let versions = try (1...3).map { number in try Stage.commit(to: other) { write(number, to: &$0) } }
            let reported = try await collected(changes, upTo: versions[2], stage)
            try compare(reported, with: versions[...])
        },
        withClients("following from an older version includes the commits of another client") { stage, other in
            guard try hasChanges(stage) else { return }
            let engine = stage.engine
            let start = try engine.makeView().version
            let versions = try mixedCommits(20, engine, other)
            for index in [0, 1, 7, 19] {
                let changes = try engine.changes(after: index == 0 ? start : versions[index - 1])
                try compare(try await collected(changes, upTo: versions[19], stage), with: versions[index...])
            }
        },
        withClients("a client that is opened later follows from then on") { stage, other in
            guard other !== stage.engine, try hasChanges(stage) else { return }
            let engine = stage.engine
            let start = try engine.makeView().version
            let before = try mixedCommits(10, engine, other)
            let late = try stage.openOther()
            do {
                let changes = try late.changes(after: start)
                let after = try mixedCommits(11, from: 11, engine, late)
                var reported = try await collected(changes, upTo: after[10], stage)
                // It may or may not know earlier commits.
                if let first = reported.first, first.isEverything, first.version >= before[9] {
                    reported.removeFirst()
                    try compare(reported, with: (before + after)[...].drop { $0 <= first.version })
                } else {
                    try compare(reported, with: (before + after)[...])
                }
            } catch {
                try? late.close()
                throw error
            }
            try late.close()
        },
    ]

    /// Commits by turns, the last one by `engine`; returns the versions. What came before it in `engine` is reported before it.
    private static func mixedCommits(
        _ count: Int,
        from start: Int = 1,
        _ engine: any StorageEngine,
        _ other: any StorageEngine
    ) throws -> [EngineVersion] {
        try (0..<count).map { index in
            try Stage.commit(to: index % 3 == 0 || index == count - 1 ? engine : other) { write(start + index, to: &$0) }
        }
    }

    /// The writes of the commit with a number, counted from 1.
    private static func write(_ number: Int, to commit: inout EngineCommit) {
        commit.put("\(number)", for: "number")
        commit.delete("key \(number)")
    }

    /// Throws unless the changes are the last of the commits that ``write(_:to:)`` made.
    private static func compare(_ changes: [EngineChange], with versions: ArraySlice<EngineVersion>) throws {
        try require(changes.map(\.version) == Array(versions), "a follower got versions \(changes.map(\.version)), not \(Array(versions))")
        for (change, index) in zip(changes, versions.indices) {
            try require(!change.isEverything, "a commit of two keys was reported without keys")
            let number = index + 1
            try require(keys(change) == ["key \(number)", "number"], "a follower received \(keys(change)), not those of commit \(number)")
        }
    }

    /// The changes up to a version. Throws if they do not come.
    private static func collected(
        _ changes: EngineChanges,
        upTo version: EngineVersion,
        _ stage: Stage
    ) async throws -> [EngineChange] {
        let patience = stage.subject.patience
        return try await withThrowingTaskGroup(of: [EngineChange]?.self) { group in
            group.addTask {
                var found: [EngineChange] = []
                var iterator = changes.makeAsyncIterator()
                while found.last.map({ $0.version < version }) ?? true, found.count < 1000, let change = try await iterator.next() {
                    found.append(change)
                }
                return found
            }
            group.addTask {
                try? await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            guard let found = try await group.next() ?? nil else {
                throw EngineCheckFailure(description: "a commit of another client is not reported within \(patience)")
            }
            return found
        }
    }
}
