import BenchKit
import BenchSupport

/// What one side did in one round.
struct Sample {
    var nanosecondsPerRow: Double
    var allocationsPerRow: Double
    var checksum: UInt64
}

/// The rounds of one workload, both sides, without the warm-up.
struct Measurement {
    let workload: Workload
    var subject: [Sample] = []
    var rival: [Sample] = []
    /// Rows that each side touched, the warm-up included.
    var rows = 0

    /// Ratio of the medians.
    var ratio: Double { subject.medianTime / rival.medianTime }
    /// Median of each round's own ratio: what the machine does to both sides of a round alike cancels out.
    var roundRatio: Double { zip(subject, rival).map { $0.nanosecondsPerRow / $1.nanosecondsPerRow }.median }

    /// What Cairn allocates for a row beyond what the library itself does in the rival's hands (it does for each block it reads).
    var ownAllocationsPerRow: Double { subject.allocationsPerRow - rival.allocationsPerRow }
    /// Making the cursor may allocate, reaching a row may not.
    var allocatesNothing: Bool { ownAllocationsPerRow < 0.001 }
}

extension [Sample] {
    var medianTime: Double { map(\.nanosecondsPerRow).median }
    var minimumTime: Double { map(\.nanosecondsPerRow).min() ?? .nan }
    var allocationsPerRow: Double { map(\.allocationsPerRow).median }
}

/// Which time counts.
enum Clock: String, CaseIterable, Sendable {
    /// What passes.
    case wall
    /// What the calling thread uses of a processor: on a machine that others use too.
    case processor

    func now() -> Double {
        switch self {
        case .wall: (ContinuousClock.now - Self.start) / .nanoseconds(1)
        case .processor: Double(bench_thread_nanoseconds())
        }
    }

    private static let start = ContinuousClock.now
}

/// The two sides of a measurement, marked for profilers by the C function they run under.
enum Role { case subject, rival }

/// Runs and measures one side's round.
func sample(_ role: Role, clock: Clock, operations: Int, _ body: () throws -> UInt64) throws -> Sample {
    try withoutActuallyEscaping(body) { body in
        let region = Region(clock: clock, body: body)
        let context = unsafe Unmanaged.passUnretained(region).toOpaque()
        let run: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
            unsafe Unmanaged<Region>.fromOpaque(context!).takeUnretainedValue().run()
        }
        switch role {
        case .subject: unsafe bench_measured_subject(run, context)
        case .rival: unsafe bench_measured_rival(run, context)
        }
        return Sample(
            nanosecondsPerRow: region.nanoseconds / Double(operations),
            allocationsPerRow: Double(region.allocations) / Double(operations),
            checksum: try region.outcome.get()
        )
    }
}

/// A body and what measuring it gave.
private final class Region {
    let clock: Clock
    let body: () throws -> UInt64
    var outcome: Result<UInt64, any Error> = .success(0)
    var nanoseconds = 0.0
    var allocations: UInt64 = 0

    init(clock: Clock, body: @escaping () throws -> UInt64) {
        self.clock = clock
        self.body = body
    }

    func run() {
        let allocated = bench_allocations()
        let start = clock.now()
        outcome = Result { try body() }
        nanoseconds = clock.now() - start
        allocations = bench_allocations() - allocated
    }
}
