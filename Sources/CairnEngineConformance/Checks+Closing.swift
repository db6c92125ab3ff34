import CairnEngine

extension EngineCheck {
    static let closingChecks = [
        EngineCheck("a closed engine says so") { stage in
            try stage.put(["a": "1"])
            let engine = stage.engine
            try engine.close()
            try engine.close()
            var commit = EngineCommit()
            commit.put("1", for: "b")
            try requireError(.closed, "making a view") { _ = try engine.makeView() }
            try requireError(.closed, "committing") { try engine.commit(commit) }
            try requireError(.closed, "committing nothing") { try engine.commit(EngineCommit()) }
            try requireError(.closed, "following changes") { _ = try engine.changes() }
        },
        EngineCheck("an engine does not close while views are held") { stage in
            try stage.put(["a": "1"])
            let engine = stage.engine
            var view: (any EngineView)? = try engine.makeView()
            try requireError(.busy, "closing while a view is held") { try engine.close() }
            try require(view?.get("a") == [0x31], "a view is unusable after closing was refused")
            try stage.put(["b": "1"])
            var commit: EngineCommit? = EngineCommit()
            if let view { commit?.read("a", in: view) }
            view = nil
            try requireError(.busy, "closing while a commit holds a view") { try engine.close() }
            commit = nil
            try engine.close()
        },
        EngineCheck("views outlive the last reference to their engine") { stage in
            var engine: (any StorageEngine)? = try stage.subject.open("let go")
            if let engine { _ = try Stage.commit(to: engine) { $0.put("1", for: "a") } }
            let view = try engine?.makeView()
            engine = nil
            try require(view?.get("a") == [0x31], "a view can no longer be read")
        },
    ]
}
