import Testing

/// A store and its model disagree. Thrown by `run` of ``checkOperations(_:seeds:count:generate:simpler:run:)``.
public struct Mismatch: Error, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}

/// Throws a ``Mismatch`` unless `actual`, the store's answer, equals `expected`, the model's.
public func match<Value: Equatable>(_ actual: Value, _ expected: Value, _ what: @autoclosure () -> String) throws {
    if actual != expected { throw Mismatch("\(what()): \(actual), expected \(expected)") }
}

/// Tests a store against a model with random sequences of operations.
///
/// `generate` creates one operation. `run` starts from nothing, performs a sequence on the store and on its model, and throws if they differ:
/// use ``match(_:_:_:)``, not expectations, which would be recorded for each shrinking attempt. A failing sequence is shortened as far as
/// possible, and reported as Swift source to paste into a regression test.
///
/// - Parameters:
///   - seeds: The number of sequences, each from its own seed; see ``withSeeds(_:count:_:)``.
///   - count: The number of operations in each sequence.
///   - simpler: Simpler variants of an operation, tried once the sequence is short.
public func checkOperations<Operation: Sendable>(
    _ topic: String,
    seeds: Int = 10,
    count: Int = 200,
    generate: @Sendable (inout SeededGenerator) -> Operation,
    simpler: @Sendable (Operation) -> [Operation] = { _ in [] },
    run: @Sendable ([Operation]) throws -> Void
) async throws {
    try await withSeeds(topic, count: seeds) { generator in
        let operations = (0..<count).map { _ in generate(&generator) }
        if let report = shrunkFailure(of: operations, simpler: simpler, run: run) { Issue.record("\(topic): \(report)") }
    }
}

/// Returns the error of the shortest failing sequence, and that sequence; `nil` if nothing fails.
private func shrunkFailure<Operation>(
    of operations: [Operation],
    simpler: (Operation) -> [Operation],
    run: ([Operation]) throws -> Void
) -> String? {
    var failure: (any Error)?
    func fails(_ candidate: [Operation]) -> Bool {
        do {
            try run(candidate)
            return false
        } catch {
            failure = error
            return true
        }
    }
    guard fails(operations) else { return nil }
    let shortest = shrink(operations, simpler: simpler, fails: fails)
    // The last error belongs to the shortest sequence: `shrink` keeps what failed last.
    return failure.map { "\($0)\n\(swiftSource(shortest))" }
}

/// Returns the shortest sequence found that still fails: leaves out ever smaller pieces, then replaces operations by simpler ones.
///
/// - Parameter attempts: The maximum number of calls of `fails`.
public func shrink<Operation>(
    _ operations: [Operation],
    attempts: Int = 2_000,
    simpler: (Operation) -> [Operation] = { _ in [] },
    fails: ([Operation]) -> Bool
) -> [Operation] {
    var best = operations
    var attempts = attempts
    func improves(_ candidate: [Operation]) -> Bool {
        attempts -= 1
        guard fails(candidate) else { return false }
        best = candidate
        return true
    }

    var changed = true
    while changed, attempts > 0 {
        changed = false
        var size = max(best.count / 2, 1)
        while size >= 1, attempts > 0 {
            var start = 0
            while start < best.count, attempts > 0 {
                let without = Array(best[..<start] + best[min(start + size, best.count)...])
                if improves(without) { changed = true } else { start += size }
            }
            size /= 2
        }
        for index in best.indices {
            for operation in simpler(best[index]) where attempts > 0 {
                var candidate = best
                candidate[index] = operation
                if improves(candidate) {
                    changed = true
                    break
                }
            }
        }
    }
    return best
}

/// Returns the operations as a Swift array literal, if they are cases of an enumeration.
public func swiftSource<Operation>(_ operations: [Operation]) -> String {
    let lines = operations.map { "    .\($0),\n" }
    return "let operations: [\(Operation.self)] = [\n\(lines.joined())]"
}
