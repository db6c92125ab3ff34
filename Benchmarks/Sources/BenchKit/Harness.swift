import BenchSupport

/// Holds contests and keeps what they gave.
public final class Harness {
    public let settings: Settings
    public let folder: Folder
    public private(set) var results: [Measured] = []
    /// What was left out, and why.
    public private(set) var notes: [String] = []
    private let show: (Measured) -> Void

    /// - Parameter show: Is given each result as soon as it is there.
    public init(_ settings: Settings, show: @escaping (Measured) -> Void) throws {
        self.settings = settings
        self.show = show
        folder = try Folder(in: settings.path)
    }

    /// Remembers something that the reader of the results should know.
    public func note(_ text: String) { if !notes.contains(text) { notes.append(text) } }

    /// Adds what was not measured by a contest.
    public func add(_ result: Measured) {
        guard settings.isSelected(result.workload) else { return }
        results.append(result)
        show(result)
    }

    /// Sides take turns, and another one begins each time, so that none is always the first behind the others' writes.
    public func hold(_ contest: Contest) throws {
        var scores = contest.events.map { _ in contest.sides.map { _ in [Sample]() } }
        var operations = contest.events.map { _ in 0 }
        let start = ContinuousClock.now
        for round in -contest.warmUps..<contest.rounds {
            if let patience = contest.patience, round > 0, ContinuousClock.now - start > patience { break }
            try contest.beginRound(round)
            do {
                for (place, event) in contest.events.enumerated() {
                    let samples = try self.round(round, place, event, contest)
                    operations[place] += samples[0].operations
                    guard round >= 0 else { continue }
                    for (side, sample) in samples.enumerated() { scores[place][side].append(sample) }
                }
            } catch {
                try contest.endRound(round)
                throw error
            }
            try contest.endRound(round)
        }
        for (place, event) in contest.events.enumerated() { report(event, contest.sides, scores[place], operations[place]) }
    }

    private func round(_ round: Int, _ place: Int, _ event: Event, _ contest: Contest) throws -> [Sample] {
        let count = contest.sides.count
        var samples = [Sample?](repeating: nil, count: count)
        for step in 0..<count {
            let side = (step + round + contest.warmUps + place) % count
            contest.beforeTurn()
            samples[side] = try Turn(side: side, round: round).sample(event.run)
        }
        let checks = samples.compactMap { $0?.check }
        guard checks.allSatisfy({ $0 == checks[0] }) else {
            let results = zip(contest.sides, samples).map { "\($0) \($1?.check?.description ?? "-")" }.joined(separator: ", ")
            throw Disagreement("\(event.workload.name), round \(round): the sides read or wrote different things: \(results)")
        }
        return samples.compactMap { $0 }
    }

    private func report(_ event: Event, _ names: [String], _ samples: [[Sample]], _ operations: Int) {
        guard let subject = samples.first, !subject.isEmpty, settings.isSelected(event.workload.name) else { return }
        let factor = event.scale == .whole ? 1e-6 : 1
        let clock = settings.clock
        func times(_ samples: [Sample]) -> [Double] { samples.map { (clock == .wall ? $0.wall : $0.processor) * factor } }
        var own = Measured(
            event.workload,
            variant: event.variant,
            subject: names[0],
            unit: event.scale.rawValue,
            value: times(subject).median,
            minimum: times(subject).min(),
            allocations: allocations(subject, event),
            rounds: subject.count
        )
        own.operations = operations
        let isAlone = names.count == 1 || own.goal != nil
        if isAlone { add(own) }
        for (name, rival) in zip(names, samples).dropFirst() {
            var result = own
            result.setRival(
                name,
                value: times(rival).median,
                minimum: times(rival).min(),
                allocations: allocations(rival, event),
                roundRatio: zip(times(subject), times(rival)).map { $0 / $1 }.median,
                goals: event.workload.goals
            )
            add(result)
        }
    }

    /// Allocations say something of operations, of which there are many, and nothing of whole programs.
    private func allocations(_ samples: [Sample], _ event: Event) -> Double? {
        bench_counts_allocations() && event.scale == .operation ? samples.map(\.allocations).median : nil
    }
}
