import CairnTestSupport
import Foundation

extension CrashSupervisor {
    /// What a round's writers may have left, according to how they ended.
    enum Remains {
        /// What was acknowledged, and nothing else.
        case acknowledged
        /// What was acknowledged, and the operation after it.
        case next
        /// Either.
        case any
    }

    struct Written {
        let writers: Int
        let remains: Remains
        /// What happened, for messages.
        let end: String
    }

    /// Has a child write, and end: at a named point, killed while writing, or killed while closing.
    mutating func killWriting(to store: CrashStore) throws -> Written {
        if subject.writers == .processes, point == nil, !random.oneIn(4) { return try killOneByOne(writingTo: store) }
        var round = CrashRound(
            subject: subject.name,
            directory: store.directory.path("store"),
            progress: store.directory.path("progress"),
            seed: store.seed,
            writers: random.oneIn(2) ? 1 : random.int(in: 2..<CrashProgress.maximumWriters + 1)
        )
        switch (random.int(in: 0..<100), point) {
        case (_, .afterOpen?): return try endAfterOpening(round, store)
        case (_, let point?): return try end(&round, at: point)
        case (0..<25, nil): return try end(&round, at: random.pick(CrashRound.Point.allCases))
        case (25..<45, nil):
            round.closesAfter = random.int(in: 1..<subject.workload.operationsInRound * 3 / 2)
            try kill(start(round), in: .closing, within: closing, store)
        case (_, nil):
            try kill(start(round), in: .writing, within: subject.workload.killsWithin, store)
        }
        let phase = try store.progress.phase()
        // Who closes has no operation under way.
        return Written(writers: round.writers, remains: phase == .writing ? .any : .acknowledged, end: "killed while \(phase)")
    }

    /// Has one or two children open the store, and kills them meanwhile.
    mutating func killOpenings(of store: CrashStore) throws {
        for _ in 0..<random.int(in: 1..<3) {
            let round = CrashRound(
                subject: subject.name,
                directory: store.directory.path("store"),
                progress: store.directory.path("progress"),
                seed: store.seed,
                writers: 0
            )
            try kill(start(round), in: .opening, within: opening, store)
        }
    }

    /// Has a child write and be killed, and another one end as soon as it has opened what the first has left: there is something to recover.
    private mutating func endAfterOpening(_ writing: CrashRound, _ store: CrashStore) throws -> Written {
        try kill(start(writing), in: .writing, within: subject.workload.killsWithin, store)
        let phase = try store.progress.phase()
        var opening = writing
        _ = try end(&opening, at: .afterOpen)
        return Written(
            writers: writing.writers,
            remains: phase == .writing ? .any : .acknowledged,
            end: "killed while \(phase), and after it was opened"
        )
    }

    private func start(_ round: CrashRound) throws -> ChildProcess {
        try ChildProcess(executable, ["write", String(decoding: JSONEncoder().encode(round), as: UTF8.self)])
    }

    /// Lets a child end itself at `point`.
    private mutating func end(_ round: inout CrashRound, at point: CrashRound.Point) throws -> Written {
        round.writers = 1
        round.point = point
        round.pointAfter = random.int(in: 0..<subject.workload.operationsInRound)
        if point == .afterClose { round.closesAfter = round.pointAfter }
        let child = try start(round)
        let ending = try child.waitForEnd(timeout: subject.patience * 2)
        guard ending == .killed(signal: killSignal) else { throw damage("did not reach \(point): it", ending, child) }
        report.kills["at \(point)", default: 0] += 1
        return Written(writers: 1, remains: point == .afterWrite ? .next : .acknowledged, end: "ended \(point)")
    }

    private mutating func kill(_ child: ChildProcess, in phase: CrashProgress.Phase, within limit: Duration, _ store: CrashStore) throws {
        try kill(child, in: phase, within: .zero..<max(limit, .milliseconds(1)), store)
    }

    /// Has several processes write, and kills one after the other, or some and then all that are left. Those that are left must continue: none waits for a dead
    /// process.
    private mutating func killOneByOne(writingTo store: CrashStore) throws -> Written {
        let count = random.int(in: 3..<CrashProgress.maximumWriters + 1)
        var children: [(writer: Int, process: ChildProcess)] = []
        for writer in 0..<count {
            let round = CrashRound(
                subject: subject.name,
                directory: store.directory.path("store"),
                progress: store.directory.path("progress"),
                seed: store.seed,
                writers: 1,
                firstWriter: writer
            )
            children.append((writer, try start(round)))
        }
        let said = children.map { words(of: $0.process, until: .writing) }
        let together = random.oneIn(2) ? random.int(in: 2..<count + 1) : 0
        while !children.isEmpty, children.count != together {
            let (writer, process) = children.remove(at: random.int(in: 0..<children.count))
            let ending = try process.kill(after: .microseconds(random.int(in: 0..<60_000)))
            guard ending == .killed(signal: killSignal) else {
                throw damage("to be killed while others write", ending, process, said[writer])
            }
            report.kills["beside others", default: 0] += 1
            for (writer, process) in children {
                let before = try store.progress.acknowledged(writer: writer)
                let start = ContinuousClock.now
                while try store.progress.acknowledged(writer: writer) == before {
                    if let ending = process.wait(upTo: .zero) { throw damage("to continue", ending, process, said[writer]) }
                    guard ContinuousClock.now - start < .seconds(250) else {
                        throw CrashDamage("writer \(writer) of \(count) hangs since another process was killed")
                    }
                    letOthersRun()
                }
            }
        }
        for (_, process) in children { process.kill() }
        for (writer, process) in children {
            let ending = try process.waitForEnd()
            guard ending == .killed(signal: killSignal) else { throw damage("to be killed with others", ending, process, said[writer]) }
            report.kills["at once", default: 0] += 1
        }
        let last = children.isEmpty ? "" : ", the last \(children.count) at once"
        return Written(writers: count, remains: .any, end: "killed one after the other\(last)")
    }

    /// Kills a child, with those that it forked, and waits until all are gone.
    private func end(_ child: ChildProcess, after duration: Duration) throws -> ChildProcess.Ending {
        guard subject.writers == .forks else { return try child.kill(after: duration) }
        let group = child.processIdentifier
        if let ending = child.wait(upTo: duration) { return ending }
        killProcesses(leader: group)
        // Its output ends with the last of them.
        while child.readLine() != nil {}
        return try child.waitForEnd()
    }

    /// Waits until the child has entered `phase`, lets a random time pass, and kills it.
    private mutating func kill(
        _ child: ChildProcess,
        in phase: CrashProgress.Phase,
        within range: Range<Duration>,
        _ store: CrashStore
    ) throws {
        let words = words(of: child, until: phase)
        let span = (range.upperBound - range.lowerBound) / .microseconds(1)
        let ending = try end(child, after: range.lowerBound + .microseconds(random.int(in: 0..<Int(span))))
        switch ending {
        case .killed(signal: killSignal): report.kills["\(try store.progress.phase())", default: 0] += 1
        case .exited(0): report.survivors += 1
        default: throw damage("to be killed while \(phase)", ending, child, words)
        }
    }

    /// What a child says up to a phase, or its end.
    private func words(of child: ChildProcess, until phase: CrashProgress.Phase? = nil) -> [String] {
        var words: [String] = []
        while let line = child.readLine(), line != phase.map({ "\($0)" }) { words.append(line) }
        return words
    }

    /// A child ended of its own accord: with what it said.
    private func damage(_ what: String, _ ending: ChildProcess.Ending, _ child: ChildProcess, _ words: [String] = []) -> CrashDamage {
        CrashDamage("a child \(what) \(ending), and said: \((words + self.words(of: child)).joined(separator: "; "))")
    }
}
