import CairnEngine

extension EngineCheck {
    static let commitChecks = [
        EngineCheck("the last write to a key counts") { stage in
            try stage.commit { commit in
                for key in ["c", "a", "b"] { commit.put("first", for: key) }
                commit.delete("a")
                commit.put("second", for: "b")
                commit.delete("new")
                commit.put("third", for: "new")
            }
            try require(stage.contents() == "b=second c=first new=third", "after a commit the store contains \(try stage.contents())")
        },
        EngineCheck("deleting what is missing succeeds") { stage in
            try stage.commit { commit in
                commit.delete("a")
                if stage.engine.limits.deletesRanges { commit.deleteRange(.all) }
            }
            if stage.engine.limits.deletesRanges { try stage.commit { $0.deleteRange(.all) } }
            try require(stage.contents() == "", "deleting left something behind where there was nothing")
            try stage.put(["a": "1"])
            try stage.commit { commit in
                commit.delete("b")
                if stage.engine.limits.deletesRanges { commit.deleteRange(KeyRange(prefix: "c")) }
            }
            try require(stage.contents() == "a=1", "deleting what is missing changed something")
        },
        EngineCheck("deleted ranges are half open") { stage in
            guard stage.engine.limits.deletesRanges else {
                let engine = stage.engine
                var commit = EngineCommit()
                commit.deleteRange(.all)
                return try requireError(.notSupported, "deleting a range") { try engine.commit(commit) }
            }
            let all = (0..<100).map { Array("\($0 + 100)".utf8) }
            let ranges = [
                KeyRange(lowerBound: Array("120".utf8), upperBound: Array("130".utf8)), KeyRange(prefix: "15"),
                KeyRange(lowerBound: Array("190".utf8), upperBound: nil), KeyRange(lowerBound: [], upperBound: Array("101".utf8)),
                KeyRange(lowerBound: Array("180".utf8), upperBound: Array("170".utf8)),
            ]
            var expected = all
            try stage.put(all.map { ($0, [1]) })
            for range in ranges {
                try stage.commit { $0.deleteRange(range) }
                expected.removeAll { range.contains($0) && !range.isEmpty }
                let found = try stage.engine.makeView().entries().map(\.key)
                try require(found == expected, "after deleting \(range) there are \(found.count) keys, expected \(expected.count)")
            }
            try stage.commit { $0.deleteRange(.all) }
            try require(stage.contents() == "", "deleting everything leaves something")
        },
        EngineCheck("writes and deleted ranges of a commit follow one another") { stage in
            guard stage.engine.limits.deletesRanges else { return }
            try stage.put(["a1": "old", "a2": "old", "b1": "old"])
            try stage.commit { commit in
                commit.put("lost", for: "a3")
                commit.put("kept", for: "b2")
                commit.deleteRange(KeyRange(prefix: "a"))
                commit.put("new", for: "a2")
                commit.put("new", for: "a4")
                commit.deleteRange(KeyRange(prefix: "a4"))
                commit.deleteRange(KeyRange(prefix: "b1"))
            }
            try require(stage.contents() == "a2=new b2=kept", "after a commit the store contains \(try stage.contents())")
        },
        EngineCheck("a commit of nothing succeeds and changes nothing") { stage in
            try stage.put(["a": "1"])
            let before = try stage.engine.makeView().version
            let version = try stage.commit { _ in }
            try require(version == before && stage.engine.makeView().version == before, "an empty commit created a version")
        },
        EngineCheck("every durability is accepted") { stage in
            for durability in Durability.allCases { try stage.commit(durability: durability) { $0.put("1", for: durability.rawValue) } }
            try require(stage.contents() == "buffered=1 none=1 synced=1", "some durability lost a write")
        },
        EngineCheck("large commits are whole") { stage in
            // Far beyond what engines write in one piece, where the limits allow it.
            let count = stage.writesPerCommit == 1000 ? 60_000 : max(1, stage.writesPerCommit - 1)
            try stage.put(["a": "before", "key 2": "before", "z": "before"])
            let before = try stage.engine.makeView()
            let size = min(100, (stage.engine.limits.maximumCommitSize ?? .max) / (2 * count))
            let value = Array(repeating: UInt8(7), count: size)
            var numbers = Array(0..<count)
            numbers.shuffle(using: &stage.random)
            try stage.commit { commit in
                if stage.engine.limits.deletesRanges { commit.deleteRange(KeyRange(prefix: "z")) } else { commit.delete("z") }
                for number in numbers { commit.put(value, for: "key \(number)") }
                if count < 60_000 { return }
                commit.delete("a")
                commit.put("last", for: "key 0")
            }
            let view = try stage.engine.makeView()
            let expected = Set((0..<count).map { "key \($0)" } + (count < 60_000 ? ["a"] : []))
            let found = try view.entries()
            try require(found.count == expected.count, "found \(found.count) of \(expected.count) keys")
            try require(
                found.allSatisfy { expected.contains(String(decoding: $0.key, as: UTF8.self)) },
                "the keys are not those that were put"
            )
            try require(view.get("key 2") == value, "an old value is still there")
            try require(count < 60_000 || view.get("key 0") == Array("last".utf8), "the last write to a key must count")
            try require(Stage.text(before.entries()) == "a=before key 2=before z=before", "a large commit changed a view made before")
            let after = try stage.commit { $0.put("after", for: "key 1") }
            try require(after > view.version && stage.get("key 1") == "after", "a commit after a large one was lost")
        },
    ]
}
