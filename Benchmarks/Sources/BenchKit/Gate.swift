import BenchSupport
import Foundation

/// A count that must not grow, or must not change. It does not depend on the clock, so one run decides.
public struct Gate: Sendable {
    /// The store, what is done, and what is counted: `rocks/get-hit allocations`.
    public let name: String
    public let limit: Double
    /// Whether less than the limit is wrong too.
    public let isExact: Bool
    /// Why it is that and not less.
    public let reason: String
    /// Counts, and divides by what was done.
    let count: @Sendable () throws -> Double

    /// - Parameter count: Throws ``Uncountable`` where the system does not let it count.
    public init(_ name: String, atMost limit: Double, because reason: String, count: @escaping @Sendable () throws -> Double) {
        self.init(name, limit, isExact: false, reason, count)
    }

    /// - Parameter count: Throws ``Uncountable`` where the system does not let it count.
    public init(_ name: String, exactly limit: Double, because reason: String, count: @escaping @Sendable () throws -> Double) {
        self.init(name, limit, isExact: true, reason, count)
    }

    private init(_ name: String, _ limit: Double, isExact: Bool, _ reason: String, _ count: @escaping @Sendable () throws -> Double) {
        self.name = name
        self.limit = limit
        self.isExact = isExact
        self.reason = reason
        self.count = count
    }

    /// What counting gave.
    public struct Verdict {
        public let gate: Gate
        /// `nil` where nothing could be counted.
        public let value: Double?
        /// Why that was so.
        public let whyNot: String?
        /// Also where nothing could be counted.
        public let isPassed: Bool
    }

    public func judge() throws -> Verdict {
        do {
            let value = try count()
            // What happens once for many operations is none of each, unless each of them counts.
            return Verdict(gate: self, value: value, whyNot: nil, isPassed: isExact ? value == limit : value <= limit + 0.002)
        } catch let error as Uncountable {
            return Verdict(gate: self, value: nil, whyNot: error.reason, isPassed: true)
        }
    }
}

/// This system or this machine has no way to count, which is no fault of what is counted. Anything else that prevents counting is an error.
public struct Uncountable: Error {
    public let reason: String
}

/// Counts that gates are made of.
public enum Count {
    /// How often the calling thread allocates memory in `body`.
    public static func allocations(_ body: () throws -> Void) throws -> Int {
        guard bench_counts_allocations() else { throw Uncountable(reason: "allocations are counted with glibc only") }
        // What happens the first time (witness tables, caches of the library) is not what an operation costs.
        try body()
        let before = bench_allocations()
        try body()
        return Int(bench_allocations() - before)
    }

    /// What a probe asks of the kernel, in a process of its own, between ``begin()`` and ``end()``.
    public static func calls(of probe: String, _ arguments: [String] = []) throws -> Calls {
        let trace = try trace(probe, arguments, instructions: false)
        return Calls(all: Double(trace.calls), syncs: Double(trace.syncs), writes: Double(trace.writes), written: Double(trace.written))
    }

    /// The instructions of a probe, in a process of its own, between ``begin()`` and ``end()``, on the thread that calls them. Microseconds for each.
    public static func instructions(of probe: String, _ arguments: [String] = []) throws -> Int {
        let count = try trace(probe, arguments, instructions: true).instructions
        guard count > 0 else { throw Disagreement("the probe \(probe) did not say where counting begins") }
        return Int(count)
    }

    private static func trace(_ probe: String, _ arguments: [String], instructions: Bool) throws -> bench_trace {
        guard let program = Bundle.main.executablePath else { throw Disagreement("this program does not know where it is") }
        let words = unsafe ([program, "probe", probe] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var trace = bench_trace()
        let error = unsafe bench_trace_run(program, words, instructions, &trace)
        switch error {
        case 0: break
        case -1: throw Disagreement("the probe \(probe) failed")
        case ENOSYS:
            throw Uncountable(
                reason: "\(instructions ? "instructions are counted on x86-64" : "system calls are counted") with Linux and glibc only"
            )
        // What sandboxes and old kernels say.
        case EPERM, EACCES, EIO: throw Uncountable(reason: "the system does not let a program be traced (ptrace)")
        default: throw Disagreement("the probe \(probe) cannot be traced: \(unsafe String(cString: strerror(error)))")
        }
        return trace
    }

    /// Counting begins, in a probe.
    public static func begin() { bench_trace_begin() }
    /// Counting ends.
    public static func end() { bench_trace_end() }

    /// What a program asked of the kernel.
    public struct Calls: Sendable {
        public let all: Double
        /// Calls that wait for the disk.
        public let syncs: Double
        public let writes: Double
        /// Bytes.
        public let written: Double
    }
}
