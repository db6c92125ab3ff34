import ArgumentParser
import CairnGraph
import CairnTestSupport
import Foundation

/// Moves a store from place to place while it is saved to, and kills the moving processes.
struct Move: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Move a store from place to place while it is saved to, kill the processes that do it, and verify that nothing is lost."
    )

    @Argument(help: "The places, empty at first: rocksdb:PATH, sqlite:PATH, postgresql://…#STORE, etcd://…/PREFIX.") var places: [MovePlace]
    @Option(help: "How many objects to move.") var objects = 10_000
    @Option(help: "How many processes to kill, for each move, at most: those at its end may be faster.") var kills = 10
    @Option(help: "Repeats the choices of an earlier run: the number it printed.") var seed = UInt64.random(in: .min ... .max)

    func validate() throws {
        guard places.count > 1, objects > 0, kills >= 0 else { throw ValidationError("Give two places at least, and objects to move.") }
    }

    func run() throws {
        var random = SeededGenerator(seed: seed)
        say("seed \(seed)")
        let start = ContinuousClock.now
        let store = try ObjectStore(engine: places[0].engine(), classes: [MovedTrack.self])
        try MovedTrack.fill(store, objects)
        try store.close()
        say("\(objects) objects stored in \(start.duration(to: .now).formatted(.units(allowed: [.minutes, .seconds])))")
        var saved: Set<Int> = []
        var killed = 0
        for (from, to) in zip(places, places.dropFirst()) {
            let leg = try move(from, to, &random)
            saved.formUnion(leg.saved)
            killed += leg.kills
            try verify(from, to, saved, leg: leg, killed)
        }
    }

    /// What became of one move.
    private struct Leg {
        var saved: Set<Int> = []
        var kills = 0
        /// The time of the run that was complete.
        var seconds = 0.0
    }

    private func move(_ from: MovePlace, _ to: MovePlace, _ random: inout SeededGenerator) throws -> Leg {
        var leg = Leg()
        while true {
            let child = try ChildProcess(
                Bundle.main.executablePath ?? CommandLine.arguments[0],
                ["move-child", "\(from)", "\(to)", "\(random.next())"]
            )
            let kill = leg.kills < kills ? killing(after: leg.kills, &random) : nil
            let start = ContinuousClock.now
            var (isComplete, isKilled) = (false, kill == nil)
            while let line = child.readLine() {
                let words = line.split(separator: " ").map(String.init)
                switch words[0] {
                case "saved": leg.saved.insert(Int(words[1]) ?? -1)
                case "moved":
                    (isComplete, isKilled) = (true, true)
                    leg.seconds = Double(words[3]) ?? 0
                case "failed": throw MoveFailure(description: line)
                default: break
                }
                guard !isKilled, let kill else { continue }
                let part = words[0] == "progress" ? Double(words[1]) ?? 0 : 0
                guard part >= kill.part || start.duration(to: .now) >= kill.time else { continue }
                isKilled = true
                _ = try child.kill(after: kill.wait)
            }
            switch try child.waitForEnd() {
            case .exited(0) where isComplete: return leg
            case .killed(signal: SIGKILL): leg.kills += 1
            case let ending: throw MoveFailure(description: "the process that moved from \(from) to \(to) ended with \(ending)")
            }
        }
    }

    /// When to kill a process: once it has come so far, or has run so long; and how long after that.
    private struct Kill {
        var part = 2.0
        var time = Duration.seconds(1 << 20)
        var wait = Duration.zero
    }

    /// The last ones are killed where saves are stopped, and may be faster; the others have not come to that.
    private func killing(after kills: Int, _ random: inout SeededGenerator) -> Kill {
        guard kills < self.kills * 4 / 5 else { return Kill(part: 0.999, wait: .microseconds(random.int(in: 0..<5000))) }
        guard random.oneIn(2) else { return Kill(part: Double(random.int(in: 1..<98)) / 100) }
        return Kill(time: .milliseconds(100) + .microseconds(random.int(in: 0..<10) * objects))
    }

    /// Whatever was acknowledged is there once; what was not may be there, at most one save of each process that was killed.
    private func verify(_ from: MovePlace, _ to: MovePlace, _ saved: Set<Int>, leg: Leg, _ killed: Int) throws {
        let (source, destination) = (try from.engine(), try to.engine())
        let (old, new) = (try StoreSum(source), try StoreSum(destination))
        guard old == new else { throw MoveFailure(description: "\(from) has \(old), and \(to) has \(new)") }
        let store = try ObjectStore(engine: destination, classes: [MovedTrack.self])
        guard try store.verify().isIntact else { throw MoveFailure(description: "\(to) is damaged") }
        let context = try store.makeContext()
        let numbers = try context.fetch(MovedTrack.self).map(\.number)
        let counted = try context.first(MovedTrack.self, where: \.number == 0)?.plays
        context.close()
        let later = Set(numbers.filter { $0 >= objects })
        guard later.isSuperset(of: saved) else { throw MoveFailure(description: "lost: \(saved.subtracting(later).sorted())") }
        guard numbers.count == objects + later.count, counted == later.count else {
            throw MoveFailure(
                description: "\(numbers.count) objects and \(counted ?? -1) saves instead of \(objects + later.count) and \(later.count)"
            )
        }
        let unacknowledged = later.count - saved.count
        guard unacknowledged <= killed else { throw MoveFailure(description: "\(unacknowledged) saves were not acknowledged") }
        try store.close()
        try source.close()
        let rate = "\(Int(leg.seconds)) s, \(Int(Double(objects) / max(leg.seconds, 0.001))) objects a second"
        say("\(from)\n  to \(to)\n  \(leg.kills) killed, \(leg.saved.count) saves meanwhile, \(new); the last run took \(rate)")
    }

    private func say(_ line: String) { MoveChild.say(line) }
}

struct MoveFailure: Error, CustomStringConvertible {
    let description: String
}
