import CairnEngine

extension EngineCheck {
    static let viewChecks = [
        EngineCheck("views stay as they were") { stage in
            try stage.put(["a": "1", "b": "2", "c": "3"])
            let before = try stage.engine.makeView()
            let version = before.version
            try stage.commit { commit in
                commit.put("changed", for: "a")
                commit.delete("b")
                commit.put("new", for: "d")
            }
            try stage.put((0..<500).map { (Array("x\($0)".utf8), [1, 2, 3]) })
            try require(Stage.text(before.entries()) == "a=1 b=2 c=3", "a view changed: it shows \(Stage.text(try before.entries()))")
            try require(before.get("b") == Array("2".utf8) && before.get("d") == nil, "a view's values changed under it")
            try require(before.version == version, "a view's version changed")
            try require(stage.engine.makeView().version > version, "commits must make later versions")
        },
        EngineCheck("views are as new as the last commit") { stage in
            for number in 0..<20 {
                let version = try stage.commit { $0.put("\(number)", for: "key") }
                let view = try stage.engine.makeView()
                try require(view.version == version, "the view after a commit of version \(version) has version \(view.version)")
                try require(view.get("key") == Array("\(number)".utf8), "a view does not see the commit before it")
                try require(
                    stage.engine.latestVersion == version,
                    "the latest version after a commit of version \(version) is \(stage.engine.latestVersion)"
                )
            }
        },
        EngineCheck("empty values are values, and missing keys are missing") { stage in
            try stage.put(["empty": "", "full": "1"])
            let view = try stage.engine.makeView()
            try require(view.get("empty") == [], "an empty value must be found")
            try require(view.contains("empty") && !view.contains("emptier"), "contains is wrong")
            try require(view.get("missing") == nil && view.get("") == nil, "a missing key must be nil")
            try require(view.withValue(for: "full") { $0.byteCount } == 1, "a value was lent wrongly")
        },
        EngineCheck("many keys are read at once, in the order asked for") { stage in
            try stage.put((0..<100).map { (Array("key \($0)".utf8), Array("\($0)".utf8)) })
            let view = try stage.engine.makeView()
            let keys = KeyList(["key 7", "none", "key 99", "key 7", "key 0", ""])
            let expected = ["7", nil, "99", "7", "0", nil].map { $0.map { Array($0.utf8) } }
            try require(view.multiGet(keys) == expected, "multiGet gives \(try view.multiGet(keys))")
            try require(view.multiGet(KeyList()).isEmpty, "reading no keys must give no values")
            var indices: [Int] = []
            try view.lendValues(for: keys) { index, _ in indices.append(index) }
            try require(indices == Array(0..<6), "values must be lent in the order of the keys, not \(indices)")
        },
        EngineCheck("what is done while a view lends does not disturb it") { stage in
            try stage.put((0..<50).map { ([UInt8($0)], [UInt8($0)]) })
            let view = try stage.engine.makeView()
            let current = stage
            var seen: [UInt8] = []
            try view.scan { key, value in
                seen += [UInt8](copying: value)
                try current.commit { $0.delete([UInt8](copying: key)) }
                _ = try view.get([0])
                return true
            }
            try require(seen == Array(0..<50), "a scan saw \(seen)")
            try require(stage.contents() == "", "what was deleted during a scan must be gone")
        },
    ]
}
