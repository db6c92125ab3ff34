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
    let point: CrashRound.Point?
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

    /// Runs `count` rounds.
    ///
    /// - Throws: Where the harness itself fails. Losses are in ``report``.
    package mutating func run(rounds count: Int, progress: (CrashReport) -> Void = { _ in }) throws {
        for _ in 0..<count {
            try runRound()
            progress(report)
        }
    }

    private mutating func runRound() throws {
        report.rounds += 1
        var current = try store ?? CrashStore(subject.workload, seed: random.next())
        do {
            if current.rounds == 0 { try killOpenings(of: current) }
            let written = try killWriting(to: current)
            if random.oneIn(3) { try killOpenings(of: current) }
            try verify(&current, after: written)
        } catch let damage as CrashDamage {
            report.losses.append(try describe(damage, in: current))
            store = nil
            return
        }
        current.rounds += 1
        store = current.rounds < Self.roundsPerStore ? current : nil
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
