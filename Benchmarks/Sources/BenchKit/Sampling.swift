import BenchSupport
import Foundation

/// What one side did in one round.
struct Sample {
    /// Nanoseconds that passed, and that the processors spent on all threads of this process, for each operation.
    var wall: Double
    var processor: Double
    /// How often the side's thread allocated memory, for each operation.
    var allocations: Double
    var operations: Int
    var check: [UInt64]?
}

/// Which time counts.
public enum Clock: String, CaseIterable, Sendable {
    /// What passes.
    case wall
    /// What the processors spend on all threads: on a machine that others use too. Waiting for the disk is not in it.
    case processor
}

/// A side's turn in a round. It is timed from the call of the event's closure to its return, unless the closure says otherwise.
public final class Turn {
    /// Whose turn it is: 0 is the subject.
    public let side: Int
    public let round: Int
    private var began = Reading()
    private var ended: Reading?

    init(side: Int, round: Int) {
        self.side = side
        self.round = round
    }

    /// Time counts from here on.
    public func restart() { began = Reading() }
    /// Time does not count from here on.
    public func stop() { ended = Reading() }

    /// Runs `body`, marked for profilers by the C function it runs under.
    func sample(_ body: (Turn) throws -> Outcome) throws -> Sample {
        let outcome = try withoutActuallyEscaping(body) { body in
            let region = Region(turn: self, body: body)
            let context = unsafe Unmanaged.passUnretained(region).toOpaque()
            let run: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
                unsafe Unmanaged<Region>.fromOpaque(context!).takeUnretainedValue().run()
            }
            if side == 0 { unsafe bench_measured_subject(run, context) } else { unsafe bench_measured_rival(run, context) }
            return try region.outcome.get()
        }
        let ended = ended ?? Reading(), operations = Double(max(1, outcome.operations))
        return Sample(
            wall: (ended.wall - began.wall) / .nanoseconds(1) / operations,
            processor: (ended.processor - began.processor) / operations,
            allocations: Double(ended.allocations - began.allocations) / operations,
            operations: outcome.operations,
            check: outcome.check
        )
    }

    /// The clocks and the counter at a moment.
    private struct Reading {
        let processor = Double(bench_processor_nanoseconds())
        let allocations = bench_allocations()
        let wall = ContinuousClock.now
    }

    /// A body and what it returned.
    private final class Region {
        let turn: Turn
        let body: (Turn) throws -> Outcome
        var outcome: Result<Outcome, any Error> = .success(Outcome(operations: 0))

        init(turn: Turn, body: @escaping (Turn) throws -> Outcome) {
            self.turn = turn
            self.body = body
        }

        func run() {
            turn.restart()
            outcome = Result { try body(turn) }
            if turn.ended == nil { turn.stop() }
        }
    }
}
