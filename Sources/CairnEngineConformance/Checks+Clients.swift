import CairnEngine
import Synchronization

extension EngineCheck {
    /// A check with another client of the same data, which is closed at the end.
    static func withClients(
        _ description: String,
        _ body: @escaping @Sendable (inout Stage, any StorageEngine) async throws -> Void
    ) -> EngineCheck {
        EngineCheck(description) { stage in
            let other = try stage.openOther()
            do {
                try await body(&stage, other)
            } catch {
                try? other.close()
                throw error
            }
            try other.close()
        }
    }

    static let clientChecks = [
        withClients("a client sees what another has committed before") { stage, other in
            for number in 0..<20 {
                let (writer, reader) = number % 2 == 0 ? (other, stage.engine) : (stage.engine, other)
                let version = try Stage.commit(to: writer) { $0.put("\(number)", for: "number") }
                let view = try reader.makeView()
                try require(view.get("number") == Array("\(number)".utf8), "a view does not see what another client committed before")
                try require(view.version >= version, "a view that sees version \(version) says it has \(view.version)")
            }
        },
        withClients("views stay as they were while another client commits") { stage, other in
            try stage.put(["a": "1", "b": "2", "c": "3"])
            let view = try stage.engine.makeView()
            let version = view.version
            var seen: [String] = []
            try view.scan { key, value in
                seen.append(String(decoding: [UInt8](copying: key), as: UTF8.self))
                try Stage.commit(to: other) { commit in
                    commit.put("changed", for: "a")
                    commit.delete("b")
                    commit.put("new", for: "b\(seen.count)")
                }
                return true
            }
            try require(seen == ["a", "b", "c"], "a scan during which another client commits finds \(seen)")
            try require(Stage.text(view.entries()) == "a=1 b=2 c=3", "a view changed: it shows \(Stage.text(try view.entries()))")
            try require(view.version == version, "the version of a view changed")
            try require(stage.contents() == "a=changed b1=new b2=new b3=new c=3", "the store contains \(try stage.contents())")
        },
        withClients("of two clients that read a key and write it, one succeeds") { stage, other in
            for round in 1...20 {
                let clients = round % 2 == 0 ? [stage.engine, other] : [other, stage.engine]
                let before = round == 1 ? nil : Array("\(round - 1)".utf8)
                let views = try clients.map { try $0.makeView() }
                for view in views { try require(view.get("number") == before, "two clients see different values") }
                try Stage.commit(to: clients[0]) { commit in
                    commit.read("number", in: views[0])
                    commit.put("\(round)", for: "number")
                }
                var late = EngineCommit()
                late.read("number", in: views[1])
                late.put("lost", for: "number")
                try requireError(.conflict, "a commit that depends on data another client has changed since") {
                    try clients[1].commit(late)
                }
                try require(stage.get("number") == "\(round)", "an update of another client was lost")
            }
        },
        withClients("no two clients take the same block of numbers") { stage, other in
            let clients = [stage.engine, other]
            let (threads, rounds, size) = (4, 40, 8)
            let meeting = Meeting(of: threads)
            let taken = Mutex<[Int]>([])
            try await onThreads(threads) { number in
                defer { meeting.leave() }
                let engine = clients[number % 2]
                for _ in 0..<rounds {
                    var first = 0
                    var hasMet = false
                    try Stage.commit(to: engine) { commit in
                        let view = try engine.makeView()
                        first = try Self.number(view)
                        // All have read it before one writes it.
                        if !hasMet { meeting.meet() }
                        hasMet = true
                        commit.read("number", in: view)
                        commit.put("\(first + size)", for: "number")
                    }
                    taken.withLock { $0.append(first) }
                }
            }
            let found = taken.withLock { $0.sorted() }
            try require(Set(found).count == found.count, "several threads took the same numbers")
            try require(found == (0..<threads * rounds).map { $0 * size }, "numbers were taken by a commit that failed")
        },
        withClients("a value that another client changed and changed back is not in conflict for long") { stage, other in
            try stage.put(["a": "1", "m1": "1"])
            let cases: [(what: String, read: (inout EngineCommit, any EngineView) -> Void)] = [
                ("a key", { $0.read("a", in: $1) }), ("a missing key", { $0.read("m2", in: $1) }), ("a range", { $0.read(middle, in: $1) }),
            ]
            for (what, read) in cases {
                let engine = stage.engine
                let view = try engine.makeView()
                let before = try stage.contents()
                try Stage.commit(to: other) { commit in for key in ["a", "m1", "m2"] { commit.put("2", for: key) } }
                try Stage.commit(to: other) { commit in
                    for key in ["a", "m1"] { commit.put("1", for: key) }
                    commit.delete("m2")
                }
                try require(stage.contents() == before, "the values were not changed back")
                var commit = EngineCommit()
                read(&commit, view)
                commit.put("old view", for: what)
                // An engine may compare versions instead of values.
                let isThere = try stage.succeeds(commit)
                try require(stage.get(what) == (isThere ? "old view" : nil), "a commit that read \(what) was not performed as a whole")
                try stage.commit { commit in
                    read(&commit, try engine.makeView())
                    commit.put("new view", for: what)
                }
                try require(stage.get(what) == "new view", "a commit that read \(what) in a new view is missing")
            }
        },
        withClients("the latest version never decreases, and soon includes what others commit") { stage, other in
            let clients = [stage.engine, other]
            let isOver = Atomic(0)
            try await onThreads(4) { number in
                let engine = clients[number % 2]
                if number < 2 {
                    defer { isOver.wrappingAdd(1, ordering: .relaxed) }
                    for round in 0..<100 { try Stage.commit(to: engine) { $0.put("\(round)", for: "key \(number)") } }
                    return
                }
                var last = EngineVersion(rawValue: 0)
                // A few more rounds once nobody commits: the version must not go back.
                var rest = 10
                while rest > 0 {
                    if isOver.load(ordering: .relaxed) == 2 { rest -= 1 }
                    let latest = engine.latestVersion
                    try require(latest >= last, "the latest version went back from \(last) to \(latest)")
                    let version = try engine.makeView().version
                    try require(version >= latest, "a view has version \(version), though \(latest) was the latest before")
                    last = latest
                }
            }
            for (writer, reader) in [(other, stage.engine), (stage.engine, other)] {
                let version = try Stage.commit(to: writer) { $0.put("1", for: "last") }
                let end = ContinuousClock.now + stage.subject.patience
                while reader.latestVersion < version {
                    try require(ContinuousClock.now < end, "a client does not learn of another's version within \(stage.subject.patience)")
                    await Task.yield()
                }
            }
        },
        withClients("a client keeps working when another is closed") { stage, other in
            guard other !== stage.engine else { return }
            let engine = stage.engine
            let followsChanges = try hasChanges(stage)
            let changes = followsChanges ? try engine.changes() : nil
            try stage.put(["a": "1"])
            try Stage.commit(to: other) { $0.put("1", for: "b") }
            var view: (any EngineView)? = try engine.makeView()
            try other.close()
            try requireError(.closed, "making a view of a closed client") { _ = try other.makeView() }
            try require(view?.get("b") == [0x31], "a view was ended by another client")
            view = nil
            try stage.put(["c": "1"])
            let third = try stage.openOther()
            let found = try Stage.text(third.makeView().entries())
            try require(found == "a=1 b=1 c=1", "a client that is opened later sees \(found)")
            try Stage.commit(to: third) { $0.delete("a") }
            try third.close()
            try stage.put(["d": "1"])
            try require(stage.contents() == "b=1 c=1 d=1", "the store contains \(try stage.contents())")
            guard let changes else { return }
            try stage.close()
            let reported = await drained(changes).map(keys)
            try require(reported == [["a"], ["b"], ["c"], ["a"], ["d"]], "a follower received \(reported)")
        },
    ]

    private static func number(_ view: any EngineView) throws -> Int {
        try view.get("number").flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    }
}
