import CairnEngine

extension EngineCheck {
    static let persistenceChecks = [
        EngineCheck("data survives closing and reopening", isForPersistentEngines: true) { stage in
            var model = Model()
            var newest = EngineVersion(rawValue: 0)
            for _ in 0..<8 {
                let writes = (0..<stage.writesPerCommit).map { _ in Model.Write(&stage.random, stage.engine.limits) }
                let version = try stage.commit { commit in for write in writes { write.add(to: &commit) } }
                for write in writes { model.apply(write) }
                try require(version > newest, "a version is not later than those of the previous opening")
                newest = version
                try stage.engine.close()
                stage.engine = try stage.subject.open("store")
                let view = try stage.engine.makeView()
                try model.compare(with: view, &stage.random)
                try require(view.version >= newest, "the version after opening is older than the last commit")
            }
        },
        EngineCheck("large commits are there after closing and opening", isForPersistentEngines: true) { stage in
            for round in 0..<3 {
                let count = stage.writesPerCommit == 1000 ? 40_000 : stage.writesPerCommit
                try stage.commit { commit in for number in 0..<count { commit.put("value \(round)", for: "key \(number)") } }
                try stage.commit { $0.put("small \(round)", for: "key 0") }
                try stage.engine.close()
                stage.engine = try stage.subject.open("store")
                let found = try stage.engine.makeView().entries()
                try require(found.count == count, "found \(found.count) of \(count) keys")
                let values = Set(found.map { String(decoding: $0.value, as: UTF8.self) })
                try require(values == ["value \(round)", "small \(round)"], "found values of other commits: \(values)")
            }
        },
        EngineCheck("a store is not opened twice", isForPersistentEngines: true) { stage in
            guard !stage.engine.isShared else { return }
            try stage.put(["a": "1"])
            let subject = stage.subject
            try requireError(.locked, "opening a store a second time") { _ = try subject.open("store") }
            try require(stage.get("a") == "1", "the first opening was disturbed")
        },
    ]
}
