package import CairnCore

/// A rule for which system calls fail, and how.
package struct Fault: Sendable {
    package enum Effect: Sendable {
        /// The call does nothing and fails with this error number.
        case fail(Int32)
        /// The call transfers at most this many bytes.
        case shorten(to: Int)
        /// This call and all later ones do nothing and fail, as if the process or the machine had died.
        case stop
    }

    /// The calls that count; `nil` for all.
    package var kinds: Set<SystemCall.Kind>?
    /// The required suffix of the path, if that matters.
    package var pathSuffix: String?
    /// The matching calls that are affected, counted from 1.
    package var hits: Range<Int>
    package var effect: Effect

    /// Affects the `number`-th matching call, counted from 1, or that one and `times - 1` more.
    package init(
        _ effect: Effect,
        at number: Int,
        times: Int = 1,
        of kinds: Set<SystemCall.Kind>? = nil,
        pathSuffix: String? = nil
    ) {
        self.effect = effect
        self.kinds = kinds
        self.pathSuffix = pathSuffix
        hits = number..<(times > Int.max - number ? Int.max : number + times)
    }

    /// Affects every call of `kinds`.
    package static func always(_ effect: Effect, of kinds: Set<SystemCall.Kind>) -> Fault {
        Fault(effect, at: 1, times: .max, of: kinds)
    }
}

/// The pending faults, and how many calls each has seen.
struct FaultPlan {
    private var faults: [(fault: Fault, seen: Int)] = []
    /// Whether a `stop` was reached.
    private(set) var isStopped = false
    private(set) var firedCount = 0

    mutating func add(_ fault: Fault) { faults.append((fault, 0)) }

    /// Returns what happens to a call; the first rule that applies decides, and all rules count.
    mutating func effect(on kind: SystemCall.Kind, path: String?) -> Fault.Effect? {
        if isStopped { return .stop }
        var effect: Fault.Effect?
        for index in faults.indices {
            let fault = faults[index].fault
            guard fault.kinds?.contains(kind) ?? true else { continue }
            if let suffix = fault.pathSuffix, path?.hasSuffix(suffix) != true { continue }
            faults[index].seen += 1
            if effect == nil, fault.hits.contains(faults[index].seen) { effect = fault.effect }
        }
        if effect != nil { firedCount += 1 }
        if case .stop = effect { isStopped = true }
        return effect
    }
}
