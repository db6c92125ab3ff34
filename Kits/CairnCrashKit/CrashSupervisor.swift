package import CairnTestSupport
import Foundation

/// Starts children that write, kills them, and verifies what they left.
///
/// A round is: a child writes and is killed; in a third of the rounds one or two more children open the store and are killed while they
/// recover it; then the supervisor opens the store and compares it with what must be there. The next round uses the same store, for
/// ``roundsPerStore`` rounds or until something is lost.
package struct CrashSupervisor {
    /// After how many rounds a new store is made, so that its making is killed too.
    package static let roundsPerStore = 40

    let subject: any CrashSubject.Type
    let executable: String
    /// Where every child ends itself; `nil`: somewhere else in each round.
    var point: CrashRound.Point?
    let keepsFailures: Bool
    var random: SeededGenerator
    var store: CrashStore?
    /// How long opening and closing took last: kills during them fall within.
    var opening = Duration.milliseconds(30)
    var closing = Duration.milliseconds(5)
    package internal(set) var report: CrashReport

    /// - Parameters:
    ///   - executable: What runs the children: the name or path of `cairn-crash`.
    ///   - random: Decides on operations and kills. The same seed repeats the operations, and nearly the moments of kills.
    ///   - keepsFailures: Whether a store in which something was lost stays on disk; the loss says where.
    package init(
        _ subject: any CrashSubject.Type,
        executable: String,
        random: SeededGenerator,
        point: CrashRound.Point? = nil,
        keepsFailures: Bool = false
    ) {
        self.subject = subject
        self.executable = executable
        self.random = random
        self.point = point
        self.keepsFailures = keepsFailures
        report = CrashReport(subject: subject.name)
    }

    /// Runs `count` rounds that end a writer, in each of which all children end themselves at `point` if there is one.
    ///
    /// A round whose writer ended before its kill is made up for by another one. So is the last as long as no operation has been acknowledged, since
    /// nothing can have been lost then.
    ///
    /// - Throws: Where the harness itself fails: also if ten times as many rounds do not suffice. Losses are in ``report``.
    package mutating func run(
        rounds count: Int,
        at point: CrashRound.Point? = nil,
        progress: (CrashReport) -> Void = { _ in }
    ) throws {
        let former = self.point
        self.point = point ?? former
        defer { self.point = former }
        let most = report.rounds + 10 * count + 20
        var left = count
        while left > 0 || report.acknowledged == 0 && report.losses.isEmpty {
            guard report.rounds < most else {
                let reason = report.shortcoming ?? "\(report.lateRounds) kills came too late"
                throw CrashDamage("\(subject.name): \(reason), in \(report.rounds) rounds")
            }
            if try runRound() { left -= 1 } else { report.lateRounds += 1 }
            progress(report)
        }
    }

    /// Returns whether a writer was ended in it.
    private mutating func runRound() throws -> Bool {
        report.rounds += 1
        let ended: Bool
        var current = try store ?? CrashStore(subject.workload, seed: random.next())
        do {
            if current.rounds == 0 { try killOpenings(of: current) }
            let killCount = report.killCount
            let written = try killWriting(to: current)
            ended = report.killCount > killCount
            if random.oneIn(3) { try killOpenings(of: current) }
            try verify(&current, after: written)
        } catch let damage as CrashDamage {
            report.losses.append(try describe(damage, in: current))
            store = nil
            return true
        }
        current.rounds += 1
        store = current.rounds < Self.roundsPerStore ? current : nil
        return ended
    }

    /// What was lost and where, after what, with the store put aside if it is to be kept.
    private func describe(_ damage: CrashDamage, in store: CrashStore) throws -> String {
        var text = "round \(report.rounds), store of seed 0x\(String(store.seed, radix: 16)): \(damage)"
        if keepsFailures {
            let kept = store.directory.path + "-kept"
            try FileManager.default.moveItem(atPath: store.directory.path, toPath: kept)
            text += "; kept in \(kept)"
        }
        return text
    }
}

/// A store under test and what must be in it.
struct CrashStore {
    let seed: UInt64
    let directory: TemporaryDirectory
    let progress: CrashProgress
    /// What each writer's operations have made of it, as of the last verification.
    var models: [CrashModel]
    /// How many rounds it went through.
    var rounds = 0

    init(_ workload: CrashWorkload, seed: UInt64) throws {
        self.seed = seed
        models = (0..<CrashProgress.maximumWriters).map { CrashModel(workload, writer: $0, seed: seed) }
        directory = try TemporaryDirectory()
        progress = try CrashProgress(path: directory.path("progress"))
        try FileManager.default.createDirectory(atPath: directory.path("store"), withIntermediateDirectories: false)
    }
}
